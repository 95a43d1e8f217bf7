"""KMeans and KNeighborsTransformer: classes that fit no method of the registry."""
import numbers
import time

import numpy as np

from . import _arrays, _core, _errors, _metrics
from ._base import Estimator, OutputMixin


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

    def _get_tags(self):
        # As scikit-learn's own class says: random starts depend on the rows, whatever their weights.
        return {**super()._get_tags(), "preserves_dtype": [np.float64, np.float32], "_xfail_checks": {
            "check_sample_weights_invariance": "clusters are numbered by the order of the rows, those of weight 0, too"}}

    def fit(self, X, y=None, sample_weight=None):
        """Finds the centers, and returns the estimator. `y` is not used; `sample_weight` is how often rows count."""
        self._check_parameters()
        name = type(self).__name__
        _arrays.feature_names(X)
        data = _arrays.dense(_arrays.filled(X, name), name)
        if len(data) < self.n_clusters:
            raise ValueError(f"n_samples={len(data)} should be >= n_clusters={self.n_clusters}.")
        seed = _arrays.seed_of(self.random_state)
        options = {"n_clusters": self.n_clusters, "n_init": self._n_init(), "max_iter": self.max_iter, "tol":
                   float(self.tol), "random_state": seed}
        if isinstance(self.init, str) and self.init == "k-means++":
            starts = [None]
        else:
            starts = self._starts(data, np.random.RandomState(seed % 2**32))
        began = time.perf_counter()
        weights = _arrays.weights_of(sample_weight, len(data))
        tried = [self._call(_core.kmeans, data, options, None if start is None else np.ascontiguousarray(start), weights,
                            threads=self._threads()) for start in starts]
        self._tell(tried)
        best = min(tried, key=lambda found: found["inertia"] * found["inertia_unit"]**2)
        self._take_names(X)
        self.n_features_in_ = data.shape[1]
        self.cluster_centers_ = best["centers"].astype(data.dtype, copy=False)
        self.labels_ = best["labels"].astype(np.int32)
        self.inertia_ = best["inertia"] * best["inertia_unit"]**2
        self._seconds = time.perf_counter() - began
        self.n_iter_ = max(1, int(best["iterations"]))
        _errors.warn_all(best["warnings"], name)
        return self

    def _tell(self, tried):
        if not self.verbose:
            return
        for found in tried:
            print("Initialization complete")
            for number, inertia in enumerate(found["history"] * found["inertia_unit"]**2):
                print(f"Iteration {number}, inertia {inertia:.6g}.")
            print(f"{'Converged' if found['converged'] else 'Ended'} at iteration {found['iterations']}.")

    def _new_points(self, X, columns=None):
        return super()._new_points(_arrays.filled(X, type(self).__name__), columns)

    @property
    def _n_features_out(self):
        return len(self.cluster_centers_)

    def fit_predict(self, X, y=None, sample_weight=None):
        """Finds the centers, and returns the nearest one of every row."""
        return self.fit(X, sample_weight=sample_weight).labels_

    def predict(self, X, sample_weight=None):
        """The nearest center of every row. Weights are scikit-learn's and have no effect here."""
        data = self._new_points(X)
        return self._call(_core.nearest_centers, data, self.cluster_centers_).astype(np.int32)

    def _distances(self, data):
        return np.column_stack([np.linalg.norm(data - center, axis=1) for center in self.cluster_centers_])

    def transform(self, X):
        """The distances of the rows to the centers."""
        data = self._new_points(X)
        self._call(_core.nearest_centers, data, self.cluster_centers_)  # refuses what is not finite
        return self._wrapped(self._distances(data).astype(data.dtype, copy=False), X)

    def fit_transform(self, X, y=None, sample_weight=None):
        """Finds the centers, and returns the distances to them."""
        return self.fit(X, sample_weight=sample_weight).transform(X)

    def score(self, X, y=None, sample_weight=None):
        """Minus the sum of squared distances to the nearest centers, each times the weight of the row."""
        data = self._new_points(X)
        weights = _arrays.weights_of(sample_weight, len(data))
        squares = self._distances(data).min(axis=1)**2
        return -float(squares.sum() if weights is None else squares @ weights)


class _LastIndex:
    """The options and the index that was made last. Pickles and copies are without, the points make it again."""

    def __init__(self):
        self.made = None, None

    def __reduce__(self):
        return _LastIndex, ()


class KNeighborsBase(OutputMixin, Estimator):
    """Distances to the nearest points as a sparse matrix, which other classes take as metric='precomputed'. The search for
    the neighbors of new rows is exact, whatever `algorithm` says."""

    _takes_sparse_rows = True

    def _more_tags(self):
        return {"pairwise": self.metric == "precomputed"}

    def _is_squared(self):
        """Squared distances are no metric, but have the same neighbors."""
        return self.metric == "sqeuclidean"

    def _search_options(self, count):
        found = _metrics.known("euclidean" if self._is_squared() else self.metric, self.p, self.metric_params)
        if found is None:
            raise _errors.Unsupported(f"KNeighborsTransformer: metric={self.metric!r} is not there; use metric="
                                      "'precomputed' with the matrix of distances")
        algorithm = {"ball_tree": "auto"}.get(self.algorithm, self.algorithm)
        return {**found, "n_neighbors": int(count), "algorithm": algorithm}

    def fit(self, X, y=None):
        """Keeps the points, and returns the estimator. `y` is not used."""
        self._check_parameters()
        _arrays.feature_names(X)
        data = (_arrays.dense if self.metric == "precomputed" else _arrays.points)(X, type(self).__name__)
        if self.metric == "precomputed":
            _metrics.check_square(data, type(self).__name__)
        _arrays.check_finite(data, type(self).__name__)
        self._search_options(1)
        self._take_names(X)
        self._fit_X = _arrays.kept(data, X)
        self._last = _LastIndex()
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
        _, indices, distances = self._call(self._index_of(count, threads).nearest, data, threads=threads)
        return distances.reshape(-1, count), indices.reshape(-1, count)

    def _index_of(self, count, threads):
        """The points as they are searched, which is always exact; kept until other neighbors are asked for."""
        options = self._search_options(count)
        known, index = self._last.made
        if known != options:
            index = self._call(_core.NeighborIndex, self._fit_X, options, threads=threads)
            self._last.made = options, index
        return index

    def _all(self, data):
        if isinstance(self._fit_X, _arrays.SparseRows) or isinstance(data, _arrays.SparseRows):
            raise _errors.Unsupported("KNeighborsTransformer: of sparse rows at most n_samples - 1 neighbors are found")
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
        distances = distances**2 if self._is_squared() else distances
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
