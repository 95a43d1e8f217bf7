"""The table of classes: the method that each fits, its parameters with scikit-learn's defaults, what it finds.

A class of a new method is a row here. Parameters that only other implementations need are taken and have no effect.
"""
from . import _graphs, _labels, _layouts, _neighbors, _networks, _principal
from ._base import METHODS, OPTIONS_OF
from ._parameters import (ARRAY, BOOL, CALLABLE, DICT, INT, NONE, RANDOM_STATE, TEXT, TUPLE, VERBOSE, Choice, Interval,
                          Parameter, count, real)


class Row:
    def __init__(self, name, base, method, parameters, attributes=None):
        self.name, self.base, self.method = name, base, method
        self.parameters, self.attributes = parameters, attributes or {}


# Where fitted attributes come from.
def coordinates(estimator, model):
    return model.coordinates


def eigenvalues(estimator, model):
    return model.spectrum["values"]


def attribute(name):
    return lambda estimator, model: model.attribute(name)


def option(name):
    """An option as it was used."""
    return lambda estimator, model: model.options[name]


def per_point(name):
    """An attribute that sums over the points, of coordinates whose columns have length 1."""
    return lambda estimator, model: model.attribute(name) / len(model.coordinates)


def last_iteration(estimator, model):
    """As in scikit-learn, the number of the last iteration, counted from 0."""
    return max(0, model.attribute("n_iter") - 1)


def components(default, *choices):
    """Ours: scikit-learn has no choice here."""
    return Parameter("components", default, Choice(*choices), help="What becomes of a graph in several parts.")


# What LabelBase sets beside the names; the documentation lists them.
LABEL_ATTRIBUTES = {"label_distributions_": coordinates}

NO_EFFECT = "Taken for scikit-learn's sake; it has no effect."


def ignored(name, default, *allowed):
    return Parameter(name, default, *allowed, option=None, help=NO_EFFECT)


RANDOM = Parameter("random_state", None, RANDOM_STATE,
                   help="Seed of all that is random; None is 0: the same call gives the same result.")
N_JOBS = Parameter("n_jobs", None, NONE, INT, option=None,
                   help="Threads; None is one per core. The result does not depend on it.")
# Ours: new points are reduced alike, which a pipeline does, too.
PCA_FIRST = Parameter("pca", None, count(), NONE,
                      help="Reduce the points to so many principal axes first; None: not at all.")
SEARCH = Parameter("neighbors_algorithm", "auto", Choice("auto", "brute", "kd_tree", "ball_tree", "approximate"),
                   values={"ball_tree": "auto"}, help="How neighbors are searched; all but 'approximate' are exact.")
SOLVERS = {"arpack": "auto", "randomized": "auto"}  # auto falls back on others where one does not converge
METRIC = Parameter("metric", "minkowski", TEXT, CALLABLE, option=None,
                   help="A name of scikit-learn's or SciPy's, a function of two rows, or 'precomputed'.")
P = Parameter("p", 2, real(0, None, "()"), option=None, help="Power of the Minkowski metric.")
METRIC_PARAMS = Parameter("metric_params", None, DICT, NONE, option=None, help="Further arguments of the metric.")


def euclidean(parameter):
    """The same parameter, euclidean by default."""
    return Parameter(parameter.name, "euclidean", *parameter.allowed, option=None, help=parameter.help)


def given(name, default, *allowed, **more):
    return Parameter(name, default, *allowed, **more)


def plain(method, *changed):
    """All options of a method as parameters, those of `changed` in their place."""
    instead = {parameter.name: parameter for parameter in changed}
    rows = [instead.pop(name, Parameter(name, option["default"], help=option["help"]))
            for name, option in OPTIONS_OF[method].items()]
    return rows + list(instead.values())


TABLE = [
    Row("PCA", _principal.PcaBase, "pca", [
        given("n_components", None, Interval("int", 0), Interval("float", 0, 1, "()"), Choice("mle"), NONE,
              help="Coordinates to compute; a fraction: as many as explain so much of the variance; None: all."),
        ignored("copy", True, BOOL),
        given("whiten", False, BOOL),
        given("svd_solver", "auto", Choice("auto", "full", "arpack", "randomized", "covariance_eigh"), option="solver",
              values={"full": "auto", "arpack": "auto", "randomized": "auto", "covariance_eigh": "covariance"},
              help="Limits n_components as in scikit-learn; results are exact, by the way of the lowest cost."),
        ignored("tol", 0.0, real(0)),
        ignored("iterated_power", "auto", Choice("auto"), Interval("int", 0)),
        ignored("n_oversamples", 10, count()),
        ignored("power_iteration_normalizer", "auto", Choice("auto", "QR", "LU", "none")),
        RANDOM,
    ], {
        "components_": attribute("components"),
        "explained_variance_": attribute("explained_variance"),
        "explained_variance_ratio_": attribute("explained_variance_ratio"),
        "singular_values_": attribute("singular_values"),
        "mean_": attribute("mean"),
        "n_components_": lambda estimator, model: model.n_components,
    }),
    Row("KernelPCA", _principal.KernelPcaBase, "kernel_pca", [
        given("n_components", None, count(), NONE, help="Coordinates to compute; None: all that do not vanish."),
        given("kernel", "linear", Choice("linear", "poly", "rbf", "sigmoid", "cosine", "laplacian", "additive_chi2",
                                         "chi2", "polynomial", "precomputed"), CALLABLE,
              values={"polynomial": "poly"}),
        given("gamma", None, real(0), NONE, help="Coefficient of the kernel; None: 1 / number of features."),
        given("degree", 3, real(0)),
        given("coef0", 1, Interval("float", float("-inf"), None, "()")),
        given("kernel_params", None, DICT, NONE, help="Further arguments of a callable kernel."),
        given("alpha", 1.0, real(0)),
        given("fit_inverse_transform", False, BOOL, help="Whether inverse_transform can be called."),
        given("eigen_solver", "auto", Choice("auto", "dense", "arpack", "randomized"), values=SOLVERS),
        ignored("tol", 0, real(0)),
        ignored("max_iter", None, count(), NONE),
        ignored("iterated_power", "auto", Choice("auto"), Interval("int", 0)),
        given("remove_zero_eig", False, BOOL, help="Whether coordinates that vanish are left out."),
        RANDOM,
        ignored("copy_X", True, BOOL),
        N_JOBS,
    ]),
    Row("ClassicalMDS", _graphs.MdsBase, "mds", [
        given("n_components", 2, count()),
        euclidean(METRIC), METRIC_PARAMS, N_JOBS,
    ], {"embedding_": coordinates, "eigenvalues_": eigenvalues}),
    Row("Isomap", _graphs.IsomapBase, "isomap", [
        given("n_neighbors", 5, count(), NONE),
        given("radius", None, real(0, None, "(]"), NONE),
        given("n_components", 2, count()),
        given("eigen_solver", "auto", Choice("auto", "arpack", "dense"), values=SOLVERS),
        ignored("tol", 0, real(0)),
        ignored("max_iter", None, count(), NONE),
        given("path_method", "auto", Choice("auto", "FW", "D"), values={"FW": "floyd_warshall", "D": "dijkstra"}),
        SEARCH, N_JOBS, METRIC, P, METRIC_PARAMS, components("connect", "connect", "separate", "error"),
    ], {"embedding_": coordinates, "eigenvalues_": eigenvalues, "residual_variance_": attribute("residual_variance")}),
    Row("LocallyLinearEmbedding", _graphs.LocallyLinearBase, "lle", [
        given("n_neighbors", 5, count()),
        given("n_components", 2, count()),
        given("reg", 1e-3, real(0)),
        given("eigen_solver", "auto", Choice("auto", "arpack", "dense"), values=SOLVERS),
        ignored("tol", 1e-6, real(0)),
        ignored("max_iter", 100, count()),
        given("method", "standard", Choice("standard", "hessian", "modified", "ltsa"), option=None,
              help="Which method of the family: lle, hlle, mlle or ltsa."),
        ignored("hessian_tol", 1e-4, real(0)),
        ignored("modified_tol", 1e-12, real(0)),
        SEARCH, RANDOM, N_JOBS, components("separate", "separate", "connect", "keep", "error"),
    ], {"embedding_": coordinates, "reconstruction_error_": per_point("reconstruction_cost")}),
    Row("SpectralEmbedding", _graphs.SpectralEmbeddingBase, "laplacian_eigenmaps", [
        given("n_components", 2, count()),
        given("affinity", "nearest_neighbors", Choice("nearest_neighbors", "rbf", "precomputed",
                                                      "precomputed_nearest_neighbors"), CALLABLE, option=None,
              help="What edges weigh: 1 between neighbors, exp(-gamma d^2), or what X says."),
        given("gamma", None, real(0, None, "()"), NONE, option=None,
              help="Of affinity='rbf'; None: 1 / number of features."),
        RANDOM,
        given("eigen_solver", None, Choice("arpack", "lobpcg", "amg"), NONE, option=None, help=NO_EFFECT),
        ignored("eigen_tol", "auto", real(0), Choice("auto")),
        given("n_neighbors", None, count(), NONE,
              help="Neighbors of a point, itself among them; None: a tenth of the points."),
        N_JOBS, components("keep", "keep", "separate", "connect", "error"),
    ], {"embedding_": coordinates, "eigenvalues_": eigenvalues}),
    Row("SpectralClustering", _graphs.SpectralClusteringBase, "spectral_clustering", [
        given("n_clusters", 8, count()),
        given("eigen_solver", None, Choice("arpack", "lobpcg", "amg"), NONE, option=None, help=NO_EFFECT),
        given("n_components", None, count(), NONE),
        RANDOM,
        given("n_init", 10, count()),
        given("gamma", 1.0, real(0, None, "()"), option=None, help="Of affinity='rbf', which is exp(-gamma d^2), and of kernels."),
        given("affinity", "rbf", Choice("rbf", "nearest_neighbors", "precomputed", "precomputed_nearest_neighbors",
                                        "additive_chi2", "chi2", "linear", "poly", "polynomial", "laplacian", "sigmoid",
                                        "cosine"), CALLABLE, option=None,
              help="What edges weigh: a kernel, 1 between neighbors, or what X says."),
        given("n_neighbors", 10, count(), help="Neighbors of a point, itself among them."),
        ignored("eigen_tol", "auto", real(0), Choice("auto")),
        given("assign_labels", "kmeans", Choice("kmeans", "discretize", "cluster_qr")),
        given("degree", 3, real(0), option=None, help="Of affinity='poly'."),
        given("coef0", 1, Interval("float", float("-inf"), None, "()"), option=None, help="Of poly and sigmoid."),
        given("kernel_params", None, DICT, NONE, option=None, help="Further arguments of a callable affinity."),
        N_JOBS,
        given("verbose", False, VERBOSE, option=None, help="Whether the work is told on sys.stdout."),
    ]),
    Row("TSNE", _layouts.TsneBase, "tsne", [
        given("n_components", 2, count()),
        given("perplexity", 30.0, real(0)),
        given("early_exaggeration", 12.0, real(1)),
        given("learning_rate", "auto", real(0, None, "()"), Choice("auto"),
              help="Length of steps along the gradient; 'auto': by the number of points."),
        given("n_iter", 1000, count(0), help="Iterations in all, 250 of them with early exaggeration."),
        ignored("n_iter_without_progress", 300, Interval("int", -1)),
        ignored("min_grad_norm", 1e-7, real(0)),
        euclidean(METRIC), METRIC_PARAMS,
        given("init", "pca", Choice("pca", "random", "spectral"), ARRAY, option=None,
              help="Where the map starts, or an array of coordinates."),
        given("verbose", 0, VERBOSE, option=None, help="Whether the work is told on sys.stdout."),
        RANDOM,
        given("method", "barnes_hut", Choice("barnes_hut", "exact"), option="gradient", values={"barnes_hut": "auto"},
              help="'exact': forces of all pairs; else by a grid or a tree if there are many points."),
        ignored("angle", 0.5, real(0, 1, "[]")),
        N_JOBS,
        given("max_iter", None, count(0), NONE, option=None, help="What newer versions of scikit-learn call n_iter."),
        PCA_FIRST,
    ], {"embedding_": coordinates, "kl_divergence_": attribute("kl_divergence"), "n_iter_": last_iteration}),
    Row("MDS", _layouts.MdsBase, "metric_mds", [
        given("n_components", 2, count()),
        given("metric", True, BOOL, TEXT, CALLABLE, option=None,
              help="Whether distances count (metric_mds) or their order alone (nonmetric_mds). Or, as in newer versions of "
                   "scikit-learn, a metric: its name, a function of two rows, or 'precomputed'."),
        given("n_init", 1, count(), Choice("auto", "warn"), values={"auto": 1, "warn": 1},
              help="Starts: classical scaling, then random ones; the best map is kept."),
        given("max_iter", 300, count(), option="n_iter", help="Iterations per start."),
        given("verbose", 0, VERBOSE, option=None, help="Whether the work is told on sys.stdout."),
        given("eps", 1e-6, real(0), option=None,
              help="It ends where iterations lower the stress by less, as a part of the squared distances."),
        N_JOBS, RANDOM,
        given("dissimilarity", "euclidean", Choice("euclidean", "precomputed"), option=None,
              help="What X is: points, or the matrix of their distances."),
        given("normalized_stress", "auto", BOOL, Choice("auto"), option=None,
              help="Whether stress_ is without a unit, sqrt(stress / sum of squared distances). 'auto': if not metric."),
        given("metric_mds", None, BOOL, NONE, option=None,
              help="What newer versions of scikit-learn call a metric of True or False."),
        given("init", None, Choice("classical_mds", "random", "warn"), NONE, option=None,
              help="The first start, as in newer versions of scikit-learn; None: classical scaling."),
        METRIC_PARAMS,
    ], {"embedding_": coordinates, "n_iter_": attribute("n_iter")}),
    Row("KMeans", _neighbors.KMeansBase, None, [
        given("n_clusters", 8, count(), help="Clusters to find."),
        given("init", "k-means++", Choice("k-means++", "random"), CALLABLE, ARRAY, help="Where the centers start."),
        given("n_init", 10, Choice("auto", "warn"), count(), help="How many starts; the best result is kept."),
        given("max_iter", 300, count(), help="Iterations per start at most."),
        given("tol", 1e-4, real(0), help="It ends when the centers move by less, relative to the variance."),
        given("verbose", 0, VERBOSE, option=None, help="Whether the work is told on sys.stdout."),
        RANDOM,
        ignored("copy_x", True, BOOL),
        ignored("algorithm", "lloyd", Choice("lloyd", "elkan", "auto", "full")),
    ]),
    Row("KNeighborsTransformer", _neighbors.KNeighborsBase, None, [
        given("mode", "distance", Choice("distance", "connectivity"), help="What the entries of the graph are."),
        given("n_neighbors", 5, count(), help="Neighbors per point."),
        given("algorithm", "auto", Choice("auto", "ball_tree", "kd_tree", "brute", "approximate"),
              help="How neighbors are searched."),
        ignored("leaf_size", 30, count()),
        METRIC, P, METRIC_PARAMS, N_JOBS,
    ]),
    Row("DiffusionMaps", _graphs.PlainBase, "diffusion_maps", plain("diffusion_maps", RANDOM, euclidean(METRIC), P, N_JOBS),
        {"embedding_": coordinates, "eigenvalues_": eigenvalues}),
    Row("SNE", _layouts.PlainLayoutBase, "sne", plain(
        "sne", RANDOM, euclidean(METRIC), P,
        given("init", "auto", Choice("auto", "pca", "spectral", "random"), ARRAY, option=None,
              help="Where the map starts, or an array of coordinates."),
        N_JOBS, given("verbose", 0, VERBOSE, option=None, help="Whether the work is told on sys.stdout.")),
        {"embedding_": coordinates, "kl_divergence_": attribute("kl_divergence"), "n_iter_": attribute("n_iter")}),
    Row("Autoencoder", _networks.AutoencoderBase, "autoencoder", plain(
        "autoencoder", RANDOM, N_JOBS,
        given("layers", None, ARRAY, NONE),
        given("verbose", 0, VERBOSE, option=None, help="Whether the work is told on sys.stdout.")),
        {"embedding_": coordinates, "reconstruction_error_": attribute("reconstruction_error"),
         "pca_error_": attribute("pca_error"), "training_loss_": attribute("training_loss"),
         "held_out_loss_": attribute("held_out_loss"), "free_energy_": attribute("free_energy"),
         "n_iter_": attribute("n_iter")}),
    *[Row(name, _layouts.StressBase, method, plain(
        method, RANDOM, euclidean(METRIC), P,
        given("init", "auto", Choice("auto", "pca", "random"), ARRAY, option=None,
              help="Where the map starts, or an array of coordinates; 'auto': classical scaling."),
        N_JOBS, given("verbose", 0, VERBOSE, option=None, help="Whether the work is told on sys.stdout.")),
        {"embedding_": coordinates, "stress_": attribute("stress"), "n_iter_": attribute("n_iter")})
      for name, method in (("NonmetricMDS", "nonmetric_mds"), ("Sammon", "sammon"))],
    Row("MVU", _layouts.PlainLayoutBase, "mvu", plain(
        "mvu", RANDOM, euclidean(METRIC), P, components("connect", "connect", "separate", "error"),
        given("init", "auto", Choice("auto", "pca", "spectral", "random"), ARRAY, option=None,
              help="Where the map starts, or an array of coordinates; 'auto': path lengths from landmarks."),
        N_JOBS, given("verbose", 0, VERBOSE, option=None, help="Whether the work is told on sys.stdout.")),
        {"embedding_": coordinates, "eigenvalues_": eigenvalues, "objective_": attribute("objective"),
         "violation_": attribute("violation"), "certified_": attribute("certified"),
         "kernel_factor_": attribute("kernel_factor"), "n_iter_": attribute("n_iter")}),
    Row("UMAP", _layouts.UmapBase, "umap", [
        given("n_neighbors", 15, count(2), help="Neighbors of a point, itself among them, as in umap-learn."),
        given("n_components", 2, count()),
        euclidean(METRIC),
        given("metric_kwds", None, DICT, NONE, option=None, help="Further arguments of the metric."),
        given("n_epochs", None, count(0), NONE),
        given("learning_rate", 1.0, real(0, None, "()")),
        given("init", "spectral", Choice("spectral", "random", "pca"), ARRAY, option=None,
              help="Where the map starts, or an array of coordinates."),
        given("min_dist", 0.1, real(0)),
        given("spread", 1.0, real(0, None, "()")),
        ignored("low_memory", True, BOOL),
        given("n_jobs", -1, INT, NONE, option=None, help=N_JOBS.help),
        given("set_op_mix_ratio", 1.0, real(0, 1, "[]")),
        given("local_connectivity", 1.0, real(0)),
        given("repulsion_strength", 1.0, real(0)),
        given("negative_sample_rate", 5, count(0)),
        given("a", None, real(0, None, "()"), NONE),
        given("b", None, real(0, None, "()"), NONE),
        RANDOM,
        given("target_metric", "categorical", TEXT, option=None,
              help="What y of fit is: classes ('categorical', -1 unknown), or numbers (any other name)."),
        given("target_weight", 0.5, real(0, 1, "[]")),
        ignored("transform_seed", 42, INT),
        given("target_n_neighbors", -1, INT, option=None, help="Neighbors among numbers as y: -1, as many as n_neighbors."),
        given("target_metric_kwds", None, DICT, NONE, option=None, help="Must be empty: the metrics of y take no arguments."),
        given("output_metric", "euclidean", TEXT, CALLABLE, option=None, help="Must be 'euclidean': the map is plane."),
        given("output_metric_kwds", None, DICT, NONE, option=None, help="Must be empty, as output_metric has no arguments."),
        given("transform_mode", "embedding", TEXT, option=None, help="Must be 'embedding': new points are placed in the map."),
        given("output_dens", False, BOOL, option=None, help="Must be False: radii of points are not returned."),
        given("disconnection_distance", None, real(0), NONE, option=None, help="Must be None or infinite: all neighbors count."),
        ignored("transform_queue_size", 4.0, real(0)),
        ignored("angular_rp_forest", False, BOOL),
        ignored("force_approximation_algorithm", False, BOOL),
        ignored("tqdm_kwds", None, DICT, NONE),
        given("unique", False, BOOL, option=None, help="Must be False: equal rows are points of their own."),
        given("densmap", False, BOOL),
        given("dens_lambda", 2.0, real(0)),
        given("dens_frac", 0.3, real(0, 1, "[]")),
        given("dens_var_shift", 0.1, real(0)),
        given("precomputed_knn", (None, None, None), TUPLE, ARRAY, NONE, option=None,
              help="(indices, distances) of n_neighbors per point, itself among them, instead of a search."),
        given("verbose", False, VERBOSE, option=None, help="Whether the work is told on sys.stdout."),
        PCA_FIRST,
    ], {"embedding_": coordinates, "a_": option("a"), "b_": option("b")}),
    *[Row(name, base, method, [
        given("kernel", "rbf", Choice("knn", "rbf"), CALLABLE, option=None,
              help="What edges weigh: exp(-gamma d^2) between all points, 1 between neighbors, or what a function of two "
                   "arrays of points says."),
        given("gamma", 20, real(0), option=None, help="Of kernel='rbf'."),
        given("n_neighbors", 7, count(), help="Of kernel='knn': neighbors of a point, itself among them."),
        *alpha,
        given("max_iter", enough, count(), option=None,
              help=f"Iterations at most; from {enough} on as many as are needed, or a solution in closed form."),
        given("tol", 1e-3, real(0), option=None, help="Residuals are 1e-13 or this, whichever is less."),
        N_JOBS,
        given("symmetrization", "union", Choice("union", "mutual", "average"),
              help="Ours, of kernel='knn': an edge that only one end has among its nearest counts, goes, or counts half."),
        given("components", "keep", Choice("keep", "connect", "error"),
              help="Ours: parts of the graph without a label stay unlabeled, or parts are joined by their shortest edges."),
    ], LABEL_ATTRIBUTES) for name, base, method, enough, alpha in (
        ("LabelPropagation", _labels.PropagationBase, "label_propagation", 1000, []),
        ("LabelSpreading", _labels.KernelLabelBase, "label_spreading", 30,
         [given("alpha", 0.2, real(0, 1, "()"),
                help="The share that a point takes from its neighbors, the rest being its own label.")]))],
    Row("LabelEigenvectors", _labels.PlainLabelBase, "label_eigenvectors", plain("label_eigenvectors", RANDOM, N_JOBS),
        LABEL_ATTRIBUTES),
]


def document(row):
    """The docstring of a class: what the method is, its parameters with the options' own texts, what it finds."""
    method = METHODS.get(row.method)
    titles = {"KMeans": "k-means clustering (Lloyd 1982)", "KNeighborsTransformer": "The graph of nearest neighbors"}
    lines = [f"{titles.get(row.name) or method['title']}.", ""]
    if method is not None:
        lines += [f"Reference: {method['reference']}.", ""]
    lines += ["Parameters", "----------"]
    options = OPTIONS_OF.get(row.method, {})
    for parameter in row.parameters:
        option = options.get(parameter.option, {})
        allowed = " or ".join(str(kind) for kind in parameter.allowed) or option.get("allowed", "")
        lines.append(f"{parameter.name} : {allowed}, default={parameter.default!r}")
        lines.append(f"    {parameter.help or option.get('help', '')}")
    if row.attributes:
        lines += ["", "Attributes", "----------", *row.attributes, "n_features_in_", "feature_names_in_"]
    return "\n".join(lines) + "\n"


def initializer(row):
    """The class's __init__, with its parameters in the signature: it keeps them and does nothing else."""
    scope = {f"_{parameter.name}": parameter.default for parameter in row.parameters}
    # As in scikit-learn, the leading parameter may be given by position.
    names = [parameter.name for parameter in row.parameters]
    signature = ", ".join(f"{name}=_{name}" + (", *" if place == 0 else "") for place, name in enumerate(names))
    body = "\n".join(f"    self.{name} = {name}" for name in names)
    exec(f"def __init__(self, {signature}):\n{body}\n", scope)
    return scope["__init__"]


def make_class(row):
    made = type(row.name, (row.base,), {"_row": row, "__init__": initializer(row), "__doc__": document(row),
                                        "__module__": "unroll"})
    made.__init__.__qualname__ = f"{row.name}.__init__"
    return made


CLASSES = {row.name: make_class(row) for row in TABLE}
