"""Help, version and the overview: examples first, on one screen, exit code 0."""
import os
import pty
import re
import unittest

from harness import BINARY, ENVIRONMENT, CliTest, maps_of, object_in

import subprocess

VERBS = ["embed", "transform", "compare", "advise", "cluster", "spectrum", "dimension", "graph", "methods", "datasets", "completion", "version", "help"]


class Help(CliTest):
    def lines(self, *words):
        return self.succeed(*words).decode().splitlines()

    def test_every_verb_leads_with_examples(self):
        for verb in VERBS:
            for words in ((verb, "--help"), (verb, "-h"), ("help", verb)):
                with self.subTest(words=words):
                    lines = self.lines(*words)
                    self.assertTrue(lines[0].startswith(f"unroll {verb}: "))
                    self.assertEqual(lines[2], "Examples:")
                    self.assertIn("unroll ", lines[3])
                    self.assertTrue(any(line.startswith(f"Usage: unroll {verb}") for line in lines))

    def test_help_fits_a_screen(self):
        for verb in VERBS:
            lines = self.lines(verb, "--help")
            self.assertLessEqual(len(lines), 32, verb)
            self.assertLessEqual(max(map(len, lines)), 80, verb)
            self.assertLessEqual(max(map(len, self.lines("help", verb))), 80, verb)
        self.assertLessEqual(len(self.lines()), 24)
        self.assertLessEqual(max(map(len, self.lines())), 80)

    def test_full_help_explains_every_flag_that_the_brief_one_names(self):
        for verb in VERBS:
            brief = " ".join(self.lines(verb, "--help"))
            explained = "\n".join(self.lines("help", verb))
            others = brief.partition("Also ")[2].partition(": see")[0].split(", ")
            self.assertIn("--help", others)
            for flag in others:
                self.assertRegex(explained.replace("--[no-]", "--"), rf"(?m)^  (-., )?{flag} |also\s+{flag}", verb)

    def test_no_flag_is_declared_twice(self):
        topics = [("help", verb) for verb in VERBS + ["neighbors", "quality"]]
        for method in maps_of(self.succeed("methods", "--json")):
            topics += [(verb, "-m", method["name"], "--help") for verb in ("embed", "spectrum")]
        for generator in object_in(self.succeed("datasets", "--json"))["datasets"]:
            topics.append(("datasets", "make", generator["name"], "--help"))
        for words in topics:
            text = self.succeed(*words).decode().replace("--[no-]", "--")
            flags = re.findall(r"(?m)^  (?:(-\w), )?(--[a-z-]+)", text)
            names = [name for pair in flags for name in pair if name]
            names += re.findall(r"--[a-z-]+", text.partition("\nAlso ")[2].partition(": see")[0])
            names += re.findall(r"\[also\s+(--[a-z-]+)", text)
            self.assertEqual(sorted(names), sorted(set(names)), words)

    def test_overview(self):
        overview = self.lines()
        self.assertEqual(overview, self.lines("--help"))
        self.assertEqual(overview, self.lines("-h"))
        self.assertEqual(overview, self.lines("help"))
        self.assertEqual(overview[1], "Examples:")
        also = re.split(r"[ ,.]+", next(line for line in overview if line.startswith("Also ")))
        for verb in VERBS:
            self.assertTrue(verb in also or any(line.startswith(f"  {verb} ") for line in overview), verb)

    def test_options_of_every_method_with_default_and_choices(self):
        for method in maps_of(self.succeed("methods", "--json")):
            text = " ".join(" ".join(self.lines("embed", "-m", method["name"], "--help")).split())
            spectrum = " ".join(" ".join(self.lines("spectrum", "-m", method["name"], "--help")).split())
            for option in method["options"]:
                # The dimension is theirs, not the verb's; an optimised map has no spectrum at all.
                presumed = method["name"] in ("mlle", "hlle", "ltsa", "autoencoder") or method["transform_kind"] == "optimized"
                self.assertEqual(option["help"] in spectrum, option["name"] != "n_components" or presumed)
                flag = option["alias"] or (option["flag"] if option["type"] != "bool" else "--[no-]" + option["flag"][2:])
                self.assertIn(flag, text)
                self.assertIn(option["help"], text)
                for choice in option.get("choices", []):
                    self.assertIn(choice, text)
        text = " ".join(" ".join(self.lines("embed", "-m", "pca", "--help")).split())
        self.assertIn("-d, --n-components X", text)
        self.assertIn("[default=2;", text)
        self.assertIn("[default=auto; one of: auto, covariance, gram, randomized]", text)

    def test_options_of_every_data_set(self):
        for generator in object_in(self.succeed("datasets", "--json"))["datasets"]:
            text = " ".join(" ".join(self.lines("datasets", "make", generator["name"], "--help")).split())
            for option in generator["options"]:
                self.assertIn(option["help"], text)

    def test_help_wins_over_what_is_missing(self):
        self.assertEqual(self.lines("embed", "--help", "--n-components", "x")[2], "Examples:")

    def test_unknown_verb(self):
        text = self.expect_error(2, "there is no verb 'embd'; did you mean 'embed'?", "embd")
        self.assertIn("see 'unroll --help'", text)
        self.expect_error(2, "there is no verb 'emb'", "help", "emb")
        self.expect_error(2, "expected a verb, got the flag '--frobnicate'", "--frobnicate")

    def test_version(self):
        first, *rest = self.lines("version")
        self.assertEqual([first], self.lines("--version"))
        self.assertRegex(first, r"^unroll \d+\.\d+\.\d+$")
        self.assertEqual([line.partition(":")[0] for line in rest],
                         ["compiler", "instruction set", "BLAS", "sparse Cholesky"])


class Colors(CliTest):
    def on_terminal(self, *words, env=None):
        """Standard output of a run that sees a terminal there."""
        try:
            master, slave = pty.openpty()
        except OSError as error:  # a bare chroot has no /dev/pts
            self.skipTest(str(error))
        environment = {**ENVIRONMENT, "TERM": "xterm", **(env or {})}
        done = subprocess.run([BINARY, *words], stdout=slave, env=environment, check=True, timeout=60)
        os.close(slave)
        text = b""
        try:
            while piece := os.read(master, 65536):
                text += piece
        except OSError:  # the other side is closed and everything read
            pass
        os.close(master)
        self.assertEqual(done.returncode, 0)
        return text

    def test_colors_only_where_wanted(self):
        escape = b"\x1b["
        self.assertIn(escape, self.on_terminal("--help"))
        self.assertNotIn(escape, self.on_terminal("--help", env={"NO_COLOR": "1"}))
        self.assertIn(escape, self.on_terminal("--help", env={"NO_COLOR": ""}))
        self.assertNotIn(escape, self.on_terminal("--help", env={"TERM": "dumb"}))
        self.assertNotIn(escape, self.on_terminal("methods", "--color", "never"))
        self.assertNotIn(escape, self.succeed("--help"))
        self.assertIn(escape, self.succeed("methods", "--color=always"))
        self.assertIn(escape, self.run_here("embed", "--color=always").stderr)
        self.expect_error(2, "--color purple must be one of: auto, always, never", "methods", "--color=purple")


if __name__ == "__main__":
    unittest.main()
