"""What a contender's result is worth. Each function takes a finished run and returns named numbers."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from scipy.spatial.distance import pdist
from scipy.stats import spearmanr
from sklearn.isotonic import isotonic_regression
from sklearn.metrics import adjusted_rand_score
from sklearn.neighbors import NearestNeighbors

import exact
from contender import Contender, Files, Run
from data import kept, labels, moons_labels, read_matrix, torus_eigenvalues

TRUST_SAMPLE = 1000
PAIRS = 10_000
KL_POINTS = 20_000  # beyond them all pairs would take minutes
Quality = dict[str, float]


def our_graph(path: Path, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Indices and distances, k each, from the sparse matrix that the command writes (columns ascending)."""
    matrix = sparse.load_npz(path).tocsr()
    if not (np.diff(matrix.indptr) == k).all():
        raise ValueError(f"not every point has {k} neighbours")
    shape = matrix.shape[0], k
    return matrix.indices.reshape(shape), matrix.data.reshape(shape)


def graph_of(contender: Contender, files: Files, k: int) -> tuple[np.ndarray, np.ndarray]:
    if contender.is_our_command:
        return our_graph(files.out.with_suffix(".npz"), k)
    with np.load(files.out.with_suffix(".npz")) as file:
        return file["indices"], file["distances"]


def neighbors(contender: Contender, run: Run, files: Files, k: int) -> Quality:
    indices, _ = graph_of(contender, files, k)
    reference = exact.Reference.load(Path(str(files.reference)))
    result = {"recall": exact.recall(np.load(files.data, mmap_mode="r"), reference, indices)}
    if "recall" in run.report:  # ours measures its own
        result["recall it tells"] = float(run.report["recall"])
    return result


def exact_neighbors(contender: Contender, run: Run, files: Files, k: int) -> Quality:
    indices, distances = graph_of(contender, files, k)
    reference = exact.Reference.load(Path(str(files.reference)))
    return {"recall": exact.recall(np.load(files.data, mmap_mode="r"), reference, indices),
            "distance error": exact.distance_error(reference, distances)}


def variances(contender: Contender, run: Run, files: Files, k: int) -> Quality:
    """The largest relative error of the explained variances, against LAPACK on the covariance in double precision."""
    if contender.is_our_command:
        told = np.array(run.report["spectrum"]["values"])
    else:
        with np.load(files.out.with_suffix(".npz")) as file:
            told = file["variances"]
    true = true_variances(files.data)[: len(told)]
    return {"variance error": float(np.abs(told / true - 1).max())}


def sparse_variances(contender: Contender, run: Run, files: Files, k: int) -> Quality:
    """The same, against ARPACK on the centred rows, which are never formed."""
    if contender.is_our_command:
        told = np.array(run.report["spectrum"]["values"])
    else:
        with np.load(files.out.with_suffix(".npz")) as file:
            told = file["variances"]
    true = true_sparse_variances(files.data, len(told))
    return {"variance error": float(np.abs(told / true - 1).max())}


def true_sparse_variances(data: Path, count: int) -> np.ndarray:
    """Descending; kept beside the data."""
    def write(path: Path) -> None:
        from scipy.sparse.linalg import LinearOperator, eigsh
        points = sparse.load_npz(data).astype(np.float64)
        mean = np.asarray(points.mean(axis=0)).ravel()

        def product(q: np.ndarray) -> np.ndarray:
            y = points @ q - mean @ q
            return points.T @ y - mean * y.sum()
        side = points.shape[1]
        values = eigsh(LinearOperator((side, side), matvec=product, dtype=np.float64), count, return_eigenvectors=False)
        np.save(path, np.sort(values)[::-1] / (points.shape[0] - 1))
    return np.load(kept(data.with_suffix(f".variances{count}.npy"), write))


def true_variances(data: Path) -> np.ndarray:
    """Descending; kept beside the data."""
    def write(path: Path) -> None:
        points = np.load(data)
        points = points - points.mean(axis=0, dtype=np.float64)
        np.save(path, np.linalg.eigvalsh(points.T @ points / (len(points) - 1))[::-1])
    return np.load(kept(data.with_suffix(".variances.npy"), write))


def trustworthiness(contender: Contender, run: Run, files: Files, k: int) -> Quality:
    """The value itself, told by the contender."""
    told: dict[str, Any] = run.report["metrics" if contender.is_our_command else "details"]
    return {"trustworthiness": float(told["trustworthiness"])}


def map_of(contender: Contender, files: Files) -> np.ndarray:
    if contender.kind == "python":
        with np.load(files.out.with_suffix(".npz")) as file:
            return file["embedding"]
    return np.load(files.out.with_suffix(".npy"))


def embedding(contender: Contender, run: Run, files: Files, k: int) -> Quality:
    """Trustworthiness of the map, summed over a sample of the points; ranks are among all."""
    return {f"trust@{k}": sampled_trustworthiness(np.load(files.data), map_of(contender, files), k)}


def layout(contender: Contender, run: Run, files: Files, k: int) -> Quality:
    """Of a map of neighbours: the trustworthiness of 10, whether the 10 nearest in the map have the label, and Pearson's
    correlation of the distances of random pairs in the data with those in the map."""
    high, low = np.load(files.data, mmap_mode="r"), map_of(contender, files)
    result = {"trust@10": sampled_trustworthiness(high, low, 10)}
    classes = labels(files.data, len(low))
    if classes is not None:
        result["10-NN accuracy"] = label_accuracy(low, classes, 10)
    one, other = np.random.default_rng(1).integers(0, len(low), (2, PAIRS))
    far = [np.linalg.norm(points[one].astype(np.float64) - points[other], axis=1) for points in (high, low)]
    return result | {"correlation of distances": float(np.corrcoef(*far)[0, 1])}


def label_accuracy(low: np.ndarray, classes: np.ndarray, k: int) -> float:
    """The share of points whose k nearest in the map have the point's class by majority."""
    nearest = NearestNeighbors(n_neighbors=k).fit(low).kneighbors(return_distance=False)
    return float(np.mean([np.bincount(near).argmax() == own for near, own in zip(classes[nearest], classes, strict=True)]))


def tsne_layout(contender: Contender, run: Run, files: Files, k: int) -> Quality:
    """The same, and KL(P || Q) over all pairs; P is scikit-learn's for a perplexity of 30, from true neighbours."""
    result, low = layout(contender, run, files, k), map_of(contender, files)
    if len(low) > KL_POINTS or low.shape[1] > 2:
        return result
    return result | {"KL": divergence(tsne_affinities(files.data, 30), low)}


def tsne_affinities(data: Path, perplexity: int) -> sparse.csr_matrix:
    """P, which sums up to 1; kept beside the data."""
    def write(path: Path) -> None:
        from sklearn.manifold._t_sne import _joint_probabilities_nn
        points = np.load(data).astype(np.float64)
        near = NearestNeighbors(n_neighbors=min(3 * perplexity, len(points) - 1)).fit(points)
        distances = near.kneighbors_graph(mode="distance")
        distances.sort_indices()
        distances.data **= 2
        sparse.save_npz(path, sparse.csr_matrix(_joint_probabilities_nn(distances, perplexity, 0)))
    return sparse.load_npz(kept(data.with_suffix(f".p{perplexity}.npz"), write))


def divergence(p: sparse.csr_matrix, low: np.ndarray) -> float:
    pairs = p.tocoo()
    low = low.astype(np.float64)
    here = pairs.data > 0
    share, one, other = pairs.data[here], pairs.row[here], pairs.col[here]
    unlikeness = np.log1p(((low[one] - low[other]) ** 2).sum(axis=1))
    total = sum((1 / (1 + squared)).sum()
                for _, squared in exact.squared_distance_blocks(low, np.arange(len(low))))
    return float((share * (np.log(share) + unlikeness)).sum() + np.log(total))


def stress_one(contender: Contender, run: Run, files: Files, k: int) -> Quality:
    """Kruskal's stress-1 of the map, equal distances free to differ."""
    high, low = pdist(np.load(files.data)), pdist(map_of(contender, files))
    low = low[np.lexsort((low, high))]
    return {"stress-1": float(np.sqrt(np.sum((low - isotonic_regression(low)) ** 2) / np.sum(low ** 2)))}


def metric_stress(contender: Contender, run: Run, files: Files, k: int) -> Quality:
    """The sum of (delta - r)^2 over pairs, and the root of its share of the sum of delta^2."""
    high, low = pdist(np.load(files.data)), pdist(map_of(contender, files))
    stress = float(np.sum((high - low) ** 2))
    return {"stress": stress, "normalized stress": float(np.sqrt(stress / np.sum(high ** 2)))}


def sammon_stress(contender: Contender, run: Run, files: Files, k: int) -> Quality:
    high, low = pdist(np.load(files.data)), pdist(map_of(contender, files))
    return {"Sammon's stress": float(np.sum((high - low) ** 2 / high) / np.sum(high))}


def unrolled(contender: Contender, run: Run, files: Files, k: int) -> Quality:
    """Pearson's correlation of distances in the map with those on the unrolled Swiss roll (arc length, height)."""
    points = np.load(files.data, mmap_mode="r")
    rows = exact.sample(len(points), TRUST_SAMPLE)
    some = np.asarray(points[rows], dtype=np.float64)
    angle = np.hypot(some[:, 0], some[:, 2])
    arc = 0.5 * (angle * np.hypot(1, angle) + np.arcsinh(angle))
    return {"distance correlation": distance_correlation(np.column_stack([arc, some[:, 1]]),
                                                         map_of(contender, files)[rows])}


def along(contender: Contender, run: Run, files: Files, k: int) -> Quality:
    """|Spearman| of the first coordinate with the place along the Swiss roll."""
    points = np.load(files.data, mmap_mode="r")
    angle = np.hypot(points[:, 0], points[:, 2])
    return {"Spearman": abs(float(spearmanr(angle, map_of(contender, files)[:, 0]).statistic))}


def affine(contender: Contender, run: Run, files: Files, k: int) -> Quality:
    """R^2 of the true coordinates of the Swiss roll, arc length and height, under the best affine map of the result."""
    points = np.asarray(np.load(files.data, mmap_mode="r"), dtype=np.float64)
    angle = np.hypot(points[:, 0], points[:, 2])
    arc = 0.5 * (angle * np.hypot(1, angle) + np.arcsinh(angle))
    low = np.column_stack([np.ones(len(points)), map_of(contender, files)])
    result = {}
    for name, truth in (("R2 along", arc), ("R2 across", points[:, 1])):
        centered = truth - truth.mean()
        rest = centered - low @ np.linalg.lstsq(low, centered, rcond=None)[0]
        result[name] = float(1 - rest @ rest / (centered @ centered))
    return result


def unfolded(contender: Contender, run: Run, files: Files, k: int) -> Quality:
    """The same, by how much kept distances differ, and how many there are. Ours tells these. The cost of an iteration is
    that of the whole fit."""
    told = run.report["diagnostics"]
    pairs, iterations = told["constraints"], told["n_iter"]
    return {**affine(contender, run, files, k), "violation": told["violation"], "pairs": pairs, "iterations": iterations,
            "ns / iteration / pair": 1e9 * run.fit_s / iterations / pairs}


def rebuilt(contender: Contender, run: Run, files: Files, k: int) -> Quality:
    """What is lost of the data when only the numbers of the map are kept, as a share of what PCA loses; ours tells it."""
    told = run.report["diagnostics"]
    return {"loss / PCA's": told["reconstruction_error"] / told["pca_error"]}


def proven(contender: Contender, run: Run, files: Files, k: int) -> Quality:
    """The worst residual of an eigenpair that ours tells, and the trustworthiness of the map."""
    return {"residual": max(run.report["spectrum"]["residuals"]), **embedding(contender, run, files, k)}


def clusters(contender: Contender, run: Run, files: Files, k: int) -> Quality:
    """How far the clusters are the moons: 1 for all points, 0 for chance (Hubert & Arabie 1985)."""
    if contender.is_our_command:
        labels = np.load(files.out.with_suffix(".npy"))[:, 0]
    else:
        with np.load(files.out.with_suffix(".npz")) as file:
            labels = file["labels"]
    return {"adjusted Rand index": float(adjusted_rand_score(moons_labels(len(labels)), labels))}


def distance_correlation(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.corrcoef(pdist(a), pdist(b))[0, 1])


def sampled_trustworthiness(high: np.ndarray, low: np.ndarray, k: int) -> float:
    """1 - 2 / (m k (2n - 3k - 1)) * sum of max(0, rank - k), over the k nearest in the map of m points (Venna & Kaski
    2001); the rank is that in the data, from 1."""
    n, rows = len(high), exact.sample(len(high), TRUST_SAMPLE)
    nearest = np.vstack([np.argpartition(squared, k - 1, axis=1)[:, :k]
                         for _, squared in exact.squared_distance_blocks(low, rows)])
    excess, start = 0, 0
    for block, squared in exact.squared_distance_blocks(high, rows):
        near = np.take_along_axis(squared, nearest[start : start + len(block)], axis=1)
        squared.sort(axis=1)
        for row, values in zip(squared, near, strict=True):
            excess += np.maximum(np.searchsorted(row, values) + 1 - k, 0).sum()
        start += len(block)
    return float(1 - 2 / (len(rows) * k * (2 * n - 3 * k - 1)) * excess)


def throughput(contender: Contender, run: Run, files: Files, k: int) -> Quality:
    return {"MB/s": files.data.stat().st_size / 1e6 / run.fit_s}


def told(contender: Contender, run: Run, files: Files, k: int) -> Quality:
    """What a program of bench/parts has found out about its result, in the same way for all its contenders."""
    return dict(run.report["details"])


def solved(contender: Contender, run: Run, files: Files, k: int) -> Quality:
    """The backward error of a solution, |b - (A + s) x| / (|A + s| |x| + |b|) in the largest entry of each; s and b as in
    bench/parts/part.cpp."""
    matrix = read_matrix(str(files.companion))
    x = np.fromfile(files.out.with_suffix(".numbers")).reshape(8, -1).T
    b = np.cos(np.arange(len(x))[:, None] + 0.1 * np.arange(8))
    shift = 1e-8 * matrix.diagonal().mean()
    rest = np.abs(b - matrix @ x - shift * x).max()
    norm = abs(matrix).sum(axis=1).max() + shift
    return {"error": float(rest / (norm * np.abs(x).max() + np.abs(b).max())), **run.report["details"]}


def eigenpairs(contender: Contender, run: Run, files: Files, k: int) -> Quality:
    """The worst |A v - lambda v| over the largest row sum; of a torus, how many of the k smallest eigenvalues are not
    there."""
    matrix = read_matrix(str(files.companion))
    numbers = np.fromfile(files.out.with_suffix(".numbers"))
    values, vectors = numbers[:k], numbers[k:].reshape(k, -1).T
    rest = np.linalg.norm(matrix @ vectors - vectors * values, axis=0) / np.linalg.norm(vectors, axis=0)
    result = {"residual error": float(rest.max() / abs(matrix).sum(axis=1).max()), **run.report["details"]}
    if files.data.name.startswith("torus"):
        true = torus_eigenvalues(matrix.shape[0])[:k]
        result["missed"] = int((np.abs(np.sort(values) - true) > 1e-3 * true + 1e-7).sum())
    return result


def bytes_read(contender: Contender, run: Run, files: Files, k: int) -> Quality:
    return {"MB/s": run.report["details"]["MB"] / run.cpu_s}


FUNCTIONS: dict[str, Callable[[Contender, Run, Files, int], Quality]] = {
    function.__name__: function
    for function in (neighbors, exact_neighbors, variances, sparse_variances, trustworthiness, embedding, layout, tsne_layout,
                     metric_stress, stress_one, sammon_stress, unrolled, along, affine, unfolded, rebuilt, proven,
                     clusters, throughput, told, solved, eigenpairs, bytes_read)}
