"""Laplacian eigenmaps and diffusion maps against scikit-learn and LAPACK, through the command, on the same weights."""
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
from sklearn.manifold import SpectralEmbedding
from sklearn.neighbors import kneighbors_graph

UNROLL = os.environ["UNROLL"]


def subspace_difference(a, b):
    qa, qb = np.linalg.qr(a)[0], np.linalg.qr(b)[0]
    return np.linalg.norm(qa - qb @ (qb.T @ qa), 2)


class GraphMethods(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def embed(self, source, method, *options):
        name = os.path.join(self.folder.name, "x.npz" if sparse.issparse(source) else "x.npy")
        sparse.save_npz(name, source) if sparse.issparse(source) else np.save(name, source)
        out = os.path.join(self.folder.name, "y.npy")
        answer = subprocess.run([UNROLL, "embed", name, "-m", method, "-o", out, "--json", *options], check=True,
                                capture_output=True)
        return np.load(out), json.loads(answer.stdout)

    def test_spectral_embedding_of_the_same_affinity(self):
        """scikit-learn divides eigenvectors of the symmetric Laplacian by the roots of the degrees: the random walk."""
        for name, load, count in (("digits", datasets.load_digits, 20), ("wine", datasets.load_wine, 15)):
            points = load().data[:600]
            graph = kneighbors_graph(points, count)
            weights = (0.5 * (graph + graph.T)).tocsr()
            theirs = SpectralEmbedding(3, affinity="precomputed", eigen_solver="arpack",
                                       random_state=0).fit_transform(weights)
            for source in (weights, weights.toarray()):
                with self.subTest(data=name, sparse=sparse.issparse(source)):
                    ours, _ = self.embed(source, "laplacian_eigenmaps", "--weights", "precomputed", "-d", "3")
                    self.assertLess(subspace_difference(ours, theirs), 1e-6)

    def test_all_laplacians_by_lapack(self):
        points = datasets.make_swiss_roll(400, random_state=1)[0]
        weights = np.exp(-squareform(pdist(points, "sqeuclidean")) / 50)
        np.fill_diagonal(weights, 0)
        degrees = weights.sum(axis=0)
        root = np.sqrt(degrees)
        values, vectors = np.linalg.eigh(np.eye(400) - weights / np.outer(root, root))
        plain = np.linalg.eigh(np.diag(degrees) - weights)
        for laplacian, expected, spectrum in (("symmetric", vectors[:, 1:4], values[1:4]),
                                              ("random_walk", vectors[:, 1:4] / root[:, None], values[1:4]),
                                              ("unnormalized", plain[1][:, 1:4], plain[0][1:4])):
            with self.subTest(laplacian=laplacian):
                ours, report = self.embed(points, "laplacian_eigenmaps", "--graph", "full", "--sigma", "5", "-d", "3",
                                          "--laplacian", laplacian)
                signs = np.sign((ours * expected).sum(axis=0))
                self.assertLess(np.abs(ours * signs - expected).max() / np.abs(expected).max(), 1e-6)
                np.testing.assert_allclose(report["spectrum"]["values"], spectrum, rtol=1e-7)

    def test_symmetrization_by_lapack(self):
        points = datasets.make_swiss_roll(500, random_state=3)[0]
        near = kneighbors_graph(points, 15, mode="distance").toarray()
        heat = np.where(near > 0, np.exp(-near ** 2 / (2 * 3.0 ** 2)), 0)
        for rule, weights in (("union", np.maximum(heat, heat.T)), ("mutual", np.minimum(heat, heat.T)),
                              ("average", (heat + heat.T) / 2)):
            with self.subTest(rule=rule):
                self.assertEqual(connected_components(weights)[0], 1)
                root = np.sqrt(weights.sum(axis=0))
                values, vectors = np.linalg.eigh(np.eye(500) - weights / np.outer(root, root))
                expected = vectors[:, 1:4] / root[:, None]
                ours, report = self.embed(points, "laplacian_eigenmaps", "-k", "15", "--sigma", "3", "-d", "3",
                                          "--symmetrization", rule)
                signs = np.sign((ours * expected).sum(axis=0))
                self.assertLess(np.abs(ours * signs - expected).max() / np.abs(expected).max(), 1e-6)
                np.testing.assert_allclose(report["spectrum"]["values"], values[1:4], rtol=1e-7)

    def test_diffusion_maps_by_lapack(self):
        points = datasets.make_s_curve(300, random_state=2)[0]
        kernel = np.exp(-squareform(pdist(points, "sqeuclidean")) / (2 * 0.5 ** 2))
        density = kernel.sum(axis=0)
        kernel /= np.outer(density, density)
        degrees = kernel.sum(axis=0)
        root = np.sqrt(degrees)
        values, vectors = np.linalg.eigh(kernel / np.outer(root, root))
        psi = vectors[:, [-2, -3]] / root[:, None] * np.sqrt(degrees.sum())
        expected = psi * values[[-2, -3]] ** 2
        ours, _ = self.embed(points, "diffusion_maps", "--graph", "full", "--sigma", "0.5", "--t", "2")
        signs = np.sign((ours * expected).sum(axis=0))
        self.assertLess(np.abs(ours * signs - expected).max() / np.abs(expected).max(), 1e-6)


if __name__ == "__main__":
    unittest.main()
