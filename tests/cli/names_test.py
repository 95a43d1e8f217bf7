"""Methods under the names that users know them by."""
import unittest

from harness import CliTest, as_csv, object_in, points


class Names(CliTest):
    def setUp(self):
        super().setUp()
        self.write("x.csv", as_csv(points(40, 3)))

    def method_of(self, name):
        return object_in(self.run_here("embed", "x.csv", "-m", name, "--json", "-q").stdout)["method"]

    def test_any_case_and_any_hyphen(self):
        for name in ("LLE", "Lle", "l-l-e"):
            self.assertEqual(self.method_of(name), "lle")
        for name in ("Kernel-PCA", "kernel_pca", "KernelPCA", "kpca", "KPCA"):
            self.assertEqual(self.method_of(name), "kernel_pca")
        for name in ("le", "spectral-embedding", "LaplacianEigenmaps"):
            self.assertEqual(self.method_of(name), "laplacian_eigenmaps")
        for name, method in (("dm", "diffusion_maps"), ("hessian_lle", "hlle"), ("modified-lle", "mlle"),
                             ("classical_mds", "mds")):
            self.assertEqual(self.method_of(name), method)

    def test_everywhere(self):
        done = self.run_here("compare", "x.csv", "-m", "PCA,kpca", "--json")
        self.assertEqual([method["name"] for method in object_in(done.stdout)["methods"]], ["pca", "kernel_pca"])
        self.assertIn(b"Laplacian eigenmaps", self.succeed("methods", "LE"))
        self.assertIn(b"unroll embed INPUT -m kernel_pca", self.succeed("embed", "-m", "KPCA", "--help"))
        self.succeed("spectrum", "x.csv", "-m", "KPCA", "-q")
        self.expect_error(2, "LLLE", "embed", "x.csv", "-m", "LLLE")

    def test_quality_is_measured_alike(self):
        for words in (["-m", "isomap", "-k", "15"], ["-m", "isomap", "-k", "7"], ["-m", "pca"]):
            report = object_in(self.run_here("embed", "x.csv", *words, "--quality", "--json", "-o", "y.csv").stdout)
            self.assertEqual(report["metrics"]["n_neighbors"], 10, words)


if __name__ == "__main__":
    unittest.main()
