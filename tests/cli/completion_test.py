"""Completion: what the command answers, and that shells ask it and offer the answer."""
import os
import pty
import shutil
import subprocess
import unittest

from harness import BINARY, CliTest, maps_of, object_in

SHELLS = ("bash", "zsh", "fish")


class Candidates(CliTest):
    def answer(self, *words):
        return self.succeed("__complete", *words).decode().splitlines()

    def offered(self, *words):
        """Without their meanings."""
        return [line.partition("\t")[0] for line in self.answer(*words)]

    def test_verbs(self):
        self.assertEqual(self.offered("em"), ["embed"])
        self.assertEqual(self.offered("--v"), ["--version"])
        self.assertIn("transform\tplace new rows with a saved model", self.answer(""))
        self.assertNotIn("__complete", self.offered(""))
        self.assertEqual(self.offered("__"), [])

    def test_flags(self):
        self.assertEqual(self.offered("embed", "--lab"), ["--label-column"])
        self.assertIn("--memory-budget", self.offered("transform", "--"))
        self.assertIn("-q\tNo progress and no warnings.", self.answer("transform", "-"))
        self.assertIn("--append", self.offered("compare", "--a"))
        self.assertIn("--table", self.offered("methods", "--"))
        self.assertIn("--n-clusters", self.offered("cluster", "--n"))
        self.assertEqual(self.offered("embed", "--quiet", "-q"), [], "it is there already")
        self.assertEqual(self.offered("embed", "--see"), ["--seed"])
        self.assertIn("--label-column", self.offered("embed", "x.csv", ""), "nothing else can follow")

    def test_flags_of_a_method(self):
        self.assertNotIn("--whiten", self.offered("embed", "-"))
        self.assertIn("--n-neighbors", self.offered("embed", "-"))
        for chosen in (["-m", "pca"], ["-mpca"], ["--method", "pca"], ["--method=pca"], ["--method", "=", "pca"]):
            self.assertIn("--whiten", self.offered("embed", *chosen, "x.csv", "-"), chosen)
            self.assertIn("--no-whiten", self.offered("embed", *chosen, "--no"), chosen)
            self.assertNotIn("--n-neighbors", self.offered("embed", *chosen, "-"), chosen)
        self.assertIn("--path-method", self.offered("spectrum", "-m", "isomap", "-"))
        self.assertNotIn("--n-components", self.offered("spectrum", "-m", "isomap", "-"))
        self.assertIn("--n-neighbors", self.offered("embed", "-m", "nonsense", "-"))

    def test_every_option_of_every_method_and_data_set(self):
        for method in object_in(self.succeed("methods", "--json"))["methods"]:
            verb = {"map": ["embed", "-m", method["name"]], "clusters": ["cluster"],
                    "labels": ["label", "--method", method["name"].partition("_")[2]]}[method["kind"]]
            offered = self.offered(*verb, "--")
            self.assertEqual([option["flag"] for option in method["options"] if option["flag"] not in offered], [])
        for data in object_in(self.succeed("datasets", "--json"))["datasets"]:
            offered = self.offered("datasets", "make", data["name"], "--")
            self.assertEqual([option["flag"] for option in data["options"] if option["flag"] not in offered], [])

    def test_values(self):
        self.assertIn("pca\tPrincipal component analysis", self.answer("embed", "x.csv", "-m", ""))
        self.assertIn("isomap", self.offered("spectrum", "x.csv", "-m", ""))
        self.assertEqual(self.offered("embed", "-m", "pca", "--solver", "g"), ["gram"])
        self.assertEqual(self.offered("embed", "--na", ""), ["error", "drop", "mean"])
        self.assertEqual(self.answer("embed", "--threads", ""), [], "any number")
        self.assertEqual(self.answer("embed", "-m", "z"), [])

    def test_values_in_the_word_of_the_flag(self):
        self.assertEqual(self.offered("embed", "-m", "pca", "--solver=r"), ["--solver=randomized"])
        self.assertEqual(self.offered("embed", "--na="), ["--na=error", "--na=drop", "--na=mean"])
        self.assertEqual(self.offered("embed", "-m", "pca", "--solver", "=", "r"), ["randomized"], "as bash cuts it")
        self.assertEqual(self.offered("embed", "--na", "="), ["error", "drop", "mean"])
        self.assertEqual(self.answer("embed", "--nonsense="), [])

    def test_lists_of_methods(self):
        self.assertIn("isomap", self.offered("compare", "x.csv", "-m", ""))
        self.assertEqual(self.offered("compare", "--methods", "sp"), ["spectral-clustering"])
        self.assertEqual(self.offered("compare", "-m", "pca,isomap,m"), ["pca,isomap,mds", "pca,isomap,metric-mds", "pca,isomap,mvu", "pca,isomap,mlle"])
        self.assertEqual(self.offered("compare", "--methods=mds,m"), ["--methods=mds,metric-mds", "--methods=mds,mvu", "--methods=mds,mlle"], "once is enough")
        self.assertEqual(self.offered("embed", "-m", "mds,m"), [], "one is all it takes")

    def test_arguments_by_their_place(self):
        self.assertEqual(self.offered("datasets", "m"), ["make"])
        self.assertEqual(self.offered("datasets", "make", "swiss"), ["swiss-roll"])
        self.assertEqual(self.offered("datasets", "make", "-n", "100", "swiss-r"), ["swiss-roll"])
        self.assertEqual(self.offered("datasets", "make", "swiss-roll", "--noi"), ["--noise"])
        self.assertEqual(self.offered("completion", "z"), ["zsh"])
        self.assertIn("embed", self.offered("help", ""))
        self.assertEqual(self.offered("methods", "pc"), ["pca"])
        self.assertIn("heat", self.offered("graph", "x.csv", ""))

    def test_files(self):
        for words in (["embed", ""], ["embed", "x"], ["transform", "m.unroll", ""], ["embed", "-o", ""],
                      ["embed", "--save=m"], ["embed", "--save", "=", "m"], ["embed", "--", "-x"], ["graph", "--", ""]):
            self.assertEqual(self.answer(*words), ["FILE"], words)
        self.assertEqual(self.answer("embed", "--", "x.csv", ""), [])

    def test_wrong_words_have_no_candidates(self):
        for words in ([], ["nonsense", ""], ["="], ["", ""], ["embed", "-m", "-", "--"], ["embed", "--=", "="],
                      ["embed", "-m", "", "\n"], ["datasets", "make", "nonsense", "x", "y"]):
            self.succeed("__complete", *words)


class Shells(CliTest):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("bin"))
        os.symlink(BINARY, self.path("bin/unroll"))
        self.environment = {"PATH": f"{self.path('bin')}:/usr/bin:/bin", "HOME": self.folder, "TERM": "dumb"}

    def need(self, shell):
        if shutil.which(shell) is None:
            self.skipTest(f"no {shell}")

    def test_shells_accept_their_scripts(self):
        for shell in SHELLS:
            script = self.write(f"script.{shell}", self.succeed("completion", shell))
            if shutil.which(shell) is not None:
                done = subprocess.run([shell, "-n", script], cwd=self.folder, capture_output=True, check=False,
                                      timeout=60)
                self.assertEqual((done.returncode, done.stderr), (0, b""), shell)

    def test_other_shells(self):
        self.expect_error(2, "there is no script for 'tcsh'", "completion", "tcsh")
        self.expect_error(2, "did you mean 'bash'?", "completion", "bsh")
        self.expect_error(2, "SHELL is missing", "completion")

    def line_after(self, shell, start, key, typed):
        """The line that an interactive shell has after `typed` and a key that inserts all that it offers."""
        self.write("start", start.encode())
        terminal, end = pty.openpty()
        process = subprocess.Popen(shell, stdin=end, stdout=end, stderr=end, cwd=self.folder, env=self.environment,
                                   start_new_session=True)
        os.close(end)
        # What is typed after the key waits until the shell has the candidates. The line becomes an echo's arguments.
        for text, answer in ((". ./start; echo rea''dy\r", b"ready"),
                             (f"{typed}{key}\x01echo >line \recho do''ne\r", b"done")):
            os.write(terminal, text.encode())
            seen = b""
            while answer not in seen:
                seen += os.read(terminal, 1000)
        os.close(terminal)
        process.kill()
        process.wait(timeout=60)
        return self.read("line").decode().rstrip("\n")

    def check_lines(self, line_after):
        """What every shell must do."""
        self.write("points.csv", b"")
        for typed, line in (("unroll em", "unroll embed"),
                            ("unroll embed p", "unroll embed points.csv"),
                            ("unroll embed x.csv -m pca --solver g", "unroll embed x.csv -m pca --solver gram"),
                            ("unroll embed -m pca --solver=g", "unroll embed -m pca --solver=gram"),
                            ("unroll embed -m pca --no-w", "unroll embed -m pca --no-whiten"),
                            ("unroll embed --output=po", "unroll embed --output=points.csv"),
                            ("unroll embed --threads p", "unroll embed --threads p"),
                            ("unroll compare -m pca,isom", "unroll compare -m pca,isomap"),
                            ("unroll datasets make swiss", "unroll datasets make swiss-roll"),
                            ("unroll nonsense p", "unroll nonsense p")):
            with self.subTest(typed=typed):
                self.assertEqual(line_after(typed).rstrip(), line)
        self.assertEqual(sorted(line_after("unroll embed --na ").split()[3:]), ["drop", "error", "mean"])
        self.assertLess({"embed", "transform", "--version"}, set(line_after("unroll ").split()[1:]))

    def test_bash(self):
        self.need("bash")
        self.check_lines(lambda typed: self.line_after(
            ["bash", "--norc", "-i"], 'PS1=; source <(unroll completion bash)', "\x1b*", typed))

    def test_zsh(self):
        self.need("zsh")
        start = ("PS1=; autoload -U compinit; compinit -D -u; source <(unroll completion zsh); "
                 "zle -C all complete-word _generic; zstyle ':completion:all:*' completer _all_matches _complete; "
                 "zstyle ':completion:all:*' insert yes; bindkey '^X' all; bindkey '^A' beginning-of-line")
        self.check_lines(lambda typed: self.line_after(["zsh", "-f", "-i"], start, "\x18", typed))

    def test_fish(self):
        self.need("fish")

        def line_after(typed):
            script = f"unroll completion fish | source\ncomplete -C '{typed}'"
            done = subprocess.run(["fish", "--no-config", "-c", script],
                                  capture_output=True, check=True, timeout=60, env=self.environment, cwd=self.folder)
            self.assertEqual(done.stderr, b"")
            offers = [offer.partition("\t")[0] for offer in done.stdout.decode().splitlines()]
            before, _, last = typed.rpartition(" ")
            return " ".join([before, *(offers or [last])])
        self.check_lines(line_after)


if __name__ == "__main__":
    unittest.main()
