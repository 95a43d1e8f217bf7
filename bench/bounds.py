#!/usr/bin/python3
"""Optimised maps beside what the machine allows: bench/bounds.py [--unroll FILE] [--threads N] [--repeat N]

Metric MDS reads all distances once per iteration, so no iteration is shorter than this reading. An epoch of the
autoencoder is matrix products, so none is shorter than these. Both bounds are measured here, in turn with the fits; the best
of each counts. Distances are of points with few features: they are computed before, in a time that must not blur that of
the iterations. Needs the images of Fashion-MNIST, as bench/run has them.
"""
from __future__ import annotations

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # the threads are those below, as in the library; before NumPy is loaded

import argparse
import json
import subprocess
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from data import ROOT, Data

POINTS, BLOCK = 10_000, 128  # distances are kept in squares of BLOCK points, in float
LAYERS = (784, 500, 250, 2)
BATCH = 100
TRAINED = POINTS - POINTS // 10  # the others are held out


def fit_seconds(unroll: Path, table: Path, *words: str) -> float:
    with tempfile.TemporaryDirectory() as folder:
        answer = subprocess.run([unroll, "embed", table, *words, "--json", "-q", "-o", Path(folder, "map.npy")], check=True,
                                capture_output=True, text=True)
    return float(json.loads(answer.stdout)["timings_s"]["fit"])


def on_threads(threads: int, work: Callable[[int], None]) -> float:
    """Seconds until all are done."""
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(work, range(threads)))  # the first time pages are touched
        start = time.perf_counter()
        list(pool.map(work, range(threads)))
        return time.perf_counter() - start


def read_seconds(threads: int) -> float:
    """To read as many floats as the kept distances are, by BLAS's inner product with a row that stays in the cache."""
    blocks = -(-POINTS // BLOCK)
    count = blocks * (blocks + 1) // 2 * BLOCK ** 2
    row = np.ones(4096, np.float32)
    parts = [np.ones((count // threads // row.size, row.size), np.float32) for _ in range(threads)]
    return on_threads(threads, lambda k: parts[k] @ row)


def products_of(layers: tuple[int, ...]) -> list[tuple[int, int, int]]:
    """(m, k, n) of the products of a batch there and back: outputs, slopes of weights, and slopes of inputs but for the
    first layer's."""
    pairs = list(zip(layers, layers[1:], strict=False))
    pairs += [(b, a) for a, b in reversed(pairs)]
    result = []
    for i, (a, b) in enumerate(pairs):
        result += [(BATCH, a, b), (a, BATCH, b)] + ([(BATCH, b, a)] if i else [])
    return result


def epoch_flops() -> float:
    weights = 2 * sum(a * b for a, b in zip(LAYERS, LAYERS[1:], strict=False))
    return TRAINED / BATCH * sum(2 * m * k * n for m, k, n in products_of(LAYERS)) + 2 * (POINTS - TRAINED) * weights


def product_rate(threads: int, shapes: list[tuple[int, int, int]]) -> float:
    """Operations per second of these products, every thread its part of the columns."""
    def part(n: int, k: int) -> int:
        return n * (k + 1) // threads - n * k // threads
    work = [[(np.ones((m, inner), np.float32), np.ones((inner, part(n, k)), np.float32),
              np.empty((m, part(n, k)), np.float32)) for m, inner, n in shapes if part(n, k)] for k in range(threads)]

    def multiply(k: int) -> None:
        for _ in range(20):
            for a, b, c in work[k]:
                np.matmul(a, b, out=c)
    return 20 * sum(2 * m * inner * n for m, inner, n in shapes) / on_threads(threads, multiply)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--unroll", type=Path, default=ROOT / "build/release/bin/unroll")
    parser.add_argument("--data", type=Path, default=ROOT / "build/bench-data", help="where made data are kept")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=3)
    told = parser.parse_args()
    told.data.mkdir(parents=True, exist_ok=True)
    images = Data("Fashion-MNIST", POINTS, "float32").file(told.data, told.unroll.parent)
    points = Data("normal", POINTS).file(told.data, told.unroll.parent)
    with tempfile.TemporaryDirectory(dir=told.data) as folder:
        unit = Path(folder, "unit.npy")  # from 0 to 1, as the network wants them
        np.save(unit, np.load(images) / np.float32(255))
        mds = ("-m", "metric_mds", "--tol", "0", "-j", str(told.threads), "--n-iter")
        network = ("-m", "autoencoder", "--layers", ",".join(map(str, LAYERS[1:-1])), "--pretrain-epochs", "0", "-j",
                   str(told.threads), "--epochs")
        times = []
        for _ in range(told.repeat):
            times.append((fit_seconds(told.unroll, points, *mds, "10"), fit_seconds(told.unroll, points, *mds, "110"),
                          read_seconds(told.threads), fit_seconds(told.unroll, unit, *network, "1"),
                          fit_seconds(told.unroll, unit, *network, "6"),
                          epoch_flops() / product_rate(told.threads, products_of(LAYERS)),
                          epoch_flops() / product_rate(told.threads, [(1024, 1024, 1024)])))
    few, many, reading, one, six, batches, large = (min(column) for column in zip(*times, strict=True))
    iteration, epoch = (many - few) / 100, (six - one) / 5
    print(f"metric MDS, {POINTS} points: {1e3 * iteration:.1f} ms per iteration; to read the distances "
          f"{1e3 * reading:.1f} ms: {iteration / reading:.2f} times the bound")
    print(f"autoencoder, {POINTS} images, {'-'.join(map(str, LAYERS))}, batches of {BATCH}: {epoch:.3f} s per epoch")
    print(f"  its products alone {batches:.3f} s: {epoch / batches:.2f} times the bound")
    print(f"  at the rate of large products, {epoch_flops() / large / 1e9:.0f} GFlop/s, {large:.3f} s: "
          f"{epoch / large:.2f} times")


if __name__ == "__main__":
    main()
