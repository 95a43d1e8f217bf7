"""What single classes do beside what the table says of them. No method is computed here: parameters become options."""
import math
import numbers

import numpy as np

from . import _arrays, _core, _errors, _metrics
from ._base import OPTIONS_OF, Estimator, MapEstimator, MethodEstimator, OutputMixin


def count_of(data):
    """The number of points."""
    return len(data[0]) - 1 if isinstance(data, tuple) else data.shape[0]


class PcaBase(MapEstimator):
    _min_samples = 1

    def _options(self, data):
        options, most = self._plain_options("pca"), min(data.shape)
        if self.n_components is None:
            options["n_components"] = most - (self.svd_solver == "arpack")
        elif self.n_components == "mle":
            raise _errors.Unsupported("PCA: n_components='mle' is not there; give a number, or a fraction such as 0.95")
        elif isinstance(self.n_components, numbers.Integral):
            self._check_count(most)
        return options

    def _check_count(self, most):
        """scikit-learn's limits, which depend on the solver."""
        solver = "full" if self.svd_solver in ("auto", "covariance_eigh") else self.svd_solver
        least = 0 if solver == "full" else 1
        what = f"n_components={self.n_components!r} must be"
        if not least <= self.n_components <= most:
            raise ValueError(f"{what} between {least} and min(n_samples, n_features)={most!r} with svd_solver={solver!r}")
        if solver == "arpack" and self.n_components == most:
            raise ValueError(f"{what} strictly less than min(n_samples, n_features)={most!r} with svd_solver={solver!r}")

    def _keep(self, model, X, data):
        super()._keep(model, X, data)
        self.n_samples_, self.n_features_ = data.shape
        left = min(data.shape) - self.n_components_
        rest = model.attributes["total_variance"] - self.explained_variance_.sum()
        self.noise_variance_ = max(0.0, rest / left) if left > 0 else 0.0
        vars(self).pop("embedding_", None)  # scikit-learn's PCA has none

    @property
    def _n_features_out(self):
        return self.components_.shape[0]

    def fit_transform(self, X, y=None):
        """Fits the model, and returns the coordinates of the rows of X."""
        self._fit(X, y)
        return self._wrapped(self._model.coordinates, X)

    def inverse_transform(self, X):
        """Points of the data space for coordinates."""
        self._check_fitted()
        data = _arrays.dense(X, type(self).__name__)
        return self._call(self._model.inverse_transform, data, threads=self._threads())

    def get_covariance(self):
        """The covariance of the probabilistic model: that of the components, and the noise variance elsewhere."""
        self._check_fitted()
        extra = np.maximum(self.explained_variance_ - self.noise_variance_, 0)
        covariance = (self.components_.T * extra) @ self.components_
        covariance.flat[::len(covariance) + 1] += self.noise_variance_
        return covariance

    def get_precision(self):
        """The inverse of the covariance."""
        return np.linalg.inv(self.get_covariance())

    def score_samples(self, X):
        """The log-likelihood of every row under the probabilistic model."""
        centered = self._new_points(X) - self.mean_
        precision = self.get_precision()
        constant = self.n_features_in_ * math.log(2 * math.pi) - np.linalg.slogdet(precision)[1]
        return -0.5 * ((centered * (centered @ precision)).sum(axis=1) + constant)

    def score(self, X, y=None):
        """The mean log-likelihood of the rows."""
        return float(np.mean(self.score_samples(X)))


class KernelPcaBase(MapEstimator):
    _ours = ("linear", "poly", "rbf", "sigmoid", "cosine", "laplacian", "precomputed")
    _min_samples = 2

    def _more_tags(self):
        return {"pairwise": self.kernel == "precomputed"}

    def _kernel_params(self):
        if callable(self.kernel):
            return self.kernel_params or {}
        return {"gamma": self.gamma, "degree": self.degree, "coef0": self.coef0}

    def _data(self, X):
        points = super()._data(X)
        if self.kernel == "precomputed":
            _metrics.check_square(points, type(self).__name__)
        if self.kernel in self._ours:
            return points
        return _metrics.kernel_matrix(points, None, self.kernel, self._kernel_params(), type(self).__name__)

    def _options(self, data):
        options = self._plain_options("kernel_pca")
        n = data.shape[0]
        options["n_components"] = n - 1 if self.n_components is None else min(self.n_components, n - 1)
        options["degree"] = int(self.degree)
        if self.kernel not in self._ours:
            options["kernel"] = "precomputed"
        if options["kernel"] in ("linear", "cosine", "precomputed"):
            options.pop("gamma")
        elif self.gamma is None:
            options["gamma"] = 1 / data.shape[1]
        return options

    def _keep(self, model, X, data):
        values = model.spectrum["values"]
        drops = self.n_components is None or self.remove_zero_eig
        kept = values > 0 if drops else np.ones(len(values), bool)
        if drops:
            kept &= np.arange(len(values)) < model.attributes["rank"]
        super()._keep(model, X, data)
        self._kept = kept
        self.eigenvalues_ = np.where(values[kept] > 0, values[kept], 0)
        self._map = model.coordinates[:, kept]
        safe = np.where(self.eigenvalues_ > 0, np.sqrt(self.eigenvalues_), 1)
        self.eigenvectors_ = self._map / safe
        self.X_fit_ = data
        if self.kernel not in self._ours:
            self.X_fit_ = np.array(_arrays.dense(X, type(self).__name__))
            self.n_features_in_ = self.X_fit_.shape[1]
        if self.fit_inverse_transform:
            self.X_transformed_fit_ = self._map
        self.gamma_ = model.options.get("gamma")

    @property
    def _n_features_out(self):
        return len(self.eigenvalues_)

    def fit_transform(self, X, y=None):
        """Fits the model, and returns the coordinates of the rows of X."""
        self._fit(X, y)
        return self._wrapped(self._map, X)

    def _placed(self, data):
        if self.kernel not in self._ours:
            data = np.ascontiguousarray(_metrics.kernel_matrix(data, self.X_fit_, self.kernel, self._kernel_params(),
                                                               type(self).__name__))
        return super()._placed(data)[:, self._kept]

    def inverse_transform(self, X):
        """Points of the data space for coordinates, by ridge regression in the map."""
        self._check_fitted()
        if not self.fit_inverse_transform:
            raise _errors.unfitted_part("The fit_inverse_transform parameter was not set to True when instantiating and "
                                        "hence the inverse transform is not available.")
        data = _arrays.dense(X, type(self).__name__)
        full = np.zeros((len(data), len(self._kept)))
        full[:, self._kept] = data
        return self._call(self._model.inverse_transform, full, threads=self._threads())


class MdsBase(_metrics.MetricMixin, MapEstimator):
    _takes_sparse = False

    def _options(self, data):
        return self._add_metric(self._plain_options("mds"))


class IsomapBase(_metrics.MetricMixin, MapEstimator):
    def _options(self, data):
        if self.n_neighbors is not None and self.radius is not None:
            raise ValueError("Both n_neighbors and radius are provided. Use Isomap(radius="
                             f"{self.radius}, n_neighbors=None) if intended to use radius-based neighbors")
        options = self._add_metric(self._plain_options("isomap"))
        if self.radius == math.inf:  # all points are joined
            options.update(radius=None, n_neighbors=count_of(data) - 1)
        return options


class LocallyLinearBase(MapEstimator):
    _methods = {"standard": "lle", "modified": "mlle", "hessian": "hlle", "ltsa": "ltsa"}

    def _method(self):
        return self._methods[self.method]

    def _options(self, data):
        n, k, d = data.shape[0], self.n_neighbors, self.n_components
        if k >= n:
            raise ValueError(f"Expected n_neighbors <= n_samples,  but n_samples = {n}, n_neighbors = {k}")
        if d > data.shape[1]:
            raise ValueError("output dimension must be less than or equal to input dimension")
        if self.method == "hessian" and k <= d * (d + 3) // 2:
            raise ValueError("for method='hessian', n_neighbors must be greater than [n_components * (n_components + 3) "
                             "/ 2]")
        if self.method == "modified" and k < d:
            raise ValueError("modified LLE requires n_neighbors >= n_components")
        return self._plain_options(self._method())

    # scikit-learn's columns have length 1, the library's have the length of the root of the number of points.
    def _keep(self, model, X, data):
        super()._keep(model, X, data)
        self.embedding_ = self.embedding_ / math.sqrt(data.shape[0])

    def _placed(self, data):
        return super()._placed(data) / math.sqrt(self.embedding_.shape[0])


def without_diagonal(matrix):
    """The entries of a graph between different points. A point counts among its own neighbors whether it is there or not;
    zeros of a full matrix are no entries, as in scikit-learn."""
    from scipy.sparse import coo_matrix
    entries = coo_matrix(matrix)
    between = entries.row != entries.col
    return coo_matrix((entries.data[between], (entries.row[between], entries.col[between])), shape=entries.shape)


class AffinityMixin:
    """The parameter affinity of SpectralEmbedding and SpectralClustering."""

    def _more_tags(self):
        return {"pairwise": self.affinity in ("precomputed", "precomputed_nearest_neighbors")}

    def _data(self, X):
        name = type(self).__name__
        if self.affinity in ("precomputed", "precomputed_nearest_neighbors"):
            matrix = X if _arrays.is_sparse(X) else super()._data(X)
            if matrix.shape[0] != matrix.shape[1]:
                raise ValueError(f"array must be 2-dimensional and square. shape = {matrix.shape}")
            if self.affinity == "precomputed_nearest_neighbors":
                return _arrays.sparse(without_diagonal(matrix))
            return _arrays.sparse(matrix) if _arrays.is_sparse(matrix) else matrix
        points = super()._data(X)
        if self.affinity in ("nearest_neighbors", "rbf"):
            return points
        return np.ascontiguousarray(self._affinities(points, name))

    def _affinity_options(self, options, data, n_neighbors, gamma):
        """scikit-learn counts a point among its own neighbors; exp(-gamma d^2) = exp(-d^2 / (2 sigma^2))."""
        for name in ("n_neighbors", "gamma", "affinity", "metric"):
            options.pop(name, None)
        options["laplacian"] = "random_walk"
        if self.affinity in ("nearest_neighbors", "precomputed_nearest_neighbors"):
            others = max(1, n_neighbors - 1)
            if self.affinity == "precomputed_nearest_neighbors":
                options["metric"] = "precomputed"
            options.update(weights="binary", symmetrization="average", n_neighbors=others)
        elif self.affinity == "rbf":
            options.update(graph="full", weights="heat", sigma=1 / math.sqrt(2 * gamma))
        else:
            options["weights"] = "precomputed"
        return options


class SpectralEmbeddingBase(AffinityMixin, MapEstimator):
    def _affinities(self, points, name):
        return self.affinity(points)

    def _used_neighbors(self, data):
        return self.n_neighbors if self.n_neighbors is not None else max(count_of(data) // 10, 1)

    def _options(self, data):
        gamma = 1.0
        if self.affinity == "rbf":
            gamma = self.gamma if self.gamma is not None else 1 / data.shape[1]
        return self._affinity_options(self._plain_options("laplacian_eigenmaps"), data, self._used_neighbors(data),
                                      gamma)

    def _keep(self, model, X, data):
        super()._keep(model, X, data)
        vars(self).pop("affinity_matrix_", None)
        if callable(self.affinity):
            self.n_features_in_ = np.shape(X)[1]
        if callable(self.affinity) or self.affinity == "precomputed":  # others are not formed
            self.affinity_matrix_ = X if _arrays.is_sparse(X) else data
        if self.affinity in ("nearest_neighbors", "precomputed_nearest_neighbors"):
            self.n_neighbors_ = self._used_neighbors(data)
        if self.affinity == "rbf":
            self.gamma_ = self.gamma if self.gamma is not None else 1 / data.shape[1]

    def _placed(self, data):
        if callable(self.affinity):
            raise _errors.Unsupported("SpectralEmbedding: new points need affinities to the training points, which a "
                                      "callable affinity does not give; use affinity='precomputed'")
        return super()._placed(data)


class SpectralClusteringBase(AffinityMixin, MethodEstimator):
    _estimator_type = "clusterer"

    def _affinities(self, points, name):
        params = dict(self.kernel_params or {})
        if not callable(self.affinity):
            params.update(gamma=self.gamma, degree=self.degree, coef0=self.coef0)
        return _metrics.kernel_matrix(points, None, self.affinity, params, name)

    def _options(self, data):
        if self.assign_labels != "kmeans":
            raise _errors.Unsupported(f"SpectralClustering: assign_labels={self.assign_labels!r} is not there; use "
                                      "'kmeans'")
        return self._affinity_options(self._plain_options("spectral_clustering"), data, self.n_neighbors, self.gamma)

    def _keep(self, model, X, data):
        super()._keep(model, X, data)
        self.labels_ = model.labels.astype(np.int32)
        if not isinstance(data, tuple):
            self.n_features_in_ = np.shape(X)[1]

    def fit(self, X, y=None):
        """Finds clusters of the rows of X, and returns the estimator. `y` is not used."""
        self._fit(X, y)
        return self

    def fit_predict(self, X, y=None):
        """Finds clusters, and returns the label of every row."""
        return self.fit(X).labels_

    def predict(self, X):
        """The clusters of new rows; with affinity='precomputed', of rows of affinities to the training points."""
        data = self._new_points(X)
        if self.affinity not in ("rbf", "nearest_neighbors", "precomputed", "precomputed_nearest_neighbors"):
            raise _errors.Unsupported("SpectralClustering: new points need affinities to the training points; use "
                                      "affinity='precomputed'")
        return self._call(self._model.predict, data, threads=self._threads()).astype(np.int32)


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
    metric_params = property(lambda self: self.metric_kwds, doc="What scikit-learn calls metric_kwds.")

    def _options(self, data):
        n = count_of(data)
        options = self._start(self._add_metric(self._plain_options("umap")))
        # umap-learn counts a point among its own neighbors.
        options["n_neighbors"] = max(1, min(self.n_neighbors, n) - 1)
        if options["metric"] == "precomputed" and options["init"] == "pca":
            options["init"] = "spectral"
        return options

    def _more_input(self, data, y):
        more = super()._more_input(data, y)
        if y is None:
            return more
        y = np.asarray(y)
        if len(y) != count_of(data):
            raise ValueError(f"Length of x = {count_of(data)}, length of y = {len(y)}, while it must be equal.")
        if self.target_metric == "categorical":
            more["labels"] = _arrays.labels_of(y)
        else:
            more["targets"] = np.asarray(y, dtype=np.float64).ravel()
        return more

    def _keep(self, model, X, data):
        super()._keep(model, X, data)
        self.n_epochs_ = model.attributes["n_iter"]

    def fit_transform(self, X, y=None):
        """Fits the method, and returns the coordinates of the rows of X."""
        self._fit(X, y)
        return self._wrapped(self.embedding_, X)


class PlainBase(_metrics.MetricMixin, MapEstimator):
    """A class whose parameters are the options of the method."""

    def _options(self, data):
        options = self._plain_options(self._method())
        if options.get("weights") == "precomputed":
            return options
        return self._add_metric(options)

    def _is_pairwise(self):
        return self.metric == "precomputed" or getattr(self, "weights", None) == "precomputed"


class PlainLayoutBase(LayoutBase):
    def _options(self, data):
        return self._start(self._add_metric(self._plain_options(self._method())))


class KMeansBase(OutputMixin, Estimator):
    _estimator_type = "clusterer"

    def _starts(self, data, random):
        """The centers that are tried instead of k-means++."""
        if isinstance(self.init, str):
            return [data[random.choice(len(data), self.n_clusters, replace=False)] for _ in range(self._n_init())]
        if callable(self.init):
            return [self._checked(self.init(data, self.n_clusters, random_state=random), data)
                    for _ in range(self._n_init())]
        return [self._checked(self.init, data)]

    def _checked(self, centers, data):
        centers = _arrays.dense(centers, type(self).__name__, name="init")
        if centers.shape[0] != self.n_clusters:
            raise ValueError(f"The shape of the initial centers {centers.shape} does not match the number of clusters "
                             f"{self.n_clusters}.")
        if centers.shape[1] != data.shape[1]:
            raise ValueError(f"The shape of the initial centers {centers.shape} does not match the number of features "
                             f"of the data {data.shape[1]}.")
        return centers

    def _n_init(self):
        if not isinstance(self.n_init, str):
            return self.n_init
        return 1 if isinstance(self.init, str) and self.init == "k-means++" else 10

    def fit(self, X, y=None):
        """Finds the centers, and returns the estimator. `y` is not used."""
        self._check_parameters()
        name = type(self).__name__
        _arrays.feature_names(X)
        data = _arrays.dense(X, name)
        if len(data) < self.n_clusters:
            raise ValueError(f"n_samples={len(data)} should be >= n_clusters={self.n_clusters}.")
        seed = _arrays.seed_of(self.random_state)
        options = {"n_clusters": self.n_clusters, "n_init": self._n_init(), "max_iter": self.max_iter, "tol":
                   float(self.tol), "random_state": seed}
        if isinstance(self.init, str) and self.init == "k-means++":
            starts = [None]
        else:
            starts = self._starts(data, np.random.RandomState(seed % 2**32))
        tried = [self._call(_core.kmeans, data, options, None if start is None else np.ascontiguousarray(start),
                            threads=self._threads()) for start in starts]
        best = min(tried, key=lambda found: found["inertia"] * found["inertia_unit"]**2)
        self._take_names(X)
        self.n_features_in_ = data.shape[1]
        self.cluster_centers_ = best["centers"]
        self.labels_ = best["labels"].astype(np.int32)
        self.inertia_ = best["inertia"] * best["inertia_unit"]**2
        self.n_iter_ = max(1, int(best["iterations"]))
        _errors.warn_all(best["warnings"], name)
        return self

    @property
    def _n_features_out(self):
        return len(self.cluster_centers_)

    def fit_predict(self, X, y=None):
        """Finds the centers, and returns the nearest one of every row."""
        return self.fit(X).labels_

    def predict(self, X):
        """The nearest center of every row."""
        data = self._new_points(X)
        return self._call(_core.nearest_centers, data, self.cluster_centers_).astype(np.int32)

    def _distances(self, data):
        return np.column_stack([np.linalg.norm(data - center, axis=1) for center in self.cluster_centers_])

    def transform(self, X):
        """The distances of the rows to the centers."""
        data = self._new_points(X)
        self._call(_core.nearest_centers, data, self.cluster_centers_)  # refuses what is not finite
        return self._wrapped(self._distances(data), X)

    def fit_transform(self, X, y=None):
        """Finds the centers, and returns the distances to them."""
        return self.fit(X).transform(X)

    def score(self, X, y=None):
        """Minus the sum of squared distances to the nearest centers."""
        return -float((self._distances(self._new_points(X)).min(axis=1)**2).sum())


class KNeighborsBase(OutputMixin, Estimator):
    """Distances to the nearest points as a sparse matrix, which other classes take as metric='precomputed'."""

    def _more_tags(self):
        return {"pairwise": self.metric == "precomputed"}

    def _search_options(self, count):
        found = _metrics.known(self.metric, self.p, self.metric_params)
        if found is None:
            raise _errors.Unsupported(f"KNeighborsTransformer: metric={self.metric!r} is not there; use metric="
                                      "'precomputed' with the matrix of distances")
        algorithm = {"ball_tree": "auto"}.get(self.algorithm, self.algorithm)
        return {**found, "n_neighbors": int(count), "algorithm": algorithm}

    def fit(self, X, y=None):
        """Keeps the points, and returns the estimator. `y` is not used."""
        self._check_parameters()
        _arrays.feature_names(X)
        data = _arrays.dense(X, type(self).__name__)
        if self.metric == "precomputed":
            _metrics.check_square(data, type(self).__name__)
        _arrays.check_finite(data, type(self).__name__)
        self._search_options(1)
        self._take_names(X)
        self._fit_X = data
        self.n_features_in_ = data.shape[1]
        self.n_samples_fit_ = data.shape[0]
        self.effective_metric_ = self.metric
        return self

    @property
    def _n_features_out(self):
        return self.n_samples_fit_

    def _nearest(self, X, count):
        """(distances, indices), `count` per row; X is None: of the points themselves, without the point."""
        if not isinstance(count, numbers.Integral):
            raise TypeError(f"n_neighbors does not take {type(count)} value, enter integer value")
        if count <= 0:
            raise ValueError(f"Expected n_neighbors > 0. Got {count}")
        most = self.n_samples_fit_ - (X is None)
        if count > most:
            raise ValueError(f"Expected n_neighbors <= n_samples,  but n_samples = {self.n_samples_fit_}, n_neighbors = "
                             f"{count}")
        threads = self._threads()
        if X is None:
            (_, indices, distances), report = self._call(_core.neighbors, self._fit_X, self._search_options(count),
                                                         threads=threads)
            return distances.reshape(-1, count), indices.reshape(-1, count)
        data = self._new_points(X)
        if count == self.n_samples_fit_:  # more than a point has others: all of them, which a search has no need for
            return self._all(data)
        index = self._call(_core.NeighborIndex, self._fit_X, self._search_options(count), threads=threads)
        _, indices, distances = self._call(index.nearest, data, threads=threads)
        return distances.reshape(-1, count), indices.reshape(-1, count)

    def _all(self, data):
        if self.metric == "precomputed":
            distances = np.array(data, dtype=np.float64)
        else:
            distances = _metrics.pairs(data, self._fit_X, self._search_options(1)["metric"], self.metric_params or (
                {"p": self.p} if self._search_options(1)["metric"] == "minkowski" else None), type(self).__name__)
        order = np.argsort(distances, axis=1, kind="stable")
        return np.take_along_axis(distances, order, axis=1), order

    def kneighbors(self, X=None, n_neighbors=None, return_distance=True):
        """The nearest points of every row: (distances, indices), or the indices alone."""
        self._check_fitted()
        distances, indices = self._nearest(X, self.n_neighbors if n_neighbors is None else n_neighbors)
        return (distances, indices) if return_distance else indices

    def kneighbors_graph(self, X=None, n_neighbors=None, mode="connectivity"):
        """The same as a sparse matrix of ones, or of distances with mode='distance'."""
        from scipy.sparse import csr_matrix
        if mode not in ("connectivity", "distance"):
            raise ValueError(f'Unsupported mode, must be one of "connectivity", or "distance" but got "{mode}" instead')
        distances, indices = self.kneighbors(X, n_neighbors)
        rows, count = indices.shape
        values = distances.ravel() if mode == "distance" else np.ones(rows * count)
        offsets = np.arange(0, rows * count + 1, count)
        return csr_matrix((values, indices.ravel(), offsets), shape=(rows, self.n_samples_fit_))

    def transform(self, X):
        """The graph of neighbors of X. With mode='distance' a point is its own first neighbor, in addition."""
        self._check_fitted()
        return self.kneighbors_graph(X, self.n_neighbors + (self.mode == "distance"), self.mode)

    def fit_transform(self, X, y=None):
        """Keeps the points, and returns their graph."""
        return self.fit(X).transform(X)


def plain_parameters(method):
    """The options of a method, as (name, default, help)."""
    return [(name, option["default"], option["help"]) for name, option in OPTIONS_OF[method].items()]
