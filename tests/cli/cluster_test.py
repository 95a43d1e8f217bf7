"""unroll cluster: labels of rows, what is told of them, and saved models for new rows."""
import unittest
from random import Random

from harness import CliTest, as_csv, as_npy, object_in, table

PLACES = ((0, 0), (20, 0), (0, 20))


def clouds(each, seed=0):
    """Points around three places, which take turns."""
    random = Random(seed)
    return [[x + random.gauss(0, 1), y + random.gauss(0, 1)] for _ in range(each) for x, y in PLACES]


class Cluster(CliTest):
    def setUp(self):
        super().setUp()
        self.write("x.csv", as_csv(clouds(30), header="a,b"))
        self.write("new.csv", as_csv(clouds(5, 1), header="a,b"))
        self.fit = ("cluster", "x.csv", "--n-clusters", "3", "-q")

    def labels(self, *words):
        header, rows = table(self.succeed(*words, "-o", "-"))
        self.assertEqual(header[-1], "cluster")
        return [row[-1] for row in rows]

    def test_parts_that_are_the_clusters_are_no_warning(self):
        done = self.run_here("cluster", "x.csv", "--n-clusters", "3", "-k", "5", "-o", "kinds.csv")
        self.assertEqual((done.returncode, b"graph-disconnected" in done.stderr), (0, False), done.stderr)

    def test_labels(self):
        for laplacian in ("unnormalized", "random_walk", "symmetric"):
            self.assertEqual(self.labels(*self.fit, "--laplacian", laplacian), ["0", "1", "2"] * 30)

    def test_ways_out(self):
        expected = self.succeed(*self.fit, "-o", "-")
        self.assertEqual(self.succeed(*self.fit, "-o", "l.csv"), b"")
        self.assertEqual(self.read("l.csv"), expected)
        self.assertEqual(self.succeed(*self.fit, "-o", "l.npy"), b"")
        self.assertEqual(self.read("l.npy"), as_npy([[i % 3] for i in range(90)]))
        for threads in ("1", "2", "3", "8"):
            self.assertEqual(self.succeed(*self.fit, "-o", "-", "-j", threads), expected)

    def test_names_of_rows_and_given_labels(self):
        lines = ["name,a,b,kind"] + [f"r{i},{x!r},{y!r},k{i % 3}" for i, (x, y) in enumerate(clouds(30))]
        self.write("named.csv", ("\n".join(lines) + "\n").encode())
        header, rows = table(self.succeed("cluster", "named.csv", "--n-clusters", "3", "--label-column", "kind", "-q",
                                          "-o", "-"))
        self.assertEqual(header, ["name", "cluster", "kind"])
        self.assertEqual(rows[4], ["r4", "1", "k1"])

    def test_what_people_see(self):
        lines = self.succeed(*self.fit).decode().splitlines()
        facts = {line.split()[0]: line.split(None, 1)[1] for line in lines if not line.startswith("   ")}
        self.assertEqual(facts["points"], "90")
        self.assertEqual(facts["clusters"], "3, of 30, 30, 30 points")
        self.assertTrue(facts["suggested"].startswith("3, by "))
        self.assertTrue(facts["conductance"].startswith("0, 0, 0: "))
        self.assertLessEqual(max(map(len, lines)), 80)

    def test_report(self):
        report = object_in(self.succeed(*self.fit, "--json"))
        self.assertEqual((report["command"], report["method"]), ("cluster", "spectral_clustering"))
        self.assertEqual(report["clusters"], {"n_clusters": 3, "sizes": [30, 30, 30]})
        self.assertEqual(report["params"]["n_components"], 3)
        self.assertEqual(len(report["spectrum"]["values"]), 8)
        self.assertEqual(report["diagnostics"]["suggested_clusters"], 3)
        self.assertEqual(report["diagnostics"]["conductance"], [0, 0, 0])
        self.assertEqual(report["diagnostics"]["centers"], {"shape": [3, 3]})
        self.assertEqual([warning["code"] for warning in report["warnings"]], [])

    def test_saved_model(self):
        labels = self.labels(*self.fit, "--save", "m.unroll")
        self.assertEqual(self.labels("cluster", "x.csv", "--model", "m.unroll"), labels)
        self.assertEqual(self.labels("cluster", "new.csv", "--model", "m.unroll"), ["0", "1", "2"] * 5)
        self.assertIn(b"3, of 5, 5, 5 points", self.succeed("cluster", "new.csv", "--model", "m.unroll"))
        report = object_in(self.succeed("cluster", "new.csv", "--model", "m.unroll", "--json"))
        self.assertEqual((report["model"], report["clusters"]["sizes"]), ("m.unroll", [5, 5, 5]))
        header, rows = table(self.succeed("transform", "m.unroll", "new.csv"))
        self.assertEqual((header[0], len(header), len(rows)), ("spectral_clustering0", 3, 15))

    def test_given_weights_and_distances(self):
        rows = clouds(8)
        gap = [[abs(a[0] - b[0]) + abs(a[1] - b[1]) for b in rows] for a in rows]
        self.write("d.npy", as_npy(gap))
        self.write("w.npy", as_npy([[0 if i == j else 2 ** -d for j, d in enumerate(line)] for i, line in
                                    enumerate(gap)]))
        entries = [(i + 1, j + 1, 1.0) for i in range(24) for j in range(i) if i % 3 == j % 3]
        self.write("w.mtx", ("%%MatrixMarket matrix coordinate real symmetric\n" + f"24 24 {len(entries)}\n" +
                             "".join(f"{i} {j} {w}\n" for i, j, w in entries)).encode())
        for words in (("d.npy", "--metric", "precomputed", "-k", "5"), ("w.npy", "--weights", "precomputed"),
                      ("w.mtx", "--weights", "precomputed")):
            self.assertEqual(self.labels("cluster", *words, "--n-clusters", "3", "-q"), ["0", "1", "2"] * 8, words)

    def test_methods_tell_of_it(self):
        listed = object_in(self.succeed("methods", "--json"))
        self.assertEqual([entry["name"] for entry in listed["methods"] if entry["kind"] == "clusters"],
                         ["spectral_clustering"])
        self.assertIn(b"--n-clusters", self.succeed("methods", "spectral-clustering"))
        self.assertIn(b"--laplacian", self.succeed("cluster", "--help"))
        self.assertIn(b"n-clusters", self.succeed("__complete", "cluster", "--n-cl"))

    def test_errors(self):
        self.expect_error(2, "--n-clusters 91 must be at most the number of points, 90", "cluster", "x.csv",
                          "--n-clusters", "91")
        self.expect_error(2, "--n-clusters 0 must be", "cluster", "x.csv", "--n-clusters", "0")
        self.expect_error(2, "--laplacian plain must be one of", "cluster", "x.csv", "--laplacian", "plain")
        self.expect_error(2, "-o and --save both name 'm.npy'", *self.fit, "-o", "m.npy", "--save", "m.npy")
        self.expect_error(2, "use 'unroll cluster'", "embed", "x.csv", "-m", "spectral_clustering")
        self.succeed("embed", "x.csv", "-m", "pca", "--save", "pca.unroll", "-o", "y.csv")
        self.expect_error(3, "pca.unroll, of pca, has no clusters; use a model of", "cluster", "new.csv", "--model", "pca.unroll")
        self.expect_error(2, "cluster: --n-clusters is for a fit", "cluster", "new.csv", "--model", "pca.unroll",
                          "--n-clusters", "3")
        self.write("zero.npy", as_npy([[0] * 5] * 5))
        self.expect_error(3, "all weights between different points are zero", "cluster", "zero.npy", "--weights",
                          "precomputed", "--n-clusters", "2")


if __name__ == "__main__":
    unittest.main()
