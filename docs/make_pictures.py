#!/usr/bin/python3
"""Draws the pictures of the documentation with the unroll command: docs/make_pictures.py [UNROLL]

Needs python3-numpy and python3-matplotlib.
"""
import os
import subprocess
import sys
import tempfile

import matplotlib
import numpy as np

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
UNROLL = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "build/release/bin/unroll")
DIGITS = os.path.join(ROOT, "data/digits.csv.gz")


def unroll(*words):
    subprocess.run([UNROLL, *words], check=True)


def read(path):
    return np.genfromtxt(path, delimiter=",", names=True)


def overview(folder):
    """The Swiss roll in space and the digits, each beside what PCA makes of it."""
    def path(name):
        return os.path.join(folder, name)

    unroll("datasets", "make", "swiss_roll", "-n", "2000", "-o", path("roll.npy"), "--truth", path("truth.csv"))
    unroll("embed", path("roll.npy"), "-m", "pca", "-o", path("roll.csv"))
    unroll("embed", DIGITS, "-m", "pca", "--label-column", "digit", "-o", path("digits.csv"))
    roll, sheet = np.load(path("roll.npy")), read(path("truth.csv"))
    arc = sheet[sheet.dtype.names[0]]
    seen, digits = read(path("roll.csv")), read(path("digits.csv"))
    pixels = np.genfromtxt(DIGITS, delimiter=",", skip_header=1)[:, :64]

    figure = pyplot.figure(figsize=(13, 3.4), dpi=110)
    axes = figure.add_subplot(1, 4, 1, projection="3d")
    axes.scatter(*roll.T, c=arc, s=3, cmap="turbo")
    axes.view_init(8, -75)
    axes.set_title("Swiss roll, 3-D", fontsize=10)
    axes.set_xticks([]), axes.set_yticks([]), axes.set_zticks([])

    axes = figure.add_subplot(1, 4, 2)
    axes.scatter(seen["pca0"], seen["pca1"], c=arc, s=3, cmap="turbo")
    axes.set_title("pca: seen from the side", fontsize=10)

    axes = figure.add_subplot(1, 4, 3)
    framed = np.pad(pixels[:64].reshape(8, 8, 8, 8), ((0, 0), (0, 0), (1, 1), (1, 1)))
    tiles = framed.transpose(0, 2, 1, 3).reshape(80, 80)
    axes.imshow(tiles, cmap="gray_r")
    axes.set_title("handwritten digits, 64-D", fontsize=10)

    axes = figure.add_subplot(1, 4, 4)
    points = axes.scatter(digits["pca0"], digits["pca1"], c=digits["label"], s=4, cmap="tab10")
    axes.legend(*points.legend_elements(), fontsize=6, loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
    axes.set_title("pca, colored by the digit", fontsize=10)
    for axes in figure.axes[1:]:
        axes.set_xticks([])
        axes.set_yticks([])
    figure.tight_layout()
    figure.savefig(os.path.join(ROOT, "docs/images/overview.png"))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        overview(scratch)
