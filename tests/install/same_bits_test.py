"""The result of `unroll embed` is the same, byte for byte, whatever the environment tells BLAS and OpenMP, and also when
the threaded OpenBLAS is in the process before ours.

Usage: same_bits_test.py COMMAND     COMMAND: the built `unroll`
"""
import array
import glob
import os
import random
import struct
import subprocess
import sys
import tempfile
import unittest

COMMAND = ""
# Large enough for a threaded BLAS to use its threads.
ROWS, COLS = 800, 300
THREADED_OPENBLAS = glob.glob("/usr/lib/*/openblas-pthread/libopenblas.so.0")
BLAS_VARIABLES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "GOTO_NUM_THREADS", "LD_PRELOAD", "LD_LIBRARY_PATH")


def write_npy(path, rows, cols):
    numbers = random.Random(0)
    values = array.array("d", (numbers.gauss(0, 1 + i % cols) for i in range(rows * cols)))
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({rows}, {cols}), }}"
    header += " " * (64 - (10 + len(header) + 1) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + values.tobytes())


class SameBits(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.points = os.path.join(cls.folder.name, "points.npy")
        write_npy(cls.points, ROWS, COLS)
        cls.expected = {solver: cls.embed(solver) for solver in ("covariance", "gram", "randomized")}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def embed(cls, solver, cores=None, arguments=(), **variables):
        """The bytes of the embedding in an environment with these variables only for BLAS."""
        environment = {name: value for name, value in os.environ.items() if name not in BLAS_VARIABLES}
        output = os.path.join(cls.folder.name, "map.npy")
        subprocess.run([COMMAND, "embed", cls.points, "-m", "pca", "-d", "5", "--solver", solver, "-o", output, *arguments],
                       env={**environment, **variables}, check=True, capture_output=True, text=True,
                       preexec_fn=cores and (lambda: os.sched_setaffinity(0, cores)))
        with open(output, "rb") as file:
            return file.read()

    def check(self, **how):
        for solver, expected in self.expected.items():
            with self.subTest(solver=solver, **how):
                self.assertEqual(expected, self.embed(solver, **how))

    def test_runs_are_repeatable(self):
        self.check()

    def test_threads_of_ours(self):
        for threads in ("1", "2", "3", "8"):
            self.check(arguments=("--threads", threads))

    def test_one_core(self):
        self.check(cores={min(os.sched_getaffinity(0))})

    def test_threads_of_blas_and_openmp(self):
        for threads in ("1", "2", "64"):
            self.check(OPENBLAS_NUM_THREADS=threads)
            self.check(OMP_NUM_THREADS=threads)

    @unittest.skipUnless(THREADED_OPENBLAS, "the package libopenblas0-pthread is not installed")
    def test_threaded_openblas_loaded_first(self):
        for threads in ("1", "2", "8"):
            self.check(LD_PRELOAD=THREADED_OPENBLAS[0], OPENBLAS_NUM_THREADS=threads)


if __name__ == "__main__":
    COMMAND = sys.argv.pop(1)
    unittest.main()
