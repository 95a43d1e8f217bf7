"""Kernel PCA against scikit-learn, through the command: coordinates by kernel, new points, pre-images."""
import json
import os
import subprocess
import tempfile
import unittest

import numpy as np
from sklearn import datasets
from sklearn.decomposition import KernelPCA
from sklearn.metrics.pairwise import laplacian_kernel, pairwise_kernels
from sklearn.preprocessing import StandardScaler

UNROLL = os.environ["UNROLL"]

# name, what scikit-learn takes, our options
KERNELS = (
    ("linear", {}),
    ("poly", {"gamma": 0.05, "degree": 3, "coef0": 1.0}),
    ("poly", {"gamma": 0.1, "degree": 2, "coef0": 0.5}),
    ("rbf", {"gamma": 0.05}),
    ("rbf", {"gamma": 1.5}),
    ("sigmoid", {"gamma": 0.01, "coef0": 0.1}),
    ("laplacian", {"gamma": 0.1}),
    ("cosine", {}),
)


def flags(parameters):
    return [text for name, value in parameters.items() for text in (f"--{name}", str(value))]


class KernelPcaReference(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def run_unroll(self, *arguments):
        return subprocess.run([UNROLL, *arguments], check=True, capture_output=True).stdout

    def embed(self, points, *options):
        """Coordinates and the report of `unroll embed`."""
        np.save(self.path("x.npy"), points)
        report = self.run_unroll("embed", self.path("x.npy"), "-m", "kernel_pca", "-o", self.path("y.npy"), "--json",
                                 "--save", self.path("m.unroll"), *options)
        return np.load(self.path("y.npy")), json.loads(report)

    def transform(self, points, *options):
        np.save(self.path("fresh.npy"), points)
        self.run_unroll("transform", self.path("m.unroll"), self.path("fresh.npy"), "-o", self.path("z.npy"), *options)
        return np.load(self.path("z.npy"))

    def assert_close(self, ours, theirs, tolerance):
        self.assertLess(np.abs(ours - theirs).max() / np.abs(theirs).max(), tolerance)

    def reference(self, kernel, parameters, count, **more):
        if kernel == "laplacian":  # known to pairwise_kernels, but not to KernelPCA's own list
            gamma = parameters["gamma"]
            return KernelPCA(count, kernel=lambda a, b: np.exp(-gamma * np.abs(a - b).sum()), eigen_solver="dense",
                             **more)
        return KernelPCA(count, kernel=kernel, eigen_solver="dense", **parameters, **more)

    def test_every_kernel(self):
        points = StandardScaler().fit_transform(datasets.load_wine().data)
        train, fresh = points[::2], points[1::2]
        for kernel, parameters in KERNELS:
            with self.subTest(kernel=kernel, **parameters):
                reference = self.reference(kernel, parameters, 3)
                theirs = reference.fit_transform(train)
                ours, report = self.embed(train, "-d", "3", "--kernel", kernel, *flags(parameters))
                signs = np.sign((ours * theirs).sum(axis=0))
                self.assert_close(ours * signs, theirs, 1e-8)
                self.assert_close(self.transform(fresh) * signs, reference.transform(fresh), 1e-8)
                np.testing.assert_allclose(report["spectrum"]["values"], reference.eigenvalues_, rtol=1e-9)

    def test_the_way_back(self):
        points = StandardScaler().fit_transform(datasets.load_iris().data)
        for kernel, parameters in KERNELS:
            if kernel in ("sigmoid", "laplacian"):
                continue  # not definite; a callable is too slow
            for alpha in (1.0, 0.01):
                with self.subTest(kernel=kernel, alpha=alpha, **parameters):
                    reference = self.reference(kernel, parameters, 3, alpha=alpha, fit_inverse_transform=True)
                    theirs = reference.fit_transform(points)
                    ours, _ = self.embed(points, "-d", "3", "--kernel", kernel, "--alpha", str(alpha),
                                         *flags(parameters))
                    back = self.transform(ours, "--inverse")
                    self.assert_close(back, reference.inverse_transform(theirs), 1e-6)

    def test_gamma_by_default(self):
        """Ours fits the distances of the data; theirs, 1 / number of features, does not."""
        points = datasets.load_iris().data
        theirs = KernelPCA(2, kernel="rbf", eigen_solver="dense").fit_transform(points)
        ours, _ = self.embed(points, "--gamma", "0.25")
        self.assert_close(np.abs(ours), np.abs(theirs), 1e-8)
        _, report = self.embed(points)
        mean_square = 2 * points.var(axis=0).sum()
        self.assertAlmostEqual(report["params"]["gamma"], 1 / (2 * mean_square), 12)

    def test_digits_by_products(self):
        """More points than are solved densely."""
        points = datasets.load_digits().data / 16
        theirs = KernelPCA(5, kernel="rbf", gamma=0.05, eigen_solver="dense").fit_transform(points)
        ours, report = self.embed(points, "-d", "5", "--gamma", "0.05")
        self.assert_close(np.abs(ours), np.abs(theirs), 1e-7)
        self.assertNotEqual(report["spectrum"]["solver"], "dense")

    def test_given_kernels(self):
        points = datasets.load_iris().data
        for kernel in (pairwise_kernels(points, metric="rbf", gamma=0.3), laplacian_kernel(points, gamma=0.2)):
            theirs = KernelPCA(3, kernel="precomputed", eigen_solver="dense").fit(kernel)
            ours, _ = self.embed(kernel, "-d", "3", "--kernel", "precomputed")
            expected = theirs.transform(kernel)
            signs = np.sign((ours * expected).sum(axis=0))
            self.assert_close(ours * signs, expected, 1e-8)
            self.assert_close(self.transform(kernel[:7]) * signs, theirs.transform(kernel[:7]), 1e-8)

    def test_landmarks_come_near(self):
        points = datasets.load_digits().data / 16
        theirs = KernelPCA(4, kernel="rbf", gamma=0.01, eigen_solver="dense").fit_transform(points)
        ours, report = self.embed(points, "-d", "4", "--gamma", "0.01", "--n-landmarks", "300")
        signs = np.sign((ours * theirs).sum(axis=0))
        self.assert_close(ours * signs, theirs, 0.02)
        self.assertLess(report["diagnostics"]["remaining_ratio"], 0.1)


if __name__ == "__main__":
    unittest.main()
