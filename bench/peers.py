"""The worker of the peers that have Python: runs one of them once, in a process of its own.

    python3 peers.py TASK.json

It writes what was found to the task's `out` (npz) and prints one line of JSON: the seconds of the fit, without imports
and without reading the data. A peer is a function of the task that imports and reads, and returns the fit.
"""
from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import exact
from data import read_matrix

LADDER = (20, 30, 40, 60, 80, 120, 200, 300)  # candidate lists of the searches in small-world graphs
RECALL = 0.99


@dataclass(frozen=True)
class Task:
    peer: str
    data: str
    out: str
    threads: int
    k: int
    options: dict[str, Any]
    companion: str | None = None
    reference: str | None = None

    def points(self) -> np.ndarray:
        return np.load(self.data)


@dataclass
class Outcome:
    arrays: dict[str, np.ndarray] = field(default_factory=dict)
    details: dict[str, Any] = field(default_factory=dict)
    seconds: float | None = None  # where it is not that of the whole fit


Fit = Callable[[], Outcome]


def graph(indices: np.ndarray, distances: np.ndarray) -> Outcome:
    return Outcome({"indices": indices, "distances": distances})


def embedding(coordinates: np.ndarray, **details: Any) -> Outcome:
    return Outcome({"embedding": coordinates}, details)


# Neighbours


def sklearn_neighbors(task: Task) -> Fit:
    from sklearn.neighbors import NearestNeighbors
    points = task.points()

    def fit() -> Outcome:
        search = NearestNeighbors(n_neighbors=task.k, n_jobs=task.threads, **task.options)
        return graph(*search.fit(points).kneighbors()[::-1])
    return fit


def scipy_kd_tree(task: Task) -> Fit:
    from scipy.spatial import cKDTree
    points = task.points()
    return lambda: graph(*cKDTree(points).query(points, k=task.k + 1, workers=task.threads)[::-1])


def faiss_flat(task: Task) -> Fit:
    import faiss
    faiss.omp_set_num_threads(task.threads)
    points = task.points().astype(np.float32)

    def fit() -> Outcome:
        index = faiss.IndexFlatL2(points.shape[1])
        index.add(points)
        squared, indices = index.search(points, task.k + 1)
        return graph(indices, np.sqrt(np.maximum(squared, 0)))
    return fit


def pynndescent_neighbors(task: Task) -> Fit:
    from pynndescent import NNDescent
    points = task.points().astype(np.float32)
    return lambda: graph(
        *NNDescent(points, n_neighbors=task.k + 1, random_state=0, n_jobs=task.threads).neighbor_graph)


def climb(task: Task, points: np.ndarray, build: Callable[[], Any], query: Callable[[Any, int], Outcome]) -> Outcome:
    """Builds once; queries with longer and longer candidate lists until the recall is there; counts build and last."""
    reference = exact.Reference.load(Path(str(task.reference)))
    started = time.perf_counter()
    index = build()
    built = time.perf_counter() - started
    for ef in LADDER:
        started = time.perf_counter()
        outcome = query(index, ef)
        queried = time.perf_counter() - started
        if exact.recall(points, reference, without_self(outcome, task.k).arrays["indices"]) >= RECALL:
            break
    outcome.seconds = built + queried
    outcome.details = {"ef": ef, "build_s": built, "query_s": queried}
    return outcome


def hnswlib_neighbors(task: Task) -> Fit:
    import hnswlib
    points = task.points().astype(np.float32)

    def build() -> Any:
        index = hnswlib.Index(space="l2", dim=points.shape[1])
        index.init_index(max_elements=len(points), M=16, ef_construction=200, random_seed=0)
        index.set_num_threads(task.threads)
        index.add_items(points)
        return index

    def query(index: Any, ef: int) -> Outcome:
        index.set_ef(ef)
        indices, squared = index.knn_query(points, k=task.k + 1)
        return graph(indices.astype(np.int64), np.sqrt(squared))
    return lambda: climb(task, points, build, query)


def faiss_hnsw(task: Task) -> Fit:
    import faiss
    faiss.omp_set_num_threads(task.threads)
    points = task.points().astype(np.float32)

    def build() -> Any:
        index = faiss.IndexHNSWFlat(points.shape[1], 16)
        index.hnsw.efConstruction = 200
        index.add(points)
        return index

    def query(index: Any, ef: int) -> Outcome:
        index.hnsw.efSearch = ef
        squared, indices = index.search(points, task.k + 1)
        return graph(indices, np.sqrt(np.maximum(squared, 0)))
    return lambda: climb(task, points, build, query)


def without_self(outcome: Outcome, k: int) -> Outcome:
    """Drops the point itself from k + 1 neighbours, by its index (a duplicate may come first); not timed."""
    indices, distances = outcome.arrays["indices"], outcome.arrays["distances"]
    if indices.shape[1] == k:
        return outcome
    keep = indices != np.arange(len(indices))[:, None]
    keep &= np.cumsum(keep, axis=1) <= k
    shape = len(indices), k
    return Outcome({"indices": indices[keep].reshape(shape), "distances": distances[keep].reshape(shape)},
                   outcome.details, outcome.seconds)


# Methods


def sklearn_pca(task: Task) -> Fit:
    from sklearn.decomposition import PCA
    points = task.points()

    def fit() -> Outcome:
        pca = PCA(random_state=0, **task.options)
        outcome = embedding(pca.fit_transform(points))
        outcome.arrays["variances"] = pca.explained_variance_.astype(np.float64)
        return outcome
    return fit


def sklearn_truncated_svd(task: Task) -> Fit:
    from scipy import sparse
    from sklearn.decomposition import TruncatedSVD
    points = sparse.load_npz(task.data)

    def fit() -> Outcome:
        svd = TruncatedSVD(random_state=0, **task.options)
        outcome = embedding(svd.fit_transform(points))
        outcome.arrays["variances"] = np.sort(svd.explained_variance_.astype(np.float64))[::-1]
        return outcome
    return fit


def sklearn_isomap(task: Task) -> Fit:
    from sklearn.manifold import Isomap
    points = task.points()
    return lambda: embedding(Isomap(n_neighbors=task.k, n_jobs=task.threads, **task.options).fit_transform(points))


def sklearn_kernel_pca(task: Task) -> Fit:
    from sklearn.decomposition import KernelPCA
    points = task.points()
    return lambda: embedding(KernelPCA(n_jobs=task.threads, **task.options).fit_transform(points))


def sklearn_laplacian_eigenmaps(task: Task) -> Fit:
    from sklearn.manifold import SpectralEmbedding
    points = task.points()
    return lambda: embedding(SpectralEmbedding(2, affinity="nearest_neighbors", n_neighbors=task.k, random_state=0,
                                               n_jobs=task.threads).fit_transform(points))


def scipy_laplacian_eigenmaps(task: Task) -> Fit:
    """What one who knows the field would write: neighbours, Laplacian, ARPACK with a shift just below 0."""
    from scipy.sparse.csgraph import laplacian
    from scipy.sparse.linalg import eigsh
    from sklearn.neighbors import kneighbors_graph
    points = task.points()

    def fit() -> Outcome:
        graph = kneighbors_graph(points, task.k, n_jobs=task.threads)
        matrix, root = laplacian(0.5 * (graph + graph.T), normed=True, return_diag=True)
        start = np.random.default_rng(0).uniform(-1, 1, len(points))
        vectors = eigsh(matrix.tocsc(), 3, sigma=-1e-5, v0=start)[1]
        return embedding(vectors[:, 1:] / root[:, None])
    return fit


def sklearn_lle(task: Task) -> Fit:
    from sklearn.manifold import LocallyLinearEmbedding
    points = task.points()

    def fit() -> Outcome:
        model = LocallyLinearEmbedding(n_neighbors=task.k, n_components=2, random_state=0, n_jobs=task.threads,
                                       **task.options)
        return embedding(model.fit_transform(points))
    return fit


def sklearn_spectral_clustering(task: Task) -> Fit:
    from sklearn.cluster import SpectralClustering
    points = task.points()

    def fit() -> Outcome:
        clusters = SpectralClustering(affinity="nearest_neighbors", n_neighbors=task.k, random_state=0,
                                      n_jobs=task.threads, **task.options)
        return Outcome({"labels": clusters.fit_predict(points)})
    return fit


def sklearn_tsne(task: Task) -> Fit:
    from sklearn.manifold import TSNE
    points = task.points()

    def fit() -> Outcome:
        tsne = TSNE(init="pca", learning_rate="auto", random_state=0, n_jobs=task.threads)
        return embedding(tsne.fit_transform(points), kl_divergence=float(tsne.kl_divergence_))
    return fit


def sklearn_mds(task: Task) -> Fit:
    from sklearn.manifold import MDS
    points = task.points()

    def fit() -> Outcome:
        mds = MDS(n_init=4, random_state=0, n_jobs=task.threads, normalized_stress=False)
        return embedding(mds.fit_transform(points), stress=float(mds.stress_))
    return fit


def umap_learn(task: Task) -> Fit:
    import umap
    points = task.points()
    # Without a seed: with one, umap-learn lays out on one thread. It counts the point itself among its neighbours.
    return lambda: embedding(umap.UMAP(n_neighbors=task.k + 1, n_jobs=task.threads).fit_transform(points))


# The rest


def sklearn_trustworthiness(task: Task) -> Fit:
    from sklearn.manifold import trustworthiness
    points, low = task.points(), np.load(str(task.companion))
    return lambda: Outcome(details={"trustworthiness": trustworthiness(points, low, n_neighbors=task.k)})


def numpy_loadtxt(task: Task) -> Fit:
    return lambda: Outcome(details={"MB": np.loadtxt(task.data, delimiter=",").nbytes / 1e6})


def pandas_read_csv(task: Task) -> Fit:
    import pandas
    return lambda: Outcome(details={"MB": pandas.read_csv(task.data, header=None).to_numpy().nbytes / 1e6})


def numpy_load(task: Task) -> Fit:
    """All bytes of it, of an npz file too."""
    def fit() -> Outcome:
        loaded = np.load(task.data)
        array = loaded if isinstance(loaded, np.ndarray) else loaded["arr_0"]
        return Outcome(details={"MB": array.nbytes / 1e6})
    return fit


def scipy_eigsh(task: Task) -> Fit:
    """ARPACK with SuperLU's factor, just below 0."""
    from scipy.sparse.linalg import eigsh
    matrix = read_matrix(str(task.companion)).tocsc()
    numbers = Path(task.out).with_suffix(".numbers")

    def fit() -> Outcome:
        start = np.random.default_rng(0).uniform(-1, 1, matrix.shape[0])
        values, vectors = eigsh(matrix, task.k, sigma=-1e-8, v0=start, tol=1e-9)
        np.concatenate([values, vectors.T.ravel()]).tofile(numbers)
        return Outcome()
    return fit


def scipy_dijkstra(task: Task) -> Fit:
    from scipy.sparse.csgraph import dijkstra
    graph = read_matrix(str(task.companion))
    sources = np.arange(task.k) * (graph.shape[0] // task.k)
    return lambda: Outcome(details={"mean length": float(dijkstra(graph, indices=sources).mean())})


def scipy_floyd_warshall(task: Task) -> Fit:
    from scipy.sparse.csgraph import floyd_warshall
    graph = read_matrix(str(task.companion))
    return lambda: Outcome(details={"mean length": float(floyd_warshall(graph).mean())})


def sklearn_kmeans(task: Task) -> Fit:
    """From the same centers as ours."""
    from sklearn.cluster import KMeans
    points = task.points()

    def fit() -> Outcome:
        found = KMeans(task.k, init=points[: task.k], n_init=1, max_iter=300, tol=1e-4, **task.options).fit(points)
        return Outcome(details={"inertia": float(found.inertia_), "iterations": int(found.n_iter_)})
    return fit


PEERS: dict[str, Callable[[Task], Fit]] = {function.__name__: function for function in (
    sklearn_neighbors, scipy_kd_tree, faiss_flat, pynndescent_neighbors, hnswlib_neighbors, faiss_hnsw, sklearn_pca,
    sklearn_isomap, sklearn_kernel_pca, sklearn_laplacian_eigenmaps, scipy_laplacian_eigenmaps, sklearn_lle,
    sklearn_spectral_clustering, sklearn_tsne, sklearn_mds, umap_learn, sklearn_trustworthiness, numpy_loadtxt, pandas_read_csv,
    numpy_load, scipy_eigsh, scipy_dijkstra, scipy_floyd_warshall, sklearn_kmeans, sklearn_truncated_svd)}
# Compiled while they run the first time: that fit, with imports and reading, is `cold`; a second one on the same data is
# the figure.
JIT = {"pynndescent_neighbors", "umap_learn"}


def timed(fit: Fit) -> tuple[float, float, Outcome]:
    """Seconds on the wall, seconds on the CPU, what was found."""
    started, cpu = time.perf_counter(), time.process_time()
    outcome = fit()
    seconds, cpu = time.perf_counter() - started, time.process_time() - cpu
    return seconds if outcome.seconds is None else outcome.seconds, cpu, outcome


def main() -> None:
    task = Task(**json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    started = time.perf_counter()
    try:
        fit = PEERS[task.peer](task)
    except ModuleNotFoundError as missing:
        print(json.dumps({"missing": missing.name}))
        return
    seconds, cpu, outcome = timed(fit)
    answer: dict[str, Any] = {}
    if task.peer in JIT:
        answer["cold_s"] = time.perf_counter() - started
        seconds, cpu, outcome = timed(fit)
    if "indices" in outcome.arrays:
        outcome = without_self(outcome, task.k)
    if outcome.arrays:
        np.savez(task.out, **outcome.arrays)
    print(json.dumps(answer | {"fit_s": seconds, "cpu_s": cpu, "details": outcome.details}))


if __name__ == "__main__":
    main()
