"""Maps of distances beside scikit-learn's: the stress that each reaches."""
import unittest
import warnings

import numpy as np
from sklearn import datasets, manifold
from sklearn.metrics import pairwise_distances

import unroll


def raw_stress(distances, places):
    pairs = np.triu_indices(len(places), 1)
    return np.sum((distances[pairs] - np.linalg.norm(places[pairs[0]] - places[pairs[1]], axis=1)) ** 2)


class Stress(unittest.TestCase):
    def test_digits_are_no_worse_than_their_best_of_four_starts(self):
        points = datasets.load_digits().data[:500]
        ours = unroll.MDS().fit(points)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = manifold.MDS(n_init=4, random_state=0, normalized_stress=False).fit(points)
        self.assertAlmostEqual(ours.stress_, raw_stress(ours.dissimilarity_matrix_, ours.embedding_),
                               delta=1e-6 * ours.stress_)
        self.assertLessEqual(ours.stress_, 1.01 * theirs.stress_)

    def test_one_step_is_theirs(self):
        points = datasets.load_iris().data[:60] + np.arange(60)[:, None] * 1e-3
        start = np.random.RandomState(0).normal(size=(60, 2))
        distances = np.linalg.norm(points[:, None] - points[None], axis=2)
        theirs, _ = manifold.smacof(distances, init=start, n_init=1, max_iter=1, normalized_stress=False)
        ours, _ = unroll.smacof(distances, init=start, max_iter=1)
        np.testing.assert_allclose(ours, theirs, atol=1e-9)

    def test_weights_and_missing_distances(self):
        points = datasets.load_iris().data[::5] + np.arange(30)[:, None] * 1e-3
        distances = np.linalg.norm(points[:, None] - points[None], axis=2)
        weight = np.ones_like(distances)
        weight[2, 9] = weight[9, 2] = 0
        holes = distances.copy()
        holes[2, 9] = holes[9, 2] = np.nan
        by_weight = unroll.MDS(dissimilarity="precomputed").fit(distances, weight=weight).embedding_
        by_holes = unroll.smacof(holes)[0]
        np.testing.assert_array_equal(by_weight, by_holes)
        self.assertFalse(np.array_equal(by_weight, unroll.smacof(distances)[0]))
        thirds = unroll.MDS(dissimilarity="precomputed").fit(distances, weight=weight / 3)
        places = thirds.embedding_
        of_pairs = np.sum(weight / 6 * (distances - np.linalg.norm(places[:, None] - places[None], axis=2)) ** 2)
        self.assertAlmostEqual(thirds.stress_, of_pairs, delta=1e-9 * of_pairs)
        self.assertFalse(np.array_equal(unroll.embed(distances, "sammon", metric="precomputed", weight=weight),
                                        unroll.embed(distances, "sammon", metric="precomputed")))

    def test_names_of_newer_versions(self):
        """In scikit-learn 1.8 metric_mds says which method it is, metric how distance is measured, init where it starts."""
        points = datasets.load_iris().data[::3] + np.arange(50)[:, None] * 1e-3
        for newer, older in (({"metric_mds": True, "metric": "euclidean", "init": "classical_mds"}, {}),
                             ({"metric_mds": False}, {"metric": False}), ({"n_init": "auto"}, {"n_init": 1})):
            np.testing.assert_array_equal(unroll.MDS(**newer).fit_transform(points), unroll.MDS(**older).fit_transform(points))
        given = pairwise_distances(points, metric="manhattan")
        expected = unroll.MDS(dissimilarity="precomputed").fit(given)
        for measured, data in (({"metric": "precomputed"}, given), ({"metric": "manhattan"}, points),
                               ({"metric": lambda a, b: np.abs(a - b).sum()}, points),
                               ({"metric": "minkowski", "metric_params": {"p": 1}}, points)):
            ours = unroll.MDS(**measured).fit(data)
            np.testing.assert_allclose(ours.embedding_, expected.embedding_, atol=1e-9)
            np.testing.assert_allclose(ours.dissimilarity_matrix_, given, atol=1e-12)
            np.testing.assert_allclose(ours.transform(data), ours.embedding_, atol=1e-9)
            self.assertEqual(unroll.MDS(**measured)._get_tags()["pairwise"], measured["metric"] == "precomputed")
        weighted = {"metric_params": {"w": np.array([1, 2, 3, 4])}}
        np.testing.assert_array_equal(unroll.MDS(**weighted).fit_transform(points),
                                      unroll.MDS(metric="euclidean", **weighted).fit_transform(points))
        np.testing.assert_array_equal(unroll.MDS(metric="precomputed", metric_params={"p": 1}).fit(given).embedding_,
                                      expected.embedding_)
        random = [unroll.MDS(init="random", max_iter=3, random_state=seed).fit_transform(points) for seed in (1, 2)]
        self.assertGreater(np.abs(random[0] - random[1]).max(), 0.1)
        with self.assertRaisesRegex(ValueError, "contradict each other"):
            unroll.MDS(metric="manhattan", dissimilarity="precomputed").fit(given)

    def test_classes_and_functions_agree(self):
        points = datasets.load_iris().data[::3] + np.arange(50)[:, None] * 1e-3
        fitted = unroll.Sammon().fit(points)
        np.testing.assert_array_equal(fitted.embedding_, unroll.embed(points, "sammon"))
        np.testing.assert_array_equal(fitted.transform(points), fitted.embedding_)
        by_order = unroll.MDS(metric=False).fit(points)
        nonmetric = unroll.NonmetricMDS(tol=1e-5).fit(points)
        np.testing.assert_array_equal(by_order.embedding_, nonmetric.embedding_)
        self.assertEqual(by_order.stress_, nonmetric.stress_)
        raw = unroll.MDS(metric=False, normalized_stress=False).fit(points)
        self.assertAlmostEqual(raw.stress_, (by_order.stress_ * 50) ** 2)


if __name__ == "__main__":
    unittest.main()
