"""Maps of distances and of graphs: what single classes do beside what the table says of them."""
import math
import warnings

import numpy as np

from . import _arrays, _core, _errors, _functions, _metrics
from ._base import MapEstimator, MethodEstimator, count_of


class MdsBase(_metrics.MetricMixin, MapEstimator):
    _takes_sparse = False

    def _options(self, data):
        return self._add_metric(self._plain_options("mds"))


class IsomapBase(_metrics.MetricMixin, MapEstimator):
    _keeps_float32 = True

    def _options(self, data):
        if self.n_neighbors is not None and self.radius is not None:
            raise ValueError("Both n_neighbors and radius are provided. Use Isomap(radius="
                             f"{self.radius}, n_neighbors=None) if intended to use radius-based neighbors")
        options = self._add_metric(self._plain_options("isomap"))
        if self.radius == math.inf:  # all points are joined
            options.update(radius=None, n_neighbors=count_of(data) - 1)
        return options

    def _keep(self, model, X, data):
        super()._keep(model, X, data)
        self._seen = _arrays.kept(data, X)  # for what is computed only when it is asked for

    @property
    def dist_matrix_(self):
        """The lengths of the shortest paths between all points. They are found again when they are asked for."""
        self._check_fitted()
        if self.components == "separate" and self._model.attribute("components") > 1:
            raise AttributeError("dist_matrix_: with components='separate' no path joins points of different parts")
        used = self._model.options
        options = {name: used[name] for name in ("n_neighbors", "radius", "metric", "p", "neighbors_algorithm", "scale",
                                                 "random_state") if used.get(name) is not None}
        found = self._call(_core.path_matrix, self._seen, {**options, "weights": "binary", "components": "connect"},
                           threads=self._threads())
        return self._like(self._seen, found)

    @property
    def kernel_pca_(self):
        """A KernelPCA of -1/2 of the squared path lengths, whose map this is."""
        kernel = _functions._estimator("KernelPCA", n_components=self.n_components, kernel="precomputed")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", _errors.UnrollWarning)  # path lengths need not be Euclidean
            return kernel.fit(-0.5 * self.dist_matrix_**2)

    @property
    def nbrs_(self):
        """A KNeighborsTransformer of the training points."""
        self._check_fitted()
        points = vars(self).get("_fit_X", self._seen)
        if isinstance(points, tuple):
            raise AttributeError("nbrs_: a sparse matrix of distances has no points")
        points = points.matrix if isinstance(points, _arrays.SparseRows) else points
        search = _functions._estimator("KNeighborsTransformer", n_neighbors=self.n_neighbors or 5, metric=self.metric,
                                       p=self.p, metric_params=self.metric_params, n_jobs=self.n_jobs).fit(points)
        return search.set_params(n_neighbors=self.n_neighbors)

    def reconstruction_error(self):
        """How far the inner products of the map are from those of the path lengths, per point: Frobenius' norm."""
        products = -0.5 * self.dist_matrix_.astype(np.float64)**2
        products -= products.mean(axis=0)
        products -= products.mean(axis=1)[:, np.newaxis]
        left = (products**2).sum() - (self._model.spectrum["values"]**2).sum()
        return math.sqrt(max(left, 0)) / len(products)


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


def _nearest_entries(parts, count):
    """The points themselves and their nearest `count` entries, as a matrix of ones."""
    from scipy.sparse import csr_matrix
    offsets, columns, distances, n = parts
    rows = np.repeat(np.arange(n), np.diff(offsets))
    order = np.lexsort((columns, distances, rows))
    rank = np.arange(len(rows)) - offsets[rows]
    kept = order[rank < count]
    nearest = csr_matrix((np.ones(len(kept)), (rows[kept], columns[kept])), shape=(n, n))
    return nearest + csr_matrix((np.ones(n), (np.arange(n), np.arange(n))), shape=(n, n))


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
        points = _arrays.dense(X, name)  # refuses sparse rows
        return np.ascontiguousarray(self._affinities(points, name))

    @property
    def affinity_matrix_(self):
        """The weights of the graph, found again when they are asked for: sparse if they are between neighbors."""
        self._check_fitted()
        seen = self._seen
        if self.affinity == "nearest_neighbors":
            graph = _functions.kneighbors_graph(seen, self._count(seen), include_self=True, n_jobs=self.n_jobs)
        elif self.affinity == "precomputed_nearest_neighbors":
            graph = _nearest_entries(seen, self._count(seen) - 1)
        elif self.affinity == "rbf":
            seen = seen.matrix.toarray() if isinstance(seen, _arrays.SparseRows) else seen
            squares = _metrics.pairs(seen, None, "sqeuclidean", None, type(self).__name__)
            return self._like(seen, np.exp(-self._used_gamma(seen) * squares))
        elif isinstance(seen, tuple):
            from scipy.sparse import csr_matrix
            return csr_matrix((seen[2], seen[1], seen[0]), shape=(count_of(seen), seen[3]))
        else:
            return seen
        return 0.5 * (graph + graph.T)

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
    # As in scikit-learn, where weights of 0 and 1 are double.
    _keeps_float32 = property(lambda self: not str(self.affinity).endswith("nearest_neighbors"))

    def _affinities(self, points, name):
        return self.affinity(points)

    def _count(self, data):
        return self.n_neighbors if self.n_neighbors is not None else max(count_of(data) // 10, 1)

    def _used_gamma(self, data):
        return self.gamma if self.gamma is not None else 1 / data.shape[1]

    def _options(self, data):
        gamma = self._used_gamma(data) if self.affinity == "rbf" else 1.0
        return self._affinity_options(self._plain_options("laplacian_eigenmaps"), data, self._count(data), gamma)

    def _keep(self, model, X, data):
        super()._keep(model, X, data)
        self._seen = _arrays.kept(data, X)
        if callable(self.affinity):
            self.n_features_in_ = np.shape(X)[1]
        if self.affinity in ("nearest_neighbors", "precomputed_nearest_neighbors"):
            self.n_neighbors_ = self._count(data)
        if self.affinity == "rbf":
            self.gamma_ = self._used_gamma(data)

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
        return self._affinity_options(self._plain_options("spectral_clustering"), data, self.n_neighbors, self.gamma)

    def _keep(self, model, X, data):
        super()._keep(model, X, data)
        self._seen = _arrays.kept(data, X)
        self.labels_ = model.labels.astype(np.int32)
        if not isinstance(data, tuple):
            self.n_features_in_ = np.shape(X)[1]

    def fit(self, X, y=None):
        """Finds clusters of the rows of X, and returns the estimator. `y` is not used."""
        self._fit(X, y)
        return self

    def _count(self, data):
        return self.n_neighbors

    def _used_gamma(self, data):
        return self.gamma

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


class PlainBase(_metrics.MetricMixin, MapEstimator):
    """A class whose parameters are the options of the method."""

    def _options(self, data):
        options = self._plain_options(self._method())
        if options.get("weights") == "precomputed":
            return options
        return self._add_metric(options)

    def _is_pairwise(self):
        return self.metric == "precomputed" or getattr(self, "weights", None) == "precomputed"
