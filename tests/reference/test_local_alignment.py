"""Modified LLE, Hessian LLE and LTSA against scikit-learn's and against LAPACK, on the same neighbours."""
import json
import os
import subprocess
import tempfile
import unittest

import numpy as np
from scipy.spatial.distance import pdist, squareform
from sklearn import datasets
from sklearn.manifold import locally_linear_embedding
from sklearn.neighbors import NearestNeighbors

UNROLL = os.environ["UNROLL"]


def subspace_difference(a, b):
    qa, qb = np.linalg.qr(a)[0], np.linalg.qr(b)[0]
    return np.linalg.norm(qa - qb @ (qb.T @ qa), 2)


def neighbors_of(points, k):
    return NearestNeighbors(n_neighbors=k + 1).fit(points).kneighbors(points, return_distance=False)[:, 1:]


def smallest(matrix, count):
    """Eigenvectors of the smallest eigenvalues but the first, by LAPACK."""
    return np.linalg.eigh(matrix)[1][:, 1:count + 1]


def hessian_matrix(points, k, d):
    """Donoho and Grimes 2003: the last d (d+1) / 2 columns of an orthonormal basis of 1, tangents and products."""
    matrix = np.zeros((len(points), len(points)))
    for row in neighbors_of(points, k):
        tangents = np.linalg.svd(points[row] - points[row].mean(axis=0), full_matrices=False)[0][:, :d]
        products = [tangents[:, a] * tangents[:, b] for a in range(d) for b in range(a, d)]
        columns = np.linalg.qr(np.column_stack([np.ones(k), tangents, *products]))[0][:, d + 1:]
        matrix[np.ix_(row, row)] += columns @ columns.T
    return matrix


def modified_matrix(points, k, d):
    """Zhang and Wang 2006 with the weights w = V V'1 / |V'1|^2, the limit of no regularization."""
    n, rows = len(points), neighbors_of(points, k)
    values, vectors = np.linalg.eigh(np.array([(points[row] - points[i]) @ (points[row] - points[i]).T
                                               for i, row in enumerate(rows)]))
    values, vectors = np.maximum(values[:, ::-1], 0), vectors[:, :, ::-1]
    eta = np.sort(values[:, d:].sum(axis=1) / values[:, :d].sum(axis=1))[n // 2]
    matrix = np.zeros((n, n))
    for i, row in enumerate(rows):
        s = next(s for s in range(k - d, 0, -1)
                 if s == 1 or values[i, k - s:].sum() <= eta * values[i, :k - s].sum() * (1 + 1e-12))
        v = vectors[i][:, k - s:]
        sums = v.sum(axis=0)
        alpha = np.linalg.norm(sums) / np.sqrt(s)
        h = alpha - sums
        h /= max(np.linalg.norm(h), 1e-300)
        weights = (1 - alpha) * np.outer(v @ sums / (sums @ sums), np.ones(s)) + v - 2 * np.outer(v @ h, h)
        factor = np.vstack([-np.ones(s), weights])
        members = np.r_[i, row]
        matrix[np.ix_(members, members)] += factor @ factor.T
    return matrix


class LocalAlignment(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.data = (("swiss roll", datasets.make_swiss_roll(600, random_state=1)[0], 12, 2),
                     ("s-curve", datasets.make_s_curve(600, random_state=2)[0], 10, 2),
                     ("digits", datasets.load_digits().data[:400] + 0.01 * np.random.default_rng(0).normal(
                         size=(400, 64)), 20, 3))

    def embed(self, points, method, k, d, *options):
        name, out = os.path.join(self.folder.name, "x.npy"), os.path.join(self.folder.name, "y.npy")
        np.save(name, points)
        answer = subprocess.run([UNROLL, "embed", name, "-m", method, "-k", str(k), "-d", str(d), "-o", out, "--json",
                                 "--components", "keep", *options], check=True, capture_output=True)
        return np.load(out), json.loads(answer.stdout)

    def sklearn(self, points, k, d, method):
        return locally_linear_embedding(points, n_neighbors=k, n_components=d, method=method, eigen_solver="dense")[0]

    def test_ltsa_is_scikit_learns(self):
        for name, points, k, d in self.data:
            with self.subTest(data=name):
                self.assertLess(subspace_difference(self.embed(points, "ltsa", k, d)[0],
                                                    self.sklearn(points, k, d, "ltsa")), 1e-6)

    def test_hlle_is_scikit_learns_with_the_complement(self):
        """scikit-learn takes all columns of a full QR, the whole complement of linear functions."""
        for name, points, k, d in self.data:
            with self.subTest(data=name):
                theirs = self.sklearn(points, k, d, "hessian")
                ours = self.embed(points, "hlle", k, d, "--estimator", "complement")[0]
                self.assertLess(subspace_difference(ours, theirs), 1e-6)
                self.assertLess(subspace_difference(theirs, self.sklearn(points, k, d, "ltsa")), 1e-6)

    def test_hlle_is_scikit_learns_with_the_fewest_neighbors(self):
        """Then the complement and the second derivatives are one."""
        grid = np.stack(np.meshgrid(np.arange(25.0), np.arange(16.0)), axis=-1).reshape(-1, 2)
        points = np.column_stack([grid, 0.02 * grid[:, 0] ** 2]) + np.random.default_rng(3).normal(0, 0.1, (400, 3))
        self.assertLess(subspace_difference(self.embed(points, "hlle", 6, 2)[0],
                                            self.sklearn(points, 6, 2, "hessian")), 1e-6)

    def test_hlle_is_the_papers(self):
        for name, points, k, d in self.data:
            with self.subTest(data=name):
                self.assertLess(subspace_difference(self.embed(points, "hlle", k, d)[0],
                                                    smallest(hessian_matrix(points, k, d), d)), 1e-6)

    def test_mlle_is_the_papers(self):
        for name, points, k, d in self.data:
            with self.subTest(data=name):
                ours, report = self.embed(points, "mlle", k, d)
                matrix = modified_matrix(points, k, d)
                self.assertLess(subspace_difference(ours, smallest(matrix, d)), 1e-6)
                np.testing.assert_allclose(report["diagnostics"]["reconstruction_cost"],
                                           np.trace(ours.T @ matrix @ ours), rtol=1e-6)

    def test_distances_are_enough(self):
        points = self.data[0][1]
        distances = squareform(pdist(points))
        for method in ("mlle", "hlle", "ltsa"):
            with self.subTest(method=method):
                ours = self.embed(points, method, 12, 2)[0]
                again = self.embed(distances, method, 12, 2, "--metric", "precomputed")[0]
                self.assertLess(subspace_difference(ours, again), 1e-6)


if __name__ == "__main__":
    unittest.main()
