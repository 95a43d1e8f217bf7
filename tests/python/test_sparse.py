"""SciPy's sparse features: taken as they are by the classes, with the results of dense ones."""
import pickle
import unittest
import warnings

import numpy as np
from scipy import sparse

import unroll

warnings.simplefilter("ignore", unroll.UnrollWarning)


def counts(n, seed=0):
    """Whole numbers along a curve, most of them 0: distances have no rounding."""
    random = np.random.default_rng(seed)
    at = random.uniform(0, 20, (n, 1))
    return np.floor(np.maximum(0, 30 * (1 - ((at - np.arange(24)) / 4)**2)) + random.uniform(size=(n, 24)))


X, NEW = counts(80), counts(9, 1)
ESTIMATORS = [unroll.PCA(3), unroll.KernelPCA(3, kernel="rbf"), unroll.KernelPCA(3, kernel="poly"),
              unroll.Isomap(n_neighbors=8), unroll.LocallyLinearEmbedding(n_neighbors=8),
              unroll.LocallyLinearEmbedding(n_neighbors=8, method="ltsa"),
              unroll.SpectralEmbedding(n_neighbors=8), unroll.TSNE(init="random", n_iter=250, perplexity=10),
              unroll.UMAP(init="random", n_epochs=11), unroll.DiffusionMaps()]


class SparseFeatures(unittest.TestCase):
    def assert_same(self, ours, theirs, tolerance=1e-6):
        signs = np.sign((ours * theirs).sum(axis=0))
        self.assertLess(np.abs(ours * signs - theirs).max() / np.abs(theirs).max(), tolerance)

    def test_every_class_gives_what_dense_rows_give(self):
        for estimator in ESTIMATORS:
            with self.subTest(estimator=estimator):
                is_map = type(estimator).__name__ in ("TSNE",)
                expected = estimator.fit_transform(X)
                placed = estimator.transform(NEW)
                # Rounding grows in hundreds of steps of an optimiser; whole numbers have none.
                self.assert_same(estimator.fit_transform(sparse.csr_matrix(X)), expected, 1e-3 if is_map else 1e-6)
                self.assertEqual(estimator.n_features_in_, X.shape[1])
                self.assert_same(estimator.transform(sparse.csr_matrix(NEW)), placed, 1e-3 if is_map else 1e-6)
                self.assert_same(estimator.transform(NEW), placed, 1e-3 if is_map else 1e-6)
                again = pickle.loads(pickle.dumps(estimator))
                np.testing.assert_array_equal(again.transform(sparse.csr_matrix(NEW)),
                                              estimator.transform(sparse.csr_matrix(NEW)))

    def test_any_format_and_type(self):
        expected = unroll.PCA(3).fit_transform(sparse.csr_matrix(X))
        matrix = sparse.csr_matrix(X)
        wide = sparse.csr_matrix(X)
        wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
        unsorted = sparse.csr_matrix((matrix.data[::-1].copy(), matrix.indices[::-1].copy(),
                                      (matrix.nnz - matrix.indptr)[::-1].copy()), shape=X.shape)
        unsorted = unsorted[::-1]
        rows, cols = np.nonzero(X)
        twice = sparse.coo_matrix((np.tile(X[rows, cols] / 2, 2), (np.tile(rows, 2), np.tile(cols, 2))), shape=X.shape)
        for other in (sparse.csc_matrix(X), sparse.coo_matrix(X), sparse.lil_matrix(X), wide, unsorted, twice,
                      sparse.csr_matrix(X.astype(np.int32)), sparse.csr_array(X)):
            np.testing.assert_array_equal(unroll.PCA(3).fit_transform(other), expected)
        single = unroll.PCA(3).fit_transform(sparse.csr_matrix(X.astype(np.float32)))
        self.assertEqual(single.dtype, np.float32)
        self.assert_same(single, expected, 1e-5)

    def test_the_users_matrix_is_left_alone(self):
        matrix = sparse.csr_matrix((np.array([1.0, 2, 3, 4, 5, 6]), np.array([2, 0, 1, 1, 0, 2]), np.array([0, 2, 4, 6])),
                                   shape=(3, 3))
        before = matrix.indices.copy()
        unroll.PCA(1).fit(matrix)
        np.testing.assert_array_equal(matrix.indices, before)

    def test_neighbors(self):
        for metric in ("euclidean", "cosine"):
            search = unroll.KNeighborsTransformer(n_neighbors=5, metric=metric)
            expected = search.fit(X).kneighbors(NEW)[0]
            np.testing.assert_allclose(search.fit(sparse.csr_matrix(X)).kneighbors(sparse.csr_matrix(NEW))[0], expected,
                                       atol=1e-12)
            np.testing.assert_allclose(unroll.kneighbors(sparse.csr_matrix(X), 5, metric=metric)[1],
                                       unroll.kneighbors(X, 5, metric=metric)[1], atol=1e-12)

    def test_embed_and_pca_before_it(self):
        map, = [unroll.embed(sparse.csr_matrix(X), "mds", pca=5)]
        self.assertEqual(map.shape, (80, 2))
        model = unroll.embed(sparse.csr_matrix(X), "lle", pca=5, return_model=True)
        self.assert_same(model.transform(sparse.csr_matrix(NEW)), model.transform(NEW))
        reduced = unroll.TSNE(pca=5, init="random", n_iter=250, perplexity=10)
        self.assertEqual(reduced.fit_transform(sparse.csr_matrix(X)).shape, (80, 2))

    def test_clusters_fill_in_the_zeros(self):
        ours, matrix = unroll.KMeans(4, random_state=0), sparse.csc_matrix(X)
        expected = ours.fit(X).cluster_centers_, ours.predict(NEW), ours.transform(NEW), ours.score(NEW)
        ours.fit(matrix)
        for found, same in zip((ours.cluster_centers_, ours.predict(sparse.csr_matrix(NEW)), ours.transform(sparse.csr_matrix(NEW)),
                                ours.score(sparse.csr_matrix(NEW))), expected):
            np.testing.assert_array_equal(found, same)
        with self.assertRaises(unroll.OutOfMemory):
            unroll.KMeans(2).fit(sparse.csr_matrix((10**7, 10**6)))

    def test_what_is_refused(self):
        matrix = sparse.csr_matrix(X)
        for call in (lambda: unroll.MDS().fit(matrix), lambda: unroll.Isomap(metric="manhattan").fit(matrix),
                     lambda: unroll.KernelPCA(kernel="laplacian").fit(matrix),
                     lambda: unroll.embed(matrix, "pca", scale="standardize")):
            with self.assertRaisesRegex(ValueError, "sparse"):
                call()
        broken = sparse.csr_matrix(X)
        broken.data[3] = np.nan
        with self.assertRaisesRegex(ValueError, "NaN"):
            unroll.PCA(2).fit(broken)
        with self.assertRaisesRegex(ValueError, "is expecting 24 features"):
            unroll.PCA(2).fit(matrix).transform(matrix[:, :5])


if __name__ == "__main__":
    unittest.main()
