"""unroll info, errors for programs, short forms."""
import unittest

from harness import CliTest, as_csv, object_in, points


class Info(CliTest):
    def setUp(self):
        super().setUp()
        self.write("x.csv", as_csv(points(40, 3), "a,b,c"))
        self.succeed("embed", "x.csv", "-m", "isomap", "-k", "12", "-o", "y.csv", "--save", "m.unroll")

    def test_a_model_tells_what_it_is(self):
        text = self.succeed("info", "m.unroll").decode()
        self.assertIn("isomap: Isomap\n", text)
        for words in ("40 rows of 3 numbers", "2 coordinates", "unroll transform m.unroll NEW", "a, b, c",
                      "residual_variance"):
            self.assertIn(words, text)
        self.assertRegex(text, r"--n-neighbors +12\n")

    def test_for_programs(self):
        model = object_in(self.succeed("info", "m.unroll", "--json"))
        self.assertEqual((model["method"], model["n"], model["n_features"], model["columns"]),
                         ("isomap", 40, 3, ["a", "b", "c"]))
        self.assertEqual(model["params"]["n_neighbors"], 12)
        self.assertEqual(len(model["spectrum"]["values"]), 2)

    def test_no_model(self):
        self.expect_error(3, "not an unroll model file", "info", "x.csv")
        self.expect_error(1, "cannot read", "info", "none.unroll")

    def test_errors_for_programs(self):
        done = self.run_here("embed", "x.csv", "-m", "isomap", "-k", "40", "--json")
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"unroll: error: ", done.stderr)
        self.assertEqual(done.stdout, b"")
        error = object_in(done.stderr.splitlines()[-1])["error"]
        self.assertEqual((error["kind"], error["who"], error["option"], error["exit_code"]),
                         ("invalid_option", "isomap", "n_neighbors", 2))
        self.assertIn("-k 40 must be less than", error["message"])
        self.assertEqual(object_in(self.run_here("embed", "--json").stderr.splitlines()[-1])["error"]["exit_code"], 2)

    def test_version(self):
        self.assertEqual(self.succeed("-V"), self.succeed("--version"))


if __name__ == "__main__":
    unittest.main()
