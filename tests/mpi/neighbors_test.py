"""unroll-mpi neighbors: the graph, its components and what connects it, as 'unroll neighbors' finds them."""
import struct
import unittest
from random import Random

from harness import as_npy, npy, object_in, points
from mpi_harness import MpiTest


def grid(side):
    """Points whose distances tie everywhere, in an order that has nothing to do with where they are."""
    rows = [[float(i), float(j)] for i in range(side) for j in range(side)]
    Random(1).shuffle(rows)
    return rows


def edges(content):
    """Pairs of points in an .npy of edges."""
    header = 10 + struct.unpack("<H", content[8:10])[0]
    numbers = struct.iter_unpack("<3d", content[header:])
    return {(point, neighbor) for point, neighbor, _ in numbers}


class NeighborsTest(MpiTest):
    def check_same(self, path, *words, ranks=(2, 4), said=b""):
        """Edges, components and all findings are those of one process."""
        for own in ([], ["--components"]):
            self.run_here("neighbors", path, "-o", "one.npy", *own, *words)
            for count in ranks:
                code, _, err = self.ranks(count, "neighbors", path, "-o", "many.npy", *own, *words)
                self.assertEqual((code, err), (0, said), (words, count))
                self.assertEqual(self.read("many.npy"), self.read("one.npy"), (words, count))
        one = object_in(self.run_here("neighbors", path, *words, "--json").stdout)["graph"]
        for count in ranks:
            many = object_in(self.ranks(count, "neighbors", path, *words, "--json")[1])["graph"]
            self.assertEqual(many, one, (words, count))

    def test_roll(self):
        self.succeed("datasets", "make", "swiss-roll", "-n", "5001", "-o", "roll.npy")
        self.check_same("roll.npy", "-k", "12", ranks=(1, 2, 3, 4))

    def test_single_precision(self):
        self.write("x.npy", npy("<f4", (1001, 3), struct.pack("<3003f", *(x for row in points(1001) for x in row))))
        self.check_same("x.npy", "-k", "5", ranks=(3,))

    def test_ties_on_a_cut(self):
        """Half of the points lie on each cut of a grid with two columns, all of them where all are equal."""
        self.write("grid.npy", as_npy(grid(31)))
        self.check_same("grid.npy", "-k", "6", ranks=(2, 4))
        self.write("lines.npy", as_npy([[float(i % 2), 0.0] for i in range(500)] + [[5.0, i / 7] for i in range(7)]))
        said = self.run_here("neighbors", "lines.npy", "-k", "3").stderr
        self.check_same("lines.npy", "-k", "3", ranks=(4,), said=said)

    def test_equal_points_are_divided_among_ranks(self):
        """A rank alone with them would run out of memory that is enough for all together."""
        self.write("same.npy", npy("<f8", (8000, 2), bytes(8000 * 16)))
        _, _, err = self.ranks(4, "neighbors", "same.npy", "-k", "300", "-o", "many.npy", "--memory-budget", "40MiB")
        self.assertIn("no-dimension", err.decode())
        self.assertNotIn("error", err.decode())

    def test_other_metrics(self):
        self.write("x.npy", as_npy(points(300, 5)))
        for metric in ("manhattan", "chebyshev", "cosine", "hamming"):
            said = self.run_here("neighbors", "x.npy", "-k", "7", "--metric", metric).stderr
            self.check_same("x.npy", "-k", "7", "--metric", metric, ranks=(3,), said=said)
        self.check_same("x.npy", "-k", "7", "--metric", "minkowski", "--p", "3", ranks=(3,))

    def test_radius(self):
        self.write("x.npy", as_npy(points(400, 3)))
        self.check_same("x.npy", "--radius", "0.4", ranks=(3,))
        self.check_same("x.npy", "--radius", "0.4", "-k", "4", ranks=(4,))

    def test_several_components_and_what_connects_them(self):
        """Two clouds and a far point: the neighbours are doubled until they connect all."""
        rows = points(90, 2) + [[x + 50, y] for x, y in points(60, 2)] + [[25.0, 80.0]]
        Random(2).shuffle(rows)
        self.write("clouds.npy", as_npy(rows))
        self.check_same("clouds.npy", "-k", "3", ranks=(1, 2, 4))
        self.check_same("clouds.npy", "--radius", "0.2", ranks=(4,),
                        said=self.run_here("neighbors", "clouds.npy", "--radius", "0.2").stderr)

    def test_few_points(self):
        for rows in (2, 3, 5):
            self.write("few.npy", as_npy(points(rows, 3)))
            said = self.run_here("neighbors", "few.npy").stderr
            self.check_same("few.npy", ranks=(4,), said=said)

    def test_far_and_tiny_coordinates(self):
        for factor in (1e300, 1e-300):
            self.write("x.npy", as_npy([[factor * x for x in row] for row in points(200, 3)]))
            self.check_same("x.npy", "-k", "4", ranks=(3,))

    def test_clusters_say_how_many_neighbors_they_found(self):
        """So few points are all in the sample: the recall is the true one. It does not depend on the ranks."""
        self.write("x.npy", as_npy([[x * (1 + j) for j, x in enumerate(row)] for row in points(499, 30)]))
        words = ("neighbors", "x.npy", "-k", "9", "--algorithm", "approximate", "--recall", "0.5")
        for count in (1, 2, 4):
            said = object_in(self.ranks(count, *words, "-o", "many.npy", "--json")[1])["graph"]
            self.assertFalse(said["exact"])
            found = edges(self.read("many.npy"))
            if count == 1:
                self.succeed("neighbors", "x.npy", "-k", "9", "-o", "one.npy")
                true = edges(self.read("one.npy"))
                self.assertEqual((said["recall"], said["recall_sample"]), (len(found & true) / len(true), 499))
                self.assertGreater(said["recall"], 0.9)
                first = found
            self.assertEqual(found, first)
        self.assertIn("recall-below-target", self.ranks(2, *words[:-1], "1")[2].decode())
        self.fail_ranks(2, 2, "neighbors", "x.npy", "--radius", "1", "--algorithm", "approximate")

    def test_summary(self):
        self.write("x.npy", as_npy(points(200, 3)))
        self.assertEqual(self.succeed_ranks(3, "neighbors", "x.npy"), self.succeed("neighbors", "x.npy"))

    def test_errors(self):
        rows = points(11, 3)
        rows[9][1] = float("nan")
        self.write("bad.npy", as_npy(rows))
        self.write("x.npy", as_npy(points(5, 3)))
        self.write("one.npy", as_npy(points(1, 3)))
        for words in (("bad.npy",), ("x.npy", "-k", "5"), ("one.npy",), ("x.npy", "-k", "0"), ("x.npy", "--frobnicate"),
                      ("x.npy", "--metric", "haversine")):
            alone = self.run_here("neighbors", *words)
            said = self.fail_ranks(3, alone.returncode, "neighbors", *words)
            self.assertEqual(said.replace("unroll-mpi", "unroll"), alone.stderr.decode(), words)
        self.write("many.npy", as_npy(points(3000, 3)))
        self.assertIn("more hosts", self.fail_ranks(3, 5, "neighbors", "many.npy", "--memory-budget", "50KiB"))
        self.fail_ranks(2, 2, "neighbors", "x.npy", "--metric", "precomputed")
        self.fail_ranks(2, 2, "neighbors", "x.npy", "-o", "edges.csv")


if __name__ == "__main__":
    unittest.main()
