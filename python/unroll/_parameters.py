"""Parameters of the classes: what each may be, told in scikit-learn's words, and how it becomes an option."""
import numbers

import numpy as np

from . import _errors


class Interval:
    """Numbers from low to high; `ends` are brackets as in mathematics."""

    def __init__(self, kind, low, high=None, ends="[)"):
        self.kind, self.low, self.high, self.ends = kind, low, high, ends

    def allows(self, value):
        wanted = numbers.Integral if self.kind == "int" else numbers.Real
        if not isinstance(value, wanted) or isinstance(value, bool) or value != value:
            return False
        above = value >= self.low if self.ends[0] == "[" else value > self.low
        below = self.high is None or (value <= self.high if self.ends[1] == "]" else value < self.high)
        return above and below

    def __str__(self):
        kind = "an int" if self.kind == "int" else "a float"
        high = "inf" if self.high is None else self.high
        return f"{kind} in the range {self.ends[0]}{self.low}, {high}{self.ends[1]}"


class Choice:
    def __init__(self, *names):
        self.names = names

    def allows(self, value):
        return isinstance(value, str) and value in self.names

    def __str__(self):
        return "a str among {" + ", ".join(repr(name) for name in self.names) + "}"


class Instance:
    def __init__(self, words, test):
        self.words, self.allows = words, test

    def __str__(self):
        return self.words


def _is_array(value):
    return not np.isscalar(value) and (hasattr(value, "__array__") or isinstance(value, (list, tuple)))


NONE = Instance("None", lambda value: value is None)
CALLABLE = Instance("a callable", callable)
ARRAY = Instance("an array-like", _is_array)
TEXT = Instance("an instance of 'str'", lambda value: isinstance(value, str))
DICT = Instance("an instance of 'dict'", lambda value: isinstance(value, dict))
TUPLE = Instance("an instance of 'tuple'", lambda value: isinstance(value, tuple))
INT = Instance("an instance of 'int'", lambda value: isinstance(value, numbers.Integral))
BOOL = Instance("an instance of 'bool' or an instance of 'numpy.bool_'",
                lambda value: isinstance(value, (bool, np.bool_, int)))
VERBOSE = Instance("an int in the range [0, inf), an instance of 'bool' or an instance of 'numpy.bool_'",
                   lambda value: isinstance(value, (bool, np.bool_)) or isinstance(value, numbers.Integral))
RANDOM_STATE = Instance(
    "an int in the range [0, 4294967295], an instance of 'numpy.random.mtrand.RandomState' or None",
    lambda value: value is None or isinstance(value, (np.random.RandomState, np.random.Generator)) or
    (isinstance(value, numbers.Integral) and 0 <= value < 2**32))


def count(low=1):
    return Interval("int", low)


def real(low=0, high=None, ends="[)"):
    return Interval("float", low, high, ends)


class Parameter:
    """One parameter. `option` is the option of the method that it sets: by default the one of its name if there is one,
    None if it has none. `values` translates what scikit-learn calls differently. `help` replaces the option's."""

    def __init__(self, name, default, *allowed, option="", values=None, help=""):
        self.name, self.default, self.allowed = name, default, allowed
        self.option = name if option == "" else option
        self.values = values or {}
        self.help = help

    def check(self, value, who):
        if not self.allowed or any(kind.allows(value) for kind in self.allowed):
            return
        kinds = [str(kind) for kind in self.allowed]
        words = kinds[0] if len(kinds) == 1 else ", ".join(kinds[:-1]) + " or " + kinds[-1]
        raise _errors.invalid_parameter(
            f"The {self.name!r} parameter of {who} must be {words}. Got {value!r} instead.")

    def translated(self, value):
        return self.values.get(value, value) if isinstance(value, str) else value
