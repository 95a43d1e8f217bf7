"""UMAP and densMAP against umap-learn 0.5.3, by figures of its maps: compiling it would take longer than all tests here.

Its maps of the digits have n_neighbors=16, which counts the point itself, and random_state=0, 1, 2; that of densMAP 0.
"""
import json
import os
import subprocess
import tempfile
import unittest

import numpy as np
from sklearn import datasets
from sklearn.manifold import trustworthiness
from sklearn.neighbors import NearestNeighbors

UNROLL = os.environ["UNROLL"]
SEEDS = range(3)
# Of umap-learn.
TRUST, ACCURACY, CORRELATION = 0.9882, 0.9868, 0.409
DENSITY_CORRELATION, DENSITY_CORRELATION_WITHOUT_DENSMAP = 0.877, 0.307


def distance_correlation(high, low, pairs=10_000):
    """Pearson's, of distances in the data with those in the map, over random pairs of points."""
    i, j = np.random.default_rng(1).integers(0, len(high), (2, pairs))
    return np.corrcoef(np.linalg.norm(high[i] - high[j], axis=1), np.linalg.norm(low[i] - low[j], axis=1))[0, 1]


def label_accuracy(low, labels, k=10):
    """The share of points whose k nearest in the map have the same label by majority."""
    nearest = NearestNeighbors(n_neighbors=k + 1).fit(low).kneighbors(low, return_distance=False)[:, 1:]
    return np.mean([np.bincount(labels[row]).argmax() == label for row, label in zip(nearest, labels, strict=True)])


def log_radii(points, k=15):
    """The logarithm of the mean squared distance to the k nearest, another measure than the one that is optimised."""
    distances, _ = NearestNeighbors(n_neighbors=k + 1).fit(points).kneighbors(points)
    return np.log(1e-8 + (distances[:, 1:] ** 2).mean(axis=1))


class UmapReference(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.points, self.labels = datasets.load_digits(return_X_y=True)

    def maps(self, *options):
        points, out = (os.path.join(self.folder.name, name) for name in ("x.npy", "y.npy"))
        np.save(points, self.points)
        for seed in SEEDS:
            answer = subprocess.run([UNROLL, "embed", points, "-m", "umap", "-o", out, "--json", "--seed", str(seed),
                                     *options], check=True, capture_output=True)
            yield np.load(out), json.loads(answer.stdout)["diagnostics"]

    def test_map_of_the_digits(self):
        found = np.mean([(trustworthiness(self.points, y, n_neighbors=10), label_accuracy(y, self.labels),
                          distance_correlation(self.points, y)) for y, _ in self.maps()], axis=0)
        self.assertGreater(found[0], TRUST - 0.003)
        self.assertGreater(found[1], ACCURACY - 0.003)
        self.assertGreater(found[2], CORRELATION - 0.02)

    def test_densities_of_the_digits(self):
        high = log_radii(self.points)
        correlation = lambda y: np.corrcoef(high, log_radii(y))[0, 1]
        dense = [(correlation(y), said["radius_correlation"]) for y, said in self.maps("--densmap")]
        self.assertGreater(np.mean([measured for measured, _ in dense]), DENSITY_CORRELATION - 0.05)
        self.assertGreater(min(said for _, said in dense), 0.9)
        self.assertLess(np.mean([correlation(y) for y, _ in self.maps()]), DENSITY_CORRELATION_WITHOUT_DENSMAP + 0.1)
        # With no weight on densities they are measured only.
        for _, said in self.maps("--densmap", "--dens-lambda", "0"):
            self.assertLess(said["radius_correlation"], 0.6)


if __name__ == "__main__":
    unittest.main()
