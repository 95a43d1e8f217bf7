"""unroll datasets and unroll methods: what there is, and data made from it."""
import unittest

from harness import CliTest, object_in, table


class Datasets(CliTest):
    def names(self):
        return [entry["name"] for entry in object_in(self.succeed("datasets", "list", "--json"))["datasets"]]

    def test_list(self):
        text = self.succeed("datasets").decode()
        self.assertEqual(text, self.succeed("datasets", "list").decode())
        self.assertIn("swiss_roll", self.names())
        for name in self.names():
            self.assertRegex(text, rf"(?m)^  {name.replace('_', '-')} +\w")
        report = object_in(self.succeed("datasets", "--json"))
        self.assertEqual((report["schema"], report["command"]), ("unroll/1", "datasets"))

    def test_every_data_set_can_be_made_and_embedded(self):
        for name in self.names():
            self.succeed("datasets", "make", name.replace("_", "-"), "-n", "30", "-o", f"{name}.npy")
            header, rows = table(self.succeed("embed", f"{name}.npy", "-m", "pca", "-d", "1"))
            self.assertEqual((header, len(rows) > 0), (["pca0"], True), name)

    def test_seed_and_spelling(self):
        made = self.succeed("datasets", "make", "swiss-roll", "-n", "50")
        self.assertEqual(table(made)[0], ["x0", "x1", "x2"])
        self.assertEqual(len(table(made)[1]), 50)
        self.assertEqual(made, self.succeed("datasets", "make", "swiss_roll", "-n50", "--seed", "0"))
        self.assertEqual(made, self.succeed("datasets", "make", "--n-samples=50", "--random-state=0", "swiss-roll"))
        self.assertNotEqual(made, self.succeed("datasets", "make", "swiss-roll", "-n", "50", "--seed", "1"))
        noisy = self.succeed("datasets", "make", "swiss-roll", "-n", "50", "--noise", "0.1")
        self.assertNotEqual(made, noisy)
        self.assertEqual(noisy, self.succeed("datasets", "make", "--noise", "0.1", "-n", "50", "swiss-roll"))

    def test_truth_and_labels(self):
        self.succeed("datasets", "make", "moons", "-n", "10", "-o", "x.csv", "--labels", "l.csv")
        header, labels = table(self.read("l.csv"))
        self.assertEqual(header, ["label"])
        self.assertEqual({row[0] for row in labels}, {"0", "1"})
        self.assertEqual(len(labels), len(table(self.read("x.csv"))[1]))
        points = self.succeed("datasets", "make", "swiss-roll", "-n", "10", "--truth", "t.csv")
        header, truth = table(self.read("t.csv"))
        self.assertEqual(len(header), 2)
        self.assertEqual(len(truth), len(table(points)[1]))
        self.expect_error(2, "has no labels", "datasets", "make", "swiss-roll", "--labels", "none.csv")

    def test_errors(self):
        self.expect_error(2, "did you mean 'swiss_roll'?", "datasets", "make", "swis-roll")
        self.expect_error(2, "did you mean '--noise'?", "datasets", "make", "swiss-roll", "--nois", "1")
        self.expect_error(2, "--noise -1 must be", "datasets", "make", "swiss-roll", "--noise", "-1")
        self.expect_error(2, "-n 0 must be an integer >= 1", "datasets", "make", "swiss-roll", "-n", "0")
        self.expect_error(2, "did you mean 'make'?", "datasets", "mak")
        self.expect_error(2, "NAME is missing", "datasets", "make")
        self.expect_error(2, "extension", "datasets", "make", "swiss-roll", "-o", "x.xyz")
        self.expect_error(1, "No such file", "datasets", "make", "swiss-roll", "-o", "nowhere/x.csv")


class Methods(CliTest):
    def test_list(self):
        lines = self.succeed("methods").decode().splitlines()
        self.assertEqual(lines[0].split(), ["NAME", "TITLE", "TRANSFORM", "INVERSE"])
        report = object_in(self.succeed("methods", "--json"))
        self.assertEqual((report["schema"], report["command"]), ("unroll/1", "methods"))
        for number, method in enumerate(report["methods"], 1):
            for word in (method["name"], method["title"], method["transform_kind"]):
                self.assertIn(word, lines[number])
            self.assertGreater(len(method["options"]), 0)

    def test_options_are_told_completely(self):
        pca = object_in(self.succeed("methods", "pca", "--json"))["methods"]
        self.assertEqual([method["name"] for method in pca], ["pca"])
        options = {option["name"]: option for option in pca[0]["options"]}
        self.assertEqual(options["n_components"]["short"], "-d")
        self.assertEqual(options["n_components"]["default"], 2)
        self.assertEqual(options["random_state"]["alias"], "--seed")
        self.assertEqual(options["random_state"]["low"], 0)
        self.assertEqual(options["whiten"]["type"], "bool")
        self.assertEqual(options["solver"]["choices"], ["auto", "covariance", "gram", "randomized"])

    def test_one_method(self):
        text = self.succeed("methods", "pca").decode()
        for word in ("Pearson", "--n-components", "--solver", "transform", "inverse"):
            self.assertIn(word, text)
        self.expect_error(2, "did you mean 'pca'?", "methods", "pac")


if __name__ == "__main__":
    unittest.main()
