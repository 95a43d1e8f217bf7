"""Parameters and attributes that only some of scikit-learn's classes have, beside scikit-learn's own."""
import contextlib
import io
import pickle
import re
import unittest
import warnings

import numpy as np
from scipy import sparse
from sklearn import cluster, datasets, decomposition, manifold, neighbors
from sklearn.metrics import adjusted_rand_score

import unroll

RANDOM = np.random.RandomState(0)
IRIS = datasets.load_iris().data + RANDOM.normal(size=(150, 4)) * 1e-3  # two flowers are equal
BLOBS, GROUPS = datasets.make_blobs(150, n_features=5, centers=4, cluster_std=2, random_state=3)


class Attributes(unittest.TestCase):
    def setUp(self):
        caught = warnings.catch_warnings()
        caught.__enter__()
        self.addCleanup(caught.__exit__, None, None, None)
        warnings.simplefilter("ignore")

    def both(self, name, module, **parameters):
        return getattr(unroll, name)(**parameters), getattr(module, name)(**parameters)

    def test_weights_of_samples(self):
        weights = RANDOM.randint(0, 4, size=150) * 0.7
        ours, theirs = self.both("KMeans", cluster, n_clusters=4, init=BLOBS[:4], n_init=1, tol=0)
        ours.fit(BLOBS, sample_weight=weights), theirs.fit(BLOBS, sample_weight=weights)
        np.testing.assert_allclose(ours.cluster_centers_, theirs.cluster_centers_, rtol=1e-9)
        self.assertAlmostEqual(ours.inertia_ / theirs.inertia_, 1, 9)
        self.assertAlmostEqual(ours.score(BLOBS, sample_weight=weights) / -ours.inertia_, 1, 9)
        self.assertGreater(np.abs(ours.cluster_centers_ - ours.fit(BLOBS).cluster_centers_).max(), 1e-3)
        for name, wrong in (("expected", weights[1:]), ("1D", weights[:, None]), ("the weight of point 3 is -1", [1, 1, -1] * 50)):
            with self.assertRaisesRegex(ValueError, name):
                ours.fit(BLOBS, sample_weight=wrong)

    def test_the_likelihood_of_dimensions(self):
        noisy = np.hstack([BLOBS, RANDOM.normal(size=(150, 3)) * 0.1])
        for data in (IRIS, datasets.load_wine().data, noisy, BLOBS, RANDOM.normal(size=(60, 6))):
            ours, theirs = self.both("PCA", decomposition, n_components="mle")
            placed, expected = ours.fit_transform(data), theirs.fit_transform(data)
            self.assertEqual(ours.n_components_, theirs.n_components_)
            np.testing.assert_allclose(np.abs(placed), np.abs(expected), atol=1e-6)
            self.assertAlmostEqual(ours.noise_variance_, theirs.noise_variance_)
        with self.assertRaisesRegex(ValueError, "only supported if n_samples >= n_features"):
            ours.fit(noisy[:5])

    def test_ways_to_assign_labels(self):
        blobs, groups = datasets.make_blobs(150, centers=3, random_state=3)
        for affinity, rule in (("nearest_neighbors", "cluster_qr"), ("nearest_neighbors", "discretize"), ("rbf", "cluster_qr"),
                               ("rbf", "discretize")):
            ours, theirs = self.both("SpectralClustering", cluster, n_clusters=3, affinity=affinity, assign_labels=rule,
                                     random_state=0)
            with self.subTest(affinity=affinity, rule=rule):
                labels = ours.fit_predict(IRIS)
                self.assertGreater(adjusted_rand_score(labels, theirs.fit_predict(IRIS)), 0.9)
                self.assertEqual(labels[0], 0)
                again = pickle.loads(pickle.dumps(ours))
                np.testing.assert_array_equal(again.predict(IRIS), labels)
                self.assertEqual(adjusted_rand_score(ours.fit_predict(blobs), groups), 1)
        with self.assertRaisesRegex(ValueError, "finds a cluster per eigenvector"):
            ours.set_params(n_components=2).fit(IRIS)

    def test_the_inside_of_isomap(self):
        for chosen in ({"n_neighbors": 30}, {"n_neighbors": None, "radius": 2.5}, {"n_neighbors": 30, "metric": "manhattan"}):
            with self.subTest(**chosen):
                ours, theirs = self.both("Isomap", manifold, n_components=3, eigen_solver="dense", **chosen)
                ours.fit(IRIS), theirs.fit(IRIS)
                if chosen.get("radius") is None:  # theirs joins parts in its own way
                    ours, theirs = ours.fit(BLOBS[GROUPS == 0]), theirs.fit(BLOBS[GROUPS == 0])
                np.testing.assert_allclose(ours.dist_matrix_, theirs.dist_matrix_, rtol=1e-9)
                self.assertAlmostEqual(ours.reconstruction_error(), theirs.reconstruction_error(), 8)
                np.testing.assert_allclose(ours.kernel_pca_.eigenvalues_, theirs.kernel_pca_.eigenvalues_, rtol=1e-6)
        graph = neighbors.kneighbors_graph(BLOBS[GROUPS == 0], 20, mode="distance")
        given = unroll.Isomap(n_neighbors=20, metric="precomputed").fit(graph)
        np.testing.assert_allclose(given.dist_matrix_, unroll.Isomap(n_neighbors=20).fit(BLOBS[GROUPS == 0]).dist_matrix_)
        search = unroll.Isomap(n_neighbors=6).fit(BLOBS).nbrs_
        np.testing.assert_array_equal(search.kneighbors()[1], neighbors.NearestNeighbors(n_neighbors=6).fit(BLOBS).kneighbors()[1])

    def test_affinities(self):
        graph = neighbors.KNeighborsTransformer(n_neighbors=20).fit_transform(IRIS)
        matrix = np.exp(-0.3 * neighbors.kneighbors_graph(IRIS, 149, mode="distance").toarray())
        for affinity, data in (("nearest_neighbors", IRIS), ("rbf", IRIS), ("precomputed", matrix),
                               ("precomputed_nearest_neighbors", graph)):
            for name, module in (("SpectralEmbedding", manifold), ("SpectralClustering", cluster)):
                with self.subTest(affinity=affinity, name=name):
                    ours, theirs = self.both(name, module, affinity=affinity, gamma=0.4, n_neighbors=12)
                    expected, found = theirs.fit(data).affinity_matrix_, ours.fit(data).affinity_matrix_
                    self.assertEqual(hasattr(found, "toarray"), hasattr(expected, "toarray"))
                    found, expected = (m.toarray() if hasattr(m, "toarray") else m for m in (found, expected))
                    np.testing.assert_allclose(found, expected, atol=1e-9)

    def test_what_is_computed_later_is_of_the_data_then(self):
        """The user may change the array after the fit."""
        graph = np.exp(-0.3 * neighbors.kneighbors_graph(IRIS, 149, mode="distance").toarray())
        for ours, data, of in (
                (unroll.Isomap(n_neighbors=30), IRIS, lambda fitted: fitted.dist_matrix_),
                (unroll.Isomap(n_neighbors=30), IRIS, lambda fitted: fitted.nbrs_.kneighbors()[0]),
                (unroll.SpectralEmbedding(affinity="rbf"), IRIS, lambda fitted: fitted.affinity_matrix_),
                (unroll.SpectralClustering(affinity="precomputed", n_clusters=2), graph, lambda fitted: fitted.affinity_matrix_),
                (unroll.KernelPCA(2, kernel="rbf"), IRIS, lambda fitted: fitted.X_fit_),
                (unroll.KNeighborsTransformer(), IRIS, lambda fitted: fitted.kneighbors()[0]),
                (unroll.KNeighborsTransformer(), IRIS, lambda fitted: fitted.kneighbors(IRIS)[0]),
                (unroll.KNeighborsTransformer(), sparse.csr_matrix(IRIS), lambda fitted: fitted.kneighbors()[0]),
                (unroll.MDS(dissimilarity="precomputed"), 1 - graph - np.eye(150), lambda fitted: fitted.dissimilarity_matrix_)):
            with self.subTest(ours=ours):
                own = data.copy()
                np.fill_diagonal(own, 0) if isinstance(ours, unroll.MDS) else None
                fitted = ours.fit(own)
                expected = np.array(of(type(ours)(**ours.get_params()).fit(own.copy())))
                own *= 3
                np.testing.assert_array_equal(of(fitted), expected)

    def test_widths_and_widths_of_kernels(self):
        kernel = unroll.KernelPCA(3, kernel="rbf", fit_inverse_transform=True).fit(IRIS)
        for wrong in (np.zeros((5, 1)), np.zeros((5, 4))):
            with self.assertRaisesRegex(ValueError, "Incompatible dimension for X and Y matrices"):
                kernel.inverse_transform(wrong)
            with self.assertRaises(ValueError):
                unroll.PCA(3).fit(IRIS).inverse_transform(wrong)
        with self.assertRaisesRegex(ValueError, "'gamma' parameter of SpectralClustering must be a float in the range"):
            unroll.SpectralClustering(gamma=0).fit(IRIS)

    def test_the_first_vector(self):
        graph = neighbors.kneighbors_graph(BLOBS, 40)
        graph = 0.5 * (graph + graph.T)
        for normed in (True, False):
            ours, theirs = (np.abs(f(graph, n_components=3, norm_laplacian=normed, drop_first=False))
                            for f in (unroll.spectral_embedding, manifold.spectral_embedding))
            np.testing.assert_allclose(ours, theirs, atol=1e-5)

    def test_float32(self):
        single = IRIS.astype(np.float32)
        for name, module, chosen in (("PCA", decomposition, {}), ("KernelPCA", decomposition, {"n_components": 2}),
                                     ("Isomap", manifold, {"n_neighbors": 30}), ("SpectralEmbedding", manifold, {}),
                                     ("TSNE", manifold, {"n_iter": 250}), ("KMeans", cluster, {"n_init": 1})):
            with self.subTest(name):
                ours, theirs = self.both(name, module, **chosen)
                self.assertEqual(ours.fit_transform(single).dtype if hasattr(ours, "fit_transform") else np.float32,
                                 theirs.fit_transform(single).dtype)
                for attribute in ("components_", "mean_", "explained_variance_", "eigenvectors_", "embedding_",
                                  "cluster_centers_"):
                    if hasattr(theirs, attribute):
                        self.assertEqual(getattr(ours, attribute).dtype, getattr(theirs, attribute).dtype, attribute)
                self.assertEqual(ours.fit_transform(IRIS).dtype, np.float64)

    def test_squared_distances(self):
        ours, theirs = self.both("KNeighborsTransformer", neighbors, metric="sqeuclidean", n_neighbors=4)
        np.testing.assert_allclose(ours.fit_transform(BLOBS).toarray(), theirs.fit_transform(BLOBS).toarray(), atol=1e-9)
        np.testing.assert_allclose(unroll.kneighbors(BLOBS, 3, metric="sqeuclidean")[1], unroll.kneighbors(BLOBS, 3)[1]**2)

    def test_what_is_told_of_clusters(self):
        with contextlib.redirect_stdout(io.StringIO()) as told:
            ours = unroll.KMeans(4, init=BLOBS[:4], n_init=1, verbose=1).fit(BLOBS)
        lines = told.getvalue().splitlines()
        self.assertEqual((lines[0], lines[-1]), ("Initialization complete", f"Converged at iteration {ours.n_iter_}."))
        told = [float(re.fullmatch(r"Iteration \d+, inertia (\S+)\.", line).group(1)) for line in lines[1:-1]]
        self.assertEqual(told, sorted(told, reverse=True))
        self.assertAlmostEqual(told[-1] / ours.inertia_, 1, 4)

    def test_counts_of_iterations(self):
        ours, theirs = self.both("TSNE", manifold, n_iter=251, perplexity=5)
        self.assertEqual(ours.fit(IRIS).n_iter_, theirs.fit(IRIS).n_iter_)


if __name__ == "__main__":
    unittest.main()
