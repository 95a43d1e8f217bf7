"""unroll dimension: the estimates, and which to believe."""
import unittest

from harness import CliTest, as_csv, object_in, points, table


class Dimension(CliTest):
    def setUp(self):
        super().setUp()
        self.succeed("datasets", "make", "swiss-roll", "-n", "1000", "-o", "roll.npy")
        self.write("x.csv", as_csv(points(60, 3)))

    def report(self, *words):
        return object_in(self.succeed("dimension", *words, "--json"))

    def test_report(self):
        report = self.report("roll.npy")
        found = report["dimension"]
        self.assertEqual((found["coordinates"], found["residual_variance_elbow"], found["local_pca_gap"]), (2, 2, 2))
        for name in ("dimension", "maximum_likelihood", "two_nn", "two_nn_likelihood", "correlation"):
            self.assertAlmostEqual(found[name], 2, delta=0.3, msg=name)
        self.assertEqual(found["pca_axes_for_95"], 3)
        self.assertAlmostEqual(sum(found["pca_variance_shares"]), 1)
        self.assertEqual(found["correlation_pairs"], 1000 * 999 // 2)
        self.assertEqual([row["n_neighbors"] for row in report["scales"]], [5, 10, 20, 40])
        self.assertEqual(report["scales"][1]["maximum_likelihood"], found["maximum_likelihood"])

    def test_summary(self):
        text = self.succeed("dimension", "roll.npy").decode()
        for words in ("About 2 dimensions near a point.", "likelihood", "TwoNN", "correlation", "local axes", "all axes",
                      "elbow at 2"):
            self.assertIn(words, text)
        self.assertLessEqual(max(map(len, text.splitlines())), 80)

    def test_per_point(self):
        header, rows = table(self.succeed("dimension", "x.csv", "--per-point"))
        self.assertEqual((header, len(rows)), (["dimension"], 60))
        self.assertTrue(all(float(value) > 0 for (value,) in rows))
        self.succeed("dimension", "x.csv", "--per-point", "-o", "d.npy")
        report = self.report("x.csv", "--per-point", "-o", "d.csv")
        self.assertEqual(report["outputs"], [{"content": "dimensions", "path": "d.csv", "n": 60, "d": 1}])
        self.expect_error(2, "--per-point", "dimension", "x.csv", "-o", "d.csv")

    def test_same_bits_on_any_number_of_threads(self):
        reports = [self.report("roll.npy", "-j", threads) for threads in ("1", "4")]
        for report in reports:
            for name in ("timings_s", "peak_rss_mb", "threads"):
                del report[name]
        self.assertEqual(*reports)

    def test_distances_and_sparse_features(self):
        self.succeed("neighbors", "roll.npy", "-k", "12", "--symmetrize", "union", "-o", "graph.npz")
        found = self.report("graph.npz", "--metric", "precomputed")["dimension"]
        self.assertAlmostEqual(found["maximum_likelihood"], 2, delta=0.3)
        self.assertNotIn("correlation", found)
        self.assertNotIn("pca_gap", found)

    def test_mistakes(self):
        self.expect_error(2, "-k 60 must be less than", "dimension", "x.csv", "-k", "60")
        self.expect_error(2, ">= 2", "dimension", "x.csv", "-k", "1")
        self.write("copies.csv", as_csv([[1, 2, 3]] * 30))
        done = self.run_here("dimension", "copies.csv")
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"no estimate", done.stdout)
        self.assertIn(b"warning[no-dimension]", done.stderr)


if __name__ == "__main__":
    unittest.main()
