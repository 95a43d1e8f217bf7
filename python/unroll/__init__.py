"""Manifold learning: every method of the classic courses, with scikit-learn's classes, parameters and names.

>>> import unroll
>>> roll, truth = unroll.make_dataset("swiss_roll", 500)
>>> flat = unroll.Isomap(n_neighbors=10).fit_transform(roll)
>>> flat.shape
(500, 2)
"""
from . import _core, anndata
from ._errors import (Cancelled, DataError, DisconnectedGraph, DisconnectedGraphWarning, Error, FileError,
                      InvalidOption, NotConverged, OutOfMemory, UnrollWarning, Unsupported)
from ._functions import (Advice, Comparison, FittedModel, advise, compare, datasets, embed, intrinsic_dimension, kneighbors,
                         kneighbors_graph, load, locally_linear_embedding, make_dataset, methods,
                         point_stress, quality, shepard_pairs, smacof, spectral_clustering, spectral_embedding,
                         trustworthiness)
from ._picture import Picture, picture, plot
from ._table import CLASSES

globals().update(CLASSES)
__version__ = _core.version
__all__ = sorted([*CLASSES, "Advice", "Cancelled", "Comparison", "DataError", "DisconnectedGraph", "DisconnectedGraphWarning",
                  "Error", "FileError", "FittedModel", "InvalidOption", "NotConverged", "OutOfMemory", "Picture", "UnrollWarning",
                  "Unsupported", "advise", "anndata", "compare", "datasets", "embed", "intrinsic_dimension", "kneighbors", "kneighbors_graph",
                  "load", "locally_linear_embedding", "make_dataset", "methods", "picture", "plot", "point_stress", "quality",
                  "shepard_pairs", "smacof", "spectral_clustering", "spectral_embedding", "trustworthiness"])
