"""Optimised maps: TSNE, UMAP, SNE, and those of distances: MDS, NonmetricMDS, Sammon."""
import math

import numpy as np

from . import _arrays, _classes, _errors, _metrics
from ._base import MapEstimator, count_of


class LayoutBase(_metrics.MetricMixin, MapEstimator):
    """A map that is optimised: it has a start, and can be watched."""

    def fit(self, X, y=None, callback=None):
        """Fits the method, and returns the estimator.

        `callback(stage, fraction, loss, map)` is called on the way. None and True go on, 'finish' keeps the present
        map, False cancels.
        """
        self._fit(X, y, callback)
        return self

    def _start(self, options):
        if isinstance(self.init, str):
            options["init"] = self.init
        else:
            options["init"] = "given"
        return options

    def _more_input(self, data, y):
        if isinstance(self.init, str):
            return {}
        return {"init": _arrays.dense(self.init, type(self).__name__, name="init")}


class TsneBase(LayoutBase):
    _told_as = "t-SNE"
    _keeps_float32 = True

    def _data(self, X):
        if self._is_pairwise():
            if isinstance(self.init, str) and self.init == "pca":
                raise ValueError('The parameter init="pca" cannot be used with metric="precomputed".')
            if np.ndim(X) == 2 and np.shape(X)[0] != np.shape(X)[1]:
                raise ValueError("X should be a square distance matrix")
            values = X.data if _arrays.is_sparse(X) else np.asarray(X)
            if values.dtype.kind == "f" and (values < 0).any():
                raise ValueError("All distances should be positive, the precomputed distances given as X is not correct")
        return super()._data(X)

    def _options(self, data):
        n = count_of(data)
        if self.perplexity >= n:
            raise ValueError("perplexity must be less than n_samples")
        options = self._start(self._add_metric(self._plain_options("tsne")))
        options["perplexity"] = [float(self.perplexity)]
        options["n_iter"] = self._iterations()
        options["early_exaggeration_iter"] = min(250, self._iterations())
        # scikit-learn's gradient has a factor of 4, ours has not.
        options["learning_rate"] = None if isinstance(self.learning_rate, str) else 4.0 * self.learning_rate
        if self._metric_options() is None and options["init"] == "pca":
            options["init"] = "spectral"
        return options

    def _iterations(self):
        return self.n_iter if self.max_iter is None else self.max_iter

    def _keep(self, model, X, data):
        super()._keep(model, X, data)
        rate = model.options.get("learning_rate")
        self.learning_rate_ = (rate or len(self.embedding_) / self.early_exaggeration) / 4


class UmapBase(LayoutBase):
    _keeps_float32 = True
    metric_params = property(lambda self: self.metric_kwds, doc="What scikit-learn calls metric_kwds.")

    def _options(self, data):
        n = count_of(data)
        options = self._start(self._add_metric(self._plain_options("umap")))
        # umap-learn counts a point among its own neighbors.
        options["n_neighbors"] = max(1, min(self.n_neighbors, n) - 1)
        if options["metric"] == "precomputed" and options["init"] == "pca":
            options["init"] = "spectral"
        return options

    def _check_parameters(self):
        """umap-learn's parameters of what is not here have the value that asks for nothing."""
        super()._check_parameters()
        for name, is_there in (("unique", not self.unique), ("target_metric_kwds", not self.target_metric_kwds),
                               ("output_metric", self.output_metric in ("euclidean", "l2")),
                               ("output_metric_kwds", not self.output_metric_kwds), ("output_dens", not self.output_dens),
                               ("transform_mode", self.transform_mode == "embedding"),
                               ("disconnection_distance", self.disconnection_distance in (None, math.inf)),
                               ("target_n_neighbors", self.target_n_neighbors in (-1, self.n_neighbors))):
            if not is_there:
                raise _errors.Unsupported(f"UMAP: {name}={getattr(self, name)!r} is not there; leave it out", "UMAP")

    def _given_neighbors(self, count):
        """precomputed_knn as the library takes neighbors: without the points themselves, nearest first. None: search."""
        if self.precomputed_knn is None or self.precomputed_knn[0] is None:
            return None
        k = min(self.n_neighbors, count)
        indices, distances = (np.asarray(part) for part in self.precomputed_knn[:2])
        if indices.ndim != 2 or indices.shape != distances.shape or indices.shape[0] != count or indices.shape[1] < k:
            raise ValueError(f"precomputed_knn: indices of shape {indices.shape} and distances of shape {distances.shape} are "
                             f"not {k} neighbors of each of {count} points")
        indices, distances = indices[:, :k], distances[:, :k]
        itself = indices == np.arange(count)[:, np.newaxis]
        itself[~itself.any(axis=1), -1] = True  # the farthest goes where the point itself is missing
        if (itself.sum(axis=1) != 1).any():
            raise ValueError("precomputed_knn: a point is twice among its own neighbors")
        return (np.arange(0, count * (k - 1) + 1, k - 1, dtype=np.int64), indices[~itself].astype(np.int64),
                distances[~itself].astype(np.float64))

    def _more_input(self, data, y):
        more = super()._more_input(data, y)
        neighbors = self._given_neighbors(count_of(data))
        if neighbors is not None:
            more["neighbors"] = neighbors
        if y is None:
            return more
        y = np.asarray(y)
        if len(y) != count_of(data):
            raise ValueError(f"Length of x = {count_of(data)}, length of y = {len(y)}, while it must be equal.")
        if self.target_metric == "categorical":
            more["labels"] = _classes.labels_of(y)
        else:
            more["targets"] = np.asarray(y, dtype=np.float64).ravel()
        return more

    def _keep(self, model, X, data):
        super()._keep(model, X, data)
        self.n_epochs_ = model.attribute("n_iter")

    def fit_transform(self, X, y=None):
        """Fits the method, and returns the coordinates of the rows of X."""
        self._fit(X, y)
        return self._wrapped(self.embedding_, X)


class PlainLayoutBase(LayoutBase):
    def _options(self, data):
        return self._start(self._add_metric(self._plain_options(self._method())))


class StressBase(PlainLayoutBase):
    """A map that is fitted to distances."""

    def fit(self, X, y=None, init=None, weight=None, callback=None):
        """Fits the method, and returns the estimator.

        `init` are coordinates to start from. `weight` says what the distance of every pair counts, as a symmetric
        matrix; 0, and NaN in a matrix of distances, are unknown distances. `callback` is as in TSNE.
        """
        self._begin(init, weight, lambda: self._fit(X, y, callback))
        return self

    def fit_transform(self, X, y=None, init=None, weight=None):
        """Fits the method, and returns the coordinates of the rows of X."""
        self._begin(init, weight, lambda: self._fit(X, y))
        return self._wrapped(self.embedding_, X)

    def _begin(self, init, weight, fit):
        self._given_start, self._given_weight = init, weight
        try:
            fit()
        finally:
            del self._given_start, self._given_weight

    def _own_start(self):
        return self.init

    def _start(self, options):
        own = self._own_start()
        options["init"] = "given" if self._given_start is not None or not isinstance(own, str) else own
        return options

    def _more_input(self, data, y):
        name, own, more = type(self).__name__, self._own_start(), {}
        start = self._given_start if self._given_start is not None or isinstance(own, str) else own
        if start is not None:
            more["init"] = _arrays.dense(start, name, name="init")
        if self._given_weight is not None:
            more["pair_weights"] = _arrays.dense(self._given_weight, name, name="weight")
        return more


class MdsBase(StressBase):
    """scikit-learn's MDS: `metric` says which method it is, `dissimilarity` what X is. In newer versions `metric_mds` says
    the one and `metric` the other."""

    _told_as = "MDS"

    def _is_named(self):
        """Whether `metric` says how distance is measured."""
        return isinstance(self.metric, str) or callable(self.metric)

    def _is_metric(self):
        if self.metric_mds is not None:
            return bool(self.metric_mds)
        return self._is_named() or bool(self.metric)

    def _method(self):
        return "metric_mds" if self._is_metric() else "nonmetric_mds"

    def _check_parameters(self):
        super()._check_parameters()
        if self._is_named() and self.dissimilarity != "euclidean" and self.metric != self.dissimilarity:
            raise ValueError(f"MDS: metric={self.metric!r} and dissimilarity={self.dissimilarity!r} contradict each other; "
                             "leave out dissimilarity")

    def _measure(self):
        """How distance is measured."""
        return self.metric if self._is_named() else self.dissimilarity

    def _own_start(self):
        return "random" if self.init == "random" else "auto"

    def _options(self, data):
        options = self._start(self._add_metric(self._plain_options(self._method())))
        # scikit-learn's eps is of the sum of the squared distances, which is about ten times the stress.
        options["tol"] = 10 * self.eps
        return options

    def _keep(self, model, X, data):
        is_metric = self._is_metric()
        normalized = self.normalized_stress is True or (self.normalized_stress == "auto" and not is_metric)
        super()._keep(model, X, data)
        self.stress_ = model.attribute("normalized_stress" if normalized and is_metric else "stress")
        if not normalized and is_metric:  # infinite or 0 where the squares of the data are
            unit = model.attributes.get("stress_unit", 1.0)
            self.stress_ = self.stress_ / unit / unit
        if not normalized and not is_metric:  # the squared distances of a non-metric map sum up to n^2
            self.stress_ = (self.stress_ * len(self.embedding_)) ** 2
        self._pairs_of = _arrays.kept(data, X)

    @property
    def dissimilarity_matrix_(self):
        """The distances that the map was fitted to; of points they are computed when they are asked for."""
        self._check_fitted()
        if self._is_pairwise() or self._metric_options() is None:
            return self._pairs_of
        return _metrics.pairs(self._pairs_of, None, self._measure(), self.metric_params, type(self).__name__)
