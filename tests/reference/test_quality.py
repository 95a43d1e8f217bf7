"""Measures of an embedding against scikit-learn and SciPy, through the command."""
import json
import os
import subprocess
import tempfile
import unittest

import numpy as np
from scipy.spatial import procrustes
from scipy.spatial.distance import pdist, squareform
from scipy.stats import mode, pearsonr, spearmanr
from sklearn import datasets
from sklearn.decomposition import PCA
from sklearn.linear_model import LinearRegression
from sklearn.manifold import trustworthiness
from sklearn.neighbors import NearestNeighbors

UNROLL = os.environ["UNROLL"]


def nearest(points, k):
    return NearestNeighbors(n_neighbors=k).fit(points).kneighbors(return_distance=False)


def padded(points, columns):
    return np.hstack([points, np.zeros((len(points), columns - points.shape[1]))])


def ranks(points):
    """The place of every point among the others by distance from each."""
    distances = squareform(pdist(points))
    np.fill_diagonal(distances, -1)
    return distances.argsort(axis=1, kind="stable").argsort(axis=1)


def r_nx_area(high, low):
    """Lee, Peluffo-Ordonez & Verleysen 2015."""
    n = len(high)
    larger = np.maximum(ranks(high), ranks(low))
    k = np.arange(1, n - 1)
    kept = np.cumsum(np.bincount(larger.ravel(), minlength=n)[1:])[:-1] / (n * k)
    return np.average(((n - 1) * kept - k) / (n - 1 - k), weights=1 / k)


class QualityReference(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def save(self, name, array):
        path = os.path.join(self.folder.name, name + ".npy")
        np.save(path, array)
        return path

    def metrics(self, high, low, *words):
        answer = subprocess.run([UNROLL, "quality", self.save("high", high), self.save("low", low), "--json", *words],
                                check=True, capture_output=True)
        return json.loads(answer.stdout)["metrics"]

    def compare(self, high, low, truth, labels, k):
        ours = self.metrics(high, low, "-k", str(k), "--truth", self.save("truth", truth), "--labels",
                            self.save("labels", labels[:, None].astype(float)))
        near_high, near_low = nearest(high, k), nearest(low, k)
        accuracy = lambda near: np.mean(mode(labels[near], axis=1, keepdims=False).mode == labels)
        given, made = pdist(high), pdist(low)
        scale = LinearRegression(fit_intercept=False).fit(made[:, None], given).coef_[0]
        theirs = {
            "r_nx_area": r_nx_area(high, low),
            "residual_variance": 1 - LinearRegression().fit(made[:, None], given).score(made[:, None], given),
            "stress_scale": scale,
            "stress_1": np.linalg.norm(given - scale * made) / np.linalg.norm(given),
            "normalized_stress": np.linalg.norm(given - made) / np.linalg.norm(given),
            "trustworthiness": trustworthiness(high, low, n_neighbors=k),
            "continuity": trustworthiness(low, high, n_neighbors=k),
            "neighbor_preservation": np.mean([len(set(a) & set(b)) / k for a, b in zip(near_high, near_low)]),
            "distance_pearson": pearsonr(pdist(high), pdist(low))[0],
            "distance_spearman": spearmanr(pdist(high), pdist(low))[0],
            "label_accuracy": accuracy(near_low),
            "label_accuracy_high": accuracy(near_high),
            "procrustes": procrustes(truth, padded(low, truth.shape[1]))[2],
            "true_distance_pearson": pearsonr(pdist(truth), pdist(low))[0],
        }
        for name, value in theirs.items():
            self.assertAlmostEqual(ours[name], value, delta=1e-12, msg=name)
        np.testing.assert_allclose(ours["affine_r2"],
                                   [LinearRegression().fit(low, column).score(low, column) for column in truth.T],
                                   atol=1e-12)

    def test_random_points(self):
        random = np.random.default_rng(0)
        for n, k in ((30, 3), (201, 12), (400, 10)):
            high = random.normal(size=(n, 6))
            with self.subTest(n=n):
                self.compare(high, high[:, :2] + 0.3 * random.normal(size=(n, 2)), high[:, 1:4] ** 3,
                             random.integers(0, 4, n), k)

    def test_digits_with_noise_against_ties(self):
        data = datasets.load_digits()
        points = data.data[:600] + 1e-3 * np.random.default_rng(1).normal(size=(600, 64))
        self.compare(points, PCA(2).fit_transform(points), points[:, 20:23], data.target[:600], 7)


if __name__ == "__main__":
    unittest.main()
