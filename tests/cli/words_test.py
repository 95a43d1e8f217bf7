"""How the words of a command line become flags, values and arguments."""
import unittest

from harness import CliTest, as_csv, object_in, points

ROWS = points()


class Words(CliTest):
    def setUp(self):
        super().setUp()
        self.write("x.csv", as_csv(ROWS))

    def params(self, *words):
        return object_in(self.succeed("embed", "x.csv", "-m", "pca", "--json", *words))["params"]

    def refuse(self, message, *words):
        return self.expect_error(2, message, "embed", "x.csv", "-m", "pca", *words)

    def test_letters(self):
        for words in (["-d", "3"], ["-d3"], ["-qd3"], ["-qd", "3"], ["-qqd3"]):
            self.assertEqual(self.params(*words)["n_components"], 3, words)
        self.refuse("unknown flag '-x'", "-qx")
        self.refuse("unknown flag '-5'", "-q5")
        self.refuse("unknown flag '-='", "-q=true")
        self.refuse("pca: -d =3 must be", "-d=3")

    def test_what_looks_like_a_flag_and_is_a_value(self):
        self.refuse("pca: -d -1 must be", "-d", "-1")
        self.refuse("pca: --seed -.5 must be", "--seed", "-.5")
        self.refuse("embed: --delimiter -- must be one character", "--delimiter", "--")
        self.refuse("--label-column '--json'", "--label-column=--json")

    def test_equal_signs_in_values(self):
        header, *lines = as_csv(ROWS, "a,b,c").decode().splitlines()
        for name in ("a=b", "b="):
            text = "\n".join([f"{header},{name}"] + [f"{line},k" for line in lines]) + "\n"
            self.write("named.csv", text.encode())
            for words in ([f"--label-column={name}"], ["--label-column", name]):
                table = self.succeed("embed", "named.csv", "-m", "pca", *words)
                self.assertEqual(table.splitlines()[1].rpartition(b",")[2], b"k", words)

    def test_switches_and_their_opposites(self):
        for word in ("--whiten", "--whiten=yes", "--no-whiten=false", "--no-whiten=no", "--no-whiten=off", "--no-whiten=0"):
            self.assertIs(self.params(word)["whiten"], True, word)
        for word in ("--no-whiten", "--whiten=0", "--no-whiten=true", "--no-whiten=yes", "--no-whiten=on"):
            self.assertIs(self.params("--whiten", word)["whiten"], False, word)
        self.refuse("pca: --whiten perhaps must be true or false", "--no-whiten=perhaps")
        self.refuse("unknown flag '--no_whiten'", "--no_whiten")
        self.refuse("unknown flag '--no-seed'", "--no-seed", "3")
        self.refuse("unknown flag '--no-n-components'", "--no-n-components")
        self.refuse("unexpected argument 'true'", "--whiten", "true")

    def test_values_that_are_missing(self):
        for flag in ("-o", "--output", "-qo", "--n_components", "--seed"):
            self.refuse(f"embed: {flag} needs a value\n", flag)
        for word in ("--output=", "--seed=", "--whiten=", "--no-whiten="):
            self.refuse(f"embed: {word} needs a value\n", word, "3")
        for word in ("--json", "-d", "--n_components", "--seed", "--no-whiten", "--seed=3", "--output="):
            self.refuse(f"--output needs a value, but the flag {word} follows it", "-o", word)
        self.refuse("--output needs a value, but the flag --json follows it", "-o", "--json", "-o", "z.csv")

    def test_words_that_are_no_flag(self):
        for word in ("---json", "--=3", "--JSON", "-J3", "-!", "--js"):
            self.refuse("unknown flag '" + (word.partition("=")[0] if word[1] == "-" else word[:2]) + "'", word)
        self.refuse("unknown flag '--first'", "--first", "--second", "-o")
        self.refuse("unexpected argument ''", "")

    def test_two_dashes_end_the_flags(self):
        expected = self.succeed("embed", "x.csv", "-m", "pca")
        self.write("--json", as_csv(ROWS))
        self.assertEqual(self.succeed("embed", "-m", "pca", "--", "--json"), expected)
        self.assertEqual(self.succeed("embed", "x.csv", "-m", "pca", "--"), expected)
        self.expect_error(1, "cannot read '--': No such file", "embed", "-m", "pca", "--", "--")
        self.refuse("unexpected argument '-d'", "--", "-d", "3")

    def test_a_first_look_does_not_mind(self):
        for words in (["--frobnicate", "-m", "pca", "--help"], ["-m", "pca", "a", "b", "c", "-h", "-o"],
                      ["-m", "pca", "--output=", "-xh", "--help"]):
            lines = self.succeed("embed", *words).decode().splitlines()
            self.assertIn("Usage: unroll embed INPUT -m pca [options]", lines, words)
        # The flags of a method may come before its name.
        self.assertEqual(object_in(self.succeed("embed", "--solver", "gram", "--json", "x.csv", "--whiten", "-m", "pca"))
                         ["params"]["solver"], "gram")


if __name__ == "__main__":
    unittest.main()
