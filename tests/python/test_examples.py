"""The programs of examples/python run, find what they promise, and draw the pictures that the documentation shows."""
import os
import re
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.environ["UNROLL_SOURCE_DIR"]
IMAGES = os.path.join(SOURCE, "docs", "images", "python")
# The least of the numbers that every program prints, in their order.
PROGRAMS = {
    "swiss_roll": [("PCA", 0.0, 0.9), ("Isomap", 0.98, 0.99), ("200 new points", 0.97)],
    "digits": [("pca", 55, 0.8), ("umap", 95, 0.97), ("new digits read", 90)],
    "labels": [("10 labels", 60, 60, 75, 80, 80, 70), ("50 labels", 80, 85, 85, 90, 90, 88), ("100 labels", 88, 90, 90, 94, 94, 94)],
    "cells": [("umap", 0.85), ("diffusion_maps", 0.85), ("time of a cell", 0.95)],
}


# Further arguments: labels.py makes 20 draws by itself, which test_examples_slow.py has.
SHORTER = {"labels": ["2"]}


class Programs(unittest.TestCase):
    def run_program(self, name, arguments=()):
        with tempfile.TemporaryDirectory() as folder:
            said = subprocess.run([sys.executable, os.path.join(SOURCE, "examples", "python", f"{name}.py"), folder,
                                   *arguments], check=True, capture_output=True, text=True).stdout
            drawn = {picture: open(os.path.join(folder, picture), encoding="utf-8").read()
                     for picture in sorted(os.listdir(folder))}
        for line, (start, *least) in zip(said.splitlines(), PROGRAMS[name], strict=True):
            self.assertTrue(line.startswith(start), line)
            numbers = [float(number) for number in re.findall(r"\d+\.\d+", line)]
            self.assertEqual(len(numbers), len(least), line)
            for number, bound in zip(numbers, least):
                self.assertGreaterEqual(number, bound, line)
        self.assertGreaterEqual(len(drawn), 2)
        for picture, svg in drawn.items():
            with open(os.path.join(IMAGES, picture), encoding="utf-8") as shown:
                self.assertEqual(svg.count("h0"), shown.read().count("h0"), picture)  # as many points
        shown = [picture for picture in os.listdir(IMAGES) if picture.startswith(f"{name}_")]
        self.assertEqual(sorted(shown), list(drawn))


class Examples(Programs):
    """One test per program, made below."""


for program in PROGRAMS:
    setattr(Examples, f"test_{program}", lambda self, name=program: self.run_program(name, SHORTER.get(name, ())))


if __name__ == "__main__":
    unittest.main()
