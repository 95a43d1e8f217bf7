"""Hints can be typed: messages speak of the flags of the command in use."""
import unittest

from harness import CliTest, as_csv, object_in, points


class Wording(CliTest):
    def setUp(self):
        super().setUp()
        self.write("x.csv", as_csv(points()))

    def test_flags_instead_of_options(self):
        self.expect_error(2, "isomap: -k 20 must be less than the number of points, 20; use a smaller -k",
                          "embed", "x.csv", "-m", "isomap", "-k", "20")
        self.expect_error(2, "--sigma 2 is for --weights heat, not --weights binary; leave it out",
                          "embed", "x.csv", "-m", "laplacian_eigenmaps", "--weights", "binary", "--sigma", "2")
        self.expect_error(2, "--n-landmarks 3 must be more than -d 5; use a larger --n-landmarks",
                          "embed", "x.csv", "-m", "isomap", "-d", "5", "--n-landmarks", "3")

    def test_switches_and_reports(self):
        rows = [[x / 10, (x * 7 % 3) / 10] for x in range(400)]  # a long strip
        self.write("strip.csv", as_csv(rows))
        words = ["embed", "strip.csv", "-m", "laplacian_eigenmaps", "-o", "y.csv"]
        text = self.run_here(*words).stderr.decode()
        self.assertIn("--independent skips such coordinates; on branching data they may tell branches apart: compare both maps", text)
        report = object_in(self.run_here(*words, "--json").stdout)
        hints = [warning["hint"] for warning in report["warnings"]]
        self.assertIn("--independent skips such coordinates; on branching data they may tell branches apart: compare both maps", hints)

    def test_compare_names_flags_that_it_has(self):
        done = self.run_here("compare", "x.csv", "-m", "isomap,pca", "-k", "20")
        self.assertIn(b"-k 20 must be less than the number of points", done.stdout + done.stderr)
        done = self.run_here("compare", "x.csv", "-m", "hlle,pca", "-d", "3", "-k", "5")
        self.assertIn(b"use a larger -k", done.stdout + done.stderr)

    def test_words_of_the_user_stay(self):
        text = self.expect_error(1, "n_neighbors=3.csv", "embed", "n_neighbors=3.csv", "-m", "pca")
        self.assertNotIn("-k", text)


if __name__ == "__main__":
    unittest.main()
