"""Neighbour graphs against scikit-learn and SciPy, through the command."""
import json
import os
import subprocess
import tempfile
import unittest

import numpy as np
from scipy.sparse import load_npz
from scipy.sparse.csgraph import connected_components
from sklearn.datasets import load_digits, make_swiss_roll
from sklearn.neighbors import kneighbors_graph

UNROLL = os.environ["UNROLL"]


class NeighborsReference(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def graph(self, points, k, rule):
        """The matrix of distances and what the report says about it."""
        source, target = (os.path.join(self.folder.name, name) for name in ("x.npy", "g.npz"))
        np.save(source, points)
        answer = subprocess.run([UNROLL, "neighbors", source, "-k", str(k), "--symmetrize", rule, "-o", target,
                                 "--json"], check=True, capture_output=True)
        return load_npz(target), json.loads(answer.stdout)["graph"]

    def compare(self, points, k):
        theirs = kneighbors_graph(points, k, mode="distance")
        for rule, expected in (("none", theirs), ("union", theirs.maximum(theirs.T)),
                               ("mutual", theirs.minimum(theirs.T))):
            ours, report = self.graph(points, k, rule)
            ours.sort_indices()
            self.assertEqual(abs(ours - expected).max() < 1e-9 * theirs.max(), True)
            self.assertEqual(ours.nnz, expected.nnz)
            count, labels = connected_components(expected, directed=False)
            self.assertEqual(report["components"], count)
            self.assertEqual(report["component_sizes"], sorted(np.bincount(labels), reverse=True)[:100])
        counts = [connected_components(kneighbors_graph(points, j), directed=False)[0] for j in range(1, k + 1)]
        self.assertEqual(report["components_for_k"], counts)

    def test_swiss_roll(self):
        self.compare(make_swiss_roll(500, random_state=0)[0], 6)

    def test_digits_with_noise_against_ties(self):
        self.compare(load_digits().data[:400] + 1e-3 * np.random.default_rng(0).normal(size=(400, 64)), 4)


if __name__ == "__main__":
    unittest.main()
