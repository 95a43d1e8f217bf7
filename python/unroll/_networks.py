"""Autoencoder: a network whose encoder places points, and whose decoder gives them back."""
from . import _arrays
from ._base import MapEstimator


class AutoencoderBase(MapEstimator):
    def fit(self, X, y=None, callback=None):
        """Fits the network, and returns the estimator.

        `callback(stage, fraction, loss, map)` is called on the way. None and True go on, 'finish' keeps the present
        network, False cancels.
        """
        self._fit(X, y, callback)
        return self

    def _options(self, data):
        options = super()._options(data)
        if self.layers is not None:
            options["layers"] = [int(units) for units in self.layers]
        return options

    def inverse_transform(self, X):
        """Points of the data space for coordinates: the decoder."""
        self._check_fitted()
        data = _arrays.dense(X, type(self).__name__)
        return self._call(self._model.inverse_transform, data, threads=self._threads())
