"""unroll compare: the table, the report, the page, and what happens when methods fail."""
import array
import contextlib
import json
import os
import pty
import re
import signal
import subprocess
import unittest
from random import Random

from harness import PATIENCE, CliTest, as_csv, as_npy, default_signals, npy, object_in, points, start

MAPS = {"trustworthiness", "continuity"}


class Compare(CliTest):
    def setUp(self):
        super().setUp()
        self.succeed("datasets", "make", "swiss-roll", "-n", "150", "-o", "roll.npy", "--truth", "sheet.csv")
        self.names = [entry["name"] for entry in object_in(self.succeed("methods", "--json"))["methods"]
                      if entry["kind"] != "labels"]

    def page(self, name="p.html"):
        return self.read(name).decode("utf-8")

    def sections(self, name="p.html"):
        return re.findall(r"<h2>(.*?)</h2>", self.page(name))

    def table(self, *words):
        """The lines of the table, by their first word; what follows an empty line is the verdict."""
        text = self.succeed("compare", *words, "-q").decode()
        rows, _, verdict = text.partition("\n\n")
        return rows.splitlines(), " ".join(verdict.split())

    def test_table_has_every_method_once(self):
        lines, _ = self.table("roll.npy", "--truth", "sheet.csv")
        self.assertEqual(lines[0].split(maxsplit=3)[:3], ["method", "seconds", "trust"])
        names = [line.split()[0] for line in lines[1:-1]]
        self.assertEqual(sorted(names), sorted(self.names))
        self.assertEqual((names[:2], names[-2:]), (["pca", "mds"], ["mvu", "spectral_clustering"]),
                         "the cheapest maps first, clusters last")
        self.assertTrue(lines[-1].startswith("a random map"))
        self.assertLessEqual(max(map(len, lines)), 80)
        told = object_in(self.succeed("compare", "roll.npy", "--truth", "sheet.csv", "-q", "--json"))["methods"]
        for line, entry in zip(lines[1:-2], told):
            self.assertEqual(line.split()[2], f"{entry['trustworthiness']:.4f}")
        self.assertEqual(self.files(), ["roll.npy", "sheet.csv"], "no page without -o")

    def test_report(self):
        report = object_in(self.succeed("compare", "roll.npy", "--truth", "sheet.csv", "-k", "8", "-m", "pca,isomap",
                                        "--json", "-o", "p.html"))
        self.assertEqual((report["command"], report["seed"]), ("compare", 0))
        self.assertEqual(report["params"]["methods"], ["pca", "isomap"])
        self.assertEqual(report["neighborhoods"], {"n_neighbors": 10, "measured_points": 150})
        self.assertEqual(report["rows"], {"finished": 2, "planned": 2})
        self.assertEqual([entry["name"] for entry in report["methods"]], ["pca", "isomap"])
        figures = {"seconds", "true_distance_pearson", "affine_r2"} | MAPS
        for entry in report["methods"]:
            self.assertEqual(set(entry), {"name", "label", "title", "error"} | figures)
            self.assertIsNone(entry["error"])
        self.assertEqual(set(report["random_map"]), figures)
        self.assertAlmostEqual(report["random_map"]["trustworthiness"], 0.5, delta=0.1)
        self.assertIsNone(report["random_map"]["seconds"])
        self.assertIn("above a random map", report["verdict"]["sentences"][0])
        self.assertEqual(report["outputs"], [{"content": "page", "path": "p.html", "n": 150, "d": 2}])
        self.succeed("embed", "roll.npy", "-m", "isomap", "-k", "8", "-o", "flat.npy")
        alone = object_in(self.succeed("quality", "roll.npy", "flat.npy", "-k", "10", "--truth", "sheet.csv", "--json"))
        ours = report["methods"][1]
        for name in MAPS | {"true_distance_pearson"}:
            self.assertEqual(ours[name], alone["metrics"][name])
        self.assertEqual(ours["affine_r2"], min(alone["metrics"]["affine_r2"]))

    def test_measures_have_their_own_number_of_neighbors(self):
        words = ("compare", "roll.npy", "-m", "isomap", "-q", "--json")
        few, many = (object_in(self.succeed(*words, "-k", "12", "--quality-neighbors", k)) for k in ("5", "20"))
        self.assertEqual((few["neighborhoods"]["n_neighbors"], many["neighborhoods"]["n_neighbors"]), (5, 20))
        self.assertNotEqual(few["methods"][0]["trustworthiness"], many["methods"][0]["trustworthiness"])

    def test_options_of_one_method(self):
        lines, _ = self.table("roll.npy", "-m", "kernel-pca:kernel=poly,degree=3,isomap:k=20,pca,isomap:k=12,d=3")
        labels = ["kernel_pca:kernel=poly,degree=3", "isomap:k=20", "pca", "isomap:k=12,d=3"]
        self.assertEqual([line.split()[0] for line in lines[1:-1]], labels)
        report = object_in(self.succeed("compare", "roll.npy", "-m", ",".join(labels), "-q", "--json"))
        self.assertEqual([entry["label"] for entry in report["methods"]], labels, "a label can be given to -m")
        self.succeed("embed", "roll.npy", "-m", "isomap", "-k", "12", "-d", "3", "-o", "flat.npy")
        alone = object_in(self.succeed("quality", "roll.npy", "flat.npy", "--json"))["metrics"]
        self.assertEqual(report["methods"][3]["trustworthiness"], alone["trustworthiness"])

    def test_several_numbers_of_neighbors(self):
        lines, _ = self.table("roll.npy", "-m", "pca,isomap,ltsa:k=9,lle", "-k", "5,10,20")
        self.assertEqual([line.split()[0] for line in lines[1:-1]],
                         ["pca", "isomap:k=5", "isomap:k=10", "isomap:k=20", "ltsa:k=9", "lle:k=5", "lle:k=10", "lle:k=20"])
        done = self.run_here("compare", "roll.npy", "-m", "pca,isomap,lle", "-k", "5,30")
        self.assertIn(b"the 30 nearest neighbors of every point were found once for all", done.stderr)

    def test_errors_in_the_list_name_the_place(self):
        for words, message in (("pca,isomap:kk=3", "methods, piece 2, 'isomap:kk=3': isomap has no option 'kk'"),
                               ("pca,isomap:k=5,10", "piece 3, '10': there is no method '10'; for one more option of"),
                               ("k=5,isomap", "piece 1, 'k=5': there is no method before this option"),
                               ("kpca:kernel=polly", "'kpca:kernel=polly': kernel=polly must be one of: linear, poly"),
                               ("isomap:k=0", "piece 1, 'isomap:k=0': -k 0 must be an integer >= 1")):
            self.expect_error(2, message, "compare", "roll.npy", "-m", words)

    def test_verdict(self):
        self.succeed("datasets", "make", "swiss-roll", "-n", "800", "-o", "large.npy", "--truth", "large.csv")
        _, verdict = self.table("large.npy", "--truth", "large.csv", "-m", "pca,isomap", "-k", "8")
        self.assertRegex(verdict, r"isomap keeps neighborhoods best, with trust 0\.\d{4} and continuity 0\.\d{4}: their "
                                  r"mean is 0\.\d+ above pca and 0\.\d\d above a random map\.")
        self.assertIn("isomap keeps the true distances best: their correlation is 0.9", verdict)
        self.write("few.csv", as_csv(points(12)))
        done = self.run_here("compare", "few.csv", "-k", "12", "-m", "isomap,lle,pca")
        self.assertIn(b"isomap and lle failed: -k 12 must be less than the number of points, 12; use a\nsmaller -k.",
                      done.stdout)

    def test_labels_have_the_accuracy_of_the_data_beside_them(self):
        self.succeed("datasets", "make", "moons", "-n", "200", "-o", "moons.npy", "--labels", "kinds.csv")
        lines, _ = self.table("moons.npy", "--labels", "kinds.csv", "-m", "pca,isomap")
        self.assertRegex(lines[-1], r"^the data +1\.0000$")
        self.assertRegex(lines[-2], r"^a random map +0\.\d{4} +0\.\d{4} +0\.\d{4}$")

    def test_what_does_not_fit_the_memory_is_named(self):
        self.write("many.npy", npy("|u1", (3000, 3), os.urandom(9000)))
        done = self.run_here("compare", "many.npy", "-m", "pca,kernel_pca", "--memory-budget", "40MiB", "-o", "p.html")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout.decode(), r"(?m)^kernel_pca +failed: kernel_pca: .*MiB")
        self.assertIn(b"use -m kernel_pca:n_landmarks=1000", done.stdout)
        self.assertIn("kernel_pca failed: ", self.page())

    def test_page(self):
        self.succeed("compare", "roll.npy", "--truth", "sheet.csv", "-q", "-o", "p.html")
        page = self.page()
        for name in self.names:
            self.assertEqual(page.count(f"<h3>{name}</h3>"), 1)
        self.assertEqual(page.count("<canvas data-map="), len(self.names) + 1)
        self.assertIn("<h3>original data</h3><p>3 features; drag to turn</p>", page)
        self.assertNotRegex(page, r"https?:|src=|href=|url\(")
        self.assertIn("<code>unroll compare roll.npy -o p.html --truth sheet.csv</code>", page)
        points_of = object_in(re.search(r'<script type="application/json">(.*?)</script>', page)[1].encode())
        self.assertEqual(points_of["count"], 150)
        self.assertEqual(points_of["original"]["columns"], 3)
        self.assertEqual([coloring["name"] for coloring in points_of["colorings"]][:2], ["arc", "height"])

    def test_the_page_has_advice(self):
        self.succeed("datasets", "make", "swiss-roll", "-n", "1000", "-o", "large.npy")
        self.succeed("compare", "large.npy", "-m", "pca,isomap,spectral-clustering", "-q", "-o", "p.html")
        advice = re.search(r'(?s)<div class="advice">(.*?)</div>', self.page())[1]
        self.assertIn("<h3>Advice: take isomap</h3>", advice)
        for words in ("isomap keeps neighborhoods of all sizes with 0.", "short-circuit", "Distances are lengths of paths"):
            self.assertIn(words, advice)
        points_of = object_in(re.search(r'<script type="application/json">(.*?)</script>', self.page())[1].encode())
        self.assertEqual([len(method["reading"]) > 0 for method in points_of["methods"]], [True, True, False])

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
        self.assertRegex(done.stdout.decode(), r"(?m)^pca +<?\d")
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

    def points_of(self):
        """What the page's script draws."""
        return object_in(re.search(r'<script type="application/json">(.*?)</script>', self.page())[1].encode())

    def test_the_page_has_curves_and_spectra(self):
        self.succeed("compare", "roll.npy", "-m", "pca,isomap,ltsa,tsne", "-q", "-o", "p.html")
        drawn = self.points_of()
        self.assertEqual([len(method["eigenvalues"]) for method in drawn["methods"]], [3, 10, 2, 0],
                         "no more than features; of the others 10 where maps are nested")
        self.assertEqual(drawn["methods"][1]["coordinates"], 2)
        self.assertEqual((drawn["curves"]["k"][0], drawn["curves"]["k"][-1]), (1, 148))
        self.assertEqual([len(curve) for curve in drawn["curves"]["values"]], [len(drawn["curves"]["k"])] * 4)
        self.assertIn("R_NX area", self.page())
        self.succeed("compare", "roll.npy", "-m", "isomap", "-q", "-o", "p.html", "--n-eigenvalues", "5")
        self.assertEqual(len(self.points_of()["methods"][0]["eigenvalues"]), 5)

    def test_rows_that_are_images(self):
        self.write("grey.csv", as_csv([[(7 * i + 3 * j) % 256 for j in range(64)] for i in range(20)]))
        self.write("plain.csv", as_csv([[(7 * i + 3 * j) % 256 - 1 for j in range(64)] for i in range(20)]))
        words = ("-m", "pca", "-q", "-o", "p.html")
        for path, more, image in (("grey.csv", (), [8, 8]), ("plain.csv", (), None), ("grey.csv", ("--images", "none"), None),
                                  ("plain.csv", ("--images", "4x16"), [4, 16])):
            self.succeed("compare", path, *words, *more)
            self.assertEqual(self.points_of()["features"]["image"], image)
        self.expect_error(2, "--images 28x28 are 784 pixels, but there are 64 features", "compare", "grey.csv", *words,
                          "--images", "28x28")
        for bad in ("28", "8x", "0x64", "8x8x1"):
            self.expect_error(2, f"--images {bad} must be auto, none, or ROWSxCOLUMNS", "compare", "grey.csv", *words,
                              "--images", bad)

    def test_many_points_are_drawn_in_part(self):
        self.succeed("compare", "roll.npy", "-m", "pca", "-q", "-o", "p.html", "--max-drawn", "20")
        self.assertIn("150 points of 3 features; neighborhoods of 10; 20 points, chosen at random, are drawn", self.page())

    def test_distances(self):
        rows = points(30)
        gap = [[sum((x - y) ** 2 for x, y in zip(a, b)) ** 0.5 for b in rows] for a in rows]
        self.write("d.npy", as_npy(gap))
        lines, _ = self.table("d.npy", "--metric", "precomputed", "-o", "p.html")
        names = [line.split()[0] for line in lines[1:]]
        self.assertNotIn("original data", self.page(), "a matrix of distances is no picture")
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

    def stop_at(self, stage, number, *words):
        """A comparison that gets the signal in that stage of its work."""
        process = start("compare", "many.npy", "-m", "pca,mds,isomap,lle", *words, "--progress", "json", cwd=self.folder,
                        stdout=subprocess.PIPE, preexec_fn=default_signals)
        for line in process.stderr:
            if json.loads(line)["stage"] == stage:
                break
        process.send_signal(number)
        output, messages = process.communicate(timeout=PATIENCE)
        return process.returncode, output, [line for line in messages.splitlines() if not line.startswith(b"{")]

    def test_what_is_finished_is_kept_on_a_signal(self):
        self.write("many.npy", npy("<f4", (6000, 40), self.random_floats(240000)))
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            code_got, output, messages = self.stop_at("isomap (3 of 4)", number, "-o", "p.html")
            self.assertEqual(code_got, code, messages)
            rows = output.decode().partition("\n\n")[0].splitlines()
            self.assertEqual([line.split()[0] for line in rows[1:]], ["pca", "mds", "a"])
            self.assertIn(b"note: stopped on request: 2 of 4 methods are finished; the page has these", messages)
            self.assertEqual(messages[-1], b"unroll: error: stopped on request")
            self.assertIn("stopped on request, 2 of 4 methods are finished", self.page())
            self.assertEqual(re.findall(r"<h3>(\w+)</h3>", self.page()), ["pca", "mds"])
            os.remove(self.path("p.html"))
        code_got, output, _ = self.stop_at("isomap (3 of 4)", signal.SIGINT, "--json")
        self.assertEqual((code_got, object_in(output)["rows"]), (130, {"finished": 2, "planned": 4}))

    def test_a_signal_during_the_advice_keeps_all_maps(self):
        self.write("many.npy", npy("<f4", (5000, 40), self.random_floats(200000)))
        code, output, messages = self.stop_at("searching", signal.SIGINT, "-o", "p.html")
        self.assertEqual((code, messages[-1]), (130, b"unroll: error: stopped on request"), messages)
        self.assertIn(b"note: stopped on request: 4 of 4 methods are finished; the page has these", messages)
        self.assertEqual([line.split()[0] for line in output.decode().splitlines()[1:5]], ["pca", "mds", "isomap", "lle"])
        self.assertEqual(re.findall(r"<h3>(\w+)</h3>", self.page()), ["pca", "mds", "isomap", "lle"])

    def test_nothing_is_written_if_nothing_is_finished(self):
        self.write("many.npy", npy("<f4", (6000, 40), self.random_floats(240000)))
        code, output, messages = self.stop_at("neighbors", signal.SIGINT, "-o", "p.html")
        self.assertEqual((code, output, messages), (130, b"", [b"unroll: error: stopped on request"]))
        self.assertEqual(self.files(), ["many.npy", "roll.npy", "sheet.csv"])

    @staticmethod
    def random_floats(count):
        random = Random(0)
        return array.array("f", (random.gauss(0, 1) for _ in range(count))).tobytes()

    def test_rows_come_as_they_finish_on_a_terminal(self):
        self.write("many.npy", npy("<f4", (6000, 40), self.random_floats(240000)))
        terminal, end = pty.openpty()
        process = start("compare", "many.npy", "-m", "pca,mds,isomap,lle", "--progress", "json", cwd=self.folder,
                        stdout=end, preexec_fn=default_signals, env={"TERM": "xterm"})
        os.close(end)
        for line in process.stderr:
            if json.loads(line)["stage"] == "isomap (3 of 4)":
                break
        seen = b""
        while b"mds" not in seen or not seen.endswith(b"\n"):
            seen += os.read(terminal, 4096)
        self.assertIsNone(process.poll(), "it is still at work")
        self.assertEqual([line.split()[0] for line in seen.replace(b"\x1b[1m", b"").splitlines()], [b"method", b"pca", b"mds"])
        process.send_signal(signal.SIGINT)
        process.stderr.read()
        process.stderr.close()
        self.assertEqual(process.wait(timeout=PATIENCE), 130)
        rest = b""
        with contextlib.suppress(OSError):  # the other end is closed
            while data := os.read(terminal, 4096):
                rest += data
        os.close(terminal)
        self.assertIn(b"a random map", rest)
        self.assertNotIn(b"method ", rest, "the table is not printed again")

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
