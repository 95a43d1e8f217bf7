"""LabelPropagation, LabelSpreading and LabelEigenvectors beside scikit-learn's, and where ours are better."""
import os
import pickle
import subprocess
import tempfile
import unittest
import warnings

import numpy as np
from scipy import sparse
from sklearn import datasets, semi_supervised

import unroll

IRIS, FLOWERS = datasets.load_iris(return_X_y=True)
IRIS = IRIS + np.random.RandomState(1).normal(size=IRIS.shape) * 1e-3  # two flowers are equal, and only one may have a label
SOME = np.where(np.random.RandomState(0).rand(150) < 0.7, -1, FLOWERS)
NEW = IRIS[:60] + 0.01
PAIRS = [(unroll.LabelPropagation, semi_supervised.LabelPropagation), (unroll.LabelSpreading, semi_supervised.LabelSpreading)]


class Labels(unittest.TestCase):
    def setUp(self):
        caught = warnings.catch_warnings()
        caught.__enter__()
        self.addCleanup(caught.__exit__, None, None, None)
        warnings.simplefilter("ignore")

    def test_probabilities_are_scikit_learns(self):
        """Where its iteration is allowed to converge."""
        for ours, theirs in PAIRS:
            for gamma in (0.5, 5):
                found, expected = ours(gamma=gamma).fit(IRIS, SOME), theirs(gamma=gamma, tol=1e-14, max_iter=30000).fit(IRIS, SOME)
                np.testing.assert_allclose(found.label_distributions_, expected.label_distributions_, atol=1e-9)
                np.testing.assert_allclose(found.predict_proba(NEW), expected.predict_proba(NEW), atol=1e-9)
                np.testing.assert_array_equal(found.transduction_, expected.transduction_)
                np.testing.assert_array_equal(found.classes_, expected.classes_)
        kernel = lambda a, b: 1 / (1 + ((a[:, np.newaxis] - b)**2).sum(axis=2))  # noqa: E731
        for ours, theirs in PAIRS:
            found, expected = ours(kernel).fit(IRIS, SOME), theirs(kernel, tol=1e-14, max_iter=30000).fit(IRIS, SOME)
            np.testing.assert_allclose(found.label_distributions_, expected.label_distributions_, atol=1e-9)
            np.testing.assert_allclose(found.predict_proba(NEW), expected.predict_proba(NEW), atol=1e-9)

    def test_training_points_keep_their_classes(self):
        for kind in (unroll.LabelPropagation, unroll.LabelSpreading, unroll.LabelEigenvectors):
            found = kind().fit(IRIS, SOME)
            np.testing.assert_array_equal(found.predict(IRIS), found.transduction_)
            np.testing.assert_allclose(found.predict_proba(IRIS), found.label_distributions_, atol=1e-12)

    def test_no_label_is_no_class(self):
        """scikit-learn says class 0 of a part without a label, and NaN of a far query."""
        points = np.vstack([IRIS, IRIS[:20] + 1000])
        known = np.concatenate([SOME, np.full(20, -1)])
        for kind in (unroll.LabelPropagation, unroll.LabelSpreading):
            for parameters in ({"kernel": "rbf"}, {"kernel": "knn"}):
                found = kind(**parameters).fit(points, known)
                np.testing.assert_array_equal(found.transduction_[150:], -1)
                np.testing.assert_array_equal(found.label_distributions_[150:], 1 / 3)
            far = kind(kernel="rbf").fit(IRIS, SOME)
            np.testing.assert_array_equal(far.predict_proba([[1e6] * 4]), np.full((1, 3), 1 / 3))
            self.assertEqual(far.predict([[1e6] * 4])[0], -1)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            unroll.LabelSpreading(kernel="knn").fit(points, known)
        self.assertIn("has no label (of row 151): 20 points", str(said[0].message))
        with self.assertRaisesRegex(ValueError, "no point has a label"):
            unroll.LabelSpreading().fit(IRIS, np.full(150, -1))

    def test_words_as_classes(self):
        names = datasets.load_iris().target_names
        words = np.where(SOME == -1, "", names[SOME])
        found = unroll.LabelSpreading(gamma=1).fit(IRIS, words)
        np.testing.assert_array_equal(found.classes_, names)
        np.testing.assert_array_equal(found.transduction_, names[unroll.LabelSpreading(gamma=1).fit(IRIS, SOME).transduction_])
        self.assertEqual(found.predict([[1e6] * 4])[0], "")
        mixed = np.where(SOME == -1, None, names[SOME])
        np.testing.assert_array_equal(unroll.LabelSpreading(gamma=1).fit(IRIS, mixed).transduction_, found.transduction_)
        for flag in (np.array([True, False] * 75), np.arange(150, dtype=np.uint8) % 3):
            self.assertEqual(unroll.LabelSpreading().fit(IRIS, flag).predict([[1e6] * 4])[0], -1)

    def test_saved_models_know_the_words(self):
        names = datasets.load_iris().target_names
        found = unroll.LabelSpreading(gamma=1).fit(IRIS, np.where(SOME == -1, "", names[SOME]))
        with tempfile.TemporaryDirectory() as folder:
            model, rows = os.path.join(folder, "m.unroll"), os.path.join(folder, "new.npy")
            found.save(model)
            np.save(rows, NEW)
            said = subprocess.run([os.environ["UNROLL"], "label", rows, "--model", model, "-q", "-o", "-"], check=True,
                                  capture_output=True, text=True).stdout.split()
            self.assertEqual([line.split(",")[1] for line in said[1:]], list(found.predict(NEW)))
        again = pickle.loads(pickle.dumps(found))
        np.testing.assert_array_equal(again.predict_proba(NEW), found.predict_proba(NEW))

    def test_numbers_and_words_are_the_same_classes_everywhere(self):
        """-1.0, '' and '-1' are unknown to `embed` and UMAP as they are to the classes."""
        names = datasets.load_iris().target_names
        words = np.where(SOME == -1, "", names[SOME])
        expected = unroll.embed(IRIS, "label_spreading", y=SOME, return_model=True)
        for y in (SOME.astype(float), words, np.where(SOME == -1, "-1", words), [None if w == "" else w for w in words]):
            found = unroll.embed(IRIS, "label_spreading", y=y, return_model=True)
            np.testing.assert_array_equal(found.embedding_, expected.embedding_)
        np.testing.assert_array_equal(found.labels_, names[expected.labels_])
        np.testing.assert_array_equal(found.predict(NEW), names[expected.predict(NEW)])
        maps = [unroll.UMAP(n_epochs=3).fit_transform(IRIS, y).tobytes() for y in (SOME, SOME.astype(float), words)]
        self.assertEqual(len(set(maps)), 1)
        for wrong in (np.linspace(0, 1, 150), FLOWERS[:, None] + np.zeros((1, 2)), np.full(150, np.nan)):
            with self.assertRaises(ValueError):
                unroll.embed(IRIS, "label_spreading", y=wrong)

    def test_loaded_models_know_the_classes(self):
        numbers = np.where(SOME == -1, -1, np.array([4, 7, 30])[SOME])
        found = unroll.LabelSpreading(gamma=1).fit(IRIS, numbers)
        with tempfile.TemporaryDirectory() as folder:
            found.save(os.path.join(folder, "m.unroll"))
            loaded = unroll.load(os.path.join(folder, "m.unroll"))
        np.testing.assert_array_equal(loaded.predict(NEW), found.predict(NEW))
        np.testing.assert_array_equal(loaded.labels_, found.transduction_)
        self.assertEqual(set(loaded.labels_), {4, 7, 30})
        self.assertEqual(set(unroll.embed(IRIS, "label_spreading", y=numbers, return_model=True).labels_), {4, 7, 30})

    def test_words_that_are_objects(self):
        names = datasets.load_iris().target_names.astype(object)
        far = [[1e6] * 4]
        for unknown in (None, np.nan, "", "-1"):
            words = np.where(SOME == -1, unknown, names[SOME])
            found = unroll.LabelSpreading(gamma=1).fit(IRIS, words)
            self.assertEqual(list(found.classes_), list(names))
            self.assertEqual(list(found.predict(far)), [""])
        self.assertEqual(list(unroll.LabelSpreading(gamma=1).fit(IRIS, list(words[:-1]) + [np.nan]).classes_), list(names))
        with self.assertRaisesRegex(ValueError, "words and numbers"):
            unroll.LabelSpreading().fit(IRIS, np.array(["a", 1, 2] * 50, dtype=object))

    def test_functions_as_kernels_see_arrays(self):
        """Of sparse rows they are refused before anything is computed; an estimator is as it was."""
        def kernel(a, b):
            self.assertIsInstance(a, np.ndarray)
            return np.exp(-((a[:, None] - b)**2).sum(axis=2))

        for changed in ({"kernel": kernel}, {"gamma": 0}):
            found = unroll.LabelSpreading(gamma=1).fit(IRIS, SOME)
            before = {**vars(found), **changed}
            with self.assertRaisesRegex(TypeError, "dense data is required"):
                found.set_params(**changed).fit(sparse.csr_matrix(IRIS), SOME)
            self.assertEqual({key: id(value) for key, value in vars(found).items()},
                             {key: id(value) for key, value in before.items()})

    def test_iterations(self):
        hasty = unroll.LabelSpreading(gamma=1, alpha=0.99, max_iter=3)
        with self.assertWarnsRegex(UserWarning, "max_iter=3 was reached without convergence."):
            hasty.fit(IRIS, SOME)
        self.assertEqual(hasty.n_iter_, 3)
        self.assertGreater(unroll.LabelSpreading(gamma=1, alpha=0.99).fit(IRIS, SOME).n_iter_, 3)

    def test_extreme_kernels(self):
        wide = unroll.LabelSpreading(gamma=0).fit(IRIS, SOME)
        self.assertTrue(np.isfinite(wide.label_distributions_).all())
        self.assertEqual(wide.predict_proba(NEW).shape, (60, 3))
        with self.assertRaisesRegex(ValueError, "Expected n_neighbors <= n_samples"):
            unroll.LabelSpreading(kernel="knn", n_neighbors=151).fit(IRIS, SOME)
        for wrong, said in ((FLOWERS + 0.5, "Unknown label type"), (FLOWERS[1:], "inconsistent numbers"), (None, "requires y")):
            with self.assertRaisesRegex(ValueError, said):
                unroll.LabelPropagation().fit(IRIS, wrong)

    def test_score(self):
        found = unroll.LabelEigenvectors().fit(IRIS, SOME)
        right = found.predict(IRIS) == FLOWERS
        self.assertAlmostEqual(found.score(IRIS, FLOWERS), right.mean())
        self.assertGreater(right.mean(), 0.9)
        self.assertAlmostEqual(found.score(IRIS, FLOWERS, sample_weight=right + 0.0), 1)

    def test_digits_with_fifty_labels(self):
        """The mean of 20 draws is at least scikit-learn's; five tell as much here. examples/python/labels.py has all."""
        images, digits = datasets.load_digits(return_X_y=True)
        ours = theirs = 0
        for seed in range(5):
            known = np.full(len(digits), -1)
            chosen = np.random.RandomState(seed).permutation(len(digits))[:50]
            known[chosen] = digits[chosen]
            found = unroll.embed(images, "label_spreading", y=known, return_model=True).labels_
            ours += np.mean(found == digits)
            theirs += np.mean(semi_supervised.LabelSpreading(kernel="knn").fit(images, known).transduction_ == digits)
        self.assertGreaterEqual(ours, theirs)


if __name__ == "__main__":
    unittest.main()
