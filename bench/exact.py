"""The true neighbours of a sample of the points: the judge of every neighbour search, and none of the contenders."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from data import kept

SAMPLE = 2000
SPARE = 32  # candidates beyond k that are measured again without cancellation
BLOCK = 1 << 26  # distances held at once


@dataclass(frozen=True)
class Reference:
    """Distances to the k nearest others, ascending, of these rows."""
    rows: np.ndarray
    distances: np.ndarray

    @staticmethod
    def load(path: Path) -> Reference:
        with np.load(path) as file:
            return Reference(file["rows"], file["distances"])


def sample(n: int, size: int = SAMPLE) -> np.ndarray:
    return np.sort(np.random.default_rng(1).choice(n, min(n, size), replace=False))


def squared_distance_blocks(points: np.ndarray, rows: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yields (rows, their squared distances to all points), in double precision, from |x|^2 - 2 x.y + |y|^2; those to
    themselves are infinite."""
    centered = points - points.mean(axis=0, dtype=np.float64)
    norms = np.einsum("ij,ij->i", centered, centered)
    step = max(1, BLOCK // len(points))
    for start in range(0, len(rows), step):
        block = rows[start : start + step]
        squared = centered[block] @ centered.T
        squared *= -2
        squared += norms
        squared += norms[block, None]
        squared[np.arange(len(block)), block] = np.inf
        yield block, squared


def distances_to(points: np.ndarray, rows: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Distances from points[rows[i]] to points[others[i, j]], from the differences, in double precision."""
    result = np.empty(others.shape)
    for i, (row, other) in enumerate(zip(rows, others, strict=True)):
        result[i] = np.linalg.norm(points[other].astype(np.float64) - points[row], axis=1)
    return result


def true_neighbors(points: np.ndarray, k: int) -> Reference:
    rows, found = sample(len(points)), []
    count = min(k + SPARE, len(points) - 1)
    for block, squared in squared_distance_blocks(points, rows):
        nearest = np.argpartition(squared, count - 1, axis=1)[:, :count]
        found.append(np.sort(distances_to(points, block, nearest), axis=1)[:, :k])
    return Reference(rows, np.vstack(found))


def reference_file(data_file: Path, k: int) -> Path:
    """The true neighbours in this file of points, kept beside it."""
    def write(path: Path) -> None:
        reference = true_neighbors(np.load(data_file), k)
        np.savez(path, rows=reference.rows, distances=reference.distances)
    return kept(data_file.with_suffix(f".k{k}.npz"), write)


def recall(points: np.ndarray, reference: Reference, indices: np.ndarray) -> float:
    """The share of the k nearest that were found. What is as near as the k-th true one counts: ties have no order.

    The distances are measured here; a contender's own are not believed. A point is not its own neighbour, and one that
    is listed twice counts once.
    """
    found = np.sort(indices[reference.rows], axis=1)
    fresh = found >= 0  # faiss says -1 for "none"
    fresh[:, 1:] &= found[:, 1:] != found[:, :-1]
    fresh &= found != reference.rows[:, None]
    limit = reference.distances[:, -1:] * (1 + 1e-9)
    return float(((distances_to(points, reference.rows, found) <= limit) & fresh).mean())


def distance_error(reference: Reference, distances: np.ndarray) -> float:
    """The largest relative error of the distances that were told (absolute where the true one is 0)."""
    told = np.sort(distances[reference.rows], axis=1)
    scale = np.where(reference.distances > 0, reference.distances, 1)
    return float((np.abs(told - reference.distances) / scale).max())
