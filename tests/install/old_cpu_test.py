"""The portable build runs on CPUs without AVX, chooses its kernels by the CPU, and gives the same answer with each.

Usage: old_cpu_test.py COMMAND     COMMAND: the built `unroll`
Exit code 77 says "skipped": there is no emulator.
"""
import os
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

COMMAND = ""
EMULATOR = shutil.which("qemu-x86_64")
KERNELS_BY_CPU = {"Nehalem": "x86-64-v2", "Haswell-noTSX": "x86-64-v3"}


def run(cpu, *arguments):
    """What the command prints on that CPU; on this one, without the emulator, when `cpu` is None."""
    emulator = [EMULATOR, "-cpu", cpu] if cpu else []
    return subprocess.run([*emulator, COMMAND, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout


class OldCpu(unittest.TestCase):
    def test_kernels_are_chosen_by_the_cpu(self):
        for cpu, kernels in KERNELS_BY_CPU.items():
            self.assertIn(kernels, run(cpu, "version"))

    def test_answers_agree(self):
        numbers = random.Random(0)
        rows = [[numbers.gauss(0, 1 + j) for j in range(7)] for _ in range(200)]
        with tempfile.TemporaryDirectory() as folder:
            points = os.path.join(folder, "points.csv")
            with open(points, "w", encoding="ascii") as file:
                file.writelines(",".join(map(repr, row)) + "\n" for row in rows)
            maps = [run(cpu, "embed", points, "-m", "pca", "-d", "3") for cpu in (None, *KERNELS_BY_CPU)]
        expected, *others = [[float(number) for line in text.splitlines()[1:] for number in line.split(",")]
                             for text in maps]
        self.assertEqual(len(expected), 200 * 3)
        for other in others:
            self.assertEqual(len(other), len(expected))
            self.assertLess(max(abs(a - b) for a, b in zip(expected, other)), 1e-9)


if __name__ == "__main__":
    COMMAND = sys.argv.pop(1)
    if EMULATOR is None:
        print("skipped: there is no qemu-x86_64; on Debian: apt-get install qemu-user")
        sys.exit(77)
    unittest.main()
