"""PCA and KernelPCA: what they do beside what the table says of them."""
import math
import numbers

import numpy as np

from . import _arrays, _errors, _metrics
from ._base import MapEstimator


class PcaBase(MapEstimator):
    _min_samples = 1
    _keeps_float32 = True

    def _options(self, data):
        options, most = self._plain_options("pca"), min(data.shape)
        if self.n_components is None:
            options["n_components"] = most - (self.svd_solver == "arpack")
        elif self.n_components == "mle":
            self._check_likelihood(data)
            options.update(n_components=most, dimension="mle")
        elif isinstance(self.n_components, numbers.Integral):
            self._check_count(most)
        return options

    def _check_likelihood(self, data):
        if self.svd_solver not in ("auto", "full"):
            raise ValueError(f"n_components='mle' cannot be a string with svd_solver={self.svd_solver!r}")
        if data.shape[0] < data.shape[1]:
            raise ValueError("n_components='mle' is only supported if n_samples >= n_features")

    def _check_count(self, most):
        """scikit-learn's limits, which depend on the solver."""
        solver = "full" if self.svd_solver in ("auto", "covariance_eigh") else self.svd_solver
        least = 0 if solver == "full" else 1
        what = f"n_components={self.n_components!r} must be"
        if not least <= self.n_components <= most:
            raise ValueError(f"{what} between {least} and min(n_samples, n_features)={most!r} with svd_solver={solver!r}")
        if solver == "arpack" and self.n_components == most:
            raise ValueError(f"{what} strictly less than min(n_samples, n_features)={most!r} with svd_solver={solver!r}")

    def _keep(self, model, X, data):
        super()._keep(model, X, data)
        self.n_samples_, self.n_features_ = data.shape
        left = min(data.shape) - self.n_components_
        rest = model.attribute("total_variance") - self.explained_variance_.sum()
        self.noise_variance_ = max(0.0, rest / left) if left > 0 else 0.0
        vars(self).pop("embedding_", None)  # scikit-learn's PCA has none

    @property
    def _n_features_out(self):
        return self.components_.shape[0]

    def fit_transform(self, X, y=None):
        """Fits the model, and returns the coordinates of the rows of X."""
        self._fit(X, y)
        return self._wrapped(self._model.coordinates.astype(self.components_.dtype, copy=False), X)

    def inverse_transform(self, X):
        """Points of the data space for coordinates."""
        self._check_fitted()
        data = _arrays.dense(X, type(self).__name__)
        return self._like(data, self._call(self._model.inverse_transform, data, threads=self._threads()))

    def get_covariance(self):
        """The covariance of the probabilistic model: that of the components, and the noise variance elsewhere."""
        self._check_fitted()
        extra = np.maximum(self.explained_variance_ - self.noise_variance_, 0)
        covariance = (self.components_.T * extra) @ self.components_
        covariance.flat[::len(covariance) + 1] += self.noise_variance_
        return covariance

    def get_precision(self):
        """The inverse of the covariance."""
        return np.linalg.inv(self.get_covariance())

    def score_samples(self, X):
        """The log-likelihood of every row under the probabilistic model."""
        self._check_fitted()
        centered = self._new_points(_arrays.dense(X, type(self).__name__)) - self.mean_
        precision = self.get_precision()
        constant = self.n_features_in_ * math.log(2 * math.pi) - np.linalg.slogdet(precision)[1]
        return -0.5 * ((centered * (centered @ precision)).sum(axis=1) + constant)

    def score(self, X, y=None):
        """The mean log-likelihood of the rows."""
        return float(np.mean(self.score_samples(X)))


class KernelPcaBase(MapEstimator):
    _ours = ("linear", "poly", "rbf", "sigmoid", "cosine", "laplacian", "precomputed")
    _min_samples = 2
    _keeps_float32 = True

    def _more_tags(self):
        return {"pairwise": self.kernel == "precomputed"}

    def _kernel_params(self):
        if callable(self.kernel):
            return self.kernel_params or {}
        return {"gamma": self.gamma, "degree": self.degree, "coef0": self.coef0}

    def _data(self, X):
        points = super()._data(X)
        if self.kernel == "precomputed":
            _metrics.check_square(points, type(self).__name__)
        if self.kernel in self._ours:
            return points
        points = _arrays.dense(X, type(self).__name__)  # refuses sparse rows
        return _metrics.kernel_matrix(points, None, self.kernel, self._kernel_params(), type(self).__name__)

    def _options(self, data):
        options = self._plain_options("kernel_pca")
        n = data.shape[0]
        options["n_components"] = n - 1 if self.n_components is None else min(self.n_components, n - 1)
        options["degree"] = int(self.degree)
        if self.kernel not in self._ours:
            options["kernel"] = "precomputed"
        if options["kernel"] in ("linear", "cosine", "precomputed"):
            options.pop("gamma")
        elif self.gamma is None:
            options["gamma"] = 1 / data.shape[1]
        return options

    def _keep(self, model, X, data):
        values = model.spectrum["values"]
        # Rounding, by scikit-learn's measure: which processor computes must not decide what is 0.
        values = np.where(values > 1e-12 * max(values.max(initial=0), 0), values, 0)
        drops = self.n_components is None or self.remove_zero_eig
        kept = values > 0 if drops else np.ones(len(values), bool)
        if drops:
            kept &= np.arange(len(values)) < model.attribute("rank")
        super()._keep(model, X, data)
        self._kept = kept
        self.eigenvalues_ = values[kept]
        self._map = self._like(data, model.coordinates[:, kept])
        safe = np.where(self.eigenvalues_ > 0, np.sqrt(self.eigenvalues_), 1)
        self.eigenvectors_ = self._like(data, self._map / safe)
        kept = _arrays.kept(data, X)
        self.X_fit_ = kept.matrix if isinstance(kept, _arrays.SparseRows) else kept
        if self.kernel not in self._ours:
            self.X_fit_ = np.array(_arrays.dense(X, type(self).__name__))
            self.n_features_in_ = self.X_fit_.shape[1]
        if self.fit_inverse_transform:
            self.X_transformed_fit_ = self._map
        self.gamma_ = model.options.get("gamma")

    @property
    def _n_features_out(self):
        return len(self.eigenvalues_)

    def fit_transform(self, X, y=None):
        """Fits the model, and returns the coordinates of the rows of X."""
        self._fit(X, y)
        return self._wrapped(self._map, X)

    def _placed(self, data):
        if self.kernel not in self._ours:
            data = np.ascontiguousarray(_metrics.kernel_matrix(data, self.X_fit_, self.kernel, self._kernel_params(),
                                                               type(self).__name__))
        return super()._placed(data)[:, self._kept]

    def inverse_transform(self, X):
        """Points of the data space for coordinates, by ridge regression in the map."""
        self._check_fitted()
        if not self.fit_inverse_transform:
            raise _errors.unfitted_part("The fit_inverse_transform parameter was not set to True when instantiating and "
                                        "hence the inverse transform is not available.")
        data = _arrays.dense(X, type(self).__name__)
        if data.shape[1] != self._n_features_out:
            raise ValueError(f"Incompatible dimension for X and Y matrices: X.shape[1] == {data.shape[1]} while "
                             f"Y.shape[1] == {self._n_features_out}")
        full = np.zeros((len(data), len(self._kept)))
        full[:, self._kept] = data
        return self._call(self._model.inverse_transform, full, threads=self._threads())
