#!/usr/bin/python3
"""How fast a table of text is read, on one core: bench/csv.py [--unroll build/release/bin/unroll]

1 000 000 x 10 numbers, once with all 17 digits and once with 6; the time is `timings_s.read` of --json, best of 3.
"""
import argparse
import json
import os
import subprocess
import tempfile

import numpy as np


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    parser.add_argument("--unroll", default=os.path.join(root, "build/release/bin/unroll"))
    arguments = parser.parse_args()
    points = np.random.default_rng(0).normal(size=(1_000_000, 10))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "points.csv")
        for digits in (17, 6):
            np.savetxt(path, points, delimiter=",", fmt=f"%.{digits}g")
            size = os.path.getsize(path) / 1e6
            seconds = min(json.loads(subprocess.run(
                [arguments.unroll, "embed", path, "-m", "pca", "-j", "1", "--json"], check=True,
                capture_output=True).stdout)["timings_s"]["read"] for _ in range(3))
            print(f"{digits} digits: {size:.0f} MB in {seconds:.2f} s, {size / seconds:.0f} MB/s")


if __name__ == "__main__":
    main()
