"""unroll-mpi embed: a map of some points, in which all others are placed."""
import unittest

from harness import as_npy, object_in, points
from mpi_harness import MpiTest, without_mpirun


class EmbedTest(MpiTest):
    def setUp(self):
        super().setUp()
        self.succeed("datasets", "make", "swiss-roll", "-n", "3001", "-o", "roll.npy")

    def test_bytes_and_error_are_those_of_one_process(self):
        """These methods have the landmarks' graph in `unroll`, too."""
        for method, *words in (("laplacian_eigenmaps", "-k", "8"), ("diffusion_maps", "--landmarks", "kmeans"),
                               ("laplacian_eigenmaps", "--landmarks", "random", "--seed", "3")):
            given = ("embed", "roll.npy", "-m", method, "--n-landmarks", "300", *words)
            one = object_in(self.run_here(*given, "-o", "one.npy", "--json").stdout)
            for count in (1, 3):
                many = object_in(self.ranks(count, *given, "-o", "many.npy", "--json")[1])
                self.assertEqual(self.read("many.npy"), self.read("one.npy"), (method, count))
                self.assertEqual(many["landmarks"]["count"], 300)
                self.assertIn("landmark_error", str(one))
                self.assertEqual(many["landmarks"]["error"], one["diagnostics"]["landmark_error"])
                self.assertEqual(many["warnings"], one["warnings"])

    def test_map_is_that_of_the_landmarks(self):
        """For other methods too: transform with the saved model gives the same file, and it does not depend on ranks."""
        for method in ("isomap", "lle", "ltsa", "pca", "umap"):
            words = ("embed", "roll.npy", "-m", method, "--n-landmarks", "400", "-o", "many.npy", "-q")
            self.succeed_ranks(3, *words, "--save", "map.unroll")
            first = self.read("many.npy")
            self.succeed("transform", "map.unroll", "roll.npy", "-o", "one.npy", "-q")
            self.assertEqual(first, self.read("one.npy"), method)
            if method in ("isomap", "umap"):
                self.succeed_ranks(1, *words)
                self.assertEqual(first, self.read("many.npy"), method)

    def test_all_points_as_landmarks(self):
        self.write("few.npy", as_npy(points(61, 4)))
        self.succeed_ranks(4, "embed", "few.npy", "-m", "pca", "--n-landmarks", "61", "--landmarks", "random", "-o",
                           "many.npy", "-q")
        self.succeed("embed", "few.npy", "-m", "pca", "-o", "one.npy", "-q")
        self.assertEqual(self.read("many.npy"), self.read("one.npy"))

    def test_errors(self):
        self.assertIn("--n-landmarks is missing", self.fail_ranks(2, 2, "embed", "roll.npy", "-m", "isomap", "-o", "x.npy"))
        self.assertIn("did you mean", self.fail_ranks(2, 2, "embed", "roll.npy", "-m", "isomop", "-o", "x.npy"))
        rows = points(200, 3)
        rows[150][2] = float("nan")
        self.write("bad.npy", as_npy(rows))
        words = ("embed", "bad.npy", "-m", "laplacian_eigenmaps", "-o", "x.npy", "--n-landmarks")
        self.assertIn("row 151", self.fail_ranks(3, 3, *words, "20", "--landmarks", "random", "-q"))
        alone = self.run_here(*words[:1], "roll.npy", *words[2:], "4000")
        said = self.fail_ranks(3, alone.returncode, words[0], "roll.npy", *words[2:], "4000")
        self.assertEqual(said.splitlines()[0], alone.stderr.decode().splitlines()[0])

    def test_strict_writes_nothing(self):
        words = ("embed", "roll.npy", "-m", "isomap", "--n-landmarks", "12", "-k", "5", "-o", "x.npy", "--strict")
        self.assertIn("few-landmarks", self.fail_ranks(2, 3, *words))


if __name__ == "__main__":
    unittest.main()
