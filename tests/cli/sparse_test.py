"""--sparse features: features of an .mtx or .npz file that stay sparse."""
import unittest
from random import Random

from harness import CliTest, as_csv, table


def counts(n, seed=0):
    """Whole numbers along a curve, most of them 0."""
    random = Random(seed)
    places = [random.uniform(0, 10) for _ in range(n)]
    return [[int(max(0, 30 - 3 * (place - j)**2) + random.random()) for j in range(12)] for place in places]


def as_mtx(rows):
    entries = [f"{i + 1} {j + 1} {value}" for i, row in enumerate(rows) for j, value in enumerate(row) if value]
    return "\n".join(["%%MatrixMarket matrix coordinate real general", f"{len(rows)} {len(rows[0])} {len(entries)}",
                      *entries, ""]).encode()


class Sparse(CliTest):
    def setUp(self):
        super().setUp()
        self.write("x.mtx", as_mtx(counts(40)))
        self.write("x.csv", as_csv(counts(40)))
        self.write("new.mtx", as_mtx(counts(6, 1)))
        self.write("new.csv", as_csv(counts(6, 1)))

    def numbers(self, text):
        return [[float(x) for x in row] for row in table(text)[1]]

    def assert_close(self, actual, expected, delta=1e-6):
        for a, b in zip(actual, expected, strict=True):
            for x, y in zip(a, b, strict=True):
                self.assertAlmostEqual(x, y, delta=delta)

    def test_the_map_is_that_of_dense_features(self):
        for method, *options in (("pca",), ("isomap", "-k", "6"), ("kernel_pca", "--kernel", "cosine"), ("lle", "-k", "6")):
            dense = self.succeed("embed", "x.csv", "-m", method, *options, "--save", "d.unroll")
            sparse = self.succeed("embed", "x.mtx", "--sparse", "features", "-m", method, *options, "--save", "s.unroll")
            self.assert_close(self.numbers(sparse), self.numbers(dense))
            placed = self.numbers(self.succeed("transform", "d.unroll", "new.csv"))
            for model in ("d.unroll", "s.unroll"):
                self.assert_close(self.numbers(self.succeed("transform", model, "new.csv")), placed)
                self.assert_close(
                    self.numbers(self.succeed("transform", model, "new.mtx", "--sparse", "features")), placed)

    def test_pca_before_another_method(self):
        dense = self.succeed("embed", "x.csv", "-m", "mds", "--pca", "4", "--save", "m.unroll")
        sparse = self.succeed("embed", "x.mtx", "--sparse", "features", "-m", "mds", "--pca", "4")
        self.assert_close(self.numbers(sparse), self.numbers(dense))
        self.assert_close(self.numbers(self.succeed("transform", "m.unroll", "x.csv")), self.numbers(dense))

    def test_neighbors_and_clusters(self):
        self.succeed("neighbors", "x.csv", "-k", "5", "-o", "d.csv")
        self.succeed("neighbors", "x.mtx", "--sparse", "features", "-k", "5", "-o", "s.csv")
        self.assertEqual(self.read("s.csv"), self.read("d.csv"))
        self.assertEqual(self.succeed("cluster", "x.mtx", "--sparse", "features", "-k", "3", "-q"),
                         self.succeed("cluster", "x.csv", "-k", "3", "-q"))

    def test_what_is_refused(self):
        for words, arguments in (
                ("'x.csv' is a dense table", ("embed", "x.csv", "--sparse", "features", "-m", "pca")),
                ("the input is sparse points", ("embed", "x.mtx", "--sparse", "features", "-m", "mds")),
                ("would fill in all zeros", ("embed", "x.mtx", "--sparse", "features", "-m", "pca", "--scale", "standardize")),
                ("precomputed says", ("embed", "x.mtx", "--sparse", "features", "-m", "isomap", "--metric", "precomputed")),
                ("not for compare", ("compare", "x.mtx", "--sparse", "features", "-m", "pca")),
                ("--pca 99 must be at most", ("embed", "x.csv", "-m", "mds", "--pca", "99"))):
            done = self.run_here(*arguments)
            self.assertNotEqual(done.returncode, 0, arguments)
            self.assertIn(words.encode(), done.stderr)


if __name__ == "__main__":
    unittest.main()
