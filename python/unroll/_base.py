"""What every class has in common: parameters, checks, fitting a method of the registry, placing new points.

The classes follow scikit-learn's conventions without loading it, so that `import unroll` stays quick.
"""
import sys
import time

import numpy as np

from . import _arrays, _core, _errors

_TAGS = {
    "non_deterministic": False, "requires_positive_X": False, "requires_positive_y": False, "X_types": ["2darray"],
    "poor_score": False, "no_validation": False, "multioutput": False, "allow_nan": False, "stateless": False,
    "multilabel": False, "_skip_test": False, "_xfail_checks": False, "multioutput_only": False, "binary_only": False,
    "requires_fit": True, "preserves_dtype": [np.float64], "requires_y": False, "pairwise": False, "array_api_support":
    False,
}

METHODS = {method["name"]: method for method in _core.methods()}
OPTIONS_OF = {name: {option["name"]: option for option in method["options"]} for name, method in METHODS.items()}


def count_of(data):
    """The number of points."""
    return len(data[0]) - 1 if isinstance(data, tuple) else data.shape[0]


class Estimator:
    """Parameters, as scikit-learn's BaseEstimator has them. `_row` is the class's row of the table."""

    _row = None
    _takes_sparse_rows = False  # whether SciPy's matrices of features are taken, and stay sparse
    _estimator_type = None

    @classmethod
    def _get_param_names(cls):
        return sorted(parameter.name for parameter in cls._row.parameters)

    def get_params(self, deep=True):
        """The parameters and their values. `deep` is scikit-learn's; there are no estimators inside."""
        return {name: getattr(self, name) for name in self._get_param_names()}

    def set_params(self, **params):
        """Sets parameters by name, and returns the estimator."""
        valid = self._get_param_names()
        for name, value in params.items():
            if name not in valid:
                raise ValueError(f"Invalid parameter {name!r} for estimator {self}. Valid parameters are: {valid!r}.")
            setattr(self, name, value)
        return self

    def __repr__(self):
        changed = [f"{parameter.name}={getattr(self, parameter.name)!r}" for parameter in self._row.parameters
                   if self._is_changed(parameter)]
        return f"{type(self).__name__}({', '.join(changed)})"

    def _is_changed(self, parameter):
        """Whether a parameter has another value than its default."""
        value = getattr(self, parameter.name, parameter.default)
        return value is not parameter.default and repr(value) != repr(parameter.default)

    def _repr_html_(self):
        """What notebooks show: the picture of a fitted estimator, scikit-learn's diagram of another."""
        from . import _html
        return _html.of_estimator(self)

    def __getstate__(self):
        """Without the time that the fit took: pickles of equal fits are equal."""
        return {name: value for name, value in vars(self).items() if name != "_seconds"}

    def _more_tags(self):
        return {}

    def _get_tags(self):
        return {**_TAGS, **self._more_tags()}

    def __sklearn_tags__(self):
        """The same for scikit-learn 1.6 and later."""
        from sklearn.utils import Tags, TargetTags, TransformerTags
        tags = Tags(estimator_type=self._estimator_type, target_tags=TargetTags(required=False),
                    transformer_tags=TransformerTags() if hasattr(self, "transform") else None)
        tags.input_tags.pairwise = self._get_tags()["pairwise"]
        return tags

    def __sklearn_is_fitted__(self):
        return "n_features_in_" in vars(self)

    def _check_fitted(self):
        if not self.__sklearn_is_fitted__():
            raise _errors.not_fitted(type(self).__name__)

    def _check_parameters(self):
        for parameter in self._row.parameters:
            parameter.check(getattr(self, parameter.name), type(self).__name__)

    def _threads(self):
        return _arrays.threads_of(getattr(self, "n_jobs", None))

    def _call(self, function, *arguments, **keywords):
        """Calls the library, whose errors are raised in the class's name."""
        name = type(self).__name__
        try:
            return function(*arguments, **keywords)
        except _errors.Error as error:
            _arrays.explain(error, arguments, name)
            raise error.told_by(name) from None

    def _take_names(self, X):
        """feature_names_in_ of the data that the estimator is fitted with."""
        names = _arrays.feature_names(X)
        if names is not None:
            self.feature_names_in_ = names
        else:
            vars(self).pop("feature_names_in_", None)

    def _new_points(self, X, columns=None):
        """Data for a fitted estimator."""
        self._check_fitted()
        name = type(self).__name__
        _arrays.check_names(vars(self).get("feature_names_in_"), _arrays.feature_names(X), name)
        if _arrays.is_sparse(X) and self._get_tags()["pairwise"]:
            raise _errors.Unsupported(f"{name}: new rows of a sparse matrix lack distances or affinities to training points; "
                                      "give full rows, or fit the points themselves")
        data = (_arrays.points if self._takes_sparse_rows else _arrays.dense)(X, name)
        columns = self.n_features_in_ if columns is None else columns
        if data.shape[1] != columns:
            raise ValueError(f"X has {data.shape[1]} features, but {name} is expecting {columns} features as input.")
        return data


class OutputMixin:
    """Names of the columns of a map, and data frames as output."""

    @property
    def _n_features_out(self):
        return self.embedding_.shape[1]

    def get_feature_names_out(self, input_features=None):
        """Names of the coordinates: isomap0, isomap1, ... `input_features` is scikit-learn's and does not count."""
        self._check_fitted()
        name = type(self).__name__.lower()
        return np.asarray([f"{name}{i}" for i in range(self._n_features_out)], dtype=object)

    def set_output(self, *, transform=None):
        """What `transform` and `fit_transform` return: 'default', an array, or 'pandas', a data frame."""
        if transform not in (None, "default", "pandas"):
            raise ValueError(f"output config must be 'default' or 'pandas' got {transform}")
        if transform is not None:
            self._sklearn_output_config = {**vars(self).get("_sklearn_output_config", {}), "transform": transform}
        return self

    def _wrapped(self, map, X):
        chosen = vars(self).get("_sklearn_output_config", {}).get("transform")
        if chosen is None and "sklearn" in sys.modules:
            chosen = sys.modules["sklearn"].get_config().get("transform_output")
        if chosen != "pandas":
            return map
        import pandas
        return pandas.DataFrame(map, columns=self.get_feature_names_out(), index=getattr(X, "index", None))


class MethodEstimator(Estimator):
    """An estimator that fits a method of the registry. A subclass says which, by `_method` and `_options`."""

    _min_samples = 2
    _takes_sparse_rows = True  # the library refuses them in words where a method does not
    _keeps_float32 = False  # whether float32 data give float32 results, as in scikit-learn's class
    _told_as = ""  # the name in messages of verbose; empty: the class's

    def _method(self):
        return self._row.method

    def _options(self, data):
        """The options of the method, from the parameters; `data` are the points, or a sparse matrix in parts."""
        return self._plain_options(self._method())

    def _plain_options(self, method):
        known, options = OPTIONS_OF[method], {}
        for parameter in self._row.parameters:
            if parameter.option in known:
                value = parameter.translated(getattr(self, parameter.name))
                options[parameter.option] = _arrays.seed_of(value) if parameter.name == "random_state" else value
        return options

    def _data(self, X):
        """What the method is given: by default the points."""
        return _arrays.points(X, type(self).__name__, min_samples=self._min_samples)

    def _more_input(self, data, y):
        """Further arguments of the fit: init, labels."""
        return {}

    def _progress(self):
        """What is called with (stage, fraction, loss, map) on the way; None: nothing."""
        if not getattr(self, "verbose", 0):
            return None
        name, told = self._told_as or type(self).__name__, {}

        def tell(stage, fraction, loss, map):
            tenth = int(fraction * 10)
            if told.get(stage) != tenth:
                told[stage] = tenth
                more = "" if loss is None else f", loss {loss:.6g}"
                print(f"[{name}] {stage}: {100 * fraction:.0f} %{more}", file=sys.stdout)

        return tell

    def _fit(self, X, y=None, callback=None):
        self._check_parameters()
        _arrays.feature_names(X)  # raises for mixed names before anything is computed
        data = self._data(X)
        options = self._options(data)
        began = time.perf_counter()
        model = self._call(_core.fit, self._method(), data, options, threads=self._threads(),
                           progress=callback or self._progress(), **self._more_input(data, y))
        self._keep(model, X, data)
        self._seconds = time.perf_counter() - began
        _errors.warn_all(model.warnings, type(self).__name__, stacklevel=4)

    def _keep(self, model, X, data):
        """Sets what fitting finds; nothing is set before all of it is there."""
        found = {name: self._like(data, source(self, model)) for name, source in self._row.attributes.items()}
        self._take_names(X)
        self._model = model
        self.n_features_in_ = data[3] if isinstance(data, tuple) else data.shape[1]
        for name, value in found.items():
            setattr(self, name, value)

    def _like(self, data, result):
        """A result in the precision of the data, where the class keeps it. The library computes in double."""
        is_single = self._keeps_float32 and getattr(data, "dtype", None) == np.float32
        return result.astype(np.float32) if is_single and isinstance(result, np.ndarray) else result

    def _get_tags(self):
        kept = {"preserves_dtype": [np.float64, np.float32]} if self._keeps_float32 else {}
        return {**super()._get_tags(), **kept}

    @property
    def model_(self):
        """The fitted model: options as they were used, spectrum, attributes, warnings."""
        self._check_fitted()
        return self._model

    def save(self, path):
        """Writes the model file, which the command `unroll transform` and `unroll.load` read."""
        self._check_fitted()
        names = vars(self).get("feature_names_in_")
        model = self._model if names is None else self._model.with_names(list(names))
        self._call(model.save, str(path))


class MapEstimator(OutputMixin, MethodEstimator):
    """A method that makes a map."""

    def fit(self, X, y=None):
        """Fits the method to the rows of X, and returns the estimator. `y` is not used."""
        self._fit(X, y)
        return self

    def fit_transform(self, X, y=None):
        """Fits the method, and returns the coordinates of the rows of X."""
        self._fit(X, y)
        return self._wrapped(self.embedding_, X)

    def _placed(self, data):
        return self._call(self._model.transform, data, threads=self._threads())

    def transform(self, X):
        """The coordinates of new rows; `transform_kind_` says by which rule."""
        data = self._new_points(X)
        return self._wrapped(self._like(data, self._placed(data)), X)

    @property
    def transform_kind_(self):
        """How new points are placed: 'exact', 'nystrom', 'weights' or 'optimized'."""
        self._check_fitted()
        return self._model.transform_kind
