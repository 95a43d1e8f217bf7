"""Metrics and kernels by scikit-learn's names. Those that the library does not have, and a user's own functions, are
computed for all pairs, and the library is given the matrix."""
import numpy as np

from . import _arrays, _core, _errors

_ALIASES = {"l2": "euclidean", "l1": "manhattan", "cityblock": "manhattan", "infinity": "chebyshev", "linf": "chebyshev"}
_OURS = ("euclidean", "manhattan", "chebyshev", "minkowski", "cosine", "correlation", "hamming", "jaccard", "haversine",
         "precomputed")


def known(metric, p=2, params=None):
    """The options metric and p for a metric that the library has; None for others."""
    if not isinstance(metric, str):
        return None
    name = _ALIASES.get(metric, metric)
    if name not in _OURS or (name == "jaccard" and params):
        return None
    if name != "minkowski":
        return {"metric": name} if not params or name == "precomputed" else None
    params = dict(params or {})
    p = params.pop("p", p)
    if params or p < 1:  # weights, or no metric at all
        return None
    return {"metric": {1: "manhattan", 2: "euclidean"}.get(p, "minkowski"), "p": float(p)}


def pairs(points, others, metric, params, who):
    """The distances from points to others, or among the points if others is None, by SciPy."""
    from scipy.spatial import distance
    _core.require_memory("the distances of all pairs", len(points), len(points if others is None else others),
                         12 if others is None else 8, who)
    params = dict(params or {})
    if isinstance(metric, str):
        metric = {"manhattan": "cityblock", "l1": "cityblock", "l2": "euclidean"}.get(metric, metric)
    try:
        if others is None:
            found = distance.squareform(distance.pdist(points, metric, **params))
        else:
            found = distance.cdist(points, others, metric, **params)
    except ValueError as error:
        raise ValueError(f"{who}: metric={metric!r}: {error}") from None
    return _finite(found, points, f"metric={metric!r}", who)


def _finite(found, points, what, who):
    """Refuses values that are not finite: a distance of NaN would count as unknown."""
    if not np.isfinite(found).all():
        _arrays.check_finite(points, who)
        place = np.argwhere(~np.isfinite(found))[0]
        raise _errors.DataError(f"{who}: {what} gives {found[tuple(place)]} for rows {place[0]} and {place[1]}; only finite "
                                "numbers are allowed", who)
    return found


def ones(rows, columns, who):
    """Weights of a kernel that is infinitely wide."""
    _core.require_memory("the weights of all pairs", rows, columns, 8, who)
    return np.ones((rows, columns))


class MetricMixin:
    """For classes with the parameters metric, metric_params and perhaps p."""

    def _measure(self):
        """How distance is measured."""
        return self.metric

    def _is_pairwise(self):
        return self._measure() == "precomputed"

    def _more_tags(self):
        return {"pairwise": self._is_pairwise()}

    def _metric_options(self):
        return known(self._measure(), getattr(self, "p", 2), getattr(self, "metric_params", None))

    def _data(self, X):
        name = type(self).__name__
        if self._is_pairwise() and _arrays.is_sparse(X) and self._takes_sparse:
            if X.shape[0] != X.shape[1]:
                raise ValueError(f"Precomputed matrix must be square. Input is a {X.shape[0]}x{X.shape[1]} matrix.")
            return _arrays.sparse(X)
        points = super()._data(X)
        if self._is_pairwise():
            check_square(points, name)
        if self._metric_options() is not None:
            return points
        points = _arrays.dense(X, name)  # refuses sparse rows
        return pairs(points, None, self._measure(), getattr(self, "metric_params", None), name)

    _takes_sparse = True

    def _keep(self, model, X, data):
        super()._keep(model, X, data)
        vars(self).pop("_fit_X", None)
        if self._metric_options() is None:  # new points are compared with these
            self._fit_X = np.array(_arrays.dense(X, type(self).__name__))
            self.n_features_in_ = self._fit_X.shape[1]

    def _placed(self, data):
        if self._metric_options() is None:
            data = pairs(data, self._fit_X, self._measure(), getattr(self, "metric_params", None), type(self).__name__)
        return super()._placed(data)

    def _add_metric(self, options):
        found = self._metric_options()
        options.pop("p", None)
        options.update({"metric": "precomputed"} if found is None else found)
        return options


def check_square(matrix, who):
    if matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"Precomputed matrix must be square. Input is a {matrix.shape[0]}x{matrix.shape[1]} matrix "
                         f"({who}).")


def kernel_matrix(points, others, kernel, params, who):
    """K(points, others) for a callable of two rows, or for a kernel that only scikit-learn has."""
    _core.require_memory("the kernel of all pairs", len(points), len(points if others is None else others), 16, who)
    if callable(kernel):
        columns = points if others is None else others
        matrix = np.array([[float(kernel(a, b, **params)) for b in columns] for a in points])
        return _finite(matrix, points, "the kernel", who)
    try:
        from sklearn.metrics.pairwise import pairwise_kernels
    except ImportError:
        raise _errors.Unsupported(f"{who}: the kernel {kernel!r} is computed by scikit-learn, which is missing") from None
    return pairwise_kernels(points, others, metric=kernel, filter_params=True, **params)
