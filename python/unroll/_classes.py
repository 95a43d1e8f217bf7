"""Classes as users write them: whole numbers, words, True and False, any of them unknown for some points."""
import warnings

import numpy as np

from . import _errors

_TEXT = "US"


def _is_known(value):
    """Of an object: None, NaN, -1, '' and '-1' are unknown."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return False
    if isinstance(value, str):
        return value not in ("", "-1")
    return value != -1 and value == value


def _values_of(y):
    """y as a list of values. NumPy would make texts of what stands beside texts, of NaN the class 'nan'."""
    if isinstance(y, (list, tuple)) and len({isinstance(value, str) for value in y}) > 1:
        return np.array(y, dtype=object)
    values = np.asarray(y)
    if values.ndim == 2 and values.shape[1] == 1:
        kind = _errors._theirs("sklearn.exceptions", "DataConversionWarning", UserWarning)
        warnings.warn("A column-vector y was passed when a 1d array was expected. Please change the shape of y to "
                      "(n_samples, ), for example using ravel().", kind, stacklevel=4)
        values = values.ravel()
    if values.ndim != 1:
        raise ValueError(f"y should be a 1d array, got an array of shape {values.shape} instead.")
    return values


def known_classes(y):
    """The classes, and the place of every point's class among them; -1 is unknown, and so are '' and '-1' among texts, and
    None and NaN among objects."""
    values = _values_of(y)
    if values.dtype.kind == "c":
        raise ValueError(f"Complex data not supported\n{values}\n")
    if values.dtype.kind in "mMV":
        raise ValueError(f"Unknown label type: {values.dtype}. Labels are classes: whole numbers or words")
    if values.dtype.kind == "f":
        if not np.isfinite(values).all():
            raise ValueError(f"Input y contains {'NaN' if np.isnan(values).any() else 'infinity'}.")
        if np.any(values != np.trunc(values)):
            raise ValueError("Unknown label type: continuous. Labels are classes: whole numbers or words")
    if values.dtype.kind in _TEXT:
        known = (values != "") & (values != "-1")
    elif values.dtype.kind == "O":
        known = np.array([_is_known(value) for value in values], dtype=bool)
        if len({isinstance(value, str) for value in values[known]}) > 1:
            raise ValueError("Unknown label type: words and numbers. Labels are classes: whole numbers or words")
    elif values.dtype.kind in "ub":
        known = np.ones(len(values), dtype=bool)
    else:
        known = values != -1
    labels = np.full(len(values), -1, dtype=np.int64)
    classes, labels[known] = np.unique(values[known], return_inverse=True)
    return classes, labels


def labels_of(y):
    """The classes as whole numbers from 0; -1: unknown."""
    return known_classes(y)[1]


def named(classes, labels):
    """Of places among the classes the classes themselves; of -1 it is -1, or '' among texts."""
    if len(labels) == 0 or labels.min() >= 0:
        return classes[labels]
    kind = classes.dtype
    if kind.kind in "ub":
        kind = np.dtype(np.int64)
    is_text = kind.kind in _TEXT or (kind.kind == "O" and all(isinstance(value, str) for value in classes))
    found = np.full(len(labels), "" if is_text else -1, dtype=kind)
    found[labels >= 0] = classes[labels[labels >= 0]]
    return found


def words_of(classes):
    """The classes as a model file has them."""
    return [str(value) for value in classes]


def from_words(words):
    """The classes that words_of was given, if all were whole numbers or texts."""
    try:
        return np.array([int(word) for word in words], dtype=np.int64)
    except (ValueError, OverflowError):
        return np.array(words, dtype=str)
