"""Spectral clustering against scikit-learn, through the command: the same weights, the same clusters."""
import json
import os
import subprocess
import tempfile
import unittest

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import pdist, squareform
from sklearn import datasets
from sklearn.cluster import SpectralClustering
from sklearn.metrics import adjusted_rand_score
from sklearn.neighbors import kneighbors_graph

UNROLL = os.environ["UNROLL"]


class Clusters(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def cluster(self, source, count, *options):
        name = os.path.join(self.folder.name, "x.npz" if sparse.issparse(source) else "x.npy")
        sparse.save_npz(name, source) if sparse.issparse(source) else np.save(name, source)
        out = os.path.join(self.folder.name, "labels.npy")
        answer = subprocess.run([UNROLL, "cluster", name, "--n-clusters", str(count), "-o", out, "--json", "-q",
                                 *options], check=True, capture_output=True)
        return np.load(out)[:, 0].astype(int), json.loads(answer.stdout)

    def test_same_weights(self):
        """On data that have clusters, all three Laplacians find those of scikit-learn."""
        blobs = datasets.make_blobs(300, centers=4, cluster_std=0.8, random_state=3)[0]
        moons = datasets.make_moons(300, noise=0.05, random_state=1)[0]
        circles = datasets.make_circles(300, noise=0.03, factor=0.4, random_state=1)[0]
        for name, points, count, width, near in (("blobs", blobs, 4, 1.0, 80), ("moons", moons, 2, 0.1, 12),
                                                 ("circles", circles, 2, 0.1, 12)):
            full = np.exp(-squareform(pdist(points, "sqeuclidean")) / (2 * width ** 2))
            np.fill_diagonal(full, 0)
            graph = kneighbors_graph(points, near)
            for weights in (full, sparse.csr_matrix(0.5 * (graph + graph.T))):
                theirs = SpectralClustering(count, affinity="precomputed", random_state=0).fit_predict(weights)
                for laplacian in ("symmetric", "random_walk", "unnormalized"):
                    with self.subTest(data=name, sparse=sparse.issparse(weights), laplacian=laplacian):
                        ours, _ = self.cluster(weights, count, "--weights", "precomputed", "--laplacian", laplacian)
                        self.assertEqual(adjusted_rand_score(ours, theirs), 1)

    def test_parts_of_a_graph(self):
        """Exact, where scikit-learn's answer is left to its solver."""
        points, truth = datasets.make_blobs(300, centers=4, cluster_std=0.8, random_state=3)
        graph = kneighbors_graph(points, 12)
        weights = sparse.csr_matrix(0.5 * (graph + graph.T))
        self.assertEqual(connected_components(weights)[0], 4)
        for laplacian in ("symmetric", "random_walk", "unnormalized"):
            ours, _ = self.cluster(weights, 4, "--weights", "precomputed", "--laplacian", laplacian)
            self.assertEqual(adjusted_rand_score(ours, truth), 1)

    def test_conductance(self):
        points = datasets.load_iris().data
        weights = np.exp(-squareform(pdist(points, "sqeuclidean")))
        np.fill_diagonal(weights, 0)
        labels, report = self.cluster(weights, 3, "--weights", "precomputed")
        for label, found in enumerate(report["diagnostics"]["conductance"]):
            inside = labels == label
            cut, volumes = weights[inside][:, ~inside].sum(), (weights[inside].sum(), weights[~inside].sum())
            self.assertAlmostEqual(found, cut / min(volumes), delta=1e-12)

    def test_digits(self):
        """No worse than scikit-learn on its own graph of neighbors, by the true digits."""
        digits = datasets.load_digits()
        graph = kneighbors_graph(digits.data, 10)
        weights = sparse.csr_matrix(0.5 * (graph + graph.T))
        theirs = SpectralClustering(10, affinity="precomputed", random_state=0).fit_predict(weights)
        ours, _ = self.cluster(weights, 10, "--weights", "precomputed")
        self.assertGreaterEqual(adjusted_rand_score(digits.target, ours),
                                adjusted_rand_score(digits.target, theirs) - 0.02)


if __name__ == "__main__":
    unittest.main()
