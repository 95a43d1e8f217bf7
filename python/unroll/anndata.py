"""Maps of cells: `embed` puts the map of an AnnData object into it, where scanpy and its plots look for maps.

AnnData itself is not loaded: any object with `X`, `obs`, `obsm`, `obsp` and `uns` will do.
"""
import numpy as np

from . import _arrays, _core, _functions, _metrics
from ._base import OPTIONS_OF

__all__ = ["embed"]

# With one of these a method looks for other neighbors than those that are known.
_OWN_SEARCH = ("radius", "n_landmarks", "scale", "p", "neighbors_algorithm", "graph", "pca")


class _Source:
    """What is embedded: the representation of the cells, and their neighbors if these are known."""

    def __init__(self, adata, key, use_rep, n_pcs, neighbors_key):
        found = _entry(adata.uns, neighbors_key or "neighbors")
        known = adata.obsp.get(found.get("distances_key", "distances"))
        if neighbors_key is not None and known is None:
            raise KeyError(f"anndata.embed: there are no neighbors {neighbors_key!r}; leave out neighbors_key")
        said = _entry(found, "params")
        recorded = said.get("use_rep") or (_scanpys(adata, said.get("n_pcs")) if said else _usual(adata))
        if use_rep is None and key == "X_pca":
            use_rep = "X"  # what is overwritten is not the source
        # Neighbors are those of one representation: with another one they are of no use.
        is_same = use_rep is None or use_rep == recorded
        self.name = use_rep or (recorded if known is not None and (recorded == "X" or recorded in adata.obsm) else _usual(adata))
        if n_pcs is not None and self.name == "X":
            raise ValueError(f"anndata.embed: n_pcs={n_pcs} is of a representation in obsm, not of X; leave out n_pcs, or use "
                             "the option pca")
        recorded_pcs = said.get("n_pcs") or None
        self.points = _points(adata, self.name, n_pcs or (recorded_pcs if known is not None and is_same else None))
        self.distances = known if is_same and (n_pcs is None or n_pcs == recorded_pcs) else None
        self.metric = said.get("metric", "euclidean")


def _entry(mapping, key):
    """An entry that is a dict; an empty one if it is not there."""
    entry = mapping.get(key) if hasattr(mapping, "get") else None
    return entry if hasattr(entry, "get") else {}


def _scanpys(adata, n_pcs):
    """What scanpy.pp.neighbors takes without use_rep: X of at most 50 genes, else the principal components."""
    return "X" if n_pcs == 0 or adata.shape[1] <= 50 else "X_pca"


def _usual(adata):
    return "X_pca" if "X_pca" in adata.obsm else "X"


def _points(adata, name, n_pcs):
    if name != "X" and name not in adata.obsm:
        raise KeyError(f"anndata.embed: use_rep={name!r} is not in obsm, which has {', '.join(adata.obsm) or 'nothing'}")
    points = adata.X if name == "X" else adata.obsm[name]
    if hasattr(points, "to_numpy"):  # a data frame
        points = points.to_numpy()
    return points if n_pcs is None or name == "X" else points[:, :n_pcs]


def _sorted_graph(distances):
    """(offsets, neighbors, distances), nearest first, without the points themselves."""
    entries = distances.tocoo()
    between = entries.row != entries.col
    rows, columns, values = entries.row[between], entries.col[between], entries.data[between].astype(np.float64)
    order = np.lexsort((columns, values, rows))
    counts = np.bincount(rows, minlength=distances.shape[0])
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return (offsets, columns[order].astype(np.int64), values[order]), counts


def _reused(source, method, options, n):
    """(neighbors, options that go with them); None if they are not known, or not those that the method needs."""
    known = OPTIONS_OF[method]
    metric = _metrics.known(options.get("metric", source.metric))
    if source.distances is None or not ("n_neighbors" in known or "perplexity" in known):
        return None
    if metric is None or metric != _metrics.known(source.metric) or any(name in options for name in _OWN_SEARCH):
        return None
    graph, counts = _sorted_graph(source.distances)
    wanted = {**options, **metric}
    if "n_neighbors" in known:
        wanted.setdefault("n_neighbors", int(counts.max(initial=0)))
    needed = _core.needed_neighbors(method, wanted, n) if "perplexity" in known else wanted["n_neighbors"]
    return (graph, wanted) if 1 <= needed <= min(counts, default=0) else None


def _stored(value):
    """As files of AnnData take it."""
    return np.asarray(value) if isinstance(value, list) else value


def _measured(points, map, options):
    """Scalars of the quality of a map; nothing of less than 8 points."""
    count = min(10, len(map) // 2 - 1)
    if count < 3:
        return {}
    chosen = _metrics.known(options.get("metric", "euclidean"), options.get("p", 2)) or {}
    found = _functions.quality(points, map, n_neighbors=count, **chosen)
    return {name: float(measure["value"]) for name, measure in found.items()
            if isinstance(measure, dict) and "value" in measure}


def embed(adata, method="umap", *, use_rep=None, n_pcs=None, neighbors_key=None, key_added=None, quality=True,
          n_jobs=None, copy=False, **options):
    """Fits a method to the cells, and puts the map into `adata.obsm['X_<method>']`; with `copy`, into a copy, returned.

    The cells are `obsm[use_rep]`, or `X` with use_rep='X'; by default `obsm['X_pca']` if it is there, else `X` (scanpy
    takes `X` of at most 50 genes even then, and neighbors that it has found without use_rep are those of `X`). If
    `obsp['distances']` has the neighbors of these cells, as `scanpy.pp.neighbors` finds them, a method that stands on
    neighbors takes them, as many as there are, unless the options ask for more or for another metric.
    `neighbors_key` names other neighbors, `n_pcs` says how many columns of the representation count.

    `uns['unroll']['X_<method>']` has the method, all options as they were used, the warnings, whose neighbors they are,
    and, unless `quality` is False, how far the map can be trusted. A method that finds clusters puts them into
    `obs[method]`. `options` are those of the command; `key_added` is another name than 'X_<method>'.
    """
    adata = adata.copy() if copy else adata
    name = _functions._call("anndata.embed", _core.find_method, method)
    key = key_added or f"X_{name}"
    source = _Source(adata, key, use_rep, n_pcs, neighbors_key)
    points = _functions._data(source.points, name, options)
    options = _functions._number_options(options)
    reused = _reused(source, name, options, adata.n_obs)
    if reused is None and neighbors_key is not None:
        raise ValueError(f"anndata.embed: {name} cannot use the neighbors {neighbors_key!r}: they are too few, of another "
                         "metric or representation, or it needs none; leave out neighbors_key")
    graph, used = reused or (None, options)
    model = _functions._call(name, _core.fit, name, points, used, neighbors=graph, threads=_arrays.threads_of(n_jobs))
    _functions._errors.warn_all(model.warnings, name)
    adata.obsm[key] = model.coordinates
    if len(model.labels):
        import pandas
        adata.obs[key_added or name] = pandas.Categorical(model.labels.astype(str))
    said = {"method": name, "use_rep": source.name, "neighbors": "searched" if graph is None else "obsp",
            "options": {option: _stored(value) for option, value in model.options.items() if value is not None},
            "warnings": np.array([_functions._errors.composed("", text, hint) for _, text, hint in model.warnings],
                                 dtype=object)}
    if quality and isinstance(points, np.ndarray):
        said["quality"] = _measured(points, model.coordinates, model.options)
    adata.uns["unroll"] = {**_entry(adata.uns, "unroll"), key: said}
    return adata if copy else None
