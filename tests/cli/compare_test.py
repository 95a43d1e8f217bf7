"""unroll compare: the table, the report, the page, and what happens when methods fail."""
import os
import re
import unittest

from harness import CliTest, as_csv, as_npy, object_in, points

MAPS = {"trustworthiness", "continuity"}


class Compare(CliTest):
    def setUp(self):
        super().setUp()
        self.succeed("datasets", "make", "swiss-roll", "-n", "150", "-o", "roll.npy", "--truth", "sheet.csv")
        self.names = [entry["name"] for entry in object_in(self.succeed("methods", "--json"))["methods"]]

    def page(self, name="p.html"):
        return self.read(name).decode("utf-8")

    def sections(self, name="p.html"):
        return re.findall(r"<h2>(.*?)</h2>", self.page(name))

    def test_table_has_every_method_once(self):
        lines = self.succeed("compare", "roll.npy", "--truth", "sheet.csv", "-q").decode().splitlines()
        self.assertEqual(lines[0].split(maxsplit=3)[:3], ["method", "seconds", "trust"])
        self.assertEqual([line.split()[0] for line in lines[1:]], self.names)
        self.assertLessEqual(max(map(len, lines)), 80)
        told = object_in(self.succeed("compare", "roll.npy", "--truth", "sheet.csv", "-q", "--json"))["methods"]
        for line, entry in zip(lines[1:-1], told):
            self.assertEqual(line.split()[2], f"{entry['trustworthiness']:.4f}")
        self.assertEqual(self.files(), ["roll.npy", "sheet.csv"], "no page without -o")

    def test_report(self):
        report = object_in(self.succeed("compare", "roll.npy", "--truth", "sheet.csv", "-k", "8", "-m", "pca,isomap",
                                        "--json", "-o", "p.html"))
        self.assertEqual((report["command"], report["seed"]), ("compare", 0))
        self.assertEqual(report["params"]["methods"], ["pca", "isomap"])
        self.assertEqual(report["neighborhoods"], {"n_neighbors": 8, "measured_points": 150})
        self.assertEqual([entry["name"] for entry in report["methods"]], ["pca", "isomap"])
        for entry in report["methods"]:
            self.assertEqual(set(entry), {"name", "title", "seconds", "true_distance_pearson", "affine_r2", "error"} | MAPS)
            self.assertIsNone(entry["error"])
        self.assertEqual(report["outputs"], [{"content": "page", "path": "p.html", "n": 150, "d": 2}])
        self.succeed("embed", "roll.npy", "-m", "isomap", "-k", "8", "-o", "flat.npy")
        alone = object_in(self.succeed("quality", "roll.npy", "flat.npy", "-k", "8", "--truth", "sheet.csv", "--json"))
        ours = report["methods"][1]
        for name in MAPS | {"true_distance_pearson"}:
            self.assertEqual(ours[name], alone["metrics"][name])
        self.assertEqual(ours["affine_r2"], min(alone["metrics"]["affine_r2"]))

    def test_page(self):
        self.succeed("compare", "roll.npy", "--truth", "sheet.csv", "-q", "-o", "p.html")
        page = self.page()
        for name in self.names:
            self.assertEqual(page.count(f"<h3>{name}</h3>"), 1)
        self.assertEqual(page.count("<canvas data-map="), len(self.names))
        self.assertNotRegex(page, r"https?:|src=|href=|url\(")
        self.assertIn("<code>unroll compare roll.npy -o p.html --truth sheet.csv</code>", page)
        points_of = object_in(re.search(r'<script type="application/json">(.*?)</script>', page)[1].encode())
        self.assertEqual(points_of["count"], 150)
        self.assertEqual([coloring["name"] for coloring in points_of["colorings"]][:2], ["arc", "height"])

    def test_labels_and_row_names(self):
        lines = ["name,a,b,c,kind"] + [f"r{i}," + ",".join(map(repr, row)) + f",<kind {i % 3}>"
                                       for i, row in enumerate(points(60))]
        self.write("named.csv", ("\n".join(lines) + "\n").encode())
        words = ("compare", "named.csv", "-q", "--json", "-o", "p.html")
        report = object_in(self.succeed(*words, "--label-column", "kind"))
        self.assertIn("label_accuracy", report["methods"][0])
        self.assertIsNotNone(report["methods"][-1]["adjusted_rand_index"])
        page = self.page()
        self.assertIn(r'"labels":["\u003ckind 0\u003e","\u003ckind 1\u003e","\u003ckind 2\u003e"]', page)
        self.assertIn('"names":["r0","r1",', page)
        self.write("labels.csv", b"label\n" + b"".join(b"%d\n" % (i % 3) for i in range(60)))
        self.write("plain.csv", as_csv(points(60)))
        beside = object_in(self.succeed("compare", "plain.csv", "-q", "--json", "--labels", "labels.csv"))
        self.assertEqual(beside["methods"][0]["label_accuracy"], report["methods"][0]["label_accuracy"])

    def test_labels_that_are_no_classes(self):
        self.write("ids.csv", b"id\n" + b"".join(b"%d\n" % i for i in range(150)))
        words = ("compare", "roll.npy", "-m", "pca,spectral_clustering", "--labels", "ids.csv")
        done = self.run_here(*words)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"warning[many-labels]: spectral_clustering: 150 labels of 150 points", done.stderr)
        self.assertNotIn(b"warning[many-labels]", self.run_here(*words, "--n-clusters", "3").stderr)

    def test_a_true_coordinate_that_does_not_vary(self):
        self.write("flat.csv", as_csv([[0.1, 7.0]] * 150))
        self.assertNotIn("aff. R2", self.succeed("compare", "roll.npy", "-m", "pca,mds", "-q", "--truth", "flat.csv")
                         .decode())

    def test_append(self):
        words = ("compare", "roll.npy", "-m", "pca,mds", "-q", "-o", "p.html")
        self.succeed(*words, "--append")
        self.assertEqual(self.sections(), ["roll.npy"])
        self.write("more.csv", as_csv(points(40)))
        self.succeed("compare", "more.csv", "-m", "pca", "-q", "-o", "p.html", "--append")
        self.assertEqual(self.sections(), ["roll.npy", "more.csv"])
        self.succeed(*words)
        self.assertEqual(self.sections(), ["roll.npy"])
        for content in (b"", b"<!DOCTYPE html>\n<html></html>\n", self.read("roll.npy")):
            self.write("other.html", content)
            self.expect_error(3, "other.html is not a page that", "compare", "roll.npy", "-o", "other.html", "--append")
            self.assertEqual(self.read("other.html"), content)

    def test_one_that_fails(self):
        self.write("few.csv", as_csv(points(12)))
        done = self.run_here("compare", "few.csv", "-k", "12", "-m", "isomap,pca", "-o", "p.html")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"isomap  failed: isomap: -k 12 ", done.stdout)
        self.assertIn(b"warning[method-failed]: isomap failed: -k 12 ", done.stderr)
        self.assertRegex(done.stdout.decode(), r"(?m)^pca +\d")
        self.assertIn('<p class="failed">isomap: -k 12 ', self.page())
        report = object_in(self.run_here("compare", "few.csv", "-k", "12", "-m", "isomap,pca", "--json").stdout)
        self.assertIn("-k 12", report["methods"][0]["error"])
        self.assertIsNone(report["methods"][0]["trustworthiness"])
        strict = self.run_here("compare", "few.csv", "-k", "12", "-m", "isomap,pca", "--strict", "-o", "q.html")
        self.assertEqual((strict.returncode, strict.stdout.split()[0]), (3, b"method"), strict.stderr)
        self.assertIn(b"--strict makes an error of warning[method-failed]", strict.stderr)
        self.assertIn(b"isomap  failed: isomap: -k 12 ", strict.stdout)
        self.assertNotIn("q.html", self.files())
        self.expect_error(2, "isomap: -k 12", "compare", "few.csv", "-k", "12", "-m", "isomap", "-o", "q.html")

    def test_reasons_that_are_alike_are_told_once(self):
        self.write("few.csv", as_csv(points(12)))
        done = self.run_here("compare", "few.csv", "-k", "12", "-m", "isomap,lle,pca")
        self.assertIn(b"warning[method-failed]: isomap, lle failed: -k 12 ", done.stderr)
        self.assertNotIn(b"other reasons", done.stderr)
        done = self.run_here("compare", "few.csv", "-k", "3", "-m", "hlle,mlle,pca", "-d", "3")
        self.assertIn(b"; the table has the other reasons", done.stderr)

    def test_few_points(self):
        self.write("few.csv", as_csv(points(7)))
        done = self.run_here("compare", "few.csv")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn(b"failed", done.stdout)
        self.write("three.csv", as_csv(points(3)))
        self.assertIn(b"not run, 3 points are too few", self.run_here("compare", "three.csv").stderr)

    def test_many_points_are_drawn_in_part(self):
        self.succeed("compare", "roll.npy", "-m", "pca", "-q", "-o", "p.html", "--max-drawn", "20")
        self.assertIn("150 points of 3 features; neighborhoods of 10; 20 points, chosen at random, are drawn", self.page())

    def test_distances(self):
        rows = points(30)
        gap = [[sum((x - y) ** 2 for x, y in zip(a, b)) ** 0.5 for b in rows] for a in rows]
        self.write("d.npy", as_npy(gap))
        lines = self.succeed("compare", "d.npy", "--metric", "precomputed", "-q").decode().splitlines()
        names = [line.split()[0] for line in lines[1:]]
        self.assertIn("mds", names)
        self.assertNotIn("pca", names)
        self.expect_error(2, "pca has no metric precomputed", "compare", "d.npy", "--metric", "precomputed", "-m", "pca")
        self.succeed("neighbors", "roll.npy", "-k", "5", "-o", "g.npz")
        self.expect_error(2, "is a sparse matrix", "compare", "g.npz", "--metric", "precomputed")

    def test_progress_and_standard_input(self):
        done = self.run_here("compare", "-", "-m", "pca,mds", "--progress", "plain", "-o", "p.html",
                             stdin=self.read("roll.npy"))
        self.assertEqual(done.returncode, 0, done.stderr)
        for stage in (b"pca (1 of 2)", b"mds (2 of 2)"):
            self.assertIn(stage, done.stderr)
        self.assertEqual(self.sections(), ["standard input"])

    def test_errors(self):
        self.expect_error(2, "-o p.csv must be a page", "compare", "roll.npy", "-o", "p.csv")
        self.expect_error(2, "-o - must be a page", "compare", "roll.npy", "-o", "-")
        self.expect_error(2, "--append is about a page; name it with -o", "compare", "roll.npy", "--append")
        self.expect_error(2, "there is no method 'isomp'; did you mean 'isomap'?", "compare", "roll.npy", "-m", "pca,isomp")
        self.expect_error(2, "-m '' names no method; name some of pca, ", "compare", "roll.npy", "-m", "")
        self.expect_error(2, "there is no method ''", "compare", "roll.npy", "-m", "pca,")
        self.expect_error(2, "compare: -k 0 must be", "compare", "roll.npy", "-k", "0")
        self.expect_error(2, "INPUT is missing", "compare")
        self.expect_error(1, "nothing.npy", "compare", "nothing.npy")
        self.expect_error(1, "nowhere", "compare", "roll.npy", "-o", os.path.join("nowhere", "p.html"))
        self.write("short.csv", as_csv(points(5)))
        self.expect_error(3, "'roll.npy' has 150 rows but 'short.csv' has 5", "compare", "roll.npy", "--truth", "short.csv")
        self.write("few.csv", as_csv([[1]] * 5))
        self.expect_error(3, "'roll.npy' has 150 rows but 'few.csv' has 5", "compare", "roll.npy", "--labels", "few.csv")
        self.write("nan.npy", as_npy([[1.0, 2.0], [float("nan"), 3.0], [0.0, 1.0]]))
        self.expect_error(3, "NaN", "compare", "nan.npy")


if __name__ == "__main__":
    unittest.main()
