"""Classes of all points from those of some: LabelPropagation, LabelSpreading, LabelEigenvectors."""
import math

import numpy as np

from . import _arrays, _classes, _metrics
from ._base import MethodEstimator, count_of


class LabelBase(MethodEstimator):
    """A classifier: predict, predict_proba, score."""

    _estimator_type = "classifier"

    def _more_tags(self):
        return {"requires_y": True}

    def __sklearn_tags__(self):
        from sklearn.utils import ClassifierTags
        tags = super().__sklearn_tags__()
        tags.classifier_tags, tags.target_tags.required = ClassifierTags(), True
        return tags

    def fit(self, X, y):
        """Finds the class of every row of X, and returns the estimator. `y` has those that are known, -1 for others."""
        if y is None:
            raise ValueError(f"This {type(self).__name__} estimator requires y to be passed, but the target y is None.")
        self._given = _classes.known_classes(y)
        try:
            self._fit(X, y)
        finally:
            del self._given
        return self

    def _more_input(self, data, y):
        if len(self._given[1]) != count_of(data):
            raise ValueError("Found input variables with inconsistent numbers of samples: "
                             f"{[count_of(data), len(self._given[1])]}")
        return {"labels": self._given[1]}

    def _keep(self, model, X, data):
        points = _arrays.kept(self._points_of(X, data), X)
        super()._keep(model, X, data)
        self.classes_ = self._given[0]
        self.label_distributions_ = model.coordinates
        self.transduction_ = self._words(model.labels)
        self.X_ = points.matrix if isinstance(points, _arrays.SparseRows) else points
        self.n_features_in_ = self.X_.shape[1]
        if "n_iter" in model.attributes:
            self.n_iter_ = max(1, model.attribute("n_iter"))  # a solution in closed form counts as one

    def _points_of(self, X, data):
        return data

    def _words(self, labels):
        """Labels of the model as classes; what has none is -1, or '' among texts."""
        return _classes.named(self.classes_, labels)

    def _rows(self, X):
        """What the model is given for new rows."""
        return self._new_points(X)

    def predict(self, X):
        """The classes of new rows; -1 ('' among texts) for a row that no label reaches."""
        rows = self._rows(X)
        return self._words(self._call(self._model.predict, rows, threads=self._threads()))

    def predict_proba(self, X):
        """The probabilities of the classes of new rows, in the order of classes_; all are equal where no label reaches."""
        rows = self._rows(X)
        return self._call(self._model.transform, rows, threads=self._threads())

    def score(self, X, y, sample_weight=None):
        """The share of rows whose class is predicted as y has it."""
        right = self.predict(X) == np.asarray(y).ravel()
        return float(np.average(right, weights=sample_weight))

    def save(self, path):
        """Writes the model file, with the classes as words, which the commands `unroll label` and `transform` read."""
        self._check_fitted()
        names = list(vars(self).get("feature_names_in_", []))
        self._call(self._model.with_names(names, _classes.words_of(self.classes_)).save, str(path))


class KernelLabelBase(LabelBase):
    """scikit-learn's classes: `kernel` says what the graph is."""

    _enough = 30  # scikit-learn's default of max_iter: from there on iterations go on to convergence

    def _data(self, X):
        points = _arrays.dense(X, type(self).__name__) if self._is_given() else super()._data(X)
        if self.kernel == "knn" and self.n_neighbors > len(points):
            raise ValueError("Expected n_neighbors <= n_samples,  but n_samples = "
                             f"{len(points)}, n_neighbors = {self.n_neighbors}")
        if callable(self.kernel):
            return self._square(self.kernel(points, points), len(points))
        if self._is_given():
            _arrays.check_finite(points, type(self).__name__)
            return _metrics.ones(len(points), len(points), type(self).__name__)
        return points

    def _square(self, weights, count):
        found = _arrays.sparse(weights) if _arrays.is_sparse(weights) else _arrays.dense(weights, type(self).__name__)
        if count_of(found) != count:
            raise ValueError(f"the kernel gave weights of {count_of(found)} points for {count}")
        return found

    def _options(self, data):
        options = self._plain_options(self._method())
        options["tol"] = min(self.tol, 1e-13)
        if self.max_iter < self._enough:
            options.update(max_iter=self.max_iter, solver="iterate")
        if self.kernel == "knn":
            options.update(n_neighbors=max(1, min(self.n_neighbors, count_of(data)) - 1), weights="binary")
            return options
        del options["n_neighbors"], options["symmetrization"]
        if self._is_given():
            options.update(weights="precomputed")
        else:
            options.update(graph="full", sigma=1 / math.sqrt(2 * self.gamma))
        return options

    def _is_given(self):
        """Whether the library is given weights: of a function, or of a kernel that is infinitely wide."""
        return callable(self.kernel) or (self.kernel == "rbf" and self.gamma == 0)

    def _points_of(self, X, data):
        return _arrays.dense(X, type(self).__name__) if self._is_given() else data

    def _rows(self, X):
        points = self._new_points(X)
        if not self._is_given():
            return points
        if not callable(self.kernel):
            return _metrics.ones(len(points), len(self.X_), type(self).__name__)
        weights = self.kernel(self.X_, points)
        weights = weights.toarray() if _arrays.is_sparse(weights) else np.asarray(weights)
        return _arrays.dense(np.ascontiguousarray(weights.T), type(self).__name__)


class PropagationBase(KernelLabelBase):
    _enough = 1000


class PlainLabelBase(LabelBase):
    """A class whose parameters are the options of the method."""
