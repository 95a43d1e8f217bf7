"""Sparse features against scikit-learn: PCA that centres without making them dense, neighbors, kernel PCA."""
import os
import subprocess
import tempfile
import unittest

import numpy as np
from scipy import sparse
from sklearn.decomposition import PCA, KernelPCA
from sklearn.neighbors import NearestNeighbors

UNROLL = os.environ["UNROLL"]


def words(n, features=300, filled=0.05, seed=0):
    """Counts of a few topics: decaying variances, and most entries 0."""
    random = np.random.default_rng(seed)
    topics = random.gamma(0.3, size=(8, features))
    rates = random.dirichlet(np.full(8, 0.5), n) @ (topics / topics.sum(axis=1, keepdims=True)) * features * filled * 2
    return sparse.csr_matrix(np.log1p(random.poisson(rates)))


class SparseReference(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def run_unroll(self, *arguments):
        answer = subprocess.run([UNROLL, *arguments, "--quiet"], capture_output=True, text=True)
        self.assertEqual(answer.returncode, 0, answer.stderr)

    def assert_same_up_to_sign(self, ours, theirs, tolerance):
        signs = np.sign((ours * theirs).sum(axis=0))
        self.assertLess(np.abs(ours * signs - theirs).max() / np.abs(theirs).max(), tolerance)

    def test_pca_is_that_of_centred_dense_rows(self):
        x, new = words(500), words(20, seed=1)
        for name, matrix in (("x.npz", x), ("new.npz", new)):
            sparse.save_npz(self.path(name), matrix)
        for solver in ("auto", "covariance", "randomized"):
            self.run_unroll("embed", self.path("x.npz"), "--sparse", "features", "-m", "pca", "-d", "6", "--solver", solver,
                            "-o", self.path("y.npy"), "--save", self.path("m.unroll"))
            reference = PCA(6, svd_solver="full").fit(x.toarray())
            self.assert_same_up_to_sign(np.load(self.path("y.npy")), reference.transform(x.toarray()), 1e-7)
            self.run_unroll("transform", self.path("m.unroll"), self.path("new.npz"), "--sparse", "features", "-o",
                            self.path("z.npy"))
            self.assert_same_up_to_sign(np.load(self.path("z.npy")), reference.transform(new.toarray()), 1e-7)

    def test_neighbors(self):
        x = words(400)
        sparse.save_npz(self.path("x.npz"), x)
        for metric in ("euclidean", "cosine"):
            self.run_unroll("neighbors", self.path("x.npz"), "--sparse", "features", "-k", "9", "--metric", metric, "-o",
                            self.path("g.npz"))
            graph = sparse.load_npz(self.path("g.npz"))
            distances = np.sort(graph.data.reshape(400, 9), axis=1)
            theirs, _ = NearestNeighbors(n_neighbors=9, metric=metric, algorithm="brute").fit(x).kneighbors()
            # scikit-learn's distances of sparse rows lose digits to |x|^2 + |y|^2 - 2 x.y; equal ones may be swapped.
            np.testing.assert_allclose(distances, theirs, atol=1e-7)

    def test_kernel_pca(self):
        x = words(200)
        sparse.save_npz(self.path("x.npz"), x)
        for kernel, more in (("linear", {}), ("rbf", {"gamma": 0.05}), ("cosine", {}),
                             ("poly", {"gamma": 0.1, "degree": 2, "coef0": 1})):
            flags = [word for name, value in more.items() for word in (f"--{name}", str(value))]
            self.run_unroll("embed", self.path("x.npz"), "--sparse", "features", "-m", "kernel_pca", "-d", "3", "--kernel",
                            kernel, *flags, "-o", self.path("y.npy"))
            theirs = KernelPCA(3, kernel=kernel, eigen_solver="dense", **more).fit_transform(x.toarray())
            self.assert_same_up_to_sign(np.load(self.path("y.npy")), theirs, 1e-6)


if __name__ == "__main__":
    unittest.main()
