"""Files as NumPy and SciPy write them, through the command: the same bytes as of the .npy file of the same matrix."""
import os
import subprocess
import tempfile
import unittest

import numpy as np
import scipy.io
import scipy.sparse

UNROLL = os.environ["UNROLL"]


class Readers(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        random = np.random.default_rng(1)
        self.table = random.normal(size=(30, 7))
        self.sparse = scipy.sparse.random(40, 9, density=0.3, random_state=2, format="csr")
        self.square = scipy.sparse.random(25, 25, density=0.2, random_state=3, format="csr")

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def scores(self, name, stdin=None):
        """The bytes of the first two principal components."""
        subprocess.run([UNROLL, "embed", name, "-m", "pca", "-d", "2", "-o", self.path("y.npy")], check=True,
                       capture_output=True, stdin=stdin)
        with open(self.path("y.npy"), "rb") as file:
            return file.read()

    def compare(self, name, matrix):
        """The file of that name, also from a pipe and gzipped, with the matrix it should hold."""
        np.save(self.path("same.npy"), matrix)
        expected = self.scores(self.path("same.npy"))
        self.assertEqual(self.scores(self.path(name)), expected)
        with subprocess.Popen(["cat", self.path(name)], stdout=subprocess.PIPE) as cat:
            self.assertEqual(self.scores("-", stdin=cat.stdout), expected)
        if not name.endswith(".gz"):
            subprocess.run(["gzip", "-k", self.path(name)], check=True)
            self.assertEqual(self.scores(self.path(name + ".gz")), expected)

    def test_npz(self):
        for write in (np.savez, np.savez_compressed):
            for kind in ("f8", "f4", "f2", ">f8", "i8", "i4", "u1", "?"):
                with self.subTest(write=write.__name__, kind=kind):
                    table = (self.table * 3).astype("i8").astype(kind) if kind in ("i8", "i4", "u1") else \
                        self.table.astype(kind)
                    name = f"{write.__name__}-{np.dtype(kind).num}-{kind[0] == '>'}.npz"
                    write(self.path(name), labels=np.arange(30), X=np.asfortranarray(table))
                    self.compare(name, table)

    def test_one_array(self):
        np.savez(self.path("x.npz"), self.table)
        self.compare("x.npz", self.table)

    def test_sparse_npz(self):
        for kind in ("csr", "csc", "coo"):
            for compressed in (False, True):
                for indices in (np.int32, np.int64):
                    with self.subTest(kind=kind, compressed=compressed, indices=indices.__name__):
                        matrix = self.sparse.asformat(kind)
                        for part in ("indices", "indptr", "row", "col"):
                            if hasattr(matrix, part):
                                setattr(matrix, part, getattr(matrix, part).astype(indices))
                        name = f"{kind}-{compressed}-{indices.__name__}.npz"
                        scipy.sparse.save_npz(self.path(name), matrix, compressed=compressed)
                        self.compare(name, self.sparse.toarray())

    def test_duplicates_are_summed(self):
        random = np.random.default_rng(4)
        row, col = random.integers(0, 12, 200), random.integers(0, 5, 200)
        matrix = scipy.sparse.coo_matrix((random.integers(-8, 8, 200).astype(float), (row, col)), shape=(12, 5))
        scipy.sparse.save_npz(self.path("coo.npz"), matrix)
        self.compare("coo.npz", matrix.toarray())
        scipy.io.mmwrite(self.path("coo.mtx"), matrix)
        self.compare("coo.mtx", matrix.toarray())

    def test_matrix_market(self):
        symmetric = self.square + self.square.T
        skew = self.square - self.square.T
        for name, matrix, options in (
                ("dense", self.table, {}), ("sparse", self.sparse, {}), ("symmetric", symmetric, {}),
                ("skew", skew, {"symmetry": "skew-symmetric"}), ("dense-symmetric", symmetric.toarray(), {}),
                ("dense-skew", skew.toarray(), {}), ("integer", (self.table * 100).astype(int), {}),
                ("sparse-integer", (self.sparse * 100).astype(int), {}), ("comment", self.sparse, {"comment": "a\nb"}),
                ("pattern", self.sparse, {"field": "pattern"})):
            with self.subTest(name=name):
                scipy.io.mmwrite(self.path(name + ".mtx"), matrix, precision=17, **options)
                dense = matrix.toarray() if scipy.sparse.issparse(matrix) else matrix
                self.compare(name + ".mtx", (dense != 0).astype(float) if name == "pattern" else dense)

    def test_other_sparse_formats_are_refused_by_name(self):
        for kind in ("bsr", "dia"):
            scipy.sparse.save_npz(self.path("x.npz"), self.square.asformat(kind))
            answer = subprocess.run([UNROLL, "embed", self.path("x.npz"), "-m", "pca"], capture_output=True, text=True)
            self.assertNotEqual(answer.returncode, 0)
            self.assertIn(f"format '{kind}' are not supported", answer.stderr)


if __name__ == "__main__":
    unittest.main()
