"""Outputs never overwrite inputs or each other, by whatever name."""
import os
import resource
import unittest

from harness import BINARY, CliTest, as_csv, points

ROWS = points()


class Files(CliTest):
    def setUp(self):
        super().setUp()
        self.write("x.csv", as_csv(ROWS))
        os.mkdir(self.path("sub"))
        os.symlink("x.csv", self.path("soft.csv"))
        os.symlink("sub", self.path("linked"))
        os.link(self.path("x.csv"), self.path("hard.csv"))

    def refuse(self, message, *words):
        before = self.read("x.csv")
        self.expect_error(2, message, *words)
        self.assertEqual(self.read("x.csv"), before)

    def test_an_output_is_no_input(self):
        for name in ("x.csv", "./x.csv", "sub/../x.csv", self.path("x.csv"), "soft.csv", "hard.csv"):
            self.refuse(f"embed: -o {name} would overwrite INPUT, x.csv; give -o another file",
                        "embed", "x.csv", "-m", "pca", "-o", name)
            self.refuse(f"embed: --save {name} would overwrite INPUT, x.csv",
                        "embed", "x.csv", "-m", "pca", "-o", "y.csv", "--save", name)
        self.refuse("would overwrite INPUT, soft.csv", "embed", "soft.csv", "-m", "pca", "-o", "x.csv")
        for verb in (["neighbors", "x.csv"], ["spectrum", "x.csv", "-m", "pca"], ["graph", "x.csv", "fiedler"],
                     ["cluster", "x.csv", "--n-clusters", "2"]):
            self.refuse("-o x.csv would overwrite", *verb, "-o", "x.csv")

    def test_nor_a_model_nor_what_comes_beside(self):
        self.succeed("embed", "x.csv", "-m", "pca", "-o", "y.csv", "--save", "m.unroll")
        self.refuse("-o m.unroll would overwrite MODEL, m.unroll", "transform", "m.unroll", "x.csv", "-o", "m.unroll")
        self.refuse("-o y.csv would overwrite", "quality", "x.csv", "y.csv", "-o", "y.csv")
        self.write("t.csv", as_csv(ROWS))
        self.refuse("-o t.csv would overwrite --truth, t.csv", "quality", "x.csv", "y.csv", "--truth", "t.csv", "-o",
                    "t.csv")

    def test_two_outputs_are_two_files(self):
        self.refuse("-o and --save both name", "embed", "x.csv", "-m", "pca", "-o", "sub/o.npy", "--save",
                    "linked/o.npy")
        self.refuse("-o and --truth both name './a.csv'", "datasets", "make", "swiss-roll", "-o", "a.csv", "--truth",
                    "./a.csv")

    def test_devices_may_be_named_twice(self):
        self.succeed("datasets", "make", "swiss-roll", "-n", "20", "-o", "r.csv", "--truth", "/dev/null")

    @unittest.skipUnless(os.geteuid() == 0, "only root can become a user without processes")
    def test_without_threads(self):
        """Where the system gives no thread, one does the work: the answer is the same."""
        nobody = 65534
        if not os.access(BINARY, os.X_OK) or not all(os.stat(part).st_mode & 0o001 for part in parents(BINARY)):
            self.skipTest("other users cannot run the command")

        def restrict():
            resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
            os.setgid(nobody)
            os.setuid(nobody)
        os.chmod(self.folder, 0o755)
        self.write("big.csv", as_csv(points(400, 5)))
        for words in (["-m", "pca"], ["-m", "isomap"], ["-m", "laplacian_eigenmaps"], ["-m", "mds"]):
            words = ["embed", "big.csv", *words, "--threads", "4"]
            quiet = {"ASAN_OPTIONS": "detect_leaks=0"}  # a sanitizer's search for leaks needs a thread of its own
            alone, usual = self.run_here(*words, preexec_fn=restrict, env=quiet), self.run_here(*words)
            self.assertEqual((alone.returncode, alone.stdout, alone.stderr), (0, usual.stdout, usual.stderr))


def parents(path):
    path = os.path.dirname(os.path.abspath(path))
    while path != "/":
        yield path
        path = os.path.dirname(path)


if __name__ == "__main__":
    unittest.main()
