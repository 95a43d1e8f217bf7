"""Neighbours under every metric against scikit-learn and SciPy, through the command's list of edges."""
import csv
import io
import os
import subprocess
import tempfile
import unittest

import numpy as np
from scipy.sparse import csr_matrix
from scipy.spatial.distance import cdist
from sklearn import datasets
from sklearn.metrics import pairwise_distances
from sklearn.neighbors import NearestNeighbors, kneighbors_graph

UNROLL = os.environ["UNROLL"]

IRIS = datasets.load_iris().data
WINE = datasets.load_wine().data
DIGITS = datasets.load_digits().data[:600]
SETS = {"iris": IRIS, "wine": WINE, "digits": DIGITS}


class NeighborMetrics(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def edges(self, points, *words):
        """Per point the neighbours and their distances, in the order of the file."""
        source = os.path.join(self.folder.name, "x.npy")
        np.save(source, points)
        answer = subprocess.run([UNROLL, "neighbors", source, *words, "-o", "-"], check=True, capture_output=True)
        rows = list(csv.reader(io.StringIO(answer.stdout.decode())))
        self.assertEqual(rows[0], ["point", "neighbor", "distance"])
        found = [([], []) for _ in points]
        for i, j, d in rows[1:]:
            found[int(i)][0].append(int(j))
            found[int(i)][1].append(float(d))
        return [(np.array(j, dtype=int), np.array(d)) for j, d in found]

    def expect_nearest(self, found, distances, k, floor=0.0):
        """`found` are the k nearest by the matrix of distances; those that tie but for rounding may stand for each
        other."""
        for i, (indices, lengths) in enumerate(found):
            self.assertEqual(len(indices), k)
            self.assertEqual(len(set(indices)), k)
            self.assertNotIn(i, indices)
            others = np.delete(distances[i], i)
            np.testing.assert_allclose(lengths, np.sort(others)[:k], rtol=1e-9, atol=floor)
            np.testing.assert_allclose(lengths, distances[i][indices], rtol=1e-9, atol=floor)

    def compare(self, metric, points, floor=0.0, algorithms=("brute", "kd_tree"), k=7, words=(), **keywords):
        distances = pairwise_distances(points, metric=metric, **keywords)
        for algorithm in algorithms:
            with self.subTest(metric=metric, shape=points.shape, algorithm=algorithm, **keywords):
                found = self.edges(points, "-k", str(k), "--metric", metric, "--algorithm", algorithm, *words)
                self.expect_nearest(found, distances, k, floor)

    def test_norms(self):
        for name, points in SETS.items():
            algorithms = ("brute",) if points.shape[1] > 16 else ("brute", "kd_tree")
            for metric in ("manhattan", "chebyshev"):
                self.compare(metric, points, algorithms=algorithms)
            for p in (1.5, 3.0):
                self.compare("minkowski", points, algorithms=algorithms, words=("--p", str(p)), p=p)

    def test_euclidean(self):
        # scikit-learn's own matrix has only half of the digits for near points: SciPy's has all.
        for name, points in SETS.items():
            for algorithm in ("brute", "kd_tree", "auto"):
                with self.subTest(data=name, algorithm=algorithm):
                    found = self.edges(points, "-k", "7", "--algorithm", algorithm)
                    self.expect_nearest(found, cdist(points, points), 7)

    def test_directions(self):
        for points in SETS.values():
            for metric in ("cosine", "correlation"):
                self.compare(metric, points, floor=1e-14)

    def test_counts(self):
        self.compare("hamming", DIGITS, floor=1e-15, algorithms=("brute", "auto"))
        self.compare("hamming", IRIS, floor=1e-15, algorithms=("brute",))
        flags = DIGITS > 7
        distances = cdist(flags, flags, "jaccard")
        for algorithm in ("brute", "auto"):
            found = self.edges(flags.astype(float), "-k", "7", "--metric", "jaccard", "--algorithm", algorithm)
            self.expect_nearest(found, distances, 7, 1e-15)

    def test_haversine(self):
        random = np.random.default_rng(0)
        places = np.column_stack([np.arcsin(random.uniform(-1, 1, 500)), random.uniform(-np.pi, np.pi, 500)])
        places[:3] = [[np.pi / 2, 0], [-np.pi / 2, 1], [0, np.pi]]
        self.compare("haversine", places, floor=1e-15)

    def test_the_same_edges_as_kneighbors(self):
        # Noise against ties, so that there is one answer.
        for name, points in SETS.items():
            points = points + 1e-3 * np.random.default_rng(1).normal(size=points.shape)
            model = NearestNeighbors(n_neighbors=6, algorithm="ball_tree").fit(points)
            lengths, indices = model.kneighbors()
            for algorithm in ("brute", "kd_tree"):
                with self.subTest(data=name, algorithm=algorithm):
                    found = self.edges(points, "-k", "6", "--algorithm", algorithm)
                    np.testing.assert_array_equal([row[0] for row in found], indices)
                    np.testing.assert_allclose([row[1] for row in found], lengths, rtol=1e-9)
                    rows = np.repeat(np.arange(len(points)), 6)
                    ours = csr_matrix((np.concatenate([row[1] for row in found]),
                                       (rows, np.concatenate([row[0] for row in found]))), shape=(len(points),) * 2)
                    theirs = kneighbors_graph(points, 6, mode="distance")
                    self.assertLess(abs(ours - theirs).max(), 1e-9 * lengths.max())

    def test_radius(self):
        for points, radius in ((IRIS, 0.555), (WINE, 30.0), (DIGITS, 24.5)):
            model = NearestNeighbors(radius=radius, algorithm="ball_tree").fit(points)
            lengths, indices = model.radius_neighbors(sort_results=True)
            for algorithm in ("brute", "kd_tree"):
                with self.subTest(shape=points.shape, algorithm=algorithm):
                    found = self.edges(points, "--radius", str(radius), "--algorithm", algorithm)
                    for i, (ours, ours_lengths) in enumerate(found):
                        self.assertEqual(set(ours), set(indices[i]))
                        np.testing.assert_allclose(ours_lengths, lengths[i], rtol=1e-9, atol=1e-15)
                        # Ties by index.
                        self.assertEqual(list(zip(ours_lengths, ours)), sorted(zip(ours_lengths, ours)))

    def test_precomputed(self):
        distances = cdist(WINE, WINE)
        found = self.edges(distances, "-k", "5", "--metric", "precomputed")
        self.expect_nearest(found, distances, 5)

    def test_float32_counts_in_double(self):
        points = (DIGITS / 3).astype(np.float32)
        found = self.edges(points, "-k", "5")
        self.expect_nearest(found, cdist(points.astype(np.float64), points.astype(np.float64)), 5)


if __name__ == "__main__":
    unittest.main()
