#!/usr/bin/python3
"""PCA of Fashion-MNIST (70 000 x 784, to 50 components): ours beside scikit-learn's, in turn, in one run.

Times are of the fit with the scores, data in memory (ours: `timings_s.fit` of --json; the whole command, with the
reading of the file and the writing of the result, is given too). Every explained variance is compared with that of
LAPACK's dsyevd on the covariance in double precision. Peers keep their threaded BLAS.

    apt-get install python3-sklearn libopenblas0-pthread dataset-fashion-mnist
    bench/pca.py [--unroll build/release/bin/unroll] [--repeats 5] [--json FILE]
"""
import argparse
import gzip
import json
import os
import platform
import subprocess
import tempfile
import time

import numpy as np
import sklearn
from sklearn.decomposition import PCA

FOLDER = "/usr/share/datasets/fashion-mnist"
COMPONENTS = 50


def images(name):
    with gzip.open(os.path.join(FOLDER, name)) as file:
        return np.frombuffer(file.read(), np.uint8, offset=16).reshape(-1, 784)


def ours(unroll, path, folder):
    """Seconds of the fit and of the whole command, and the variances."""
    started = time.perf_counter()
    answer = subprocess.run(
        [unroll, "embed", path, "-m", "pca", "-d", str(COMPONENTS), "-o", os.path.join(folder, "y.npy"), "--json"],
        check=True, capture_output=True)
    whole = time.perf_counter() - started
    report = json.loads(answer.stdout)
    return report["timings_s"]["fit"], whole, np.array(report["spectrum"]["values"]), report["peak_rss_mb"]


def theirs(points, solver):
    started = time.perf_counter()
    pca = PCA(COMPONENTS, svd_solver=solver, random_state=0)
    pca.fit_transform(points)
    return time.perf_counter() - started, pca.explained_variance_.astype(np.float64)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    parser.add_argument("--unroll", default=os.path.join(root, "build/release/bin/unroll"))
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", help="also write the figures to this file")
    arguments = parser.parse_args()

    pixels = np.vstack([images("train-images-idx3-ubyte.gz"), images("t10k-images-idx3-ubyte.gz")])
    centered = pixels - pixels.mean(axis=0, dtype=np.float64)
    exact = np.linalg.eigvalsh(centered.T @ centered / (len(pixels) - 1))[::-1][:COMPONENTS]
    del centered

    rows = {}

    def note(name, seconds, variances, whole=None, peak=None):
        row = rows.setdefault(name, {"seconds": [], "whole": [], "error": 0.0, "peak_mb": peak})
        row["seconds"].append(seconds)
        row["whole"].append(whole)
        row["error"] = float(np.abs(variances / exact - 1).max())

    # 8-bit values, and the same with noise added, which takes away every short cut that whole numbers allow.
    noisy = pixels + np.random.default_rng(0).normal(0, 1, pixels.shape)
    with tempfile.TemporaryDirectory() as folder:
        for kind, data in (("", pixels), (" + noise", noisy)):
            if kind:
                centered = data - data.mean(axis=0)
                exact = np.linalg.eigvalsh(centered.T @ centered / (len(data) - 1))[::-1][:COMPONENTS]
                del centered
            for dtype in (np.float32, np.float64):
                points = data.astype(dtype)
                if kind and dtype is np.float32:  # rounding to float changes the data, and so the exact answer
                    wide = points.astype(np.float64)
                    wide -= wide.mean(axis=0)
                    exact = np.linalg.eigvalsh(wide.T @ wide / (len(wide) - 1))[::-1][:COMPONENTS]
                    del wide
                path = os.path.join(folder, "x.npy")
                np.save(path, points)
                for _ in range(arguments.repeats):
                    name = f"{np.dtype(dtype).name}{kind}"
                    fit, whole, variances, peak = ours(arguments.unroll, path, folder)
                    note(("unroll", name), fit, variances, whole, peak)
                    for solver in ("full", "randomized"):
                        note((f"scikit-learn {solver}", name), *theirs(points, solver))

    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, scikit-learn {sklearn.__version__}, "
          f"best of {arguments.repeats}\n")
    print("| data | system | fit, s | whole command, s | error of the variances | unroll is faster by |")
    print("|---|---|---|---|---|---|")
    for (system, name), row in rows.items():
        best = min(row["seconds"])
        whole = f"{min(row['whole']):.2f}" if row["whole"][0] is not None else ""
        ratio = "" if system == "unroll" else f"{best / min(rows[('unroll', name)]['seconds']):.1f}x"
        print(f"| {name} | {system} | {best:.2f} | {whole} | {row['error']:.0e} | {ratio} |")
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({f"{system}, {name}": row for (system, name), row in rows.items()}, file, indent=2)


if __name__ == "__main__":
    main()
