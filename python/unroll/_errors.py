"""Exceptions and warnings. Those that scikit-learn has, too, are scikit-learn's own wherever it is loaded."""
import sys
import warnings


class Error(Exception):
    """What the library reports: who failed, what was got, what is allowed, and what to do."""

    kind = "internal"

    def __init__(self, text, who="", problem="", advice="", option="", row=-1):
        super().__init__(text)
        self.who = who
        self.problem = problem or text
        self.advice = advice
        self.option = option
        self.row = row

    def __reduce__(self):
        return type(self), (self.args[0], self.who, self.problem, self.advice, self.option, self.row)

    def told_by(self, who):
        """The same error in the name of another."""
        return type(self)(composed(who, self.problem, self.advice), who, self.problem, self.advice, self.option,
                          self.row)


class InvalidOption(Error, ValueError):
    """An option is out of range or does not fit the data."""

    kind = "invalid_option"


class Unsupported(Error, ValueError):
    """The method cannot do this at all."""

    kind = "unsupported"


class DataError(Error, ValueError):
    """The data, or the content of a file, cannot be used."""

    kind = "invalid_data"


class DisconnectedGraph(Error, ValueError, RuntimeError):
    """The neighbor graph falls apart, and the caller asked for an error. scikit-learn has both kinds of error for it."""

    kind = "disconnected"


class NotConverged(Error, RuntimeError):
    """A solver missed its tolerance."""

    kind = "not_converged"


class OutOfMemory(Error, MemoryError):
    """The plan exceeds the memory budget; nothing was allocated."""

    kind = "out_of_memory"


class Cancelled(Error, RuntimeError):
    """The progress callback asked to stop."""

    kind = "cancelled"


class FileError(Error, OSError):
    """The operating system refused to read or write."""

    kind = "io"


CLASS_OF_KIND = {kind.kind: kind for kind in (InvalidOption, Unsupported, DataError, DisconnectedGraph, NotConverged,
                                              OutOfMemory, Cancelled, FileError)}


def make_error(kind, text, *parts):
    """Called by the extension, which raises the result."""
    return CLASS_OF_KIND.get(kind, Error)(text, *parts)


def composed(who, problem, advice):
    text = f"{who}: {problem}" if who else problem
    return f"{text}; {advice}" if advice else text


class UnrollWarning(UserWarning):
    """What the caller should know about a result that is otherwise fine. `code` is for programs."""

    code = ""


class DisconnectedGraphWarning(UnrollWarning):
    """The graph of neighbors falls into several components."""


class _ConvergenceWarning(UnrollWarning):
    """An iteration ended before it converged."""


class _NotFittedError(ValueError, AttributeError):
    """The estimator has not been fitted yet."""


class _InvalidParameterError(ValueError, TypeError):
    """A parameter has a type or value that is not allowed."""


def _theirs(module, name, ours):
    """scikit-learn's class where it is loaded: who has not loaded it cannot catch it."""
    return getattr(sys.modules.get(module), name, ours)


def not_fitted(name):
    text = (f"This {name} instance is not fitted yet. Call 'fit' with appropriate arguments before using this "
            "estimator.")
    return _theirs("sklearn.exceptions", "NotFittedError", _NotFittedError)(text)


def unfitted_part(text):
    return _theirs("sklearn.exceptions", "NotFittedError", _NotFittedError)(text)


def invalid_parameter(text):
    return _theirs("sklearn.utils._param_validation", "InvalidParameterError", _InvalidParameterError)(text)


def warn_all(found, who, stacklevel=3):
    """Python warnings from the library's (code, message, hint)."""
    for code, message, hint in found:
        kind = UnrollWarning
        if code == "graph-disconnected":
            kind = DisconnectedGraphWarning
        elif code in ("not-converged", "empty-clusters"):  # as scikit-learn's KMeans has it
            kind = _theirs("sklearn.exceptions", "ConvergenceWarning", _ConvergenceWarning)
        warning = kind(composed(who, message, hint))
        warning.code = code
        warnings.warn(warning, stacklevel=stacklevel)
