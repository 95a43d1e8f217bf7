"""Functions: one call instead of an object, measures of a map, and models from files."""
import time

import numpy as np

from . import _arrays, _classes, _core, _errors, _metrics


def _call(who, function, *arguments, **keywords):
    """Calls the library, whose errors are raised in the name of the function that the user called."""
    try:
        return function(*arguments, **keywords)
    except _errors.Error as error:
        _arrays.explain(error, arguments, who)
        raise error.told_by(error.who or who) from None


class FittedModel:
    """A model of any method: its map, and the means to place new points."""

    def __init__(self, model, seconds=None):
        self._model, self._seconds = model, seconds

    def __repr__(self):
        return f"FittedModel({self.method!r}, {self.embedding_.shape[0]} points, {self._model.n_components} components)"

    def _repr_html_(self):
        """What notebooks show: the picture, the options that are not the default, the warnings."""
        from . import _html
        return _html.of_model(self._model, self._seconds)

    method = property(lambda self: self._model.method, doc="The method's name.")
    options = property(lambda self: self._model.options, doc="All options, as they were used.")
    embedding_ = property(lambda self: self._model.coordinates, doc="The coordinates of the training points.")
    labels_ = property(lambda self: self._named(self._model.labels),
                       doc="The clusters or classes of the training points, if there are any.")
    spectrum = property(lambda self: self._model.spectrum, doc="Eigenvalues, with the residuals that prove them.")
    attributes = property(lambda self: self._model.attributes, doc="What else the method reports, by name.")
    warnings = property(lambda self: self._model.warnings, doc="(code, message, hint) of every warning.")
    transform_kind_ = property(lambda self: self._model.transform_kind, doc="How new points are placed.")
    n_features_in_ = property(lambda self: self._model.n_features, doc="Numbers in a row of a new point.")

    def transform(self, X, n_jobs=None):
        """The coordinates of new rows."""
        return _call(self.method, self._model.transform, _arrays.points(X, self.method), _arrays.threads_of(n_jobs))

    def inverse_transform(self, X, n_jobs=None):
        """Points of the data space for coordinates, where the method has an inverse."""
        return _call(self.method, self._model.inverse_transform, _arrays.dense(X, self.method),
                     _arrays.threads_of(n_jobs))

    def predict(self, X, n_jobs=None):
        """The clusters or classes of new rows, where the method finds some."""
        found = _call(self.method, self._model.predict, _arrays.points(X, self.method), _arrays.threads_of(n_jobs))
        return self._named(found)

    def _named(self, labels):
        """Labels as the classes that the model was fitted with; -1, or '' among words: none."""
        words = self._model.class_names
        return _classes.named(_classes.from_words(words), labels) if words else labels

    def save(self, path):
        """Writes the model file."""
        _call(self.method, self._model.save, str(path))


def load(path):
    """The model in a file that `save`, or the command `unroll embed --save`, has written."""
    return FittedModel(_call("load", _core.load_file, str(path)))


def methods():
    """What the library has: a dict per method with its name, title, reference, options and more."""
    return _core.methods()


def _data(X, who, options):
    precomputed = "precomputed" in (options.get("metric"), options.get("kernel"), options.get("weights"))
    if precomputed and _arrays.is_sparse(X):
        return _arrays.sparse(X)
    return (_arrays.dense if precomputed else _arrays.points)(X, who)


def _number_options(options):
    changed = dict(options)
    if "random_state" in changed:
        changed["random_state"] = _arrays.seed_of(changed["random_state"])
    return changed


def embed(X, method="pca", *, n_jobs=None, init=None, y=None, weight=None, callback=None, return_model=False,
          **options):
    """Fits a method of the library, with the options of the command, and returns the coordinates.

    Defaults are the command's: the same input and options give the same bytes. `return_model` returns a FittedModel.
    `init` is the start of an optimised map, `y` the classes of umap and of
    label_spreading and its kin (-1: unknown), `weight` the weights of pairs of metric_mds and
    sammon. `callback(stage, fraction, loss, map)` is called
    on the way: None and True go on, 'finish' keeps the present map, False cancels.

    >>> import unroll
    >>> points, _ = unroll.make_dataset("s_curve", 300)
    >>> unroll.embed(points, "isomap", n_neighbors=8).shape
    (300, 2)
    """
    name = _call("embed", _core.find_method, method)
    options = _number_options(options)
    more, classes = {}, None
    if init is not None:
        more["init"] = _arrays.dense(init, name, name="init")
    if y is not None:
        classes, more["labels"] = _classes.known_classes(y)
    if weight is not None:
        more["pair_weights"] = _arrays.dense(weight, name, name="weight")
    began = time.perf_counter()
    model = _call(name, _core.fit, name, _data(X, name, options), options, threads=_arrays.threads_of(n_jobs),
                  progress=callback, **more)
    seconds = time.perf_counter() - began
    _errors.warn_all(model.warnings, name, stacklevel=3)
    if classes is not None and name.startswith("label_"):
        model = model.with_names([], _classes.words_of(classes))
    return FittedModel(model, seconds) if return_model else model.coordinates


def datasets():
    """What `make_dataset` makes: a dict of names and titles."""
    return dict(_core.datasets())


def make_dataset(name, n_samples=1000, *, random_state=0, **options):
    """Points whose true shape is known, as (points, truth); truth is the true coordinates, or the labels if it has none."""
    made = _call("make_dataset", _core.make_dataset, name, n_samples, _arrays.seed_of(random_state), options)
    has_truth = made["truth"].shape[1] > 0
    return made["points"], made["truth"] if has_truth else made["labels"]


def _estimator(name, **parameters):
    from ._table import CLASSES
    return CLASSES[name](**parameters)


def locally_linear_embedding(X, *, n_neighbors, n_components, reg=1e-3, eigen_solver="auto", tol=1e-6, max_iter=100,
                             method="standard", hessian_tol=1e-4, modified_tol=1e-12, random_state=None, n_jobs=None):
    """scikit-learn's function: (coordinates, reconstruction error) of LocallyLinearEmbedding."""
    fitted = _estimator("LocallyLinearEmbedding", n_neighbors=n_neighbors, n_components=n_components, reg=reg,
                        eigen_solver=eigen_solver, tol=tol, max_iter=max_iter, method=method, hessian_tol=hessian_tol,
                        modified_tol=modified_tol, random_state=random_state, n_jobs=n_jobs).fit(X)
    return fitted.embedding_, fitted.reconstruction_error_


def spectral_embedding(adjacency, *, n_components=8, eigen_solver=None, random_state=None, eigen_tol="auto",
                       norm_laplacian=True, drop_first=True):
    """scikit-learn's function: eigenvectors of the Laplacian of a graph whose weights are given."""
    laplacian = "random_walk" if norm_laplacian else "unnormalized"
    if drop_first:
        return embed(adjacency, "laplacian_eigenmaps", weights="precomputed", n_components=n_components,
                     laplacian=laplacian, components="keep", random_state=random_state)
    # The first vector is constant: of length one, in the measure of the degrees or of the points.
    n = adjacency.shape[0]
    size = adjacency.sum() - adjacency.diagonal().sum() if norm_laplacian else n
    first = np.full((n, 1), 1 / np.sqrt(float(size)))
    if n_components == 1:
        return first
    return np.hstack([first, spectral_embedding(adjacency, n_components=n_components - 1, random_state=random_state,
                                                norm_laplacian=norm_laplacian)])


def spectral_clustering(affinity, *, n_clusters=8, n_components=None, eigen_solver=None, random_state=None, n_init=10,
                        eigen_tol="auto", assign_labels="kmeans", verbose=False):
    """scikit-learn's function: the clusters of a graph whose weights are given."""
    if isinstance(affinity, np.matrix):
        raise TypeError("spectral_clustering does not support passing in affinity as an np.matrix. Please convert to a "
                        "numpy array with np.asarray.")
    return _estimator("SpectralClustering", n_clusters=n_clusters, n_components=n_components, eigen_solver=eigen_solver,
                      random_state=random_state, n_init=n_init, affinity="precomputed", eigen_tol=eigen_tol,
                      assign_labels=assign_labels, verbose=verbose).fit(affinity).labels_


def smacof(dissimilarities, *, metric=True, n_components=2, init=None, n_init=1, n_jobs=None, max_iter=300, verbose=0,
           eps=1e-6, random_state=None, return_n_iter=False, normalized_stress="auto", weight=None):
    """scikit-learn's function: (coordinates, stress) of MDS from distances, and the iterations with return_n_iter.

    `weight` says what the distance of every pair counts; 0 and NaN distances are unknown.
    """
    fitted = _estimator("MDS", metric=metric, n_components=n_components, n_init=n_init, n_jobs=n_jobs,
                        max_iter=max_iter, verbose=verbose, eps=eps, random_state=random_state,
                        dissimilarity="precomputed", normalized_stress=normalized_stress).fit(
                            dissimilarities, init=init, weight=weight)
    found = fitted.embedding_, fitted.stress_
    return (*found, fitted.n_iter_) if return_n_iter else found


def kneighbors(X, n_neighbors=10, *, metric="euclidean", p=2, algorithm="auto", n_jobs=None, **options):
    """The nearest other points of every row, as (indices, distances), nearest first.

    A point is not its own neighbor; a duplicate of it is, at distance 0. algorithm='approximate' is quicker for many
    features, with the recall that the option `recall` asks for.
    """
    is_squared = metric == "sqeuclidean"  # no metric, but with the same neighbors
    found = _metrics.known("euclidean" if is_squared else metric, p)
    if found is None:
        raise _errors.Unsupported(f"kneighbors: metric={metric!r} is not there")
    options = _number_options({**options, **found, "n_neighbors": n_neighbors, "algorithm": algorithm})
    (_, indices, distances), report = _call("kneighbors", _core.neighbors, _data(X, "kneighbors", found), options,
                                            threads=_arrays.threads_of(n_jobs))
    _errors.warn_all(report["warnings"], "kneighbors")
    distances = distances**2 if is_squared else distances
    return indices.reshape(-1, n_neighbors), distances.reshape(-1, n_neighbors)


def kneighbors_graph(X, n_neighbors, *, mode="connectivity", metric="minkowski", p=2, metric_params=None,
                     include_self=False, n_jobs=None):
    """scikit-learn's function: the graph of nearest neighbors as a sparse matrix."""
    from scipy.sparse import csr_matrix
    if include_self == "auto":
        include_self = mode == "connectivity"
    if mode not in ("connectivity", "distance"):
        raise ValueError(f'Unsupported mode, must be one of "connectivity", or "distance" but got "{mode}" instead')
    count = n_neighbors - bool(include_self)
    if metric_params and _metrics.known(metric, p, metric_params) is None:
        raise _errors.Unsupported(f"kneighbors_graph: metric={metric!r} with metric_params={metric_params!r} is not there")
    indices, distances = kneighbors(X, count, metric=metric, p=(metric_params or {}).get("p", p), n_jobs=n_jobs)
    n = len(indices)
    if include_self:
        indices = np.column_stack([np.arange(n), indices])
        distances = np.column_stack([np.zeros(n), distances])
    values = distances.ravel() if mode == "distance" else np.ones(indices.size)
    return csr_matrix((values, indices.ravel(), np.arange(0, indices.size + 1, n_neighbors)), shape=(n, n))


def quality(X, embedding, *, truth=None, y=None, n_neighbors=10, n_jobs=None, **options):
    """How far a map can be trusted: a dict of measures, each with its value per point where there are not too many.

    trustworthiness, continuity and neighbor_preservation of neighborhoods of `n_neighbors`; co_ranking, the same for
    every size: R_NX at ranks k, and its area; distance_correlation and stress of distances; with `truth`, the true
    coordinates, how well they are explained; with `y`, how well neighbors in the map tell the labels. Of many points a
    sample is taken (`max_points`, `rank_points`, `max_pairs`), and low and high are the 95 % interval. `measures` names
    those that are wanted.
    """
    options = _number_options({**options, "n_neighbors": n_neighbors})
    found = _call("quality", _core.quality, _arrays.dense(X, "quality"), _arrays.dense(embedding, "quality"),
                  None if truth is None else _arrays.dense(truth, "quality"),
                  None if y is None else _classes.labels_of(y), options, threads=_arrays.threads_of(n_jobs))
    _errors.warn_all(found.pop("warnings"), "quality")
    return found


def shepard_pairs(X, embedding, count=5000, *, n_jobs=None, **options):
    """Distances of pairs of points in X and in the map, two columns: all pairs, or `count` of them chosen at random."""
    if count < 1:
        raise ValueError(f"shepard_pairs: count={count} must be an integer >= 1")
    return _call("shepard_pairs", _core.shepard_pairs, _arrays.dense(X, "shepard_pairs"),
                 _arrays.dense(embedding, "shepard_pairs"), int(count), _number_options(options),
                 threads=_arrays.threads_of(n_jobs))


def point_stress(X, embedding, *, n_jobs=None, **options):
    """Stress-1 of every point: what is left of its distances to all others beside those of the map, in one scale for all."""
    return _call("point_stress", _core.point_stress, _arrays.dense(X, "point_stress"),
                 _arrays.dense(embedding, "point_stress"), _number_options(options), threads=_arrays.threads_of(n_jobs))


def trustworthiness(X, X_embedded, *, n_neighbors=5, metric="euclidean", n_jobs=None):
    """scikit-learn's function: 1 where the neighbors of the map are neighbors of the data."""
    data = _arrays.dense(X, "trustworthiness")
    if n_neighbors >= len(data) / 2:
        raise ValueError(f"n_neighbors ({n_neighbors}) should be less than n_samples / 2 ({len(data) / 2})")
    known = _metrics.known(metric)
    if known is None:
        data, known = _metrics.pairs(data, None, metric, None, "trustworthiness"), {"metric": "precomputed"}
    options = {**known, "n_neighbors": n_neighbors, "measures": ["trustworthiness"]}
    found = _call("trustworthiness", _core.quality, data, _arrays.dense(X_embedded, "trustworthiness"), None, None,
                  options, threads=_arrays.threads_of(n_jobs))
    return found["trustworthiness"]["value"]


def intrinsic_dimension(X, n_neighbors=10, *, n_jobs=None, **options):
    """How many coordinates the data need, estimated in five ways, and which estimate to believe.

    A dict: `coordinates` and `dimension` are the estimate to believe, `verdict` says why. The rest is what it stands on:
    maximum_likelihood, two_nn, per_point, scales, correlation, pca, local_pca, residual_variance.

    >>> import unroll
    >>> roll, _ = unroll.make_dataset("swiss_roll", 1000)
    >>> unroll.intrinsic_dimension(roll)["coordinates"]
    2
    """
    options = _number_options({**options, "n_neighbors": n_neighbors})
    found = _call("intrinsic_dimension", _core.intrinsic_dimension, _data(X, "intrinsic_dimension", options), options,
                  threads=_arrays.threads_of(n_jobs))
    _errors.warn_all(found.pop("warnings"), "intrinsic_dimension")
    return found


class Comparison:
    """Several methods on one set of points: `table`, `maps` by label, `verdict` in words, `save_html`."""

    def __init__(self, result, points, truth, labels):
        self._result, self._points, self._truth, self._labels = result, points, truth, labels
        rows = result.methods
        self.maps = {row["label"]: row["coordinates"] for row in rows if len(row["coordinates"])}
        self.clusters = {row["label"]: row["clusters"] for row in rows if len(row["clusters"])}
        self.errors = {row["label"]: row["error"] for row in rows if row["error"] is not None}
        self.labels = [row["label"] for row in rows]
        self.verdict, self.notes = result.verdict, result.notes

    @property
    def table(self):
        """A dict of columns, each a list with a value or None per method; `pandas.DataFrame(...)` takes it."""
        return {"method": self.labels, **{figure["name"]: figure["values"] for figure in self._result.figures}}

    def __repr__(self):
        return f"Comparison({', '.join(self.labels)})\n" + "\n".join(self.verdict)

    def _repr_html_(self):
        """What notebooks show: a picture per method, the table and the verdict."""
        from . import _html
        return _html.of_comparison(self._result, self._truth, self._labels)

    def save_html(self, path, title="comparison"):
        """One page with a picture per method and the table; it needs nothing beside itself."""
        words = [] if self._labels is None else [str(label) for label in self._labels]
        page = _call("compare", self._result.page, title, self._points, self._truth, words)
        with open(path, "w", encoding="utf-8") as file:
            file.write(page)


def compare(X, methods=None, *, truth=None, y=None, n_jobs=None, callback=None, **options):
    """Runs several methods, all by default, and measures their maps. A method that fails does not stop the others.

    `methods` are names, each with options of its own if need be: ['pca', 'isomap:n_neighbors=20'].
    """
    options = _number_options(options)
    if methods is not None:
        options["methods"] = list(methods)
    points = _arrays.dense(X, "compare")
    truth = None if truth is None else _arrays.dense(truth, "compare")
    result = _call("compare", _core.compare, points, truth, None if y is None else _classes.labels_of(y), options,
                   threads=_arrays.threads_of(n_jobs), progress=callback)
    return Comparison(result, points, truth, None if y is None else np.asarray(y))


class Advice:
    """A recommended `method` with its `options`, and what it stands on.

    `evidence` says why, `reading` what may be read from the map, `table` what was tried. `maps` are the maps of the points
    that were tried, by label; `graphs` what the graphs of neighbors say, `sizes` and `seeds` how stable the map is.
    """

    def __init__(self, found):
        best = found["tried"][found["best"]]
        self.method, self.options, self.label = best["name"], best["options"], best["label"]
        self.r_nx_area = best["r_nx_area"]
        self.maps = {row["label"]: row["coordinates"] for row in found["tried"] if len(row["coordinates"])}
        self.errors = {row["label"]: row["error"] for row in found["tried"] if row["error"] is not None}
        self._tried = found["tried"]
        for name in ("evidence", "reading", "notes", "graphs", "smallest_connecting_k", "dimension", "sizes", "seeds",
                     "sample"):
            setattr(self, name, found[name])

    @property
    def table(self):
        """A dict of columns, the best map first; `pandas.DataFrame(...)` takes it."""
        return {name: [row[name] for row in self._tried] for name in ("label", "size", "r_nx_area", "seconds")}

    def embed(self, X, **more):
        """The map of X by the recommended method, as `unroll.embed` makes it."""
        return embed(X, self.method, **{**self.options, **more})

    def __repr__(self):
        return f"Advice({self.label!r})\n" + "\n".join([*self.evidence, *self.reading])


def advise(X, methods=None, *, n_jobs=None, callback=None, **options):
    """Tries methods and numbers of neighbors, and recommends those whose map keeps most of all neighborhoods.

    >>> import unroll
    >>> roll, _ = unroll.make_dataset("swiss_roll", 1000)
    >>> advice = unroll.advise(roll, ["pca", "isomap"])
    >>> advice.method, advice.embed(roll).shape
    ('isomap', (1000, 2))
    """
    options = _number_options(options)
    if methods is not None:
        options["methods"] = list(methods)
    found = _call("advise", _core.advise, _arrays.dense(X, "advise"), options, threads=_arrays.threads_of(n_jobs),
                  progress=callback)
    return Advice(found)
