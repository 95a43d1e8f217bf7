"""unroll advise: a recommendation with its evidence."""
import unittest

from harness import CliTest, as_csv, object_in, points


class Advise(CliTest):
    def setUp(self):
        super().setUp()
        self.succeed("datasets", "make", "swiss-roll", "-n", "1000", "-o", "roll.npy")

    def report(self, *words):
        return object_in(self.succeed("advise", *words, "--json", "-q"))

    def test_report(self):
        report = self.report("roll.npy", "-m", "pca,isomap,ltsa,diffusion_maps")
        advice, tried = report["advice"], report["tried"]
        areas = [row["r_nx_area"] for row in tried if row["r_nx_area"] is not None]
        self.assertEqual(areas, sorted(areas, reverse=True))
        self.assertGreaterEqual(advice["r_nx_area"], areas[0] - 0.003)
        self.assertEqual((advice["points"], advice["sample"]), (1000, 1000))
        self.assertEqual({row["name"] for row in tried}, {"pca", "isomap", "ltsa", "diffusion_maps"})
        self.assertEqual([row["n_neighbors"] for row in report["graphs"]], [5, 7, 10, 14, 20, 28, 40, 60])
        self.assertGreater(report["graphs"][-1]["short_circuits"], 0)
        self.assertTrue(advice["evidence"] and advice["reading"])

    def test_the_command_makes_that_map(self):
        report = self.report("roll.npy", "-m", "isomap,lle", "--scale", "standardize", "-d", "3")
        words = report["advice"]["command"].split()
        self.assertEqual(words[:3], ["unroll", "embed", "roll.npy"])
        self.assertEqual(words[-2:], ["-o", "map.csv"])
        done = self.run_here(*words[1:], "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        options = object_in(done.stdout)["params"]
        self.assertEqual((options["scale"], options["n_components"]), ("standardize", 3))
        self.assertEqual(options["n_neighbors"], report["options"]["n_neighbors"])

    def test_summary(self):
        text = self.succeed("advise", "roll.npy", "-m", "pca,isomap", "-q").decode()
        self.assertTrue(text.startswith("unroll embed roll.npy -m isomap -k "), text)
        for words in ("Why:", "Reading the map:", "lengths of paths", "short-circuit", "About 2"):
            self.assertIn(words.lower(), text.lower())
        self.assertLessEqual(max(map(len, text.splitlines())), 80)

    def test_same_bits_on_any_number_of_threads(self):
        reports = [self.report("roll.npy", "-m", "pca,isomap,tsne,umap", "-j", threads) for threads in ("1", "3")]
        for report in reports:
            for name in ("timings_s", "peak_rss_mb", "threads"):
                del report[name]
            for row in report["tried"]:
                del row["seconds"]
        self.assertEqual(*reports)
        self.assertEqual(len(self.report("roll.npy", "-m", "umap")["other_seeds"]), 2)

    def test_pieces_and_samples(self):
        rows = [[x + 100 * (i % 3) for x in row] for i, row in enumerate(points(240, 4))]
        self.write("pieces.csv", as_csv(rows))
        report = self.report("pieces.csv", "-m", "pca,laplacian_eigenmaps", "--max-points", "150")
        self.assertEqual((report["advice"]["points"], report["advice"]["sample"]), (240, 150))
        evidence = " ".join(report["advice"]["evidence"])
        self.assertRegex(evidence, r"n_neighbors=\d+ splits the data in 3 parts")
        self.assertIn("150 of the 240", evidence)

    def test_distances(self):
        rows = points(80, 3)
        self.write("d.csv", as_csv([[sum(abs(a - b) for a, b in zip(x, y)) for y in rows] for x in rows]))
        report = self.report("d.csv", "--metric", "precomputed", "-m", "mds,isomap")
        self.assertIn("--metric precomputed", report["advice"]["command"])

    def test_mistakes(self):
        self.write("few.csv", as_csv(points(10, 3)))
        self.expect_error(3, "20", "advise", "few.csv")
        self.expect_error(2, "'nothing'", "advise", "roll.npy", "-m", "nothing")
        self.expect_error(2, "none that makes a map", "advise", "roll.npy", "-m", "spectral_clustering")


if __name__ == "__main__":
    unittest.main()
