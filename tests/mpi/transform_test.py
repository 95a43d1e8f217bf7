"""unroll-mpi transform: the bytes, messages and exit codes of 'unroll transform', at any number of ranks."""
import os
import signal
import struct
import time
import unittest

from harness import as_npy, npy, object_in, points
from mpi_harness import MpiTest, without_mpirun

TRAINING, ROWS = 120, 203  # not a multiple of any number of ranks


class TransformTest(MpiTest):
    def setUp(self):
        super().setUp()
        everything = points(TRAINING + ROWS, 4)
        self.write("old.npy", as_npy(everything[:TRAINING]))
        self.write("new.npy", as_npy(everything[TRAINING:]))

    def fit(self, method, *words):
        self.succeed("embed", "old.npy", "-m", method, "--save", f"{method}.unroll", "-o", "old2.npy", "-q", *words)
        return f"{method}.unroll"

    def check_same(self, model, path, ranks=(1, 2, 4)):
        self.succeed("transform", model, path, "-o", "one.npy")
        for count in ranks:
            self.succeed_ranks(count, "transform", model, path, "-o", "many.npy")
            self.assertEqual(self.read("many.npy"), self.read("one.npy"), (model, count))

    def test_bytes_are_those_of_one_process(self):
        for method in ("pca", "isomap", "laplacian_eigenmaps", "lle", "ltsa"):
            self.check_same(self.fit(method), "new.npy", (1, 4) if method == "pca" else (3,))

    def test_single_precision_and_small_integers(self):
        model = self.fit("pca")
        values = [row[0] for row in points(40)]
        self.write("floats.npy", npy("<f4", (10, 4), struct.pack("<40f", *values)))
        self.write("bytes.npy", npy("|u1", (10, 4), bytes(range(40))))
        self.write("big.npy", npy(">f8", (10, 4), struct.pack(">40d", *values)))
        for name in ("floats.npy", "bytes.npy", "big.npy"):
            _, _, said = self.ranks(3, "transform", model, name, "-o", "many.npy", "--quiet")
            self.assertEqual(said, b"")
            self.succeed("transform", model, name, "-o", "one.npy", "--quiet")
            self.assertEqual(self.read("many.npy"), self.read("one.npy"), name)

    def test_fewer_rows_than_ranks(self):
        model = self.fit("pca")
        for rows in (0, 1, 3):
            self.write("few.npy", npy("<f8", (rows, 4), struct.pack(f"<{4 * rows}d", *[0.5] * (4 * rows))))
            self.check_same(model, "few.npy", (4,))

    def test_more_rows_than_fit_one_step(self):
        """One step takes 2^22 numbers: a rank has two steps, the other ranks have one with rows and one without."""
        columns, rows = 4096, 2049
        numbers = bytes(range(251)) * (rows * columns // 251 + 1)
        self.write("wide.npy", npy("|u1", (rows, columns), numbers[:rows * columns]))
        self.write("wide_old.npy", npy("|u1", (12, columns), numbers[:12 * columns]))
        self.succeed("embed", "wide_old.npy", "-m", "pca", "--save", "wide.unroll", "-o", "old2.npy")
        self.check_same("wide.unroll", "wide.npy", (1, 2))

    def test_missing_columns_and_values_are_treated_alike(self):
        model = self.fit("pca", "--columns", "1-3")
        self.assertIn("left out", without_mpirun(self.ranks(3, "transform", model, "new.npy", "-o", "many.npy")[2]))
        said = self.run_here("transform", model, "new.npy", "-o", "one.npy").stderr.decode()
        self.assertEqual(without_mpirun(self.ranks(3, "transform", model, "new.npy", "-o", "many.npy")[2]), said)
        self.assertEqual(self.read("many.npy"), self.read("one.npy"))
        rows = points(9, 4)
        for row in rows[4:]:
            row[1] = float("nan")
        self.write("gaps.npy", as_npy(rows))
        said = self.run_here("transform", model, "gaps.npy", "-o", "one.npy").stderr.decode()
        self.assertIn("5 missing values filled in", said)
        self.assertEqual(without_mpirun(self.ranks(4, "transform", model, "gaps.npy", "-o", "many.npy")[2]), said)
        self.assertEqual(self.read("many.npy"), self.read("one.npy"))
        self.fail_ranks(2, 3, "transform", model, "gaps.npy", "-o", "strict.npy", "--strict")

    def test_far_rows_are_counted_over_all_ranks(self):
        model = self.fit("pca")
        rows = [[1e6 * x for x in row] if i < 6 else row for i, row in enumerate(points(10, 4))]
        self.write("far.npy", as_npy(rows))
        said = self.run_here("transform", model, "far.npy", "-o", "one.npy").stderr.decode()
        self.assertIn("6 of 10 rows are far", said)
        self.assertEqual(without_mpirun(self.ranks(4, "transform", model, "far.npy", "-o", "many.npy")[2]), said)

    def test_errors_are_those_of_one_process(self):
        model = self.fit("isomap")
        rows = points(11, 4)
        rows[9][2] = float("inf")
        self.write("bad.npy", as_npy(rows))
        self.write("narrow.npy", as_npy(points(8, 3)))
        self.write("short.npy", as_npy(points(8, 4))[:-8])
        for words in (("transform", model, "bad.npy"), ("transform", model, "narrow.npy"),
                      ("transform", model, "short.npy"), ("transform", model, "none.npy"),
                      ("transform", "none.unroll", "new.npy"), ("transform", "new.npy", "new.npy"),
                      ("transform", model, "new.npy", "--threads", "0"), ("transform", model),
                      ("transform", model, "new.npy", "--memory-budget", "much")):
            alone = self.run_here(*words, "-o", "out.npy")
            said = self.fail_ranks(3, alone.returncode, *words, "-o", "out.npy")
            self.assertEqual(said.replace("unroll-mpi", "unroll"), alone.stderr.decode(), words)

    def test_what_only_one_process_can_do(self):
        model = self.fit("pca")
        self.write("new.csv", b"1,2,3,4\n5,6,7,8\n")
        self.write("columns.npy", as_npy(points(8, 4)).replace(b"False", b"True "))
        self.write("line.npy", npy("<f8", "(4,)", bytes(32)))
        self.write("long.npy", npy("<i8", (2, 4), bytes(64)))
        for name, word in (("new.csv", ".npy alone"), ("columns.npy", "ascontiguousarray"), ("line.npy", "reshape"),
                           ("long.npy", "float64"), ("-", "No such file")):
            self.assertIn(word, self.fail_ranks(2, 1 if name == "-" else 2, "transform", model, name, "-o", "out.npy"))
        for output in ("out.csv", "out.npy.gz", "-"):
            self.assertIn("-o", self.fail_ranks(2, 2, "transform", model, "new.npy", "-o", output))
        self.assertIn("-o FILE.npy is missing", self.fail_ranks(2, 2, "transform", model, "new.npy"))
        self.assertIn("no verb 'frobnicate'", self.fail_ranks(2, 2, "frobnicate"))

    def test_report(self):
        model = self.fit("pca")
        said = object_in(self.succeed_ranks(3, "transform", model, "new.npy", "-o", "many.npy", "--json"))
        self.assertEqual(said["mpi"]["ranks"], 3)
        self.assertEqual((said["input"]["n"], said["input"]["d"]), (ROWS, 4))

    def test_help(self):
        self.assertIn(b"transform", self.succeed_ranks(2, "--help"))
        self.assertIn(b"mpirun -n 64 unroll-mpi transform", self.succeed_ranks(1, "transform", "--help"))

    def test_hosts_that_see_different_files(self):
        """Two working folders stand for two hosts: the same name is another file."""
        model = self.path(self.fit("pca"))
        for host in ("a", "b"):
            os.mkdir(self.path(host))
        for host, rows in (("a", 8), ("b", 9)):
            self.write(f"{host}/x.npy", as_npy(points(rows, 4)))
        words = ("transform", model, "x.npy", "-o", "out.npy")
        with self.start_ranks((1, self.path("a"), words), (1, self.path("b"), words)) as started:
            _, err = started.communicate()
        self.assertEqual(started.returncode, 1)
        self.assertIn("another file than rank 0 has", err.decode())
        self.assertIn("rank 1 of 2", err.decode())
        self.assertEqual((os.listdir(self.path("a")), os.listdir(self.path("b"))), (["x.npy"], ["x.npy"]))

    def test_output_that_is_replaced_keeps_its_permissions_or_its_content(self):
        model = self.fit("pca")
        self.write("out.npy", b"old")
        os.chmod(self.path("out.npy"), 0o640)
        os.symlink("out.npy", self.path("link.npy"))
        self.write("bad.npy", as_npy([[float("inf")] * 4] * 5))
        self.fail_ranks(2, 3, "transform", model, "bad.npy", "-o", "link.npy")
        self.assertEqual(self.read("out.npy"), b"old")
        self.succeed_ranks(2, "transform", model, "new.npy", "-o", "link.npy")
        self.assertTrue(os.path.islink(self.path("link.npy")))
        self.assertEqual(os.stat(self.path("out.npy")).st_mode & 0o777, 0o640)

    def test_killed_rank_leaves_no_file_of_that_name(self):
        """The others end, too, and the name keeps its old content."""
        self.succeed("datasets", "make", "swiss-roll", "-n", "2000", "-o", "roll.npy")
        self.succeed("embed", "roll.npy", "-m", "isomap", "--save", "roll.unroll", "-o", "old2.npy")
        self.succeed("datasets", "make", "swiss-roll", "-n", "400000", "--seed", "1", "-o", "many.npy")
        self.write("out.npy", b"old")
        with self.start_ranks((2, self.folder, ("transform", "roll.unroll", "many.npy", "-o", "out.npy")),
                              env={"OMPI_MCA_orte_abort_timeout": "5"}) as started:
            while not any(name.startswith(".unroll-tmp") for name in self.files()):
                time.sleep(0.01)
            ranks = [int(pid) for pid in children(started.pid)]
            os.kill(max(ranks), signal.SIGKILL)
            started.communicate()
        self.assertNotEqual(started.returncode, 0)
        self.assertEqual(self.read("out.npy"), b"old")


def children(parent):
    """Processes that this one has started."""
    with open(f"/proc/{parent}/task/{parent}/children", encoding="ascii") as file:
        return file.read().split()


if __name__ == "__main__":
    unittest.main()
