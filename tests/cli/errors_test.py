"""Exit codes and messages: who, what, and what to do, on standard error."""
import resource
import unittest

from harness import CliTest, as_csv, as_npy, object_in, points


class Errors(CliTest):
    def setUp(self):
        super().setUp()
        self.write("x.csv", as_csv(points()))

    def embed(self, code, message, *words, **options):
        return self.expect_error(code, message, "embed", "x.csv", "-m", "pca", *words, **options)

    def test_usage_is_2(self):
        self.embed(2, "unknown flag '--n-component'; did you mean '--n-components'?", "--n-component", "3")
        self.embed(2, "unknown flag '--n_component'; did you mean '--n-components'?", "--n_component=3")
        self.embed(2, "unknown flag '--frobnicate'", "--frobnicate")
        self.embed(2, "unknown flag '-k': 'embed -m pca' has no --n-neighbors", "-k", "3")
        self.embed(2, "unknown flag '-x'", "-x")
        self.embed(2, "pca: -d 1.5 must be a whole number", "-d", "1.5")
        self.embed(2, "pca: -d two must be", "-d", "two")
        self.embed(2, "pca: --solver grm must be one of: auto, covariance, gram, randomized; did you mean 'gram'?",
                   "--solver", "grm")
        self.embed(2, "pca: --whiten perhaps must be true or false", "--whiten=perhaps")
        self.embed(2, "embed: -j 0 must be an integer >= 1", "-j", "0")
        self.embed(2, "embed: --memory-budget 4Q must be a size such as", "--memory-budget", "4Q")
        self.embed(2, "embed: --delimiter ab must be one character", "--delimiter", "ab")
        self.embed(2, "embed: --progress loud must be one of", "--progress", "loud")
        self.embed(2, "embed: unexpected argument 'y.csv'", "y.csv")
        self.embed(2, "-o needs a value", "-o")
        self.embed(2, "--output needs a value, but the flag --json follows it", "-o", "--json")
        self.embed(2, "--output= needs a value", "--output=")
        self.embed(2, "use .npy, .csv, .tsv or .txt", "-o", "z.xyz")
        self.expect_error(2, "INPUT is missing", "embed", "-m", "pca")

    def test_no_abbreviations(self):
        self.embed(2, "unknown flag '--whit'", "--whit")
        self.embed(2, "unknown flag '--out'", "--out", "z.csv")
        self.expect_error(2, "there is no verb 'emb'", "emb")

    def test_methods(self):
        self.expect_error(2, "-m METHOD is missing; the methods are: pca", "embed", "x.csv")
        self.expect_error(2, "did you mean 'pca'?", "embed", "x.csv", "-m", "pac")
        self.expect_error(2, "there is no method 'nothing'", "embed", "x.csv", "-m", "nothing")

    def test_hints(self):
        self.assertIn("\n  see 'unroll embed -m pca --help'\n", self.embed(2, "-d -1 must be", "-d", "-1"))
        self.assertIn("\n  see 'unroll embed --help'\n", self.expect_error(2, "missing", "embed", "x.csv"))
        self.assertNotIn("see 'unroll", self.expect_error(1, "nothing.csv", "embed", "nothing.csv", "-m", "pca"))

    def test_data_is_3(self):
        self.write("bad.csv", b"1,2\n3,4\n5\n")
        self.expect_error(3, "bad.csv", "embed", "bad.csv", "-m", "pca")
        self.write("empty.csv", b"")
        self.expect_error(3, "empty", "embed", "empty.csv", "-m", "pca")
        self.write("nan.npy", as_npy([[1.0, 2.0], [float("nan"), 3.0]]))
        self.expect_error(3, "NaN", "embed", "nan.npy", "-m", "pca")

    def test_memory_is_5(self):
        self.embed(5, "budget", "--memory-budget", "10B")
        self.write("big.npy", as_npy(points(300, 300)))
        self.expect_error(5, "more than the budget of 9.8 KiB", "embed", "big.npy", "-m", "pca", "--memory-budget", "10KB")

    def test_files_are_1(self):
        self.expect_error(1, "No such file", "embed", "nothing.csv", "-m", "pca")
        self.expect_error(1, "Is a directory", "embed", ".", "-m", "pca")
        self.embed(1, "nowhere/z.csv: No such file", "-o", "nowhere/z.csv")
        self.embed(1, "nowhere/m.unroll: No such file", "--save", "nowhere/m.unroll")
        self.embed(1, "No space left", "-o", "/dev/full")

    def test_output_is_refused_before_the_work(self):
        text = self.embed(1, "nowhere", "-o", "nowhere/z.csv", "--progress", "plain")
        self.assertNotIn("reading", text)

    def test_a_full_disk_leaves_no_file(self):
        def few_bytes():
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
        self.write("long.csv", as_csv(points(2000, 3)))
        self.expect_error(1, "File too large", "embed", "long.csv", "-m", "pca", "-o", "z.csv", preexec_fn=few_bytes)


class ErrorsForPrograms(CliTest):
    """Under --json the parts of an error come apart, whoever found it."""

    def setUp(self):
        super().setUp()
        self.write("x.csv", as_csv(points()))
        self.write("map.csv", as_csv(points(20, 2)))
        self.write("bad.csv", b"a,b\n1,2\n3,x\n")
        self.succeed("embed", "x.csv", "-m", "pca", "-o", "y.csv", "--save", "pca.unroll")

    def error(self, *words):
        done = self.run_here(*words, "--json")
        self.assertNotEqual(done.returncode, 0, words)
        lines = done.stderr.decode().splitlines()
        error = object_in(lines[-1].encode())["error"]
        self.assertEqual(lines[0], "unroll: error: " + error["message"])
        for part in ("who", "problem", "advice"):
            if error[part]:
                self.assertIn(error[part], error["message"])
        self.assertNotIn("; " + (error["advice"] or "\0"), error["problem"])
        return error

    def test_who_what_and_which_option(self):
        for words, who, option, advice in (
                (("embed", "x.csv"), "embed", "method", "the methods are: pca"),
                (("embed", "x.csv", "-m", "pac"), "embed", "method", "the methods are"),
                (("embed", "x.csv", "-m", "spectral_clustering"), "embed", "method", "use 'unroll cluster'"),
                (("embed", "x.csv", "-m", "pca", "-o", "-"), "embed", "output", "give -o a file"),
                (("embed", "x.csv", "-m", "pca", "--save", "-"), "embed", "save", "name one"),
                (("embed", "x.csv", "-m", "pca", "-d"), "embed", "n_components", None),
                (("embed", "x.csv", "-m", "pca", "-d", "-1"), "pca", "n_components", None),
                (("embed", "x.csv", "-m", "pca", "--memory-budget", "4Q"), "embed", "memory_budget", None),
                (("embed", "x.csv", "-m", "pca", "--delimiter", "ab"), "embed", "delimiter", None),
                (("embed", "x.csv", "-m", "pca", "-o", "y.xyz"), "embed", "output", "use .npy"),
                (("embed", "x.csv", "-m", "pca", "-o", "x.csv"), "embed", "output", "give -o another file"),
                (("embed", "x.csv", "-m", "pca", "--nonsense"), "embed", None, None),
                (("embed", "bad.csv", "-m", "pca"), "bad.csv:3", None, "correct it, or take the column for labels"),
                (("embed", "none.csv", "-m", "pca"), "embed", None, None),
                (("embed", "x.csv", "-m", "pca", "--label-column", "q", "--header", "no"), "x.csv", "label_column",
                 "give the number"),
                (("cluster", "x.csv", "--model", "m", "--n-clusters", "2"), "cluster", "model", "leave out one"),
                (("cluster", "x.csv", "--model", "pca.unroll"), "cluster", "model", "use a model of"),
                (("graph", "x.csv", "heat"), "graph", "from", "give the point"),
                (("graph", "x.csv", "heat", "--from", "99"), "graph", "from", None),
                (("graph", "x.csv", "nothing"), "graph", None, "the quantities are"),
                (("graph", "x.csv", "sweep", "--beta", "1"), "graph", "beta", "leave it out"),
                (("graph", "x.csv", "conductance"), "graph", "labels", "use --labels FILE"),
                (("quality", "x.csv", "map.csv", "--labels", "map.csv"), "quality", None, "give one column"),
                (("compare", "x.csv", "-o", "page.csv"), "compare", "output", None),
                (("compare", "x.csv", "--append"), "compare", "append", "name it with -o"),
                (("methods", "pca", "--table"), "methods", "table", "'unroll methods pca' shows that"),
                (("datasets", "nothing"), "datasets", None, "the actions are"),
        ):
            error = self.error(*words)
            self.assertEqual((error["who"], error["option"]), (who, option), words)
            if advice is None:
                self.assertIsNone(error["advice"], words)
            else:
                self.assertTrue(error["advice"].startswith(advice), (words, error))

    def test_landmarks_of_a_kernel_that_is_none(self):
        rows = points(40, 40)
        self.write("k.csv", as_csv([[rows[i][j] + rows[j][i] + 3 * (i == j) for j in range(40)] for i in range(40)]))
        error = self.error("embed", "k.csv", "-m", "kernel_pca", "--kernel", "precomputed", "--n-landmarks", "20")
        self.assertEqual(error["who"], "kernel_pca")
        self.assertIn("the kernel is not positive semidefinite", error["problem"])
        self.assertEqual(error["advice"], "use all points (leave out --n-landmarks), or another kernel")

    def test_strict(self):
        self.write("gaps.csv", b"a,b\n1,2\n3,\n5,6\n7,9\n")
        done = self.run_here("embed", "gaps.csv", "-m", "pca", "--na", "drop", "--strict", "--json")
        error = object_in(done.stderr.splitlines()[-1])["error"]
        self.assertEqual((error["who"], error["option"], error["exit_code"]), ("embed", "strict", 3))

    def test_the_flag_of_spectrum_is_its_own(self):
        """What a method says of n_components is about -n there."""
        self.write("wide.npy", as_npy(points(40, 300)))
        words = "wide.npy", "-m", "pca", "--memory-budget", "200KB"
        self.assertEqual(self.error("spectrum", *words, "-n", "40")["advice"], "use a smaller -n")
        self.assertEqual(self.error("embed", *words, "-d", "40")["advice"], "use a smaller -d")
        error = self.error("spectrum", "x.csv", "-m", "ltsa", "-k", "3", "-d", "3")
        self.assertIn("-d 3", error["message"])
        self.assertEqual(error["option"], "n_neighbors")


if __name__ == "__main__":
    unittest.main()
