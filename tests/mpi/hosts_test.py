"""Ranks on hosts that do not share a folder: what one cannot do ends all, with its name."""
import os
import subprocess
import unittest

from harness import as_npy, points
from mpi_harness import BINARY, MPIEXEC, MpiTest


def can_mount():
    return subprocess.run(["unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True,
                          check=False).returncode == 0


@unittest.skipUnless(can_mount(), "a second host is a process with folders of its own, which takes the right to mount")
class HostsTest(MpiTest):
    """The second rank has an empty folder in place of one of the first."""

    def run_apart(self, folder, *words):
        hidden = ["unshare", "-m", "sh", "-c", 'mount -t tmpfs none "$0" && exec "$@"', folder]
        line = [*MPIEXEC, "-n", "1", BINARY, *words, ":", "-n", "1", *hidden, BINARY, *words]
        done = subprocess.run(line, cwd=self.folder, capture_output=True, stdin=subprocess.DEVNULL, check=False,
                              timeout=60)
        return done.returncode, done.stderr.decode()

    def setUp(self):
        super().setUp()
        for folder in ("in", "out"):
            os.mkdir(self.path(folder))
        self.write("in/x.npy", as_npy(points(50, 3)))
        self.succeed("embed", "in/x.npy", "-m", "pca", "--save", "pca.unroll", "-o", "y.npy")
        self.words = ("transform", "pca.unroll", "in/x.npy", "-o", "out/y.npy")

    def test_input_that_one_host_does_not_see(self):
        code, said = self.run_apart(self.path("in"), *self.words)
        self.assertEqual(code, 1)
        self.assertIn("cannot read 'in/x.npy': No such file or directory (rank 1 of 2", said)

    def test_output_folder_that_one_host_does_not_see(self):
        code, said = self.run_apart(self.path("out"), *self.words)
        self.assertEqual(code, 1)
        self.assertIn("does not see the folder", said)
        self.assertEqual(os.listdir(self.path("out")), [])

    def test_full_disk(self):
        """No room beforehand; and none while ranks write, on a file system that promises none (ext2)."""
        self.write("disk.img", bytes(1 << 20))
        self.write("many.npy", as_npy(points(120000, 3)))
        for make in ('mount -t tmpfs -o size=500k none "$0"', 'mkfs.ext2 -q disk.img && mount -o loop disk.img "$0"'):
            line = ["unshare", "-m", "sh", "-c", f'{make} && "$@"; code=$?; ls -A "$0"; exit $code', self.path("out"),
                    *MPIEXEC, "-n", "2", BINARY, "transform", "pca.unroll", "many.npy", "-o", "out/y.npy"]
            done = subprocess.run(line, cwd=self.folder, capture_output=True, stdin=subprocess.DEVNULL, check=False,
                                  timeout=60)
            if b"loop" in done.stderr or b"mkfs" in done.stderr:
                continue  # no such devices here
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn(b"cannot write 'out/y.npy': No space left on device", done.stderr)
            self.assertEqual(done.stdout.split(), [b"lost+found"] if "ext2" in make else [])


if __name__ == "__main__":
    unittest.main()
