"""PCA against scikit-learn, through the command: the same variances, the same scores up to sign."""
import json
import os
import subprocess
import tempfile
import unittest

import numpy as np
from sklearn import datasets
from sklearn.decomposition import PCA
from sklearn.preprocessing import MinMaxScaler, StandardScaler

UNROLL = os.environ["UNROLL"]


class PcaReference(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def embed(self, points, *options):
        """Coordinates and the report of `unroll embed`."""
        np.save(self.path("x.npy"), points)
        answer = subprocess.run([UNROLL, "embed", self.path("x.npy"), "-m", "pca", "-o", self.path("y.npy"), "--json",
                                 "--save", self.path("m.unroll"), *options], check=True, capture_output=True)
        return np.load(self.path("y.npy")), json.loads(answer.stdout)

    def assert_same_up_to_sign(self, ours, theirs, tolerance):
        signs = np.sign((ours * theirs).sum(axis=0))
        self.assertLess(np.abs(ours * signs - theirs).max() / np.abs(theirs).max(), tolerance)

    def compare(self, points, count, solver, whiten=False):
        reference = PCA(count, svd_solver="full", whiten=whiten)
        scores = reference.fit_transform(points)
        ours, report = self.embed(points, "-d", str(count), "--solver", solver, *(["--whiten"] if whiten else []))
        self.assert_same_up_to_sign(ours, scores, 1e-7)
        diagnostics = report["diagnostics"]
        np.testing.assert_allclose(diagnostics["explained_variance"], reference.explained_variance_, rtol=1e-9)
        np.testing.assert_allclose(diagnostics["explained_variance_ratio"], reference.explained_variance_ratio_,
                                   rtol=1e-9)
        np.testing.assert_allclose(diagnostics["singular_values"], reference.singular_values_, rtol=1e-9)
        np.testing.assert_allclose(diagnostics["mean"], reference.mean_, rtol=1e-12, atol=1e-12)

    def test_iris_wine_digits(self):
        for load, count in ((datasets.load_iris, 3), (datasets.load_wine, 5), (datasets.load_digits, 20)):
            points = load().data
            for solver in ("covariance", "gram", "randomized"):
                if solver == "randomized" and points.shape[1] < 20:
                    continue  # a sketch wider than the data
                for whiten in (False, True):
                    with self.subTest(data=load.__name__, solver=solver, whiten=whiten):
                        self.compare(points, count, solver, whiten)

    def test_new_points_and_the_way_back(self):
        points = datasets.load_digits().data
        train, fresh = points[:1000], points[1000:]
        reference = PCA(12, svd_solver="full").fit(train)
        ours, _ = self.embed(train, "-d", "12")
        signs = np.sign((ours * reference.transform(train)).sum(axis=0))
        np.save(self.path("fresh.npy"), fresh)
        subprocess.run([UNROLL, "transform", self.path("m.unroll"), self.path("fresh.npy"), "-o", self.path("z.npy")],
                       check=True)
        placed = np.load(self.path("z.npy"))
        np.testing.assert_allclose(placed * signs, reference.transform(fresh), atol=1e-9)
        subprocess.run([UNROLL, "transform", self.path("m.unroll"), self.path("z.npy"), "--inverse", "-o",
                        self.path("b.npy")], check=True)
        np.testing.assert_allclose(np.load(self.path("b.npy")),
                                   reference.inverse_transform(reference.transform(fresh)), atol=1e-9)

    def test_feature_scaling(self):
        points = datasets.load_wine().data
        for word, scaler in (("standardize", StandardScaler()), ("minmax", MinMaxScaler())):
            with self.subTest(scale=word):
                scores = PCA(4, svd_solver="full").fit_transform(scaler.fit_transform(points))
                ours, _ = self.embed(points, "-d", "4", "--scale", word)
                self.assert_same_up_to_sign(ours, scores, 1e-9)

    def test_fraction_of_the_variance(self):
        points = datasets.load_digits().data
        for fraction in (0.5, 0.9, 0.99):
            expected = PCA(fraction, svd_solver="full").fit(points).n_components_
            ours, _ = self.embed(points, "-d", str(fraction))
            self.assertEqual(ours.shape[1], expected)

    def test_float32_is_not_less_accurate_than_double(self):
        points = datasets.load_digits().data.astype(np.float32) / np.float32(3)
        exact = PCA(10, svd_solver="full").fit(points.astype(np.float64)).explained_variance_
        _, report = self.embed(points, "-d", "10")
        np.testing.assert_allclose(report["spectrum"]["values"], exact, rtol=1e-12)


if __name__ == "__main__":
    unittest.main()
