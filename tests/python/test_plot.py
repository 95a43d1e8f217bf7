"""unroll.plot draws what the command draws."""
import os
import re
import subprocess
import tempfile
import unittest
from xml.etree import ElementTree

import numpy as np
import pandas

import unroll

MAP = np.random.RandomState(3).normal(size=(80, 2))
WORDS = np.array(["x", "y", "z"])[np.arange(80) % 3]


def texts(drawn):
    return [text.text for text in ElementTree.fromstring(drawn.svg).iter("{http://www.w3.org/2000/svg}text")]


def colors(drawn):
    """{color: number of points}"""
    found = {}
    for path in ElementTree.fromstring(drawn.svg).iter("{http://www.w3.org/2000/svg}path"):
        found[path.get("stroke")] = found.get(path.get("stroke"), 0) + path.get("d").count("h0")
    return found


class Plots(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def test_the_command_draws_the_same(self):
        np.save(self.path("map.npy"), MAP)
        with open(self.path("labels.txt"), "w", encoding="utf-8") as file:
            file.write("\n".join(WORDS) + "\n")
        labels = pandas.Series(WORDS, name="labels")
        for name in ("a.png", "a.svg"):
            subprocess.run([os.environ["UNROLL"], "plot", self.path("map.npy"), "--labels", self.path("labels.txt"), "--dark",
                            "--title", "t", "--size", "500x400", "-o", self.path(name)], check=True, capture_output=True)
            drawn = unroll.plot(MAP, labels, title="t", size=(500, 400), dark=True, path=self.path("b" + name))
            self.assertEqual(self.read(name), self.read("b" + name))
            self.assertEqual(self.read(name), drawn.png if name == "a.png" else drawn.svg.encode())

    def test_what_is_drawn(self):
        frame = pandas.DataFrame(np.column_stack([MAP, MAP[:, 0]]), columns=["left", "up", "more"])
        drawn = unroll.plot(frame, WORDS)
        self.assertEqual(sorted(colors(drawn).values()), [26, 27, 27])
        self.assertEqual(drawn.notes, ["the first 2 of 3 coordinates"])
        for word in ("left", "up", "x", "y", "z"):
            self.assertIn(word, texts(drawn))
        self.assertIn("more", texts(unroll.plot(frame, axes=(1, 2))))
        model = unroll.embed(np.random.RandomState(0).normal(size=(40, 5)), "pca", return_model=True)
        self.assertEqual(sum(colors(unroll.plot(model)).values()), 40)
        names = [f"point {i}" for i in range(9)]
        self.assertLessEqual(set(names), set(texts(unroll.plot(MAP[:9], names=names))))

    def test_labels(self):
        self.assertEqual(len(colors(unroll.plot(MAP, np.arange(80) % 4))), 4)  # classes
        self.assertGreater(len(colors(unroll.plot(MAP, np.arange(80)))), 30)  # numbers
        self.assertGreater(len(colors(unroll.plot(MAP, MAP[:, 0]))), 20)
        gaps = np.where(np.arange(80) < 5, np.nan, MAP[:, 0])
        self.assertEqual(colors(unroll.plot(MAP, gaps))["#d2d4d8"], 5)
        words = WORDS.astype(object)
        words[:6] = None
        self.assertEqual(colors(unroll.plot(MAP, words))["#d2d4d8"], 6)
        self.assertEqual(colors(unroll.plot(MAP, [True, False] * 40)), {"#3f90da": 40, "#ffa90e": 40})

    def test_a_page(self):
        gaps = np.where(np.arange(80) < 5, np.nan, MAP[:, 0])
        unroll.plot(MAP, gaps, title="a map", path=self.path("map.html"))
        with open(self.path("map.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertIn("<h1>a map</h1>", page)
        self.assertEqual(page.count("<canvas data-map="), 1)
        with self.assertRaisesRegex(ValueError, "^plot: dark=true is for pictures"):
            unroll.plot(MAP, dark=True, path=self.path("dark.html"))
        self.assertEqual(os.listdir(self.folder), ["map.html"])

    def test_refused(self):
        for words, message in (({"labels": [1, 2]}, "give one per row, 80 in all"), ({"axes": 5}, "no coordinate 5"),
                               ({"path": self.path("a.gif")}, ".png or .svg"), ({"size": (1, 1)}, "width"),
                               ({"names": ["a"]}, "there are 1 names")):
            with self.assertRaisesRegex(ValueError, f"^plot: .*{re.escape(message)}"):
                unroll.plot(MAP, **words)
        with self.assertRaisesRegex(unroll.DataError, "^plot: "):
            unroll.plot([[0.0, np.nan]])
        self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    unittest.main()
