"""unroll neighbors: edges, components and the summary."""
import math
import unittest

from harness import CliTest, as_csv, object_in, points, table

# Two groups far apart, of 12 and 8 points.
ROWS = [[x + (100 if i >= 12 else 0) for x in row] for i, row in enumerate(points(20, 3))]


def nearest(i, count):
    others = sorted((math.dist(ROWS[i], row), j) for j, row in enumerate(ROWS) if j != i)
    return others[:count]


class Neighbors(CliTest):
    def setUp(self):
        super().setUp()
        self.write("x.csv", as_csv(ROWS))

    def edges(self, *words):
        header, rows = table(self.succeed("neighbors", "x.csv", *words, "-o", "-"))
        self.assertEqual(header, ["point", "neighbor", "distance"])
        return [(int(i), int(j), float(d)) for i, j, d in rows]

    def graph(self, *words):
        return object_in(self.succeed("neighbors", "x.csv", *words, "--json"))["graph"]

    def test_edges(self):
        edges = self.edges("-k", "3")
        expected = [(i, j, d) for i in range(20) for d, j in nearest(i, 3)]
        self.assertEqual([edge[:2] for edge in edges], [edge[:2] for edge in expected])
        for edge, other in zip(edges, expected):
            self.assertAlmostEqual(edge[2], other[2], delta=1e-12)

    def test_symmetric_edges(self):
        directed = {edge[:2] for edge in self.edges("-k", "3")}
        turned = {(j, i) for i, j in directed}
        for rule, expected in (("none", directed), ("union", directed | turned), ("average", directed | turned),
                               ("mutual", directed & turned)):
            self.assertEqual({edge[:2] for edge in self.edges("-k", "3", "--symmetrize", rule)}, expected, rule)

    def test_sparse_matrix(self):
        report = object_in(self.succeed("neighbors", "x.csv", "-k", "3", "-o", "g.npz", "--json"))
        self.assertEqual(report["outputs"], [{"content": "graph", "path": "g.npz", "n": 20, "d": 20}])
        # A precomputed graph is a table like any other: what is read back are the distances.
        header, rows = table(self.succeed("embed", "g.npz", "-m", "pca", "-d", "1"))
        self.assertEqual(len(rows), 20)
        self.expect_error(2, ".npz", "neighbors", "x.csv", "-o", "g.foo")
        self.expect_error(2, "c.npz", "neighbors", "x.csv", "--components", "-o", "c.npz")

    def test_report(self):
        graph = self.graph("-k", "5")
        self.assertEqual((graph["points"], graph["edges"], graph["degree_min"], graph["degree_max"]), (20, 100, 5, 5))
        self.assertEqual((graph["components"], graph["component_sizes"]), (2, [12, 8]))
        self.assertEqual(graph["components_for_k"][4:], [2, 2, 2, 1])  # the smaller group has 8 points
        self.assertEqual(graph["smallest_connecting_k"], 8)
        self.assertIsNone(self.graph("-k", "3", "--radius", "2")["smallest_connecting_k"])
        self.assertEqual(self.graph("-k", "9")["smallest_connecting_k"], 8)
        self.assertTrue(1 < graph["dimension_maximum_likelihood"] < 6)
        self.assertTrue(graph["exact"])
        self.assertEqual(graph["recall"], 1)

    def test_summary(self):
        text = self.succeed("neighbors", "x.csv", "-k", "5").decode()
        lines = dict(line.strip().split("  ", 1) for line in text.splitlines())
        self.assertEqual(lines["points"].strip(), "20")
        self.assertEqual(lines["edges"].strip(), "100, 5 per point")
        self.assertEqual(lines["components"].strip(), "2, of 12, 8 points")
        self.assertEqual(lines["connected from"].strip(), "k=8")
        self.assertIn("TwoNN", lines["dimension"])
        self.assertIn("connected from   k=8", self.succeed("neighbors", "x.csv", "-k", "9").decode())

    def test_components(self):
        header, rows = table(self.succeed("neighbors", "x.csv", "-k", "5", "--components"))
        self.assertEqual((header, [row[0] for row in rows]), (["component"], ["0"] * 12 + ["1"] * 8))

    def test_threads_do_not_change_a_byte(self):
        words = ("neighbors", "x.csv", "-k", "4", "-o", "-")
        expected = self.succeed(*words, "-j", "1")
        for threads in ("2", "3", "8"):
            self.assertEqual(self.succeed(*words, "-j", threads), expected)

    def test_identical_points_are_warned_about(self):
        self.write("same.csv", as_csv([[1.0, 2.0]] * 9))
        done = self.run_here("neighbors", "same.csv", "-k", "3")
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"warning[no-dimension]", done.stderr)
        self.assertIn(b"0.00 by maximum likelihood, 0.00 by TwoNN", done.stdout)

    def test_errors(self):
        self.expect_error(2, "-k 0 must be", "neighbors", "x.csv", "-k", "0")
        self.expect_error(2, "metric", "neighbors", "x.csv", "--metric", "nearly")
        self.expect_error(2, "symmetrize", "neighbors", "x.csv", "--symmetrize", "both")


if __name__ == "__main__":
    unittest.main()
