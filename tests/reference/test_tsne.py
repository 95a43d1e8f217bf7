"""t-SNE against scikit-learn: the affinities, the gradient and the divergence of the same map, and the quality of the map."""
import json
import os
import subprocess
import tempfile
import unittest

import numpy as np
from scipy.spatial.distance import pdist, squareform
from sklearn import datasets
from sklearn.manifold import TSNE, trustworthiness
from sklearn.manifold._t_sne import _joint_probabilities, _kl_divergence

UNROLL = os.environ["UNROLL"]


class TsneReference(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def embed(self, points, *options):
        np.save(self.path("x.npy"), points)
        answer = subprocess.run([UNROLL, "embed", self.path("x.npy"), "-m", "tsne", "-o", self.path("y.npy"), "--json",
                                 *options], check=True, capture_output=True)
        return np.load(self.path("y.npy")), json.loads(answer.stdout)["diagnostics"]

    def moved(self, points, start, perplexity, *options):
        """How far one iteration moves a map: a quarter of minus the gradient of scikit-learn, times the learning rate."""
        np.save(self.path("start.npy"), start)
        y, _ = self.embed(points, "--init", self.path("start.npy"), "--n-iter", "1", "--perplexity", str(perplexity),
                          "--early-exaggeration", "1", "--learning-rate", "1", *options)
        return y - start

    def test_affinities_and_gradient(self):
        """With 3 * perplexity = n - 1 all pairs have affinities, as in scikit-learn's exact method."""
        for name, load, n in (("iris", datasets.load_iris, 91), ("wine", datasets.load_wine, 121)):
            with self.subTest(data=name):
                points = load().data[:n] + 1e-3 * np.random.RandomState(1).randn(n, load().data.shape[1])
                perplexity = (n - 1) // 3
                start = np.random.RandomState(0).randn(n, 2) * 3
                start -= start.mean(axis=0)
                p = _joint_probabilities(squareform(pdist(points, "sqeuclidean")), perplexity, 0)
                divergence, gradient = _kl_divergence(start.ravel(), p, 1, n, 2)
                # The first update has the gains 0.8, and the mean of the map stays at 0.
                ours = -self.moved(points, start, perplexity) / 0.8 * 4
                theirs = gradient.reshape(n, 2)
                self.assertLess(np.abs(ours - (theirs - theirs.mean(axis=0))).max(), 1e-6)
                np.save(self.path("start.npy"), start)
                _, found = self.embed(points, "--init", self.path("start.npy"), "--n-iter", "0", "--perplexity",
                                      str(perplexity))
                self.assertAlmostEqual(found["kl_divergence"], divergence, 6)

    def test_map_of_the_digits(self):
        points = datasets.load_digits().data
        theirs = TSNE(init="pca", learning_rate="auto", random_state=0).fit(points)
        ours, found = self.embed(points)
        self.assertLess(found["kl_divergence"], 1.02 * theirs.kl_divergence_)
        self.assertGreater(trustworthiness(points, ours, n_neighbors=10),
                           trustworthiness(points, theirs.embedding_, n_neighbors=10) - 0.003)


if __name__ == "__main__":
    unittest.main()
