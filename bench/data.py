"""The data of the benchmarks: made once from fixed seeds, kept as files in a cache folder."""
from __future__ import annotations

import gzip
import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
FASHION = Path("/usr/share/datasets/fashion-mnist")


class Unavailable(Exception):
    """Data that is not on this machine."""


def fashion(n: int) -> np.ndarray:
    """Fashion-MNIST: 60 000 training images, then 10 000 test images, of 784 pixels from 0 to 255."""
    parts = []
    for name in ("train-images-idx3-ubyte.gz", "t10k-images-idx3-ubyte.gz"):
        if not (FASHION / name).exists():
            raise Unavailable("Fashion-MNIST is not installed (package dataset-fashion-mnist)")
        with gzip.open(FASHION / name) as file:
            parts.append(np.frombuffer(file.read(), np.uint8, offset=16).reshape(-1, 784))
    return np.vstack(parts)[:n]


def fashion_labels(n: int) -> np.ndarray:
    parts = []
    for name in ("train-labels-idx1-ubyte.gz", "t10k-labels-idx1-ubyte.gz"):
        with gzip.open(FASHION / name) as file:
            parts.append(np.frombuffer(file.read(), np.uint8, offset=8))
    return np.concatenate(parts)[:n]


def fashion_noise(n: int) -> np.ndarray:
    """The same plus normal noise of deviation 1: no short cuts for whole numbers, and no two distances are equal."""
    pixels = fashion(n)
    return pixels + np.random.default_rng(0).normal(0, 1, pixels.shape)


def digits(n: int) -> np.ndarray:
    """The 1797 handwritten digits of 8 x 8 pixels that come with us."""
    return np.loadtxt(ROOT / "data/digits.csv.gz", delimiter=",", skiprows=1)[:n, :64]


def digits_labels(n: int) -> np.ndarray:
    return np.loadtxt(ROOT / "data/digits.csv.gz", delimiter=",", skiprows=1)[:n, 64].astype(int)


def digits_noise(n: int) -> np.ndarray:
    """The same plus normal noise of deviation 0.1."""
    pixels = digits(n)
    return pixels + np.random.default_rng(0).normal(0, 0.1, pixels.shape)


def iris_noise(n: int) -> np.ndarray:
    """Fisher's 150 irises plus normal noise of deviation 0.01: no two are equal, which some peers refuse."""
    from sklearn.datasets import load_iris
    flowers = load_iris().data[:n]
    return flowers + np.random.default_rng(0).normal(0, 0.01, flowers.shape)


def swiss_roll(n: int) -> np.ndarray:
    """(t cos t, h, t sin t) with t uniform on [3 pi/2, 9 pi/2] and h on [0, 21]."""
    t, h = np.random.default_rng(0).uniform(size=(2, n))
    t, h = 1.5 * np.pi * (1 + 2 * t), 21 * h
    return np.column_stack([t * np.cos(t), h, t * np.sin(t)])


def moons(n: int) -> np.ndarray:
    """Two half circles that reach into each other, with noise of deviation 0.08; points take turns."""
    random = np.random.default_rng(0)
    t, turn = random.uniform(0, np.pi, n), moons_labels(n)
    x, y = np.where(turn, 1 - np.cos(t), np.cos(t)), np.where(turn, 0.5 - np.sin(t), np.sin(t))
    return np.column_stack([x, y]) + random.normal(0, 0.08, (n, 2))


def moons_labels(n: int) -> np.ndarray:
    return np.arange(n) % 2


def torus(n: int) -> np.ndarray:
    """The flat torus in 4 dimensions, sampled by a square lattice: four nearest neighbours each, and a graph whose
    Laplacian has every eigenvalue several times."""
    side = round(n ** 0.5)
    angle = 2 * np.pi * np.arange(side) / side
    a, b = (grid.ravel() for grid in np.meshgrid(angle, angle))
    return np.column_stack([np.cos(a), np.sin(a), np.cos(b), np.sin(b)])


def torus_eigenvalues(n: int) -> np.ndarray:
    """Of its normalised Laplacian, ascending."""
    cosine = np.cos(2 * np.pi * np.arange(round(n ** 0.5)) / round(n ** 0.5))
    return np.sort((1 - (cosine[:, None] + cosine) / 2).ravel())


def cube(n: int) -> np.ndarray:
    """Uniform in the unit cube of 3 dimensions."""
    return np.random.default_rng(0).uniform(size=(n, 3))


def mixture(n: int) -> np.ndarray:
    """100 normal clusters of deviation 1 in 50 dimensions, centres normal with deviation 3: truly 50-dimensional."""
    random = np.random.default_rng(0)
    centers = random.normal(0, 3, (100, 50))
    return centers[random.integers(100, size=n)] + random.normal(size=(n, 50))


def manifold(n: int) -> np.ndarray:
    """5-dimensional in 50: sin(u A + b), u uniform in the unit cube of 5, A normal with deviation 2, b uniform on
    [0, 2 pi]; plus normal noise of deviation 0.01."""
    random = np.random.default_rng(0)
    a, b = random.normal(0, 2, (5, 50)), random.uniform(0, 2 * np.pi, 50)
    return np.sin(random.uniform(size=(n, 5)) @ a + b) + random.normal(0, 0.01, (n, 50))


def sheets(n: int) -> np.ndarray:
    """Clusters on curved sheets: 30 of the shape of `manifold`, each 3-dimensional and with an A and a b of its own, around
    centres that are normal with deviation 1."""
    random = np.random.default_rng(0)
    a, b = random.normal(0, 1, (30, 3, 50)), random.uniform(0, 2 * np.pi, (30, 50))
    centers = random.normal(0, 1, (30, 50))
    cluster, u = random.integers(30, size=n), random.uniform(size=(n, 3))
    points = random.normal(0, 0.01, (n, 50))
    for c in range(30):
        points[cluster == c] += np.sin(u[cluster == c] @ a[c] + b[c]) + centers[c]
    return points


def normal(n: int) -> np.ndarray:
    """Normal numbers in 10 columns."""
    return np.random.default_rng(0).normal(size=(n, 10))


MAKERS: dict[str, Callable[[int], np.ndarray]] = {
    "Fashion-MNIST": fashion, "Fashion-MNIST + noise": fashion_noise, "digits": digits, "digits + noise": digits_noise,
    "iris + noise": iris_noise,
    "Swiss roll": swiss_roll, "moons": moons, "torus": torus, "cube": cube, "mixture": mixture, "manifold": manifold,
    "sheets": sheets, "normal": normal}


def labels(file: Path, n: int) -> np.ndarray | None:
    """The classes of the points in a file of Data, where there are any."""
    for name, classes in (("fashion-mnist", fashion_labels), ("digits", digits_labels)):
        if file.name.startswith(name):
            return classes(n)
    return None


def kept(path: Path, write: Callable[[Path], None]) -> Path:
    """The file, written if it is not there yet; a run that is stopped leaves no half of it under this name."""
    if not path.exists():
        partial = path.with_name(f"{os.getpid()}-{path.name}")
        write(partial)
        partial.rename(path)
    return path


@dataclass(frozen=True)
class Data:
    """The first n rows of a table of MAKERS, in a file."""
    name: str
    n: int
    dtype: str = "float64"
    digits: int | None = None  # as csv text with so many digits, instead of npy
    components: int | None = None  # its principal components, so many, instead of itself
    packed: bool = False  # as npz, compressed

    @property
    def key(self) -> str:
        name = self.name.lower().replace(" + ", "-").replace(" ", "-")
        marks = [name, str(self.n), self.dtype]
        marks += [f"pca{self.components}"] if self.components else []
        marks += [f"{self.digits}digits"] if self.digits else []
        marks += ["packed"] if self.packed else []
        return "-".join(marks)

    def make(self) -> np.ndarray:
        points = MAKERS[self.name](self.n).astype(self.dtype)
        if self.components is None:
            return points
        centered = points - points.mean(axis=0)
        _, axes = np.linalg.eigh(centered.T @ centered)
        return np.ascontiguousarray(centered @ axes[:, : -self.components - 1 : -1])

    def width(self, file: Path) -> int:
        """Columns of the file that this has made."""
        return 10 if self.digits or self.packed else np.load(file, mmap_mode="r").shape[1]

    def file(self, folder: Path, programs: Path | None = None) -> Path:
        """The file, made if it is not there yet."""
        if self.packed:
            return kept(folder / f"{self.key}.npz", lambda path: np.savez_compressed(path, self.make()))
        if self.digits:
            text = f"%.{self.digits}g"
            return kept(folder / f"{self.key}.csv", lambda path: np.savetxt(path, self.make(), delimiter=",", fmt=text))
        return kept(folder / f"{self.key}.npy", lambda path: np.save(path, self.make()))


def cells(n: int, features: int) -> "sparse.csr_matrix":  # noqa: F821
    """Cells of 100 types, the later ones rarer, that are partly of another type: log(1 + count) of reads that fall on the
    features by the rates of these types (gamma 0.3). About 5 % are not 0."""
    from scipy import sparse
    random = np.random.default_rng(0)
    rates = random.gamma(0.3, size=(100, features))
    places = np.cumsum(rates, axis=1) / rates.sum(axis=1, keepdims=True)
    share = 1 / (1 + np.arange(100) / 5)
    types = random.choice(100, (n, 2), p=share / share.sum())
    reads, parts = int(0.057 * features), []
    for first in range(0, n, 1000):
        rows = min(1000, n - first)
        own = random.binomial(reads, random.beta(8, 2, rows))
        columns = np.empty((rows, reads), np.int64)
        for row in range(rows):
            one, two = types[first + row]
            columns[row, : own[row]] = np.searchsorted(places[one], random.uniform(size=own[row]))
            columns[row, own[row] :] = np.searchsorted(places[two], random.uniform(size=reads - own[row]))
        ends = np.arange(0, rows * reads + 1, reads)
        part = sparse.csr_matrix((np.ones(rows * reads, np.float32), columns.ravel(), ends), shape=(rows, features))
        part.sum_duplicates()
        np.log1p(part.data, out=part.data)
        parts.append(part)
    return sparse.vstack(parts, format="csr")


@dataclass(frozen=True)
class Sparse:
    """Sparse features in SciPy's npz file."""
    name: str
    n: int
    features: int
    dtype: str = "float32"

    def file(self, folder: Path, programs: Path | None = None) -> Path:
        from scipy import sparse
        return kept(folder / f"{self.name}-{self.n}-{self.features}.npz",
                    lambda path: sparse.save_npz(path, cells(self.n, self.features), compressed=False))

    def width(self, file: Path) -> int:
        return self.features


@dataclass(frozen=True)
class Nothing:
    """Of tasks that read no data."""
    name: str = "no data"
    n: int = 0
    dtype: str = ""

    def width(self, file: Path) -> int:
        return 0

    def file(self, folder: Path, programs: Path | None = None) -> Path:
        return Path(os.devnull)


@dataclass(frozen=True)
class Matrix:
    """Of points with k neighbours each: "lle", "laplacian" or "distances" (bench/parts/make_matrix.cpp)."""
    points: Data
    kind: str
    k: int

    def file(self, folder: Path, programs: Path) -> Path:
        program = programs / "unroll_parts"
        if not program.exists():
            raise Unavailable("unroll_parts is not built; without --no-install, bench/run builds it")
        points = self.points.file(folder)
        return kept(folder / f"{self.points.key}-{self.kind}{self.k}.matrix", lambda path: subprocess.run(
            [str(program), "make_matrix", self.kind, str(points), str(path), str(self.k), "0"], check=True,
            stdout=subprocess.DEVNULL) and None)


def read_matrix(path: Path | str) -> "sparse.csr_matrix":  # noqa: F821
    """A file of Matrix."""
    from scipy import sparse
    rows, entries = np.fromfile(path, np.int64, 2)
    offsets = np.fromfile(path, np.int64, rows + 1, offset=16)
    columns = np.fromfile(path, np.int64, entries, offset=16 + 8 * (rows + 1))
    values = np.fromfile(path, np.float64, entries, offset=16 + 8 * (rows + 1 + entries))
    return sparse.csr_matrix((values, columns, offsets), (rows, rows))
