"""A graph's own quantities against SciPy, through the command: heat, kernels, cuts, paths."""
import json
import os
import subprocess
import tempfile
import unittest

import numpy as np
from scipy import linalg, sparse
from scipy.sparse import csgraph
from scipy.sparse.linalg import expm_multiply

UNROLL = os.environ["UNROLL"]


class GraphReference(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        random = np.random.default_rng(0)
        w = sparse.random(150, 150, 0.04, random_state=1, data_rvs=lambda size: random.uniform(0.1, 2, size))
        self.w = sparse.csr_matrix(w + w.T + sparse.diags([1, 1], [1, -1], shape=(150, 150)))
        self.w.setdiag(0)
        self.w.eliminate_zeros()
        sparse.save_npz(self.path("w.npz"), self.w)
        self.f = random.normal(size=(150, 3))
        np.save(self.path("f.npy"), self.f)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def found(self, *words):
        out = self.path("out.npy")
        subprocess.run([UNROLL, "graph", self.path("w.npz"), *words, "--weights", "precomputed", "-o", out], check=True)
        return np.load(out)

    def report(self, *words):
        return json.loads(subprocess.run([UNROLL, "graph", self.path("w.npz"), *words, "--weights", "precomputed",
                                          "--json"], check=True, stdout=subprocess.PIPE).stdout)

    def test_heat(self):
        laplacians = {"unnormalized": csgraph.laplacian(self.w), "symmetric": csgraph.laplacian(self.w, normed=True)}
        degrees = np.asarray(self.w.sum(axis=1)).ravel()
        laplacians["random_walk"] = sparse.identity(150) - sparse.diags(1 / degrees) @ self.w
        for name, laplacian in laplacians.items():
            for t in (0.1, 4.0):
                heat = self.found("heat", "--values", self.path("f.npy"), "--t", str(t), "--laplacian", name)
                expected = expm_multiply(-t * sparse.csc_matrix(laplacian), self.f)
                np.testing.assert_allclose(heat, expected, atol=1e-11)

    def test_kernels(self):
        laplacian = csgraph.laplacian(self.w).toarray()
        np.testing.assert_allclose(self.found("inverse"), linalg.pinvh(laplacian), atol=1e-11)
        np.testing.assert_allclose(self.found("diffusion-kernel", "--beta", "0.7"), linalg.expm(-0.7 * laplacian),
                                   atol=1e-12)

    def test_second_eigenvalue(self):
        values = linalg.eigvalsh(csgraph.laplacian(self.w, normed=True).toarray())
        self.assertAlmostEqual(self.report("fiedler")["fiedler"]["lambda2"], values[1], delta=1e-12)

    def test_conductance_of_the_sweep(self):
        side = self.found("sweep")[:, 1] == 1
        w = self.w.toarray()
        cut = w[side][:, ~side].sum() / min(w[side].sum(), w[~side].sum())
        self.assertAlmostEqual(self.report("sweep")["sweep"]["conductance"], cut, delta=1e-13)

    def test_steps(self):
        expected = csgraph.shortest_path(self.w, unweighted=True, indices=9)
        np.testing.assert_array_equal(self.found("distances", "--from", "9")[:, 0], expected)


if __name__ == "__main__":
    unittest.main()
