"""--json: one object on standard output, complete, valid, the same for every run but its times."""
import os
import unittest

from harness import CliTest, as_csv, object_in, points, unroll

ROWS = points(25, 3)


class Report(CliTest):
    def setUp(self):
        super().setUp()
        self.write("x.csv", as_csv(ROWS))

    def test_what_is_in_it(self):
        report = object_in(self.succeed("embed", "x.csv", "-m", "pca", "--seed", "3", "--json", "-o", "z.csv",
                                        "--save", "m.unroll"))
        self.assertEqual(report["schema"], "unroll/1")
        self.assertEqual((report["command"], report["method"]), ("embed", "pca"))
        self.assertEqual(f"unroll {report['version']}\n".encode(), self.succeed("--version"))
        self.assertEqual(report["input"], {"path": "x.csv", "format": "csv", "n": 25, "d": 3, "scalar": "float64"})
        self.assertEqual(report["seed"], 3)
        self.assertEqual(report["params"]["random_state"], 3)
        self.assertEqual(report["params"]["n_components"], 2)
        self.assertNotEqual(report["params"]["solver"], "auto", "what was chosen, not what was asked for")
        self.assertEqual(report["transform_kind"], "exact")
        self.assertEqual(report["warnings"], [])
        self.assertEqual(report["outputs"], [{"content": "model", "path": "m.unroll"},
                                             {"content": "coordinates", "path": "z.csv", "n": 25, "d": 2}])
        times = report["timings_s"]
        self.assertEqual(list(times), ["read", "fit", "write", "total"])
        self.assertGreaterEqual(times["total"], times["read"] + times["fit"] + times["write"])
        self.assertGreater(report["peak_rss_mb"], 1)
        self.assertGreaterEqual(report["threads"], 1)
        spectrum = report["spectrum"]
        self.assertEqual(set(spectrum), {"values", "residuals", "solver", "iterations"})
        self.assertEqual(len(spectrum["values"]), len(spectrum["residuals"]))
        self.assertIsInstance(report["diagnostics"]["rank"], int)
        self.assertEqual(report["diagnostics"]["components"], {"shape": [2, 3]})

    def test_no_coordinates_without_an_output_file(self):
        report = object_in(self.succeed("embed", "x.csv", "-m", "pca", "--json"))
        self.assertEqual((report["outputs"], self.files()), ([], ["x.csv"]))
        self.expect_error(2, "--json and -o -", "embed", "x.csv", "-m", "pca", "--json", "-o", "-")

    def test_warnings_are_told_twice(self):
        self.write("gap.csv", as_csv(ROWS) + b"NA,0,1\n")
        words = ("embed", "gap.csv", "-m", "pca", "--na", "mean", "--json")
        done = self.run_here(*words)
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"warning[values-imputed]: ", done.stderr)
        (warning,) = object_in(done.stdout)["warnings"]
        self.assertEqual(set(warning), {"code", "message", "hint"})
        self.assertEqual(warning["code"], "values-imputed")
        self.assertEqual(len(object_in(self.succeed(*words, "--quiet"))["warnings"]), 1)

    def test_any_file_name_is_valid_json(self):
        name = b'\xff"\n\\\xc3\xa9.csv'
        os.rename(self.path("x.csv"), os.path.join(self.folder.encode(), name))
        done = unroll(b"embed", name, b"-m", b"pca", b"--json", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(object_in(done.stdout)["input"]["path"], '\N{REPLACEMENT CHARACTER}"\n\\\u00e9.csv')

    def test_errors_leave_standard_output_empty(self):
        self.expect_error(1, "nothing.csv", "embed", "nothing.csv", "-m", "pca", "--json")
        self.expect_error(2, "-d 99", "embed", "x.csv", "-m", "pca", "-d", "99", "--json")


class Progress(CliTest):
    def setUp(self):
        super().setUp()
        self.write("x.csv", as_csv(ROWS))

    def messages(self, style):
        done = self.run_here("embed", "x.csv", "-m", "pca", "--progress", style, "-o", "z.csv")
        self.assertEqual((done.returncode, done.stdout), (0, b""))
        return done.stderr

    def test_json_lines(self):
        events = [object_in(line) for line in self.messages("json").splitlines()]
        for event in events:
            self.assertEqual(event["event"], "progress")
            self.assertTrue(0 <= event["fraction"] <= 1)
            self.assertGreaterEqual(event["elapsed_s"], 0)
        stages = [event["stage"] for event in events]
        self.assertEqual((stages[0], stages[-1]), ("reading", "writing"))

    def test_plain_lines(self):
        lines = self.messages("plain").decode().splitlines()
        self.assertRegex(lines[0], r"^\[ +\d+\.\d\d s\] reading$")
        self.assertIn("z.csv", lines[-1])

    def test_silence_without_a_terminal(self):
        self.assertEqual(self.messages("auto"), b"")
        self.assertEqual(self.messages("none"), b"")

    def test_a_bar_is_erased(self):
        text = self.messages("bar").decode()
        if "\r" in text:
            self.assertTrue(text.rpartition("\r\x1b[K")[2].endswith("z.csv\n"), text)


if __name__ == "__main__":
    unittest.main()
