"""LLE against scikit-learn's, on the same neighbours, through the command."""
import json
import os
import subprocess
import tempfile
import unittest

import numpy as np
from scipy.spatial.distance import cdist, pdist, squareform
from sklearn import datasets
from sklearn.manifold import LocallyLinearEmbedding
from sklearn.manifold._locally_linear import barycenter_kneighbors_graph

UNROLL = os.environ["UNROLL"]


def subspace_difference(a, b):
    qa, qb = np.linalg.qr(a)[0], np.linalg.qr(b)[0]
    return np.linalg.norm(qa - qb @ (qb.T @ qa), 2)


def cost(points, k, coordinates):
    """|Y - W Y|^2 with scikit-learn's weights, of columns of length one."""
    weights = barycenter_kneighbors_graph(points, k)
    unit = coordinates / np.linalg.norm(coordinates, axis=0)
    return float(np.sum((unit - weights @ unit) ** 2))


class Lle(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def embed(self, points, *options):
        name, out = os.path.join(self.folder.name, "x.npy"), os.path.join(self.folder.name, "y.npy")
        np.save(name, points)
        answer = subprocess.run([UNROLL, "embed", name, "-m", "lle", "-o", out, "--json", *options], check=True,
                                capture_output=True)
        return np.load(out), json.loads(answer.stdout)

    def test_the_same_subspace_and_cost(self):
        for name, points, k in (("swiss roll", datasets.make_swiss_roll(1000, random_state=1)[0], 12),
                                ("s-curve", datasets.make_s_curve(1500, random_state=2)[0], 10),
                                ("digits", datasets.load_digits().data[:700] + 0.01 * np.random.default_rng(0).normal(
                                    size=(700, 64)), 30)):
            with self.subTest(data=name):
                theirs = LocallyLinearEmbedding(n_neighbors=k, n_components=2, eigen_solver="dense").fit(points)
                ours, report = self.embed(points, "-k", str(k), "--components", "keep")
                self.assertLess(subspace_difference(ours, theirs.embedding_), 1e-5)
                bound = cost(points, k, theirs.embedding_)
                self.assertLess(cost(points, k, ours), bound * (1 + 1e-6))
                told = report["diagnostics"]["reconstruction_cost"] / len(points)
                self.assertAlmostEqual(told / bound, 1, places=5)

    def test_large_tables_have_no_higher_cost(self):
        points = datasets.make_swiss_roll(8000, random_state=3)[0]
        theirs = LocallyLinearEmbedding(n_neighbors=12, n_components=2, random_state=0).fit(points)
        ours, _ = self.embed(points, "-k", "12")
        self.assertLess(cost(points, 12, ours), cost(points, 12, theirs.embedding_) * (1 + 1e-6))

    def test_distances_give_the_same_map(self):
        points = datasets.make_s_curve(400, random_state=5)[0]
        by_points, _ = self.embed(points, "-k", "9")
        by_distances, _ = self.embed(squareform(pdist(points)), "-k", "9", "--metric", "precomputed")
        self.assertLess(subspace_difference(by_points, by_distances), 1e-6)

    def test_new_points(self):
        """scikit-learn's transform: barycentric weights on the nearest training points."""
        points = datasets.make_s_curve(800, random_state=7)[0]
        fresh = datasets.make_s_curve(100, random_state=8)[0]
        theirs = LocallyLinearEmbedding(n_neighbors=10, n_components=2, eigen_solver="dense").fit(points)
        model, new, out = (os.path.join(self.folder.name, name) for name in ("m.unroll", "new.npy", "z.npy"))
        ours, _ = self.embed(points, "-k", "10", "--save", model)
        np.save(new, fresh)
        subprocess.run([UNROLL, "transform", model, new, "-o", out], check=True, capture_output=True)
        turn = np.linalg.lstsq(theirs.embedding_, ours, rcond=None)[0]
        nearest = np.sort(cdist(fresh, points), axis=1)[:, 0]
        self.assertGreater(nearest.min(), 0)
        difference = np.load(out) - theirs.transform(fresh) @ turn
        self.assertLess(np.abs(difference).max(), 1e-4)


if __name__ == "__main__":
    unittest.main()
