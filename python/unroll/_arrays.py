"""What users pass as data, made into what the library reads: C-ordered float32 or float64, or a sparse matrix.

Messages are scikit-learn's where it has them. Values that are not finite are found by the library; only then are they
looked for here, to say where they are.
"""
import logging
import numbers
import sys
import warnings

import numpy as np

from . import _core, _errors

_log = logging.getLogger("unroll")


def is_sparse(X):
    """Whether it is a sparse matrix of SciPy, without loading SciPy."""
    return hasattr(X, "tocsr") and "scipy.sparse" in sys.modules and sys.modules["scipy.sparse"].issparse(X)


def dense(X, who, *, name="X", min_samples=1, min_features=1):
    """X as a matrix in C order, of float32 or float64; a copy only if it must be."""
    if is_sparse(X):
        raise TypeError("A sparse matrix was passed, but dense data is required. Use X.toarray() to convert to a dense "
                        "numpy array.")
    if isinstance(X, np.matrix):
        raise TypeError("np.matrix is not supported. Please convert to a numpy array with np.asarray.")
    if np.ma.isMaskedArray(X) and np.ma.is_masked(X):
        raise TypeError(f"{who}: {name} has masked entries; fill them, or drop their rows")
    array = _with_nan(X) if hasattr(X, "dtypes") and np.ndim(X) == 2 else np.asarray(X)
    if array.dtype.kind == "c":
        raise ValueError(f"Complex data not supported\n{array}\n")
    if array.dtype.kind in "USVmM":
        what = "bytes/strings" if array.dtype.kind in "USV" else f"{array.dtype}"
        raise ValueError(f"dtype='numeric' is not compatible with arrays of {what}. Convert your data to numeric values "
                         "explicitly instead.")
    _check_shape(array, who)
    copied = _native(array, name)
    if copied is not X and copied is not array and array.size > 0:
        _log.debug("%s: %s is copied: it is %s with strides %s", who, name, array.dtype, array.strides)
    if copied.shape[0] < min_samples:
        raise ValueError(f"Found array with {copied.shape[0]} sample(s) (shape={copied.shape}) while a minimum of "
                         f"{min_samples} is required by {who}.")
    if copied.shape[1] < min_features:
        raise ValueError(f"Found array with {copied.shape[1]} feature(s) (shape={copied.shape}) while a minimum of "
                         f"{min_features} is required by {who}.")
    return copied


def _with_nan(frame):
    """A data frame as an array. Of columns of pandas' own kinds of numbers, what is missing is NaN and not pandas.NA."""
    array = np.asarray(frame)
    if array.dtype == object and all(getattr(kind, "kind", "O") in "biuf" for kind in frame.dtypes):
        return frame.to_numpy(dtype=np.float64, na_value=np.nan)
    return array


def _check_shape(array, who):
    advice = ("Reshape your data either using array.reshape(-1, 1) if your data has a single feature or "
              "array.reshape(1, -1) if it contains a single sample.")
    if array.ndim == 0:
        raise ValueError(f"Expected 2D array, got scalar array instead:\narray={array}.\n{advice}")
    if array.ndim == 1:
        raise ValueError(f"Expected 2D array, got 1D array instead:\narray={array}.\n{advice}")
    if array.ndim > 2:
        raise ValueError(f"Found array with dim {array.ndim}. {who} expected <= 2.")


def _native(array, name):
    kind = array.dtype
    if kind == np.float32 or kind == np.float64:
        return np.require(array, kind.type, ["C", "A"])
    if kind.kind in "iu" and kind.itemsize == 8 and array.size > 0:
        if max(abs(int(array.min())), abs(int(array.max()))) > 2**53:
            warnings.warn(f"{name} has integers beyond 2^53, which float64 rounds", _errors.UnrollWarning, stacklevel=5)
    return np.ascontiguousarray(array, dtype=np.float64)


def sparse(X):
    """(offsets, columns, values, n_columns) of a sparse matrix: by rows, sorted, duplicates added."""
    matrix = X.tocsr()
    if not matrix.has_canonical_format:
        matrix = matrix.copy()
        matrix.sum_duplicates()
    return (matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64), matrix.data.astype(np.float64),
            matrix.shape[1])


def filled(X, who):
    """A sparse matrix with its zeros, for what reads dense points alone; anything else as it is."""
    if not is_sparse(X):
        return X
    _core.require_memory("the points with their zeros", *X.shape, 8, who)
    return X.toarray()


class SparseRows:
    """Points of a sparse matrix as the library reads them: by rows, sorted, duplicates added. The memory of a csr_matrix
    that is so already is used as it is."""

    def __init__(self, X, who, min_samples=1, min_features=1):
        if X.dtype.kind == "c":
            raise ValueError(f"Complex data not supported\n{X}\n")
        matrix = X.tocsr()
        if matrix.dtype not in (np.float32, np.float64):
            matrix = matrix.astype(np.float64)
        if not matrix.has_canonical_format:
            matrix = matrix.copy()
            matrix.sum_duplicates()
        wide = np.result_type(matrix.indptr.dtype, matrix.indices.dtype)
        self.indptr, self.indices = (part.astype(wide, copy=False) for part in (matrix.indptr, matrix.indices))
        self.matrix, self.data, self.shape, self.dtype = matrix, matrix.data, matrix.shape, matrix.dtype
        for least, found, what in ((min_samples, self.shape[0], "sample"), (min_features, self.shape[1], "feature")):
            if found < least:
                raise ValueError(f"Found array with {found} {what}(s) (shape={self.shape}) while a minimum of {least} is "
                                 f"required by {who}.")

    def __len__(self):
        return self.shape[0]

    def shares_memory(self, X):
        """Whether some of it is the memory of a matrix of the user's."""
        return any(np.may_share_memory(part, getattr(X, name, None))
                   for part, name in ((self.data, "data"), (self.indices, "indices"), (self.indptr, "indptr")))


def kept(data, X):
    """Data that an estimator keeps for later: a copy where they are the user's own, who may change them."""
    if isinstance(data, SparseRows):
        return SparseRows(data.matrix.copy(), "") if data.shares_memory(X) else data
    is_own = isinstance(data, np.ndarray) and not isinstance(X, (list, tuple)) and np.may_share_memory(data, np.asarray(X))
    return data.copy() if is_own else data


def points(X, who, *, min_samples=1, min_features=1):
    """X as dense() has it, or sparse rows."""
    if isinstance(X, SparseRows):
        return X
    if is_sparse(X):
        return SparseRows(X, who, min_samples, min_features)
    return dense(X, who, min_samples=min_samples, min_features=min_features)


def check_finite(X, who, name="X"):
    """Raises scikit-learn's ValueError, and says where, if there is something to find."""
    if isinstance(X, SparseRows):
        X = (None, None, X.data)
    values = X[2] if isinstance(X, tuple) else X
    bad = ~np.isfinite(values)
    if not bad.any():
        return
    place = np.argwhere(bad)[0]
    where = "" if isinstance(X, tuple) else f" First at row {place[0]}, column {place[1]}; {int(bad.sum())} in all."
    if np.isnan(values).any():
        raise ValueError(f"Input {name} contains NaN.\n{who} does not accept missing values encoded as NaN "
                         f"natively.{where}")
    raise ValueError(f"Input {name} contains infinity or a value too large for {values.dtype!r}.{where}")


def explain(error, arguments, who):
    """If the library refused the data: raises instead where a value is not finite, in scikit-learn's words."""
    if isinstance(error, _errors.DataError):
        for data in arguments:
            if isinstance(data, (np.ndarray, tuple, SparseRows)):
                check_finite(data, who)


def feature_names(X):
    """Names of the columns of a data frame; None if there are none, or none that are texts."""
    columns = getattr(X, "columns", None)
    if columns is None or is_sparse(X) or not hasattr(X, "__array__"):
        return None
    names = np.asarray(columns, dtype=object)
    if names.ndim != 1 or len(names) == 0:
        return None
    texts = [isinstance(name, str) for name in names]
    if all(texts):
        return names
    if any(texts):
        kinds = sorted({type(name).__qualname__ for name in names})
        raise TypeError("Feature names are only supported if all input features have string names, but your input has "
                        f"{kinds} as feature name / column name types. If you want feature names to be stored and "
                        "validated, you must convert them all to strings, by using X.columns = X.columns.astype(str) "
                        "for example. Otherwise you can remove feature / column names from your input data, or convert "
                        "them all to a non-string data type.")
    return None


def check_names(fitted, given, who):
    """As scikit-learn: columns must have the names, in the order, of those that the estimator was fitted with."""
    if fitted is None and given is None:
        return
    if fitted is None:
        warnings.warn(f"X has feature names, but {who} was fitted without feature names", stacklevel=4)
        return
    if given is None:
        warnings.warn(f"X does not have valid feature names, but {who} was fitted with feature names", stacklevel=4)
        return
    if len(fitted) == len(given) and np.all(fitted == given):
        return
    text = "The feature names should match those that were passed during fit.\n"
    unseen, missing = sorted(set(given) - set(fitted)), sorted(set(fitted) - set(given))
    for title, names in (("Feature names unseen at fit time:\n", unseen),
                         ("Feature names seen at fit time, yet now missing:\n", missing)):
        if names:
            text += title + "".join(f"- {name}\n" for name in names[:5]) + ("- ...\n" if len(names) > 5 else "")
    if not unseen and not missing:
        text += "Feature names must be in the same order as they were in fit.\n"
    raise ValueError(text)


def seed_of(random_state):
    """A seed from what scikit-learn takes. None is 0: the same call gives the same result."""
    if random_state is None:
        return 0
    if isinstance(random_state, (int, np.integer)):
        return int(random_state)
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31 - 1))
    return int(random_state.randint(2**31 - 1))


def threads_of(n_jobs):
    """The library's number of threads. None is 0: one per core; the result does not depend on it."""
    if n_jobs is None or n_jobs == -1:
        return 0
    if n_jobs == 0:
        raise ValueError("n_jobs == 0 has no meaning: give a number of threads, -1 or None for one per core")
    if n_jobs < -1:
        import os
        return max(1, len(os.sched_getaffinity(0)) + 1 + n_jobs)
    return int(n_jobs)


def weights_of(sample_weight, count):
    """Weights of the rows as float64; None: all count once. Wrong values are refused by the library."""
    if sample_weight is None:
        return None
    if isinstance(sample_weight, numbers.Number):
        return np.full(count, float(sample_weight))
    weights = np.ascontiguousarray(sample_weight, dtype=np.float64)
    if weights.ndim != 1:
        raise ValueError("Sample weights must be 1D array or scalar")
    if weights.shape != (count,):
        raise ValueError(f"sample_weight.shape == {weights.shape}, expected {(count,)}!")
    return weights
