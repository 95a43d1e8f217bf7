"""unroll quality, and embed --quality."""
import unittest

from harness import CliTest, as_csv, as_npy, object_in, points, table

ROWS = points(40, 4)
FLAT = [row[:2] for row in ROWS]


class Quality(CliTest):
    def setUp(self):
        super().setUp()
        self.write("high.csv", as_csv(ROWS))
        self.write("low.npy", as_npy(FLAT))

    def metrics(self, *words):
        return object_in(self.succeed("quality", "high.csv", *words, "--json"))["metrics"]

    def test_table(self):
        *lines, reading = self.succeed("quality", "high.csv", "low.npy", "-k", "5").decode().splitlines()
        self.assertTrue(reading.startswith("neighborhoods are "), reading)
        self.assertEqual([line.split()[0] for line in lines],
                         ["trustworthiness", "continuity", "neighbor_preservation", "r_nx_area", "q_local", "q_global",
                          "k_max", "distance_pearson", "distance_spearman", "residual_variance", "stress_1",
                          "stress_scale", "normalized_stress", "raw_stress"])
        for line in lines[:6] + lines[7:11]:
            self.assertTrue(0 < float(line.split()[1]) < 1, line)

    def test_the_points_themselves(self):
        metrics = self.metrics("high.csv", "--truth", "high.csv")
        for name in ("trustworthiness", "continuity", "neighbor_preservation"):
            self.assertEqual(metrics[name], 1)
        self.assertAlmostEqual(metrics["distance_pearson"], 1, delta=1e-12)
        self.assertAlmostEqual(metrics["procrustes"], 0, delta=1e-12)
        for name in ("r_nx_area", "q_local", "q_global", "k_max", "stress_scale"):
            self.assertEqual(metrics[name], 1)
        for name in ("stress_1", "normalized_stress", "raw_stress"):
            self.assertEqual(metrics[name], 0)
        self.assertEqual(len(metrics["affine_r2"]), 4)

    def test_files(self):
        metrics = self.metrics("low.npy", "--truth", "low.npy", "-o", "m.csv")
        header, rows = table(self.read("m.csv"))
        self.assertEqual(header, ["measure", "value"])
        values = {name: float(value) for name, value in rows}
        self.assertEqual(values["trustworthiness"], metrics["trustworthiness"])
        self.assertEqual([values["affine_r2_0"], values["affine_r2_1"]], metrics["affine_r2"])

    def test_a_true_coordinate_that_does_not_vary(self):
        self.write("truth.csv", as_csv([[row[0], 0.1] for row in ROWS]))
        words = ("quality", "high.csv", "low.npy", "--truth", "truth.csv")
        first, second = self.metrics("low.npy", "--truth", "truth.csv")["affine_r2"]
        self.assertAlmostEqual(first, 1, delta=1e-12)
        self.assertIsNone(second)
        self.assertRegex(self.succeed(*words).decode(), r"affine_r2 +1\.0000, undefined\n")
        names = [row[0] for row in table(self.succeed(*words, "-o", "-"))[1]]
        self.assertIn("affine_r2_0", names)
        self.assertNotIn("affine_r2_1", names)

    def test_points(self):
        header, rows = table(self.succeed("quality", "high.csv", "low.npy", "--per-point"))
        self.assertEqual(header, ["trustworthiness", "continuity", "neighbor_preservation", "r_nx_area", "stress_1"])
        self.assertEqual(len(rows), 40)
        metrics = self.metrics("low.npy")
        for column, name in enumerate(header[:4]):
            mean = sum(float(row[column]) for row in rows) / 40
            self.assertAlmostEqual(mean, metrics[name], delta=1e-12)

    def test_a_sample_has_no_area_per_point(self):
        self.write("many.csv", as_csv(points(150, 3)))
        done = self.run_here("quality", "many.csv", "many.csv", "--per-point", "--rank-points", "100")
        self.assertEqual(table(done.stdout)[0], ["trustworthiness", "continuity", "neighbor_preservation"])
        self.assertIn(b"--rank-points 150 has them", done.stderr)
        metrics = object_in(self.succeed("quality", "many.csv", "many.csv", "--rank-points", "100", "--json"))["metrics"]
        self.assertEqual((metrics["r_nx_area_sampled_points"], metrics["r_nx_area_95"]), (100, [1, 1]))

    def test_the_curve(self):
        report = object_in(self.succeed("quality", "high.csv", "low.npy", "--json"))
        curve = report["r_nx"]
        self.assertEqual(curve["k"], list(range(1, 39)))
        area = sum(r / k for k, r in zip(curve["k"], curve["r_nx"])) / sum(1 / k for k in curve["k"])
        self.assertAlmostEqual(area, report["metrics"]["r_nx_area"], delta=1e-12)
        without = object_in(self.succeed("quality", "high.csv", "low.npy", "--measures", "stress", "--json"))
        self.assertNotIn("r_nx", without)

    def test_shepard(self):
        self.succeed("quality", "high.csv", "low.npy", "--shepard", "pairs.csv")
        header, rows = table(self.read("pairs.csv"))
        self.assertEqual(header, ["distance_high", "distance_low"])
        self.assertEqual(len(rows), 40 * 39 // 2)
        high, low = zip(*((float(row[0]), float(row[1])) for row in rows))
        residual = sum((a - b) ** 2 for a, b in zip(high, low))
        self.assertAlmostEqual(residual, self.metrics("low.npy")["raw_stress"], delta=1e-9 * residual)
        self.expect_error(1, "nowhere", "quality", "high.csv", "low.npy", "--shepard", "nowhere/pairs.csv")

    def test_labels_from_a_file_or_a_column(self):
        kinds = [i % 3 for i in range(40)]
        self.write("kinds.csv", as_csv([[kind] for kind in kinds], "kind"))
        lines = as_csv(ROWS).decode().splitlines()
        self.write("named.csv", "\n".join(
            ["a,b,c,d,kind"] + [f"{line},{'xyz'[kind]}" for line, kind in zip(lines, kinds)]).encode())
        expected = self.metrics("low.npy", "--labels", "kinds.csv")
        self.assertTrue(0 < expected["label_accuracy"] < 1)
        self.assertTrue(0 < expected["label_accuracy_high"] < 1)
        report = object_in(self.succeed("quality", "named.csv", "low.npy", "--label-column", "kind", "--json"))
        self.assertEqual(report["metrics"], expected)
        # The coordinates as embed writes them, with a column of labels that is not a coordinate.
        self.succeed("embed", "named.csv", "-m", "pca", "--label-column", "kind", "-o", "map.csv")
        self.succeed("embed", "high.csv", "-m", "pca", "-o", "plain.csv")
        self.assertEqual(self.metrics("map.csv"), self.metrics("plain.csv", "--labels", "kinds.csv"))

    def test_threads_do_not_change_a_byte(self):
        words = ("quality", "high.csv", "low.npy", "--per-point")
        expected = self.succeed(*words, "-j", "1")
        for threads in ("2", "3", "8"):
            self.assertEqual(self.succeed(*words, "-j", threads), expected)

    def test_a_sample_of_pairs_has_intervals(self):
        metrics = self.metrics("low.npy", "--max-pairs", "500")
        exact = self.metrics("low.npy")
        self.assertEqual(metrics["distance_sampled_pairs"], 500)
        low, high = metrics["distance_pearson_95"]
        self.assertLess(low, metrics["distance_pearson"])
        self.assertGreater(high, metrics["distance_pearson"])
        self.assertNotIn("distance_sampled_pairs", exact)
        self.assertNotEqual(metrics, self.metrics("low.npy", "--max-pairs", "500", "--seed", "1"))

    def test_errors(self):
        self.write("short.csv", as_csv(FLAT[:30]))
        self.expect_error(3, "'high.csv' has 40 rows but 'short.csv' has 30", "quality", "high.csv", "short.csv")
        self.expect_error(3, "'high.csv' has 40 rows but 'short.csv' has 30", "quality", "high.csv", "low.npy",
                          "--truth", "short.csv")
        self.expect_error(2, "-k 20 should be less than n_samples / 2 = 20", "quality", "high.csv", "low.npy",
                          "-k", "20")
        self.expect_error(3, "row 1 of 'x.csv' is 0.5; labels are whole numbers or words", "quality", "high.csv", "low.npy", "--labels",
                          self.write("x.csv", as_csv([[0.5]] * 40)))
        self.expect_error(3, "'low.npy' has 2 columns; give one column", "quality", "high.csv", "low.npy", "--labels", "low.npy")
        self.expect_error(2, "LOW", "quality", "high.csv")


class EmbedQuality(CliTest):
    def test_message_and_report(self):
        self.write("x.csv", as_csv(ROWS))
        words = ("embed", "x.csv", "-m", "pca", "--quality", "-o", "y.csv")
        done = self.run_here(*words)
        self.assertEqual((done.returncode, done.stdout), (0, b""))
        self.assertRegex(done.stderr.decode(), r"^trustworthiness 0\.\d{4}, continuity 0\.\d{4}, neighbor preservation "
                                               r"0\.\d{4} \(k=10\), R_NX area 0\.\d{4}\n$")
        report = object_in(self.succeed(*words, "--json"))
        metrics = object_in(self.succeed("quality", "x.csv", "y.csv", "--json"))["metrics"]
        for name in metrics:
            self.assertEqual(report["metrics"][name], metrics[name])
        self.assertEqual(report["metrics"]["n_neighbors"], 10)
        self.assertEqual(self.succeed(*words, "--quiet"), b"")

    def test_among_scaled_features(self):
        self.write("x.csv", as_csv([[1000 * row[0], *row[1:]] for row in ROWS]))
        words = ("embed", "x.csv", "-m", "pca", "--scale", "standardize", "--quality", "-o", "y.csv", "--json")
        metrics = object_in(self.succeed(*words))["metrics"]
        by_verb = [object_in(self.succeed("quality", "x.csv", "y.csv", *more, "--json"))["metrics"]["trustworthiness"]
                   for more in (("--scale", "standardize"), ())]
        self.assertEqual(metrics["trustworthiness"], by_verb[0])
        self.assertNotEqual(metrics["trustworthiness"], by_verb[1])

    def test_few_points(self):
        self.write("x.csv", as_csv(ROWS[:6]))
        report = object_in(self.succeed("embed", "x.csv", "-m", "pca", "--quality", "--json"))
        self.assertEqual(report["metrics"]["n_neighbors"], 2)
        self.write("two.csv", as_csv(ROWS[:2]))
        done = self.run_here("embed", "two.csv", "-m", "pca", "-d", "1", "--quality", "--json")
        self.assertIn(b"warning[no-quality]", done.stderr)
        self.assertEqual(done.returncode, 0)


class Undefined(CliTest):
    def test_a_truth_that_does_not_vary(self):
        rows = points(40, 3)
        self.write("high.csv", as_csv(rows))
        self.write("low.csv", as_csv([row[:2] for row in rows]))
        self.write("same.csv", as_csv([[1.5]] * 40))
        words = "quality", "high.csv", "low.csv", "--truth", "same.csv"
        text = self.run_here(*words).stdout.decode()
        for name in ("true_distance_pearson", "true_distance_spearman", "affine_r2"):
            self.assertRegex(text, rf"(?m)^  {name} +undefined$")
        metrics = object_in(self.run_here(*words, "--json").stdout)["metrics"]
        self.assertIsNone(metrics["true_distance_pearson"])
        self.assertEqual(metrics["affine_r2"], [None])
        self.run_here(*words, "-o", "measures.csv")
        self.assertNotIn(b"true_distance", self.read("measures.csv"))
        self.write("x.csv", as_csv(rows))
        done = self.run_here("compare", "x.csv", "-m", "pca,mds", "--truth", "same.csv", "--json")
        self.assertNotIn(b"true_distance_pearson", done.stdout)


if __name__ == "__main__":
    unittest.main()
