"""Every class keeps scikit-learn's conventions: its own checks, and the tools that rely on them."""
import pickle
import unittest
import warnings
from functools import partial

import numpy as np
import pandas
from sklearn import datasets
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.utils import estimator_checks

import unroll
from unroll._table import CLASSES, TABLE

# Two flowers of the table are equal; a little noise tells them apart.
IRIS = datasets.load_iris().data + np.random.RandomState(0).normal(size=(150, 4)) * 1e-3
# Checks that a class cannot pass, and why: {class: {check: reason}}. KMeans has the one
# exemption that scikit-learn's own has, as a tag: points of weight 0 may change how clusters are numbered.
EXEMPT = {"LabelEigenvectors": {"check_classifiers_classes": "its classes are -1 and 1, but -1 is unknown; scikit-learn's own "
                                                              "classes of this kind are exempt by their names"}}
# Parameters with which the checks, of 10 to 40 points, make sense.
SMALL = {
    "Autoencoder": {"epochs": 3, "pretrain_epochs": 1, "layers": (8,)},
    "MVU": {"n_iter": 15},
    "SNE": {"n_iter": 5, "perplexity": [2.0]},
    "TSNE": {"perplexity": 2, "n_iter": 20},
    "UMAP": {"n_epochs": 10, "n_neighbors": 4},
}
# scikit-learn runs these for its own mixin class alone.
OF_CLUSTERS = (estimator_checks.check_clusterer_compute_labels_predict, estimator_checks.check_clustering,
               partial(estimator_checks.check_clustering, readonly_memmap=True),
               estimator_checks.check_estimators_partial_fit_n_features)


def name_of(check):
    return check.func.__name__ if isinstance(check, partial) else check.__name__


class Checks(unittest.TestCase):
    """One test per class, made below."""

    def run_checks(self, name):
        estimator = CLASSES[name](**SMALL.get(name, {}))
        checks = [check for _, check in estimator_checks.check_estimator(estimator, generate_only=True)]
        if estimator._estimator_type == "clusterer":
            checks += [partial(check, name) for check in OF_CLUSTERS]
        self.assertGreater(len(checks), 25)
        for check in checks:
            if name_of(check) in EXEMPT.get(name, {}):
                continue
            with self.subTest(check=name_of(check)), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    check(clone(estimator))
                except unittest.SkipTest:
                    pass


for class_name in CLASSES:
    setattr(Checks, f"test_{class_name}", lambda self, name=class_name: self.run_checks(name))


class Tools(unittest.TestCase):
    def test_signatures_are_scikit_learns(self):
        """Names and defaults, of the version that is installed; ours are listed where they differ."""
        from sklearn import cluster, decomposition, manifold, neighbors, semi_supervised
        different = {"KMeans": {"n_init": 10}, "TSNE": {"square_distances": None},
                     "MDS": {"n_init": 1, "eps": 1e-6, "normalized_stress": "auto"}}
        for name in CLASSES:
            theirs = next((getattr(module, name) for module in (manifold, decomposition, cluster, neighbors, semi_supervised)
                           if hasattr(module, name)), None)
            if theirs is None:
                continue
            with self.subTest(name):
                expected = {**theirs().get_params(), **different.get(name, {})}
                ours = CLASSES[name]().get_params()
                for parameter, default in expected.items():
                    if parameter == "square_distances":
                        continue  # deprecated in 1.2, gone in 1.3
                    self.assertEqual(ours[parameter], default, parameter)

    def test_clone_and_repr(self):
        for name, kind in CLASSES.items():
            again = clone(kind())
            self.assertEqual(again.get_params(), kind().get_params())
            self.assertEqual(repr(again), f"{name}()")
        self.assertEqual(repr(unroll.Isomap(n_neighbors=7)), "Isomap(n_neighbors=7)")

    def test_pipelines_and_searches(self):
        data, target = datasets.load_iris(return_X_y=True)
        pipeline = make_pipeline(unroll.Isomap(n_neighbors=20), LogisticRegression(max_iter=500))
        search = GridSearchCV(pipeline, {"isomap__n_components": [1, 2]}, cv=3).fit(data, target)
        self.assertGreater(search.best_score_, 0.85)
        self.assertGreater(cross_val_score(make_pipeline(unroll.PCA(2), LogisticRegression()), data, target).mean(), 0.9)

    def test_sparse_graphs_in_a_pipeline(self):
        graph = unroll.KNeighborsTransformer(n_neighbors=40)
        chained = make_pipeline(graph, unroll.Isomap(n_neighbors=40, metric="precomputed")).fit_transform(IRIS)
        direct = unroll.Isomap(n_neighbors=40).fit_transform(IRIS)
        np.testing.assert_allclose(chained, direct, atol=1e-8)

    def test_new_rows_of_a_sparse_graph_are_refused(self):
        graph = unroll.KNeighborsTransformer(n_neighbors=40).fit(IRIS)
        fitted = unroll.Isomap(n_neighbors=40, metric="precomputed").fit(graph.transform(IRIS))
        with self.assertRaisesRegex(unroll.Unsupported, "Isomap: new rows of a sparse matrix"):
            fitted.transform(graph.transform(IRIS[:5]))

    def test_data_frames(self):
        frame = pandas.DataFrame(IRIS, columns=list("abcd"), index=[f"row{i}" for i in range(len(IRIS))])
        for kind in (unroll.PCA, unroll.Isomap):
            with self.subTest(kind=kind.__name__):
                fitted = kind(n_components=2).set_output(transform="pandas").fit(frame)
                placed = fitted.transform(frame)
                name = kind.__name__.lower()
                self.assertEqual(list(placed.columns), [f"{name}0", f"{name}1"])
                self.assertEqual(list(placed.index), list(frame.index))
                self.assertEqual(list(fitted.feature_names_in_), list("abcd"))
                with self.assertRaisesRegex(ValueError, "feature names should match"):
                    fitted.transform(frame[list("badc")])

    def test_columns_of_pandas_own_kinds(self):
        own = pandas.DataFrame({"a": pandas.array([1, 2, 4, 4], dtype="Int64"), "b": [True, False, True, True]})
        np.testing.assert_array_equal(unroll.PCA(1).fit_transform(own), unroll.PCA(1).fit_transform(own.to_numpy(float)))
        own.loc[2, "a"] = pandas.NA
        with self.assertRaisesRegex(ValueError, "(?s)Input X contains NaN.*row 2, column 0"):
            unroll.PCA(1).fit(own)

    def test_nothing_changes_when_a_fit_fails(self):
        for name in CLASSES:
            with self.subTest(name):
                more = [np.arange(50) % 3] if CLASSES[name]._estimator_type == "classifier" else []
                estimator = CLASSES[name](**SMALL.get(name, {})).fit(IRIS[::3], *more)
                before = dict(vars(estimator))
                for wrong in (np.full((40, 4), np.nan), np.zeros((0, 4)), [["a"]]):
                    with self.assertRaises(ValueError):
                        estimator.fit(wrong, *more)
                self.assertEqual({key: id(value) for key, value in before.items()},
                                 {key: id(value) for key, value in vars(estimator).items()})

    def test_before_fit(self):
        for name in CLASSES:
            estimator = CLASSES[name]()
            action = estimator.transform if hasattr(estimator, "transform") else estimator.predict
            with self.assertRaises(NotFittedError):
                action(IRIS)

    def test_random_states(self):
        seeds = {np.random.RandomState(5).randint(2**31 - 1), np.random.default_rng(5).integers(2**31 - 1)}
        self.assertEqual(len(seeds), 2)
        maps = [unroll.UMAP(n_epochs=5, random_state=state).fit_transform(IRIS).tobytes()
                for state in (3, np.random.RandomState(3), np.random.default_rng(3), None, None)]
        self.assertEqual(maps[3], maps[4])
        self.assertEqual(len(set(maps)), 4)

    def test_every_map_places_its_points(self):
        """`transform` of the training points is the map, by formula or by memory."""
        for row in TABLE:
            estimator = CLASSES[row.name](**SMALL.get(row.name, {}))
            if not hasattr(estimator, "transform") or row.method is None:
                continue
            with self.subTest(row.name), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                map = estimator.fit_transform(IRIS)
                again = pickle.loads(pickle.dumps(estimator)).transform(IRIS)
                np.testing.assert_allclose(again, map, atol=1e-6 * np.abs(map).max())


class Messages(unittest.TestCase):
    def check(self, text, action):
        with self.assertRaisesRegex(ValueError, text):
            action()

    def test_parameters(self):
        self.check("The 'n_neighbors' parameter of Isomap must be an int in the range .1, inf. or None. Got -1 instead.",
                   lambda: unroll.Isomap(n_neighbors=-1).fit(IRIS))
        self.check("The 'method' parameter of LocallyLinearEmbedding must be a str among",
                   lambda: unroll.LocallyLinearEmbedding(method="no").fit(IRIS))
        self.check("Both n_neighbors and radius are provided", lambda: unroll.Isomap(radius=1).fit(IRIS))
        self.check("perplexity must be less than n_samples", lambda: unroll.TSNE(perplexity=500).fit(IRIS))

    def test_data(self):
        holes = IRIS.copy()
        holes[7, 2] = np.nan
        self.check("(?s)Input X contains NaN.*row 7, column 2", lambda: unroll.PCA().fit(holes))
        holes[7, 2] = np.inf
        self.check("contains infinity", lambda: unroll.Isomap().fit(holes))
        self.check("Expected 2D array, got 1D array instead", lambda: unroll.UMAP().fit(IRIS[0]))
        self.check("X has 2 features, but PCA is expecting 4 features as input.",
                   lambda: unroll.PCA().fit(IRIS).transform(IRIS[:, :2]))

    def test_the_library_speaks_in_the_name_of_the_class(self):
        self.check("^Isomap: n_neighbors=400 must be less than the number of points",
                   lambda: unroll.Isomap(n_neighbors=400).fit(IRIS))
        with self.assertRaises(unroll.InvalidOption) as caught:
            unroll.embed(IRIS, "isomap", n_neighbours=3)
        self.assertIn("n_neighbors", str(caught.exception))
        with self.assertRaises(unroll.FileError):
            unroll.load("no such file")

    def test_warnings(self):
        apart = np.vstack([IRIS, IRIS + 1000])
        with self.assertWarns(unroll.DisconnectedGraphWarning) as caught:
            unroll.Isomap().fit(apart)
        self.assertTrue(str(caught.warning).startswith("Isomap: "))


if __name__ == "__main__":
    unittest.main()
