"""What is compared: lists of rows. To add a row, a peer or a method is to add a line here (and in peers.py)."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from contender import Contender, command, ours, part, peer, r_peer
from data import Data, Matrix, Nothing, Sparse


@dataclass(frozen=True)
class Row:
    """One task on one table of data. Rows of a task that differ in n alone are one line of a plot."""
    task: str
    data: Data | Sparse | Nothing
    contenders: tuple[Contender, ...]
    quality: str | None
    k: int = 10
    companion: Data | Matrix | None = None
    seeds: int = 1  # what it is worth is the mean over so many runs, each with a seed of its own


@dataclass(frozen=True)
class Suite:
    title: str
    basis: str  # what of ours the peers' fit is divided by: "whole" or "fit"; "cpu": CPU by CPU
    rows: Callable[[bool], list[Row]]  # from: quick?
    note: str = ""
    default: bool = True
    threads: int | None = None  # where --threads does not count


def sizes(quick: bool, *full: int) -> tuple[int, ...]:
    return (500,) if quick else full


def images(quick: bool, n: int, dtype: str = "float32", noise: bool = False, **also: int) -> Data:
    """Fashion-MNIST; in a quick run the digits, which need no package."""
    return Data(("digits" if quick else "Fashion-MNIST") + (" + noise" if noise else ""), n, dtype, **also)


def embed(method: str, *options: str, name: str = "unroll", threads: str = "{threads}") -> Contender:
    return ours("embed", "{data}", "-m", method, *options, "-o", "{out}.npy", "-j", threads, "--json", name=name)


def search(algorithm: str, *options: str, name: str = "") -> Contender:
    return ours("neighbors", "{data}", "-k", "{k}", "--algorithm", algorithm, *options, "-o", "{out}.npz", "-j",
                "{threads}", "--json", name=name or f"unroll {algorithm}")


def pca(quick: bool) -> list[Row]:
    count = 50
    contenders = (embed("pca", "-d", str(count)),
                  peer("scikit-learn randomized", "sklearn_pca", n_components=count, svd_solver="randomized"),
                  peer("scikit-learn full", "sklearn_pca", n_components=count, svd_solver="full"))
    return [Row(dtype, images(quick, n, dtype, noise), contenders, "variances")
            for noise in (False, True) for dtype in ("float32", "float64")
            for n in sizes(quick, 10_000, 30_000, 70_000)]


def pca_sparse(quick: bool) -> list[Row]:
    contenders = (embed("pca", "-d", "50", "--sparse", "features"),
                  peer("scikit-learn TruncatedSVD", "sklearn_truncated_svd", n_components=50))
    cells = Sparse("cells", 1000, 500) if quick else Sparse("cells", 100_000, 20_000)
    return [Row("5 % filled", cells, contenders, "sparse_variances")]


def csv(quick: bool) -> list[Row]:
    contenders = (ours("embed", "{data}", "-m", "pca", "-j", "{threads}", "--json", counted="read"),
                  peer("numpy.loadtxt", "numpy_loadtxt"), peer("pandas.read_csv", "pandas_read_csv"))
    return [Row(f"{digits} digits", Data("normal", n, digits=digits), contenders, "throughput")
            for digits in (17, 6) for n in sizes(quick, 100_000, 1_000_000)]


def neighbors_exact(quick: bool) -> list[Row]:
    many = (search("brute"), peer("scikit-learn brute", "sklearn_neighbors", algorithm="brute"),
            peer("faiss flat", "faiss_flat"))
    few = (search("kd_tree"), peer("scikit-learn kd_tree", "sklearn_neighbors", algorithm="kd_tree"),
           peer("scipy cKDTree", "scipy_kd_tree"))
    return ([Row("k = 15", images(quick, n), many, "exact_neighbors", 15)
             for n in sizes(quick, 10_000, 30_000, 70_000)] +
            [Row("k = 10", Data("Swiss roll", n), few, "exact_neighbors", 10)
             for n in sizes(quick, 10_000, 30_000, 100_000)])


def neighbors_approximate(quick: bool) -> list[Row]:
    contenders = (search("approximate"), peer("pynndescent", "pynndescent_neighbors"),
                  peer("hnswlib", "hnswlib_neighbors"), peer("faiss HNSW", "faiss_hnsw"))

    def as_found(recall: str) -> tuple[Contender, ...]:
        """Ours with the recall that pynndescent has there."""
        return search("approximate", "--recall", recall, name=f"unroll approximate, {recall}"), contenders[1]
    return ([Row("k = 15", images(quick, n), contenders, "neighbors", 15)
             for n in sizes(quick, 10_000, 30_000, 70_000)] +
            [Row(f"k = {k}, equal recall", images(quick, n), as_found(recall), "neighbors", k)
             for k, recall in ((15, "0.985"), (90, "0.9995")) for n in sizes(quick, 70_000)] +
            [Row("k = 15", Data(name, n, "float32"), contenders[:2], "neighbors", 15)
             for name in ("mixture", "manifold") for n in sizes(quick, 1_000_000)])


def neighbors_large(quick: bool) -> list[Row]:
    tables = (("cube", "float64", 15, "auto"), ("Swiss roll", "float64", 15, "auto"),
              ("mixture", "float32", 15, "approximate"), ("manifold", "float32", 15, "auto"))
    return [Row(f"k = {k}", Data(name, n, dtype), (search(algorithm),), "neighbors", k)
            for name, dtype, k, algorithm in tables for n in sizes(quick, 100_000, 1_000_000)]


def quality(quick: bool) -> list[Row]:
    contenders = (ours("quality", "{data}", "{companion}", "-k", "{k}", "--measures", "trustworthiness", "-j",
                       "{threads}", "--json"),
                  peer("scikit-learn", "sklearn_trustworthiness"))
    counts = sizes(quick, 2000, 5000, 10_000, 20_000)
    # With noise: among whole numbers distances are equal, and the ranks of equal distances are anybody's choice.
    return ([Row("to 2", Data("Swiss roll", n), contenders, "trustworthiness", 10,
                 Data("Swiss roll", n, components=2)) for n in counts] +
            [Row("to 2", images(quick, n, "float64", True), contenders, "trustworthiness", 10,
                 images(quick, n, "float64", True, components=2)) for n in counts])


ISOMAP = (embed("isomap", "-k", "{k}"), peer("scikit-learn", "sklearn_isomap"))
LANDMARKS = (embed("isomap", "-k", "{k}", "--n-landmarks", "500"),)


def isomap(quick: bool) -> list[Row]:
    return ([Row("k = 10", Data("Swiss roll", n), ISOMAP, "unrolled") for n in sizes(quick, 2000, 5000, 10_000)] +
            [Row("k = 10", images(quick, n), ISOMAP, "embedding") for n in sizes(quick, 5000)] +
            [Row("k = 10, ours alone", Data("Swiss roll", n), ISOMAP[:1], "unrolled") for n in sizes(quick, 20_000)] +
            [Row("500 landmarks, ours alone", Data("Swiss roll", n), LANDMARKS, "unrolled")
             for n in sizes(quick, 20_000, 100_000, 1_000_000)])


def kernel_pca(quick: bool) -> list[Row]:
    roll = (embed("kernel_pca", "--kernel", "rbf", "--gamma", "0.02"),
            peer("scikit-learn", "sklearn_kernel_pca", n_components=2, kernel="rbf", gamma=0.02))
    pixels = (embed("kernel_pca", "--kernel", "rbf"),
              peer("scikit-learn", "sklearn_kernel_pca", n_components=2, kernel="rbf"))
    return ([Row("rbf", Data("Swiss roll", n), roll, "embedding") for n in sizes(quick, 2000, 5000, 10_000)] +
            [Row("rbf", images(quick, n), pixels, "embedding") for n in sizes(quick, 10_000)] +
            [Row("rbf, ours alone", Data("Swiss roll", n), roll[:1], "embedding")
             for n in sizes(quick, 20_000, 100_000)])


def classical_mds(quick: bool) -> list[Row]:
    contenders = (embed("mds"), embed("mds", "--eigen-solver", "randomized", name="unroll, distances formed"),
                  r_peer("R cmdscale", "stats"))
    return [Row("to 2", Data("Swiss roll", n), contenders, "embedding") for n in sizes(quick, 1000, 2000)]


def laplacian_eigenmaps(quick: bool) -> list[Row]:
    contenders = (embed("laplacian_eigenmaps", "-k", "{k}", "--weights", "binary"),
                  peer("SciPy, shift just below 0", "scipy_laplacian_eigenmaps"),
                  peer("scikit-learn", "sklearn_laplacian_eigenmaps"))
    return ([Row("k = 10", Data("Swiss roll", n), contenders, "along") for n in sizes(quick, 5000, 20_000, 100_000)] +
            [Row("k = 15", images(quick, n), contenders, "embedding", 15) for n in sizes(quick, 20_000)] +
            [Row("k = 10, ours alone", Data("Swiss roll", n), contenders[:1], "along")
             for n in sizes(quick, 100_000, 1_000_000)])


def diffusion_maps(quick: bool) -> list[Row]:
    return [Row("k = 10, ours alone", Data("Swiss roll", n), (embed("diffusion_maps", "-k", "{k}"),), "along")
            for n in sizes(quick, 20_000, 100_000, 1_000_000)]


def lle(quick: bool) -> list[Row]:
    contenders = (embed("lle", "-k", "{k}"), peer("scikit-learn", "sklearn_lle"))
    return ([Row("k = 12", Data("Swiss roll", n), contenders, "affine", 12) for n in sizes(quick, 20_000, 100_000)] +
            [Row("k = 12, ours alone", Data("Swiss roll", n), contenders[:1], "affine", 12)
             for n in sizes(quick, 100_000, 1_000_000)] +
            [Row("k = 15, ours alone", images(quick, n), contenders[:1], "proven", 15) for n in sizes(quick, 20_000)])


def local_alignment(method: str, variant: str, *counts: int, alone: int = 0) -> Callable[[bool], list[Row]]:
    """Modified LLE, Hessian LLE or LTSA, which scikit-learn calls variants of LLE."""
    contenders = (embed(method, "-k", "{k}"), peer("scikit-learn", "sklearn_lle", method=variant))

    def rows(quick: bool) -> list[Row]:
        return ([Row("k = 12", Data("Swiss roll", n), contenders, "affine", 12) for n in sizes(quick, *counts)] +
                [Row("k = 12, ours alone", Data("Swiss roll", n), contenders[:1], "affine", 12)
                 for n in (sizes(quick, 100_000, alone) if alone else [])])
    return rows


def spectral_clustering(quick: bool) -> list[Row]:
    contenders = (ours("cluster", "{data}", "--n-clusters", "2", "-k", "{k}", "--weights", "binary", "-o", "{out}.npy",
                       "-j", "{threads}", "--json"),
                  peer("scikit-learn", "sklearn_spectral_clustering", n_clusters=2))
    return ([Row("k = 10", Data("moons", n), contenders, "clusters") for n in sizes(quick, 2000, 10_000)] +
            [Row("k = 10, ours alone", Data("moons", n), contenders[:1], "clusters") for n in sizes(quick, 100_000)])


def umap(quick: bool) -> list[Row]:
    contenders = (embed("umap", "-k", "{k}", "--seed", "{seed}"), peer("umap-learn", "umap_learn"),
                  r_peer("uwot", "uwot"))
    tables = [Data("digits", sizes(quick, 1797)[0])] + ([] if quick else [
        images(quick, 10_000), images(quick, 70_000), Data("Swiss roll", 20_000)])
    return [Row("k = 15", data, contenders, "layout", 15, seeds=3) for data in tables]


def metric_mds(quick: bool) -> list[Row]:
    """scikit-learn makes four random starts; ours is one, from classical scaling."""
    contenders = (embed("metric_mds"), peer("scikit-learn", "sklearn_mds"))
    nonmetric = (embed("nonmetric_mds"), r_peer("MASS isoMDS", "MASS::isoMDS"),
                 r_peer("vegan monoMDS", "vegan::monoMDS"))
    small = (Data("iris + noise", 150), Data("digits + noise", 500), Data("Swiss roll", 500))
    return ([Row("nonmetric_mds", data, nonmetric, "stress_one") for data in small] +
            [Row("sammon", data, (embed("sammon"), r_peer("MASS sammon", "MASS::sammon")), "sammon_stress")
             for data in small] +
            [Row("2 dimensions", Data("digits", n), contenders, "metric_stress") for n in sizes(quick, 500)] +
            [Row(f"{method}, ours alone", Data("digits", sizes(quick, 1797)[0]), (embed(method),), "embedding")
             for method in ("metric_mds", "sammon", "nonmetric_mds")] +
            [Row("ours alone", images(quick, n), contenders[:1], "embedding") for n in sizes(quick, 10_000)])


TSNE = (embed("tsne"), peer("scikit-learn", "sklearn_tsne"), r_peer("Rtsne", "Rtsne"))


def tsne(quick: bool) -> list[Row]:
    return ([Row("perplexity 30", Data("digits", n), TSNE, "tsne_layout") for n in sizes(quick, 1797)] +
            ([] if quick else [Row("perplexity 30", images(quick, 10_000), TSNE, "tsne_layout")]) +
            [Row("3 dimensions, ours alone", images(quick, n), (embed("tsne", "-d", "3"),), "layout")
             for n in sizes(quick, 10_000)] +
            [Row("perplexity 30, k = 15", images(quick, n), (TSNE[0], peer("umap-learn", "umap_learn")), "layout", 15)
             for n in sizes(quick, 70_000)])


def layouts_large(quick: bool) -> list[Row]:
    methods = {"UMAP": ("umap", "-k", "15"), "t-SNE": ("tsne",)}
    return ([Row(f"{name}, ours alone", Data("sheets", n, "float32"),
                 (embed(*words), embed(*words, name="unroll, 1 thread", threads="1")), "layout")
             for name, words in methods.items() for n in sizes(quick, 10_000, 100_000, 1_000_000)] +
            [Row("t-SNE", images(quick, n), TSNE, "layout") for n in sizes(quick, 70_000)])


def autoencoder(quick: bool) -> list[Row]:
    contenders = (embed("autoencoder", "--layers", "20,10" if quick else "500,250"),)
    return [Row("2 numbers, ours alone", images(quick, n), contenders, "rebuilt") for n in sizes(quick, 10_000)]


def mvu(quick: bool) -> list[Row]:
    """No peer is maintained that solves it for so many points."""
    contenders = (embed("mvu", "-k", "6", "--components", "connect"),)  # six do not connect every roll
    return [Row("6 neighbors, ours alone", Data("Swiss roll", n), contenders, "unfolded")
            for n in sizes(quick, 500, 2000, 5000, 10_000)]


# One line per method: ours, then its peers.
METHODS: dict[str, tuple[Contender, ...]] = {
    "PCA": (embed("pca", "-d", "2"), peer("scikit-learn PCA", "sklearn_pca", n_components=2)),
}


def methods(quick: bool) -> list[Row]:
    return [Row(name, data, contenders, "embedding")
            for name, contenders in METHODS.items() for data in tables_to_embed(quick)]


def tables_to_embed(quick: bool) -> list[Data]:
    return ([Data("Swiss roll", n) for n in sizes(quick, 2000, 5000, 20_000)] +
            [Data("digits", n) for n in sizes(quick, 1797)] +
            ([] if quick else [images(quick, n) for n in (10_000, 70_000)]))


# Parts of the library beside what could replace them (docs/decisions.md).


def matrices(quick: bool, *kinds: str) -> list[tuple[str, Data, Matrix]]:
    """Of a surface and of a solid: the first is easy to eliminate, the second is not."""
    tables = [Data("Swiss roll", sizes(quick, 100_000)[0]), Data("cube", sizes(quick, 50_000)[0])]
    return [("LLE, k = 12" if kind == "lle" else "Laplacian, k = 12", points, Matrix(points, kind, 12))
            for points in tables for kind in kinds]


def part_cholesky(quick: bool) -> list[Row]:
    contenders = (part("cholesky", "ours", ours=True),
                  part("cholesky", "cholmod", "CHOLMOD", program="unroll_parts_cholmod"),
                  part("cholesky", "eigen", "Eigen SimplicialLLT"))
    return [Row(task, points, contenders, "solved", companion=matrix)
            for task, points, matrix in matrices(quick, "lle", "laplacian")]


def part_order(quick: bool) -> list[Row]:
    contenders = (part("order", "dissection", "nested dissection, ours", ours=True), part("order", "amd", "AMD"),
                  part("order", "metis", "METIS"))
    return [Row(task, points, contenders, "told", companion=matrix)
            for task, points, matrix in matrices(quick, "lle", "laplacian")]


def part_eigenpairs(quick: bool) -> list[Row]:
    contenders = (part("eigenpairs", "shift_invert", "shift-invert, ours", ours=True),
                  part("eigenpairs", "arpack_inverse", "ARPACK with our factor"),
                  peer("SciPy eigsh (ARPACK, SuperLU)", "scipy_eigsh"),
                  part("eigenpairs", "lanczos", "block Lanczos, ours", ours=True),
                  part("eigenpairs", "arpack", "ARPACK by products"))
    lattice = Data("torus", sizes(quick, 40_000)[0])
    return ([Row("4 pairs", points, contenders, "eigenpairs", 4, matrix)
             for _, points, matrix in matrices(quick, "laplacian")] +
            [Row("9 pairs", lattice, contenders, "eigenpairs", 9, Matrix(lattice, "laplacian", 4))])


def part_small_eigen(quick: bool) -> list[Row]:
    contenders = (part("small_eigen", "ours", ours=True), part("small_eigen", "dsyevd", "LAPACK dsyevd"),
                  part("small_eigen", "eigen", "Eigen SelfAdjointEigenSolver"))
    return [Row(f"side {side}", Data("mixture", sizes(quick, 100_000)[0]), contenders, "told", side)
            for side in ((8,) if quick else (4, 8, 12, 16, 24, 32, 40, 60))]


def part_neighbors(quick: bool) -> list[Row]:
    def found_by(algorithm: str) -> Contender:
        return part("neighbors", algorithm, f"{algorithm}, ours", ours=True)
    few = (found_by("kd_tree"), peer("SciPy cKDTree", "scipy_kd_tree"),
           peer("scikit-learn kd_tree", "sklearn_neighbors", algorithm="kd_tree"))
    many = (found_by("brute"), peer("scikit-learn brute", "sklearn_neighbors", algorithm="brute"),
            peer("faiss flat", "faiss_flat"))
    rough = (found_by("approximate"), peer("pynndescent", "pynndescent_neighbors"))
    return ([Row("k = 10", Data("Swiss roll", n), few, None) for n in sizes(quick, 10_000, 30_000, 100_000)] +
            [Row("k = 15", images(quick, n), contenders, None, 15)
             for contenders in (many, rough) for n in sizes(quick, 20_000)])


def part_paths(quick: bool) -> list[Row]:
    some = (part("paths", "ours", ours=True), part("paths", "boost", "Boost.Graph"),
            peer("SciPy dijkstra", "scipy_dijkstra"))
    all_pairs = (part("all_paths", "ours", ours=True), part("all_paths", "boost", "Boost.Graph"),
                 peer("SciPy floyd_warshall", "scipy_floyd_warshall"))
    roll, small = Data("Swiss roll", sizes(quick, 20_000)[0]), Data("Swiss roll", sizes(quick, 1000)[0])
    return [Row("from 500 points", roll, some, "told", 50 if quick else 500, Matrix(roll, "distances", 10)),
            Row("Floyd-Warshall", small, all_pairs, "told", companion=Matrix(small, "distances", 10))]


def part_k_means(quick: bool) -> list[Row]:
    contenders = (part("k_means", "ours", ours=True), peer("scikit-learn lloyd", "sklearn_kmeans", algorithm="lloyd"),
                  peer("scikit-learn elkan", "sklearn_kmeans", algorithm="elkan"))
    return [Row(f"{k} clusters", data, contenders, "told", k)
            for data, k in ((Data("mixture", sizes(quick, 100_000)[0]), 100), (Data("cube", sizes(quick, 100_000)[0]), 8),
                            (images(quick, sizes(quick, 10_000)[0], "float64"), 10))]


def part_read(quick: bool) -> list[Row]:
    ours_alone, (n,) = part("read", "ours", ours=True), sizes(quick, 1_000_000)
    text = (ours_alone, peer("numpy.loadtxt", "numpy_loadtxt"), peer("pandas.read_csv", "pandas_read_csv"))
    binary = (ours_alone, peer("numpy.load", "numpy_load"))
    return [Row("csv, 17 digits", Data("normal", n, digits=17), text, "told"),
            Row("csv, 6 digits", Data("normal", n, digits=6), text, "told"),
            Row("npy", Data("normal", n), binary, "told"), Row("npz", Data("normal", n, packed=True), binary, "told")]


def part_zip(quick: bool) -> list[Row]:
    contenders = (part("zip", "ours", ours=True), part("zip", "libzip"), peer("numpy.load", "numpy_load"))
    return [Row("deflated", Data("normal", n, packed=True), contenders, "bytes_read") for n in sizes(quick, 1_000_000)]


def part_pool(quick: bool) -> list[Row]:
    contenders = (part("pool", "ours", ours=True), part("pool", "openmp", "OpenMP"), part("pool", "async", "std::async"))
    return [Row(f"{k} blocks, 20 000 times", Nothing(), contenders, None, k) for k in ((2,) if quick else (2, 8, 64))]


def part_convolution(quick: bool) -> list[Row]:
    def contenders(reach: str, name: str) -> tuple[Contender, ...]:
        return (part("convolution", name, "ours", ours=True),
                part("convolution", reach + "estimate", "FFTW_ESTIMATE"),
                part("convolution", reach + "measure", "FFTW_MEASURE"))
    return [Row(f"{k} x {k}, {word}", Nothing(), contenders(reach, name), "told", k)
            for word, reach, name in (("whole kernel", "", "ours"), ("short reach", "short_", "short"))
            for k in ((64,) if quick else (64, 128, 192, 320, 640, 960))]


def compiled(source: str, name: str, ours: bool = False) -> Contender:
    return command(name, "g++", "-std=c++20", "-O2", "-I{root}/include", "-I{root}/src", "-I{root}/apps/cli", "-c",
                   "{root}/" + source, "-o", "{out}.o", ours=ours)


def part_text(quick: bool) -> list[Row]:
    flags = (compiled("apps/cli/command_line.cpp", "ours", True), compiled("bench/parts/flags_cli11.cpp", "CLI11"))
    json = (compiled("src/core/json.cpp", "ours", True), compiled("bench/parts/json_nlohmann.cpp", "nlohmann-json"))
    written = (part("json", "ours", ours=True), part("json", "nlohmann", "nlohmann-json"))
    return [Row("flags, to compile", Nothing(), flags, None), Row("JSON, to compile", Nothing(), json, None),
            Row("JSON, to write 1 000 000 numbers", Nothing(), written, "told", 1000 if quick else 1_000_000)]


AFFINE = ("Affine R2: of the place along the roll and across it, under the affine map of the coordinates that fits "
          "them best.")

SUITES: dict[str, Suite] = {
    "pca": Suite("PCA to 50 components", "whole", pca,
                 "Variance error: the largest relative error of the explained variances, against LAPACK on the "
                 "covariance in double precision."),
    "pca-sparse": Suite("PCA of sparse features to 50 components", "whole", pca_sparse,
                        "TruncatedSVD does not centre, so its axes are others. Variance error: of the explained variances, "
                        "the largest relative error against ARPACK on the centred rows."),
    "csv": Suite("Reading csv of 10 columns", "fit", csv,
                 "Ours: `timings_s.read` (its whole command also computes and reports a PCA).", threads=1),
    "neighbors-exact": Suite("Exact nearest neighbours", "fit", neighbors_exact),
    "neighbors-approximate": Suite("Approximate nearest neighbours", "fit", neighbors_approximate,
                                   "hnswlib and faiss HNSW: M = 16, ef_construction = 200, building and querying with "
                                   "the shortest candidate list (20 to 300) that reaches a recall of 0.99. "
                                   "pynndescent: its defaults."),
    "neighbors-large": Suite("Many points, ours alone", "fit", neighbors_large,
                             "cube: uniform, 3-dimensional. mixture: 100 normal clusters in 50 dimensions. manifold: "
                             "a curved 5-dimensional sheet in 50 dimensions, with noise. bench/data.py has the "
                             "formulas."),
    "quality": Suite("Trustworthiness of a map by PCA, k = 10", "whole", quality),
    "isomap": Suite("Isomap", "whole", isomap,
                    "Distance correlation: Pearson's, of distances in the map with those on the unrolled sheet."),
    "kernel-pca": Suite("Kernel PCA", "whole", kernel_pca),
    "tsne": Suite("t-SNE", "whole", tsne,
                  "10-NN accuracy: of the labels, in the map. Correlation of distances: of 10 000 random pairs. KL: over all "
                  "pairs, with scikit-learn's affinities of true neighbours."),
    "autoencoder": Suite("Autoencoder, 784-500-250-2", "whole", autoencoder,
                         "Loss: the squared error of what the numbers give back, beside that of as many numbers of PCA."),
    "mds": Suite("Classical multidimensional scaling", "whole", classical_mds),
    "metric-mds": Suite("Metric multidimensional scaling", "whole", metric_mds,
                        "scikit-learn: the best of four random starts, its default."),
    "mvu": Suite("Maximum variance unfolding", "whole", mvu,
                 AFFINE + " Violation: the root mean square of the differences of squared distances, relative to them."),
    "laplacian-eigenmaps": Suite("Laplacian eigenmaps", "whole", laplacian_eigenmaps,
                                 "Spearman: of the first coordinate with the place along the roll."),
    "diffusion-maps": Suite("Diffusion maps", "whole", diffusion_maps),
    "lle": Suite("Locally linear embedding", "whole", lle,
                 AFFINE + " LLE's height is known to be poor: regularization bends it."),
    "mlle": Suite("Modified locally linear embedding", "whole",
                  local_alignment("mlle", "modified", 5_000, 20_000), AFFINE),
    "hlle": Suite("Hessian locally linear embedding", "whole",
                  local_alignment("hlle", "hessian", 5_000, 20_000), AFFINE),
    "ltsa": Suite("Local tangent space alignment", "whole",
                  local_alignment("ltsa", "ltsa", 5_000, 10_000, alone=1_000_000), AFFINE),
    "spectral-clustering": Suite("Spectral clustering", "whole", spectral_clustering,
                                 "Adjusted Rand index: of the clusters with the two moons."),
    "umap": Suite("UMAP", "whole", umap,
                  "10-NN accuracy: of the labels, in the map. Correlation of distances: of 10 000 random pairs. Means over 3 "
                  "seeds."),
    "layouts-large": Suite("Optimised maps of many points", "whole", layouts_large,
                           "sheets: 30 clusters on curved 3-dimensional sheets in 50 dimensions.", False),
    "methods": Suite("Methods, to 2 dimensions", "whole", methods),
    "part-cholesky": Suite("Sparse Cholesky", "cpu", part_cholesky,
                           "The fit is order, factor and one solve with 8 right-hand sides. Error: backward.", False),
    "part-order": Suite("Orders of elimination", "cpu", part_order,
                        "Flops and entries of the factor, counted by the same analysis for all.", False),
    "part-eigenpairs": Suite("Smallest eigenpairs of Laplacians", "cpu", part_eigenpairs,
                             "Missed: how many of the eigenvalues, known in closed form, are not among those found. "
                             "Products are of blocks with ours, of vectors with ARPACK.", False),
    "part-small-eigen": Suite("All eigenpairs of small matrices", "cpu", part_small_eigen,
                              "100 000 / side matrices of inner products of 50-dimensional points.", False, 1),
    "part-neighbors": Suite("Nearest neighbours, on the CPU", "cpu", part_neighbors,
                            "What is found is judged by neighbors-exact and neighbors-approximate.", False, 1),
    "part-paths": Suite("Shortest paths", "cpu", part_paths, default=False, threads=1),
    "part-k-means": Suite("k-means from given centers", "cpu", part_k_means, default=False),
    "part-read": Suite("Reading csv, npy and npz of 10 columns", "cpu", part_read, "npz: compressed.", False, 1),
    "part-zip": Suite("Reading zip", "cpu", part_zip, "The archive is in memory; of numpy.load in a file.", False, 1),
    "part-pool": Suite("Threads that do little", "cpu", part_pool, "Blocks of about a microsecond.", False),
    "part-convolution": Suite("Convolutions on a grid, 50 times", "cpu", part_convolution,
                              "Without the time of plans, which is told apart.", False, 1),
    "part-text": Suite("Flags and JSON", "cpu", part_text, default=False, threads=1),
}
