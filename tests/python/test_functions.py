"""Functions, models from files, and what the documentation shows."""
import doctest
import os
import pickle
import re
import subprocess
import sys
import tempfile
import unittest
import warnings
from unittest import mock

import numpy as np
import pandas
from scipy.linalg import block_diag
from scipy.spatial.distance import pdist, squareform
from sklearn.base import clone

import unroll

SOURCE = os.environ["UNROLL_SOURCE_DIR"]


class Functions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.roll, cls.sheet = unroll.make_dataset("swiss_roll", 1000, random_state=2)
        cls.flat = unroll.embed(cls.roll, "isomap", n_neighbors=10)

    def path(self, name):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return os.path.join(folder.name, name)

    def test_quality(self):
        found = unroll.quality(self.roll, self.flat, truth=self.sheet, n_neighbors=8)
        self.assertGreater(found["trustworthiness"]["value"], 0.99)
        self.assertEqual(found["trustworthiness"]["per_point"].shape, (1000,))
        self.assertGreater(found["truth"]["affine_r2"].min(), 0.9)
        self.assertAlmostEqual(found["trustworthiness"]["value"],
                               unroll.trustworthiness(self.roll, self.flat, n_neighbors=8), 12)
        ranking = found["co_ranking"]
        self.assertEqual(ranking["area"]["per_point"].shape, (1000,))
        self.assertAlmostEqual(ranking["area"]["per_point"].mean(), ranking["area"]["value"], 12)
        self.assertEqual((ranking["k"][0], ranking["k"][-1], ranking["r_nx"].shape), (1, 998, ranking["k"].shape))
        self.assertAlmostEqual(found["distance_correlation"]["residual_variance"],
                               1 - found["distance_correlation"]["pearson"] ** 2, 12)
        halves = np.where(self.sheet[:, 0] > self.sheet[:, 0].mean(), "far", "near")
        self.assertGreater(unroll.quality(self.roll, self.flat, y=halves)["labels"]["accuracy"], 0.9)

    def test_distances_of_a_map(self):
        pairs = unroll.shepard_pairs(self.roll[:60], self.flat[:60])
        np.testing.assert_allclose(np.sort(pairs[:, 0]), np.sort(pdist(self.roll[:60])), rtol=1e-12)
        stress = unroll.quality(self.roll[:60], self.flat[:60], measures=["stress"])["stress"]
        given, made = pairs.T
        self.assertAlmostEqual(stress["scale"], given @ made / (made @ made), 12)
        rest = np.linalg.norm(given - stress["scale"] * made) / np.linalg.norm(given)
        self.assertAlmostEqual(stress["stress_1"]["value"], rest, 12)
        self.assertAlmostEqual(stress["raw"]["value"], ((given - made) ** 2).sum(), 8)
        distances = squareform(given), squareform(made)
        rest = np.linalg.norm(distances[0] - stress["scale"] * distances[1], axis=1) / np.linalg.norm(distances[0], axis=1)
        np.testing.assert_allclose(unroll.point_stress(self.roll[:60], self.flat[:60]), rest, rtol=1e-10)
        some = unroll.quality(self.roll, self.flat, measures=["co_ranking", "stress"], rank_points=200, max_pairs=2000)
        for measure in (some["co_ranking"]["area"], some["stress"]["stress_1"]):
            self.assertLess(measure["low"], measure["value"])
            self.assertLess(measure["value"], measure["high"])
        self.assertEqual(unroll.shepard_pairs(self.roll, self.flat, 300).shape, (300, 2))
        with self.assertRaisesRegex(ValueError, "count=0 must be an integer >= 1"):
            unroll.shepard_pairs(self.roll, self.flat, 0)

    def test_trustworthiness_of_any_metric(self):
        by_name = unroll.trustworthiness(self.roll, self.flat, metric="cityblock")
        given = squareform(pdist(self.roll, "cityblock"))
        self.assertAlmostEqual(unroll.trustworthiness(given, self.flat, metric="precomputed"), by_name, 10)
        with self.assertRaisesRegex(ValueError, "n_neighbors .500. should be less than n_samples / 2 .500.0."):
            unroll.trustworthiness(self.roll, self.flat, n_neighbors=500)

    def test_intrinsic_dimension(self):
        found = unroll.intrinsic_dimension(self.roll, n_neighbors=15)
        self.assertAlmostEqual(found["maximum_likelihood"], 2, delta=0.4)
        self.assertEqual(found["per_point"].shape, (1000,))
        self.assertEqual((found["coordinates"], found["residual_variance_elbow"]), (2, 2))
        self.assertEqual(list(found["scales"]), [7, 15, 30, 60])
        self.assertAlmostEqual(found["correlation"]["dimension"], 2, delta=0.2)
        self.assertEqual(found["pca"]["axes_for_95"], 3)
        self.assertEqual(found["local_pca"]["gap"], 2)
        self.assertIn("PCA will not flatten it", " ".join(found["verdict"]))

    def test_intrinsic_dimension_of_distances(self):
        given = squareform(pdist(self.roll))
        found = unroll.intrinsic_dimension(given, metric="precomputed")
        by_points = unroll.intrinsic_dimension(self.roll)
        self.assertAlmostEqual(found["maximum_likelihood"], by_points["maximum_likelihood"], 10)
        self.assertAlmostEqual(found["correlation"]["dimension"], by_points["correlation"]["dimension"], 10)
        self.assertIsNone(found["pca"])

    def test_advise(self):
        roll = unroll.make_dataset("swiss_roll", 300)[0]
        advice = unroll.advise(roll, ["pca", "isomap", "ltsa"], scale="standardize")
        self.assertIn(advice.method, ("isomap", "ltsa"))
        self.assertEqual(advice.maps[advice.label].shape, (300, 2))
        np.testing.assert_allclose(advice.embed(roll), advice.maps[advice.label], atol=1e-6)
        self.assertEqual(advice.table["label"][0], advice.label)
        self.assertEqual([row["n_neighbors"] for row in advice.graphs], [5, 7, 10, 14, 20, 28, 40, 60])
        self.assertTrue(advice.evidence and advice.reading)
        with self.assertRaisesRegex(ValueError, "nothing"):
            unroll.advise(roll, ["nothing"])

    def test_neighbors(self):
        indices, distances = unroll.kneighbors(self.roll, 5)
        everything = squareform(pdist(self.roll))
        np.fill_diagonal(everything, np.inf)
        np.testing.assert_array_equal(indices, np.argsort(everything, axis=1)[:, :5])
        np.testing.assert_allclose(distances, np.sort(everything, axis=1)[:, :5])

    def test_compare(self):
        path = self.path("maps.html")
        found = unroll.compare(self.roll, ["pca", "isomap:n_neighbors=12"], truth=self.sheet)
        self.assertEqual([label.split(":")[0] for label in found.labels], ["pca", "isomap"])
        table = pandas.DataFrame(found.table)
        self.assertGreater(table["trustworthiness"][1], table["trustworthiness"][0])
        self.assertEqual(found.maps["pca"].shape, (1000, 2))
        self.assertTrue(found.verdict)
        found.save_html(path)
        with open(path, encoding="utf-8") as page:
            self.assertIn("</html>", page.read())

    def test_data_sets(self):
        for name in unroll.datasets():
            points, truth = unroll.make_dataset(name, 64)
            self.assertEqual((len(points), len(truth)), (64, 64), name)
            self.assertTrue(np.isfinite(points).all() and np.ptp(points, axis=0).min() > 0, name)
        again, _ = unroll.make_dataset("swiss_roll", 1000, random_state=2)
        self.assertEqual(again.tobytes(), self.roll.tobytes())

    def test_arguments_of_metrics(self):
        weights = {"w": np.array([1.0, 4.0, 0.25])}
        weighted = self.roll * np.sqrt(weights["w"])
        for kind, given in ((unroll.Isomap, {"metric": "minkowski", "metric_params": weights}),
                            (unroll.UMAP, {"metric": "minkowski", "metric_kwds": weights, "n_epochs": 5})):
            plain = {"n_epochs": 5} if kind is unroll.UMAP else {}
            found = kind(n_neighbors=12, **given).fit_transform(self.roll[:300])
            expected = kind(n_neighbors=12, **plain).fit_transform(weighted[:300])
            self.assertGreater(unroll.trustworthiness(expected, found), 0.95)

    def test_functions_do_what_the_classes_do(self):
        graph = block_diag(*[np.exp(-squareform(pdist(self.roll[part:part + 30]))) for part in (0, 30)])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", unroll.DisconnectedGraphWarning)
            found = unroll.spectral_embedding(graph, n_components=2)
            expected = unroll.SpectralEmbedding(2, affinity="precomputed").fit_transform(graph)
        np.testing.assert_array_equal(found, expected)
        self.assertLess(found[:30, 0].max() * found[30:, 0].max(), 0)  # the first coordinate tells the parts
        with self.assertRaisesRegex(unroll.Unsupported, "metric_params"):
            unroll.kneighbors_graph(self.roll, 3, metric="minkowski", metric_params={"w": [1, 2, 3]})
        found = unroll.kneighbors_graph(self.roll, 3, mode="distance", metric="minkowski", metric_params={"p": 1})
        expected = unroll.kneighbors_graph(self.roll, 3, mode="distance", metric="manhattan")
        np.testing.assert_array_equal(found.toarray(), expected.toarray())

    def test_lookups_search_no_graph(self):
        """Neighbors of new rows are found in an index that is made once and not pickled, without the graph of the points."""
        made = []
        search = unroll.KNeighborsTransformer(n_neighbors=4).fit(self.roll)
        index = unroll._core.NeighborIndex
        with mock.patch.object(unroll._core, "NeighborIndex", lambda *a, **k: made.append(index(*a, **k)) or made[-1]):
            found = [search.kneighbors(self.roll[:5] + 0.1)[1] for _ in range(3)]
            self.assertEqual(len(made), 1)
            again = pickle.loads(pickle.dumps(search))
            np.testing.assert_array_equal(again.kneighbors(self.roll[:5] + 0.1)[1], found[0])
            search.fit(self.roll[::2]).kneighbors(self.roll[:5])
            self.assertEqual(len(made), 3)
        self.assertLess(len(pickle.dumps(search)), 1.1 * len(pickle.dumps(self.roll[::2].copy())) + 2000)

    def test_what_is_no_number_is_refused(self):
        days = np.arange("2020-01-01", "2020-01-21", dtype="datetime64[D]").reshape(10, 2)
        for wrong in (days, days - days[0], days.astype(str), [["1", "2"], ["3", "4"], ["5", "5"]]):
            with self.assertRaisesRegex(ValueError, "dtype='numeric' is not compatible"):
                unroll.PCA(1).fit(wrong)
        strange = lambda a, b: np.nan if a[0] < self.roll[3, 0] <= b[0] else 1.0  # noqa: E731
        with self.assertRaisesRegex(ValueError, "gives nan for rows"):
            unroll.ClassicalMDS(metric=strange).fit(self.roll[:20])
        with self.assertRaisesRegex(ValueError, "gives nan for rows"):
            unroll.KernelPCA(2, kernel=strange).fit(self.roll[:20])

    def test_parameters_of_umap_learn(self):
        points = self.roll[:200]
        plain = unroll.UMAP(n_neighbors=8, n_epochs=10)
        indices, distances = unroll.kneighbors(points, 9)
        own = np.arange(200)[:, None]
        known = np.hstack([own, indices]), np.hstack([own * 0.0, distances])
        expected = plain.fit_transform(points)
        np.testing.assert_array_equal(clone(plain).set_params(precomputed_knn=known).fit_transform(points), expected)
        np.testing.assert_array_equal(clone(plain).set_params(precomputed_knn=(indices, distances, None)).fit_transform(points),
                                      expected)
        self.assertGreater(np.abs(clone(plain).set_params(n_epochs=60, densmap=True).fit_transform(points)
                                  - clone(plain).set_params(n_epochs=60).fit_transform(points)).max(), 0)
        with self.assertRaisesRegex(ValueError, "precomputed_knn"):
            clone(plain).set_params(precomputed_knn=(indices[:, :3], distances[:, :3])).fit(points)
        nothing = {"angular_rp_forest": True, "force_approximation_algorithm": True, "tqdm_kwds": {"ncols": 60},
                   "transform_queue_size": 2.0, "disconnection_distance": np.inf, "output_metric_kwds": {}}
        np.testing.assert_array_equal(clone(plain).set_params(**nothing).fit_transform(points), expected)
        for name, value in (("unique", True), ("output_metric", "haversine"), ("target_n_neighbors", 3),
                            ("target_metric_kwds", {"p": 3}), ("output_metric_kwds", {"p": 3}), ("output_dens", True),
                            ("transform_mode", "graph"), ("disconnection_distance", 1.0)):
            with self.assertRaisesRegex(unroll.Unsupported, name):
                clone(plain).set_params(**{name: value}).fit(points)

    def test_values_out_of_range(self):
        with self.assertRaisesRegex(ValueError, "100000000000000000000 is too large"):
            unroll.embed(self.roll, "isomap", n_neighbors=10**20)
        for call in (lambda: unroll.embed(self.roll, n_jobs=0), lambda: unroll.Isomap(n_jobs=0).fit(self.roll)):
            with self.assertRaisesRegex(ValueError, "n_jobs == 0"):
                call()
        with self.assertRaisesRegex(TypeError, "None, True, False or 'finish', but this one has returned 'stop'"):
            unroll.embed(self.roll, "tsne", callback=lambda *_: "stop")

    def test_what_python_computes_is_planned(self):
        """A matrix of all pairs that does not fit is refused before it is made."""
        many = np.zeros((10**7, 1))
        for call in (lambda: unroll.ClassicalMDS(metric="canberra").fit(many), lambda: unroll.LabelSpreading(gamma=0).fit(
                many, np.arange(10**7) % 2), lambda: unroll.KernelPCA(2, kernel=lambda a, b: 0).fit(many)):
            with self.assertRaises(MemoryError) as caught:
                call()
            self.assertIsInstance(caught.exception, unroll.OutOfMemory)

    def test_given_starts_and_classes(self):
        start = self.roll[:, :2].copy()
        moved = unroll.embed(self.roll, "tsne", init=start, n_iter=0)
        np.testing.assert_array_equal(moved, start)
        plain = unroll.embed(self.roll, "umap", n_epochs=20)
        taught = unroll.embed(self.roll, "umap", n_epochs=20, y=np.arange(1000) % 2)
        self.assertGreater(np.abs(plain - taught).max(), 0)

    def test_models(self):
        path = self.path("m.unroll")
        fitted = unroll.embed(self.roll, "kernel_pca", n_components=3, return_model=True)
        self.assertEqual(fitted.options["n_components"], 3)
        self.assertEqual(fitted.spectrum["values"].shape, (3,))
        fitted.save(path)
        loaded = unroll.load(path)
        self.assertEqual(loaded.transform(self.roll[:7]).tobytes(), fitted.transform(self.roll[:7]).tobytes())
        self.assertEqual(loaded.inverse_transform(loaded.embedding_[:7]).shape, (7, 3))
        with self.assertRaisesRegex(unroll.Unsupported, "isomap"):
            unroll.embed(self.roll, "isomap", return_model=True).inverse_transform(self.flat)
        with open(path, "r+b") as file:
            file.seek(200)
            file.write(b"nonsense")
        with self.assertRaises(unroll.DataError):
            unroll.load(path)

    def test_names_of_features_are_saved(self):
        path = self.path("m.unroll")
        frame = pandas.DataFrame(self.roll, columns=["x", "y", "z"])
        unroll.PCA(2).fit(frame).save(path)
        csv, out = self.path("new.csv"), self.path("out.npy")
        frame[["z", "y", "x"]].to_csv(csv, index=False)
        subprocess.run([os.environ["UNROLL"], "transform", path, csv, "-q", "-o", out], check=True, capture_output=True)
        np.testing.assert_allclose(np.load(out), unroll.embed(self.roll, "pca"), atol=1e-10)


class Documentation(unittest.TestCase):
    def test_docstrings(self):
        from unroll import _functions, _picture
        for module in (unroll, _functions, _picture):
            failed, tried = doctest.testmod(module)
            self.assertEqual(failed, 0)
            self.assertGreater(tried, 0)

    def test_every_parameter_has_a_text(self):
        for name in unroll._table.CLASSES:
            lines = getattr(unroll, name).__doc__.splitlines()
            for line, text in zip(lines, lines[1:]):
                if re.match(r"\w+ : ", line):
                    self.assertGreater(len(text.strip()), 5, f"{name}: {line}")

    def test_stubs_are_up_to_date(self):
        """python/unroll/__init__.pyi is what tools/make_stubs.py prints."""
        printed = subprocess.run([sys.executable, os.path.join(SOURCE, "tools", "make_stubs.py")], check=True,
                                 capture_output=True, text=True).stdout
        with open(os.path.join(SOURCE, "python", "unroll", "__init__.pyi"), encoding="utf-8") as file:
            self.assertEqual(printed, file.read())

    def test_the_page_runs(self):
        with open(os.path.join(SOURCE, "docs", "python.md"), encoding="utf-8") as page:
            blocks = re.findall(r"(?s)```python\n(.*?)```", page.read())
        self.assertEqual(len(blocks), 3)
        here = os.getcwd()
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            os.chdir(folder)
            try:
                exec(blocks[1].replace("2000)", "300)") + blocks[2], {})
            finally:
                os.chdir(here)


if __name__ == "__main__":
    unittest.main()
