"""Distances as input, dense and sparse; graphs in several parts; what is refused, and how kindly."""
import math
import os
import re
import signal
import unittest

from harness import PATIENCE, CliTest, as_csv, as_npy, default_signals, npy, object_in, points, start, table

ROWS = points(50, 3)


def distances(rows, columns):
    return [[math.dist(a, b) for b in columns] for a in rows]


class Distances(CliTest):
    def setUp(self):
        super().setUp()
        self.write("x.csv", as_csv(ROWS))
        self.write("d.npy", as_npy(distances(ROWS, ROWS)))

    def numbers(self, text):
        return [[float(x) for x in row] for row in table(text)[1]]

    def assert_near(self, a, b, tolerance=1e-9):
        """Up to the signs of columns."""
        signs = [math.copysign(1, sum(x * y for x, y in zip(*columns))) for columns in zip(zip(*a), zip(*b))]
        a = [[sign * x for sign, x in zip(signs, row)] for row in a]
        self.assertEqual((len(a), len(a[0])), (len(b), len(b[0])))
        self.assertLess(max(abs(x - y) for r, s in zip(a, b) for x, y in zip(r, s)), tolerance)

    def test_a_graph_is_as_good_as_the_points(self):
        self.succeed("neighbors", "x.csv", "-k", "6", "-o", "g.npz")
        expected = self.succeed("embed", "x.csv", "-m", "isomap", "-k", "6")
        self.assertEqual(self.succeed("embed", "g.npz", "-m", "isomap", "--metric", "precomputed"), expected)
        dense = self.succeed("embed", "d.npy", "-m", "isomap", "--metric", "precomputed", "-k", "6")
        self.assert_near(self.numbers(dense), self.numbers(expected))  # distances by another hand
        self.succeed("neighbors", "x.csv", "-k", "12", "-o", "more.npz")
        words = ("embed", "more.npz", "-m", "isomap", "--metric", "precomputed", "-k", "6")
        self.assertEqual(self.succeed(*words), expected)
        spectra = [object_in(self.succeed("spectrum", *words, "-m", "isomap", "-n", "5", "--json"))["spectrum"]
                   for words in (["x.csv", "-k", "6"], ["g.npz", "--metric", "precomputed"])]
        self.assertEqual(spectra[0], spectra[1])

    def test_a_sparse_matrix_of_features_is_a_table(self):
        self.succeed("neighbors", "x.csv", "-k", "6", "-o", "g.npz")
        self.assertEqual(len(self.numbers(self.succeed("embed", "g.npz", "-m", "pca"))), 50)

    def test_a_sparse_matrix_where_all_distances_are_needed(self):
        self.succeed("neighbors", "x.csv", "-k", "6", "-o", "g.npz")
        text = self.expect_error(2, "'g.npz' is a sparse matrix, but mds needs all its entries", "embed", "g.npz", "-m",
                                 "mds", "--metric", "precomputed")
        self.assertRegex(text, "a method that takes a sparse one: .*isomap")
        self.succeed("embed", "g.npz", "-m", "isomap", "--metric", "precomputed", "--save", "m.unroll", "-o", "z.csv")
        self.expect_error(2, "new rows need an entry for each of the 50 training points", "transform", "m.unroll",
                          "g.npz")

    def test_quality_uses_the_distances(self):
        for method in ("mds", "isomap"):
            metrics = [object_in(self.succeed("embed", *words, "-m", method, "--quality", "--json"))["metrics"]
                       for words in (["x.csv"], ["d.npy", "--metric", "precomputed"])]
            for name, value in metrics[0].items():
                self.assertAlmostEqual(value, metrics[1][name], delta=1e-9, msg=(method, name))
        self.succeed("neighbors", "x.csv", "-k", "6", "-o", "g.npz")
        done = self.run_here("embed", "g.npz", "-m", "isomap", "--metric", "precomputed", "--quality", "-o", "z.csv")
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"warning[no-quality]: a sparse matrix", done.stderr)

    def test_quality_uses_the_kernel(self):
        kernel = [[sum(x * y for x, y in zip(a, b)) for b in ROWS] for a in ROWS]
        self.write("k.npy", as_npy(kernel))
        metrics = [object_in(self.succeed("embed", *words, "--quality", "--json"))["metrics"]
                   for words in (["x.csv", "-m", "pca"], ["k.npy", "-m", "kernel_pca", "--kernel", "precomputed"])]
        for name, value in metrics[0].items():
            self.assertAlmostEqual(value, metrics[1][name], delta=1e-9, msg=name)

    def test_new_rows_are_distances_to_the_training_points(self):
        fresh = points(60, 3)[50:]
        self.write("fresh.csv", as_csv(fresh))
        self.write("fresh.npy", as_npy(distances(fresh, ROWS)))
        for method in ("mds", "isomap"):
            self.succeed("embed", "x.csv", "-m", method, "--save", "x.unroll", "-o", "x2.csv")
            self.succeed("embed", "d.npy", "-m", method, "--metric", "precomputed", "--save", "d.unroll", "-o", "d2.csv")
            self.assert_near(self.numbers(self.read("x2.csv")), self.numbers(self.read("d2.csv")))
            self.assert_near(self.numbers(self.succeed("transform", "x.unroll", "fresh.csv")),
                             self.numbers(self.succeed("transform", "d.unroll", "fresh.npy")))
            self.assert_near(self.numbers(self.succeed("transform", "d.unroll", "d.npy")),
                             self.numbers(self.read("d2.csv")))


class Graphs(CliTest):
    def setUp(self):
        super().setUp()
        self.write("two.csv", as_csv([[x + (100 if i >= 25 else 0) for x in row] for i, row in enumerate(ROWS)]))
        self.write("same.csv", as_csv([[1.0, 2.0]] * 15))

    def test_two_components(self):
        for policy, words in (("connect", b"edges between them were added"), ("separate", b"side by side")):
            done = self.run_here("embed", "two.csv", "-m", "isomap", "-k", "5", "--components", policy, "-o", "z.csv")
            self.assertEqual(done.returncode, 0)
            self.assertIn(b"warning[graph-disconnected]", done.stderr)
            self.assertIn(b"2 > 1 (25, 25 points)", done.stderr)
            self.assertIn(words, done.stderr)
            self.assertIn(b"\n  hint: ", done.stderr)
            self.assertEqual(len(table(self.read("z.csv"))[1]), 50)
        os.remove(self.path("z.csv"))
        for policy, code in (("error", 3), ("keep", 2)):
            self.expect_error(code, "component", "embed", "two.csv", "-m", "isomap", "-k", "5", "--components", policy)

    def test_a_sparse_graph_in_two_parts(self):
        self.succeed("neighbors", "two.csv", "-k", "5", "-o", "g.npz")
        words = ("embed", "g.npz", "-m", "isomap", "--metric", "precomputed")
        self.expect_error(3, "--components separate", *words)
        done = self.run_here(*words, "--components", "separate", "-q")
        self.assertEqual((done.returncode, done.stdout.count(b"\n")), (0, 51))
        points_too = self.run_here("embed", "two.csv", "-m", "isomap", "-k", "5", "--components", "separate", "-q")
        self.assertEqual(done.stdout, points_too.stdout)

    def test_identical_points(self):
        done = self.run_here("embed", "same.csv", "-m", "isomap", "--quality")
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"warning[zero-variance]", done.stderr)
        self.assertEqual(set(done.stdout.splitlines()[1:]), {b"0,0"})

    def test_too_few_points(self):
        self.write("one.csv", b"1,2\n")
        self.expect_error(3, "minimum of 2", "embed", "one.csv", "-m", "isomap", "--header", "no")
        self.expect_error(2, "-k 15 must be less than the number of points, 15", "embed", "same.csv", "-m",
                          "isomap", "-k", "15")
        self.expect_error(2, "-d 15 must be less than the number of points, 15", "embed", "same.csv", "-m",
                          "isomap", "-d", "15")


class LargeGraphs(CliTest):
    def test_too_many_points_are_refused_at_once(self):
        n = 70_000
        self.write("x.npy", npy("<u2", (n, 2), os.urandom(4 * n)))
        for words in (("isomap",), ("mds", "--metric", "manhattan")):
            text = self.expect_error(5, "--n-landmarks 1000", "embed", "x.npy", "-m", *words, "--memory-budget", "8GiB")
            self.assertRegex(text, r"needs [\d.]+ GiB of memory \(.+\), more than the budget of 8\.0 GiB")

    def test_interrupted_in_every_stage(self):
        # Shortest paths of a second or more; a dense eigenproblem of several.
        for stage, n, solver in (("geodesics", 12_000, "auto"), ("eigenvectors", 3000, "dense")):
            self.write("x.npy", npy("<u2", (n, 3), os.urandom(6 * n)))
            process = start("embed", "x.npy", "-m", "isomap", "-d", "1000", "--eigen-solver", solver, "-o", "z.csv",
                            "--progress", "json", cwd=self.folder, preexec_fn=default_signals)
            for line in process.stderr:
                if re.search(rb'"stage":"(\w+)', line)[1].decode() == stage:
                    break
            process.send_signal(signal.SIGINT)
            rest = process.stderr.read()
            process.stderr.close()
            self.assertEqual(process.wait(timeout=PATIENCE), 130)
            self.assertTrue(rest.endswith(b"unroll: error: stopped on request\n"), rest)
            self.assertEqual(self.files(), ["x.npy"])


if __name__ == "__main__":
    unittest.main()
