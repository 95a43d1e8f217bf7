"""What notebooks show: pictures, and what one should know of them."""
import pickle
import re
import unittest
import warnings
from html.parser import HTMLParser
from xml.etree import ElementTree

import numpy as np
import sklearn

import unroll
from unroll._picture import CLASS_COLORS
from unroll._table import CLASSES

POINTS = np.random.RandomState(0).normal(size=(60, 5))
SMALL = {"SNE": {"n_iter": 5, "perplexity": [2.0]}, "TSNE": {"perplexity": 2, "n_iter": 20},
         "UMAP": {"n_epochs": 10, "n_neighbors": 4}}


class Texts(HTMLParser):
    """The words of a page; every element that opens must close."""

    def __init__(self, page):
        super().__init__()
        self.words, self.open = [], []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        self.words.append(data)


def dots(picture):
    """(color, number of points) of an SVG, colors in their order."""
    found = {}
    for path in ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}path"):
        found[path.get("stroke")] = found.get(path.get("stroke"), 0) + path.get("d").count("M")
    return sorted(found.items(), key=lambda pair: (CLASS_COLORS + (pair[0],)).index(pair[0]))


def picture_in(page):
    return re.search(r"(?s)<svg.*?</svg>", page).group()


class Shown(unittest.TestCase):
    def check_page(self, page):
        """Well-formed, and complete in itself."""
        texts = Texts(page)
        self.assertEqual(texts.open, [])
        for word in ("<script", "<link", "<style", "url(", "href", "src="):
            self.assertNotIn(word, page)
        self.assertEqual(set(re.findall(r"https?://[^\"' ]+", page)) - {"http://www.w3.org/2000/svg"}, set())
        return " ".join(texts.words)

    def test_every_fitted_class(self):
        for name, kind in CLASSES.items():
            with self.subTest(name), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                more = [np.arange(len(POINTS)) % 3] if kind._estimator_type == "classifier" else []
                estimator = kind(**SMALL.get(name, {})).fit(POINTS, *more)
                page = estimator._repr_html_()
                words = self.check_page(page)
                self.assertIn(name, words)
                for parameter, value in SMALL.get(name, {}).items():
                    self.assertRegex(words, rf"{parameter} {re.escape(repr(value))}")
                if name not in ("KMeans", "KNeighborsTransformer"):
                    self.assertEqual(sum(count for _, count in dots(picture_in(page))), len(POINTS))
                    self.assertIn("fitted in", words)
                self.assertNotIn("fitted in", pickle.loads(pickle.dumps(estimator))._repr_html_())

    def test_parameters_that_are_defaults_are_left_out(self):
        words = self.check_page(unroll.Isomap(n_neighbors=7, n_components=2).fit(POINTS)._repr_html_())
        self.assertIn("n_neighbors 7", words)
        self.assertNotIn("n_components", words)

    def test_an_estimator_that_is_not_fitted_has_the_diagram(self):
        page = unroll.Isomap(n_neighbors=7)._repr_html_()
        self.assertIn("sk-estimator", page)
        self.assertIn("Isomap(n_neighbors=7)", page)
        with sklearn.config_context(display="text"):
            self.assertIsNone(unroll.Isomap().fit(POINTS)._repr_html_())

    def test_warnings_are_shown(self):
        with self.assertWarns(unroll.DisconnectedGraphWarning) as told:
            estimator = unroll.Isomap().fit(np.vstack([POINTS, POINTS + 1000]))
        words = self.check_page(estimator._repr_html_())
        self.assertIn(str(told.warning).removeprefix("Isomap: "), words)

    def test_clusters_are_colors(self):
        estimator = unroll.SpectralClustering(n_clusters=3, affinity="nearest_neighbors").fit(POINTS)
        found = dots(picture_in(estimator._repr_html_()))
        self.assertEqual([count for _, count in found], list(np.bincount(estimator.labels_)))
        self.assertEqual(len({color for color, _ in found}), 3)

    def test_models(self):
        model = unroll.embed(POINTS, "isomap", n_neighbors=9, return_model=True)
        words = self.check_page(model._repr_html_())
        self.assertIn("n_neighbors 9", words)
        self.assertIn("60 points of 5 features", words)

    def test_comparisons(self):
        names = np.array(["<b>", "a&b", "c"])[np.arange(60) % 3]
        found = unroll.compare(POINTS, ["pca", "isomap:n_neighbors=12", "isomap:n_neighbors=300"], y=names)
        page = found._repr_html_()
        words = self.check_page(page)
        for label in found.labels:
            self.assertIn(label, words)
        self.assertIn(found.verdict[0], words)
        self.assertIn("must be less than", words)  # why the third failed
        pictures = re.findall(r"(?s)<svg.*?</svg>", page)
        self.assertEqual([[count for _, count in dots(picture)] for picture in pictures], [[20, 20, 20]] * 2)


    def test_panels_have_the_colors_of_many_classes(self):
        """They have no legend that could be too short for ten classes."""
        page = unroll.compare(POINTS, ["pca"], y=np.arange(60) % 10)._repr_html_()
        self.assertEqual([(color, 6) for color in CLASS_COLORS], dots(picture_in(page)))


class Pictures(unittest.TestCase):
    def test_places(self):
        """One scale for both axes; up is up."""
        svg = unroll.picture([[0.0, 0.0], [4.0, 0.0], [0.0, 1.0]], size=220).svg
        places = [[float(word) for word in place.split()] for place in re.findall(r"M([^h]+)h0", svg)]
        (left, low), (_, high), (right, _) = sorted(places, key=lambda place: (place[0], -place[1]))
        self.assertAlmostEqual((left + right) / 2, 110, delta=0.1)
        self.assertAlmostEqual((low + high) / 2, 110, delta=0.1)
        self.assertAlmostEqual(right - left, 4 * (low - high), delta=0.3)
        self.assertGreater(right - left, 180)

    def test_any_map_can_be_drawn(self):
        for map in (np.zeros((5, 2)), np.zeros((3, 0)), np.ones((4, 1)), np.full((1, 3), 1e308),
                    np.array([[-1.7e308, 0], [1.7e308, 1]])):
            with self.subTest(map=map), warnings.catch_warnings():
                warnings.simplefilter("error")
                svg = unroll.picture(map).svg
                self.assertEqual(sum(count for _, count in dots(svg)), len(map))
                self.assertNotRegex(svg, "nan|inf")

    def test_constant_columns_are_not_drawn(self):
        line = np.column_stack([np.full(50, 3.0), np.arange(50), np.arange(50)**2])
        self.assertEqual(unroll.picture(line).svg, unroll.picture(line[:, 1:]).svg)  # no names of axes

    def test_colors(self):
        map = POINTS[:, :2]
        words = np.array(["x", "y", "<z>"])[np.arange(60) % 3]
        svg = unroll.picture(map, words, title="a < b").svg
        self.assertEqual(len({color for color, _ in dots(svg)}), 3)
        texts = [element.text for element in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]
        self.assertEqual([text for text in texts if text in ("a < b", "<z>", "x", "y")], ["a < b", "<z>", "x", "y"])
        scale = unroll.picture(map, np.where(np.arange(60) < 5, np.nan, np.linspace(-1, 2, 60))).svg
        self.assertGreater(len(dots(scale)), 20)
        self.assertEqual(dict(dots(scale))["#d2d4d8"], 5)  # unknown

    def test_large_maps_are_sampled(self):
        map = np.random.RandomState(1).normal(size=(20_000, 2))
        self.assertEqual(sum(count for _, count in dots(unroll.picture(map).svg)), 5000)
        self.assertEqual(unroll.picture(map).svg, unroll.picture(map).svg)

    def test_refused(self):
        for map, y in ((np.full((2, 2), np.nan), None), (np.zeros((3, 2)), [1, 2]), (np.zeros((0, 2)), None)):
            with self.assertRaisesRegex(ValueError, "picture"):
                unroll.picture(map, y)


if __name__ == "__main__":
    unittest.main()
