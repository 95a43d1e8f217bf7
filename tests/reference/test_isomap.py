"""Isomap and classical scaling against scikit-learn and SciPy, through the command: the same graph, the same map."""
import json
import os
import subprocess
import tempfile
import unittest

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import shortest_path
from scipy.spatial.distance import pdist, squareform
from sklearn import datasets
from sklearn.manifold import Isomap
from sklearn.neighbors import NearestNeighbors, kneighbors_graph

UNROLL = os.environ["UNROLL"]
TABLES = {"iris": datasets.load_iris, "wine": datasets.load_wine, "digits": datasets.load_digits}


def dense_scaling(distances, count):
    """Coordinates and all eigenvalues of the doubly centred -d^2/2, by LAPACK."""
    squared = -0.5 * distances ** 2
    centered = squared - squared.mean(axis=0) - squared.mean(axis=1)[:, None] + squared.mean()
    values, vectors = np.linalg.eigh(centered)
    leading = np.argsort(values)[::-1][:count]
    return vectors[:, leading] * np.sqrt(np.maximum(values[leading], 0)), values


def graph_with_self(points, count):
    """The graph as scikit-learn wants it given: every point is its own first neighbour, at an explicit distance 0."""
    distances, indices = NearestNeighbors(n_neighbors=count).fit(points).kneighbors()
    n = len(points)
    indices = np.column_stack([np.arange(n), indices])
    distances = np.column_stack([np.zeros(n), distances])
    return sparse.csr_matrix((distances.ravel(), indices.ravel(), np.arange(0, n * count + n + 1, count + 1)))


def subspace_difference(a, b):
    """Sine of the largest angle between the column spaces."""
    qa, qb = np.linalg.qr(a)[0], np.linalg.qr(b)[0]
    return np.linalg.norm(qa - qb @ (qb.T @ qa), 2)


class SpectralReference(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def embed(self, source, method, *options):
        """Coordinates and the report of `unroll embed` for an array or a sparse matrix."""
        name = self.path("x.npz" if sparse.issparse(source) else "x.npy")
        sparse.save_npz(name, source) if sparse.issparse(source) else np.save(name, source)
        answer = subprocess.run([UNROLL, "embed", name, "-m", method, "-o", self.path("y.npy"), "--json", "--save",
                                 self.path("m.unroll"), *options], check=True, capture_output=True)
        return np.load(self.path("y.npy")), json.loads(answer.stdout)

    def transform(self, points):
        np.save(self.path("new.npy"), points)
        subprocess.run([UNROLL, "transform", self.path("m.unroll"), self.path("new.npy"), "-o", self.path("z.npy")],
                       check=True, capture_output=True)
        return np.load(self.path("z.npy"))

    def assert_same_up_to_sign(self, ours, theirs, tolerance):
        signs = np.sign((ours * theirs).sum(axis=0))
        self.assertLess(np.abs(ours * signs - theirs).max() / np.abs(theirs).max(), tolerance)

    def test_isomap_of_the_same_graph(self):
        for name, load in TABLES.items():
            points = load().data
            count = 60 if name == "iris" else 12  # scikit-learn does not embed a graph in parts
            graph = graph_with_self(points, count)
            with self.subTest(data=name):
                theirs = Isomap(n_neighbors=count, n_components=3, metric="precomputed",
                                eigen_solver="dense").fit_transform(graph)
                ours, report = self.embed(graph, "isomap", "--metric", "precomputed", "-k", str(count),
                                          "-d", "3")
                self.assertLess(subspace_difference(ours, theirs), 1e-6)
                self.assert_same_up_to_sign(ours, theirs, 1e-6)
                self.assertTrue(all(residual < 1e-8 for residual in report["spectrum"]["residuals"]))

    def test_isomap_of_points(self):
        points = datasets.make_swiss_roll(800, random_state=1)[0]
        reference = Isomap(n_neighbors=10, eigen_solver="dense").fit(points)
        ours, _ = self.embed(points, "isomap", "-k", "10")
        self.assert_same_up_to_sign(ours, reference.embedding_, 1e-6)

    def test_geodesics_are_dijkstras(self):
        """The map of all dimensions that there are has, in its leading ones, what LAPACK makes of SciPy's paths."""
        points = datasets.make_s_curve(500, random_state=2)[0]
        graph = kneighbors_graph(points, 8, mode="distance")
        expected, _ = dense_scaling(shortest_path(graph, method="D", directed=False), 4)
        for method in ("dijkstra", "floyd_warshall"):
            ours, _ = self.embed(points, "isomap", "-k", "8", "-d", "4", "--path-method", method)
            self.assert_same_up_to_sign(ours, expected, 1e-7)

    def test_new_points_by_their_paths(self):
        """A new point's row of shortest paths, centred as the training rows are."""
        points = datasets.make_swiss_roll(700, random_state=3)[0]
        train, fresh = points[:600], points[600:]
        ours, _ = self.embed(train, "isomap", "-k", "10")
        paths = shortest_path(kneighbors_graph(train, 10, mode="distance"), directed=False)
        values, vectors = np.linalg.eigh(self.centered(paths))
        axes = vectors[:, [-1, -2]] / np.sqrt(values[[-1, -2]])
        axes *= np.sign((axes * ours).sum(axis=0))
        between = np.sqrt(((fresh[:, None] - train) ** 2).sum(axis=2))
        reach = np.sort(squareform(pdist(train)), axis=1)[:, 10]
        nearest = np.zeros(between.shape, dtype=bool)
        for row, order in enumerate(np.argsort(between, axis=1)):
            nearest[row, order[:10]] = True
        joined = np.where(nearest | (between <= reach), between, np.inf)
        rows = np.array([(joint[:, None] + paths)[np.isfinite(joint)].min(axis=0) for joint in joined])
        expected = (-0.5 * rows ** 2 + 0.5 * (paths ** 2).mean(axis=0)) @ axes
        self.assertLess(np.abs(self.transform(fresh) - expected).max() / np.abs(expected).max(), 1e-7)

    @staticmethod
    def centered(distances):
        squared = -0.5 * distances ** 2
        return squared - squared.mean(axis=0) - squared.mean(axis=1)[:, None] + squared.mean()

    def test_classical_scaling(self):
        for name, load in TABLES.items():
            points = load().data[:400]
            for metric, options in (("euclidean", ()), ("cityblock", ("--metric", "manhattan")),
                                    ("chebyshev", ("--metric", "chebyshev")), ("cosine", ("--metric", "cosine"))):
                with self.subTest(data=name, metric=metric):
                    distances = squareform(pdist(points, metric))
                    expected, values = dense_scaling(distances, 3)
                    ours, report = self.embed(points, "mds", "-d", "3", *options)
                    self.assertLess(subspace_difference(ours, expected), 1e-6)
                    np.testing.assert_allclose(report["spectrum"]["values"], np.sort(values)[::-1][:3], rtol=1e-9)
                    given, report = self.embed(distances, "mds", "-d", "3", "--metric", "precomputed")
                    self.assertLess(subspace_difference(given, expected), 1e-6)
                    self.assertAlmostEqual(report["diagnostics"]["negative_mass"],
                                           -values[values < 0].sum() / np.abs(values).sum(), 9)


if __name__ == "__main__":
    unittest.main()
