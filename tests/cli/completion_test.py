"""unroll completion: scripts that their shells accept, and that complete."""
import shutil
import subprocess
import unittest

from harness import CliTest, maps_of, object_in


class Completion(CliTest):
    def script(self, shell):
        return self.succeed("completion", shell)

    def test_shells_accept_their_scripts(self):
        for shell in ("bash", "zsh", "fish"):
            script = self.write(f"script.{shell}", self.script(shell))
            if shutil.which(shell) is None:
                continue
            done = subprocess.run([shell, "-n", script], cwd=self.folder, capture_output=True, check=False, timeout=60)
            self.assertEqual((done.returncode, done.stderr), (0, b""), shell)

    def test_scripts_know_all_methods_and_options(self):
        methods = maps_of(self.succeed("methods", "--json"))
        for shell in ("bash", "zsh", "fish"):
            script = self.script(shell).decode()
            for method in methods:
                self.assertIn(method["name"].replace("_", "-"), script)
                for option in method["options"]:
                    name = option["flag"][2:] if shell == "fish" else option["flag"]
                    self.assertIn(name, script)

    def test_other_shells(self):
        self.expect_error(2, "there is no script for 'tcsh'", "completion", "tcsh")
        self.expect_error(2, "did you mean 'bash'?", "completion", "bsh")
        self.expect_error(2, "SHELL is missing", "completion")

    def completed(self, *words):
        """What bash offers for the last word."""
        if shutil.which("bash") is None:
            self.skipTest("no bash")
        script = (self.script("bash").decode() + 'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _unroll;'
                  ' ((${#COMPREPLY[@]})) && printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(["bash", "--norc", "-c", script, "bash", "unroll", *words], capture_output=True,
                              check=False, timeout=60, env={"PATH": "/usr/bin:/bin"})
        self.assertEqual(done.stderr, b"", words)
        return done.stdout.decode().split()

    def test_bash_completes(self):
        self.assertEqual(self.completed("em"), ["embed"])
        self.assertIn("transform", self.completed(""))
        self.assertIn("pca", self.completed("embed", "x.csv", "-m", ""))
        self.assertIn("--label-column", self.completed("embed", "--lab"))
        self.assertIn("--memory-budget", self.completed("transform", "--"))
        self.assertNotIn("--whiten", self.completed("embed", "-"))
        self.assertIn("--n-neighbors", self.completed("embed", "-"))
        self.assertNotIn("--n-neighbors", self.completed("embed", "-m", "pca", "-"))
        self.assertIn("--whiten", self.completed("embed", "-m", "pca", "x.csv", "-"))
        self.assertIn("--no-whiten", self.completed("embed", "--method", "=", "pca", "--no"))
        self.assertEqual(self.completed("embed", "-m", "pca", "--solver", "g"), ["gram"])
        self.assertEqual(self.completed("embed", "-m", "pca", "--solver", "=", "r"), ["randomized"])
        self.assertEqual(self.completed("embed", "--na", ""), ["error", "drop", "mean"])
        self.assertEqual(self.completed("embed", "x"), [], "files are bash's own business")
        self.assertEqual(self.completed("datasets", "m"), ["make"])
        self.assertEqual(self.completed("datasets", "make", "swiss"), ["swiss-roll"])
        self.assertIn("--noise", self.completed("datasets", "make", "swiss-roll", "--no"))
        self.assertEqual(self.completed("completion", "z"), ["zsh"])
        self.assertIn("embed", self.completed("help", ""))
        self.assertEqual(self.completed("methods", "pc"), ["pca"])
        self.assertIn("isomap", self.completed("compare", "x.csv", "-m", ""))
        self.assertIn("spectral-clustering", self.completed("compare", "--methods", "sp"))
        self.assertIn("--append", self.completed("compare", "--a"))
        self.assertIn("isomap", self.completed("spectrum", "x.csv", "-m", ""))
        self.assertIn("--path-method", self.completed("spectrum", "-m", "isomap", "-"))
        self.assertNotIn("--n-components", self.completed("spectrum", "-m", "isomap", "-"))
        self.assertIn("--table", self.completed("methods", "--"))

    def test_fish_completes(self):
        if shutil.which("fish") is None:
            self.skipTest("no fish")

        def completed(line):
            done = subprocess.run(["fish", "--no-config", "-c", f"{self.script('fish').decode()}\ncomplete -C '{line}'"],
                                  capture_output=True, check=True, timeout=60, env={"PATH": "/usr/bin:/bin"},
                                  cwd=self.folder)
            return [offer.partition("\t")[0] for offer in done.stdout.decode().splitlines()]
        self.assertEqual(completed("unroll em"), ["embed"])
        self.assertIn("pca", completed("unroll embed x.csv -m "))
        self.assertIn("--n-neighbors", completed("unroll embed x.csv --n"))
        self.assertEqual(completed("unroll embed x.csv -m pca --whi"), ["--whiten"])
        self.assertEqual(completed("unroll embed x.csv -m pca --solver g"), ["gram"])
        self.assertEqual(completed("unroll datasets make swiss"), ["swiss-roll"])
        self.assertEqual(completed("unroll datasets make swiss-roll --noi"), ["--noise"])


if __name__ == "__main__":
    unittest.main()
