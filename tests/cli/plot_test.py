"""unroll plot, and embed --plot: one map as a picture. PNG files are decoded here, SVG files parsed."""
import random
import re
import struct
import unittest
import zlib
from xml.etree import ElementTree

from harness import CliTest, as_csv, as_npy, object_in, points, table

SVG = "{http://www.w3.org/2000/svg}"
CLASSES = ["3f90da", "ffa90e", "bd1f01", "94a4a2", "832db6", "a96b59", "e76300", "b9ac70", "717581", "92dadd"]
UNKNOWN, OTHERS = "d2d4d8", "b0b2b8"
WHITE = (255, 255, 255)


def rgb(code):
    return tuple(bytes.fromhex(code.lstrip("#")))


class Png:
    """A decoded PNG file of 8 bits per channel: `at(x, y)` is (red, green, blue)."""

    def __init__(self, data):
        assert data[:8] == b"\x89PNG\r\n\x1a\n"
        place, chunks = 8, []
        while place < len(data):
            size, name = struct.unpack(">I4s", data[place:place + 8])
            content, (check,) = data[place + 8:place + 8 + size], struct.unpack(">I", data[place + 8 + size:place + 12 + size])
            assert zlib.crc32(name + content) == check, name
            chunks.append((name, content))
            place += size + 12
        assert [name for name, _ in chunks] == [b"IHDR", b"IDAT", b"IEND"]
        self.width, self.height, *kind = struct.unpack(">IIBBBBB", chunks[0][1])
        assert kind == [8, 2, 0, 0, 0]
        lines = zlib.decompress(chunks[1][1])
        step = 1 + 3 * self.width
        assert len(lines) == step * self.height
        self.rows = [lines[i:i + step] for i in range(0, len(lines), step)]
        assert all(row[0] == 0 for row in self.rows)  # no filter

    def at(self, x, y):
        return tuple(self.rows[int(y)][1 + 3 * int(x):4 + 3 * int(x)])

    def ink(self, left, top, right, bottom):
        """(amount, middle x, middle y) of what is not white in a part of the picture."""
        amount = across = down = 0
        for y in range(top, bottom):
            for x in range(left, right):
                weight = sum(255 - value for value in self.at(x, y))
                amount, across, down = amount + weight, across + weight * (x + 0.5), down + weight * (y + 0.5)
        return amount, across / max(amount, 1), down / max(amount, 1)


class Svg:
    """A parsed SVG file."""

    def __init__(self, data):
        self.tree = ElementTree.fromstring(data)
        self.dots = [(float(x), float(y), path.get("stroke").lstrip("#")) for path in self.tree.iter(SVG + "path")
                     for x, y in re.findall(r"M(\S+) (\S+?)h0", path.get("d"))]
        self.texts = [text.text for text in self.tree.iter(SVG + "text")]
        self.marks = [(float(mark.get("cx")), float(mark.get("cy")), mark.get("fill").lstrip("#"))
                      for mark in self.tree.iter(SVG + "circle")]

    def legend(self):
        """{words: color}, in the order of the lines."""
        lines = [(float(text.get("x")), float(text.get("y")), text.text) for text in self.tree.iter(SVG + "text")]
        return {words: color for x, y, color in self.marks for left, base, words in lines
                if 0 < left - x < 20 and 0 < base - y < 10}


class PlotTest(CliTest):
    def png(self, *words):
        self.succeed("plot", *words, "-q", "-o", "p.png")
        return Png(self.read("p.png"))

    def svg(self, *words):
        self.succeed("plot", *words, "-q", "-o", "p.svg")
        return Svg(self.read("p.svg"))

    def said(self, *words):
        done = self.run_here(*words)
        self.assertEqual((done.returncode, done.stdout), (0, b""), done.stderr)
        return done.stderr.decode()


class Places(PlotTest):
    def test_points_are_where_they_should_be(self):
        """One scale on both axes, the map in the middle, up is up: worked out by hand for a rectangle of 4 x 2."""
        self.write("four.npy", as_npy([[0.0, 0.0], [4.0, 0.0], [0.0, 2.0], [4.0, 1.0]]))
        picture = self.png("four.npy", "--bare", "--size", "800x600")
        self.assertEqual((picture.width, picture.height), (800, 600))
        scale = (800 - 12) / (4 * 1.08)  # the panel leaves 6 pixels, the margin 4 % on either side
        for x, y in ((0, 0), (4, 0), (0, 2), (4, 1)):
            across, down = 400 + (x - 2) * scale, 300 - (y - 1) * scale
            amount, middle, height = picture.ink(int(across) - 12, int(down) - 12, int(across) + 13, int(down) + 13)
            self.assertGreater(amount, 1000)
            self.assertAlmostEqual(middle, across, delta=0.3)
            self.assertAlmostEqual(height, down, delta=0.3)

    def test_both_formats_draw_the_same(self):
        rows = points(50, 2)
        self.write("map.csv", as_csv([[*row, i % 3] for i, row in enumerate(rows)], "pca0,pca1,kind"))
        drawn, picture = self.svg("map.csv", "--opacity", "1"), self.png("map.csv", "--opacity", "1")
        self.assertEqual(len(drawn.dots), 50)
        self.assertEqual(drawn.legend(), {"0": CLASSES[0], "1": CLASSES[1], "2": CLASSES[2]})
        hidden = 0
        for x, y, color in drawn.dots:
            hidden += picture.at(x, y) != rgb(color)  # a later point may lie over it
        self.assertLess(hidden, 8)
        for x, y, color in drawn.marks:
            self.assertEqual(picture.at(x, y), rgb(color))
        self.assertEqual(picture.at(1, 1), WHITE)

    def test_a_long_map_has_axes_of_its_own(self):
        self.write("line.csv", as_csv([[100.0 * i, i % 7] for i in range(30)], "a,b"))
        drawn = self.svg("line.csv")
        self.assertIn("30 points; the axes have units of their own", drawn.texts)
        self.assertGreater(max(y for _, y, _ in drawn.dots) - min(y for _, y, _ in drawn.dots), 300)
        equal = self.svg("line.csv", "--aspect", "equal")
        self.assertIn("30 points", equal.texts)
        self.assertLess(max(y for _, y, _ in equal.dots) - min(y for _, y, _ in equal.dots), 10)

    def test_one_coordinate(self):
        values = [0.5 * i * i for i in range(40)]
        self.write("line.npy", as_npy([[value] for value in values]))
        strip = sorted(self.svg("line.npy").dots)
        steps = [b[0] - a[0] for a, b in zip(strip, strip[1:])]
        scale = (strip[-1][0] - strip[0][0]) / values[-1]
        for step, (a, b) in zip(steps, zip(values, values[1:])):
            self.assertAlmostEqual(step, scale * (b - a), delta=0.11)  # an SVG has a tenth of a pixel
        self.write("height.txt", b"".join(b"%d.5\n" % (3 * i) for i in range(40)))
        heights = [y for _, y, _ in sorted(self.svg("line.npy", "--labels", "height.txt").dots)]
        for a, b in zip(heights, heights[1:]):
            self.assertAlmostEqual(a - b, (heights[0] - heights[-1]) / 39, delta=0.11)
        self.write("kind.txt", b"".join(b"%s\n" % [b"a", b"b"][i % 2] for i in range(40)))
        drawn = self.svg("line.npy", "--labels", "kind.txt")
        first, second = ([y for _, y, color in drawn.dots if color == CLASSES[k]] for k in range(2))
        self.assertLess(max(first), min(second))  # a strip per class, from the top

    def test_three_coordinates(self):
        self.write("x.csv", as_csv(points(30, 5)))
        self.succeed("embed", "x.csv", "-m", "pca", "-d", "3", "-o", "map.csv")
        self.assertIn("note: p.svg: the first 2 of 3 coordinates", self.said("plot", "map.csv", "-o", "p.svg"))
        drawn = Svg(self.read("p.svg"))
        self.assertIn("30 points; the first 2 of 3 coordinates", drawn.texts)
        self.assertIn("pca0", drawn.texts)
        self.assertIn("pca1", drawn.texts)
        other = self.svg("map.csv", "--axes", "0,2")
        self.assertIn("pca2", other.texts)
        self.assertNotIn("pca1", other.texts)
        self.assertIn("30 points", other.texts)
        self.assertNotEqual(drawn.dots, other.dots)
        self.expect_error(2, "--axes 0,3: the map has no coordinate 3; it has 0 to 2, counted from 0", "plot", "map.csv",
                          "--axes", "0,3", "-o", "q.svg")

    def test_outliers_do_not_eat_the_picture(self):
        rows = points(200, 2)
        self.write("map.npy", as_npy(rows + [[1e6, 3.0]]))
        drawn = self.svg("map.npy")
        self.assertIn("201 points; 1 point lies outside", drawn.texts)
        self.assertEqual(len(drawn.dots), 200)
        self.assertGreater(max(x for x, _, _ in drawn.dots) - min(x for x, _, _ in drawn.dots), 200)
        whole = self.svg("map.npy", "--all")
        self.assertIn("201 points; the axes have units of their own", whole.texts)
        self.assertEqual(len(whole.dots), 201)
        self.write("plain.npy", as_npy(rows))  # a normal distribution has no outliers
        self.assertEqual(len(self.svg("plain.npy").dots), 200)

    def test_density_is_seen(self):
        """Where ten times as many points lie the picture is darker, though every pixel has been hit."""
        numbers = random.Random(0)
        rows = [[numbers.random() + (i % 11 == 0), numbers.random()] for i in range(40_000)]
        self.write("map.npy", as_npy(rows))
        picture = self.png("map.npy", "--bare", "--aspect", "free", "--size", "400x300")
        dense, thin = (picture.ink(left, 60, left + 60, 240)[0] for left in (100, 260))
        self.assertGreater(thin, 0)
        self.assertGreater(dense, 2 * thin)


class Colors(PlotTest):
    def setUp(self):
        super().setUp()
        self.rows = points(60, 2)
        self.write("map.npy", as_npy(self.rows))

    def labelled(self, words, *more):
        self.write("labels.txt", "".join(f"{word}\n" for word in words).encode())
        return self.svg("map.npy", "--labels", "labels.txt", *more)

    def test_classes_in_natural_order(self):
        drawn = self.labelled([["2C", "16C", "a<b"][i % 3] for i in range(60)])
        self.assertEqual(drawn.legend(), {"2C": CLASSES[0], "16C": CLASSES[1], "a<b": CLASSES[2]})
        self.assertIn("labels", drawn.texts)
        self.assertEqual(sorted(color for _, _, color in drawn.dots), sorted(CLASSES[i % 3] for i in range(60)))

    def test_the_legend_says_what_it_leaves_out(self):
        """The most frequent classes have colors; the others share one grey."""
        words = [f"k{i}" if i < 30 else f"k{i % 5}" for i in range(60)]
        legend = self.labelled(words).legend()
        self.assertEqual(len(legend), 20)
        self.assertEqual(legend.popitem(), ("and 11 more", OTHERS))
        self.assertEqual(list(legend), [f"k{i}" for i in range(19)])
        self.assertEqual(len(set(legend.values())), 19)

    def test_missing_labels_are_grey(self):
        drawn = self.labelled(["" if i < 7 else "ab"[i % 2] for i in range(60)])
        self.assertEqual(drawn.legend(), {"a": CLASSES[0], "b": CLASSES[1], "unknown": UNKNOWN})
        self.assertEqual([color for _, _, color in drawn.dots[:7]], [UNKNOWN] * 7)  # below the others
        numbers = self.labelled(["" if i < 7 else f"{i}.5" for i in range(60)])
        self.assertEqual(numbers.legend(), {"unknown": UNKNOWN})
        self.assertEqual(sum(color == UNKNOWN for _, _, color in numbers.dots), 7)

    def test_numbers_have_a_scale(self):
        values = [row[0] for row in self.rows]
        drawn = self.labelled(values)
        green = [rgb(color)[1] for _, _, color in sorted(drawn.dots)]
        self.assertEqual(green, sorted(green))  # viridis gets greener from left to right
        self.assertGreater(len(set(green)), 20)
        self.assertEqual(drawn.marks, [])
        picture = self.png("map.npy", "--labels", "labels.txt")
        bar = [rgb(box.get("fill")) for box in drawn.tree.iter(SVG + "rect")][-64:]
        self.assertEqual(len(set(bar)), 64)
        boxes = [box for box in drawn.tree.iter(SVG + "rect")][-64:]
        lowest = boxes[-1]  # drawn last, over the lower ends of the others
        x, y = float(lowest.get("x")) + 5, float(lowest.get("y")) + 0.8 * float(lowest.get("height"))
        self.assertEqual(picture.at(x, y), bar[-1])

    def test_dark(self):
        self.assertEqual(self.png("map.npy", "--dark").at(1, 1), rgb("16181d"))

    def test_names_of_few_points(self):
        towns = ["Ulm", "Bonn", "Trier", "Essen", "Halle", "Jena"]
        text = "\n".join(["id,mds0,mds1"] + [f"{name},{x!r},{y!r}" for name, (x, y) in zip(towns, self.rows)])
        self.write("towns.csv", text.encode() + b"\n")
        drawn = self.svg("towns.csv")
        self.assertLessEqual(set(towns), set(drawn.texts))
        for element in drawn.tree.iter(SVG + "text"):
            if element.text in towns:
                self.assertLess(min(abs(x - float(element.get("x"))) + abs(y - float(element.get("y")))
                                    for x, y, _ in drawn.dots), 60, element.text)

    def test_letters_beyond_ascii(self):
        self.write("labels.txt", "".join("größe\n" if i % 2 else "ab\n" for i in range(60)).encode())
        words = "plot", "map.npy", "--labels", "labels.txt", "-o"
        self.assertIn("boxes stand for letters beyond ASCII, which an .svg has", self.said(*words, "p.png"))
        self.assertEqual(self.said(*words, "p.svg"), "")
        self.assertIn("größe", Svg(self.read("p.svg")).texts)


class Command(PlotTest):
    def setUp(self):
        super().setUp()
        self.write("x.csv", as_csv([[*row, "uvw"[i % 3]] for i, row in enumerate(points(60, 4))], "a,b,c,d,kind")
                   .replace(b"'", b""))

    def test_embed_draws_what_plot_draws(self):
        for kind in ("png", "svg"):
            self.succeed("embed", "x.csv", "-m", "pca", "--label-column", "kind", "-o", "map.csv", "--plot", f"a.{kind}")
            self.succeed("plot", "map.csv", "--title", "pca of x", "-o", f"b.{kind}")
            self.assertEqual(self.read(f"a.{kind}"), self.read(f"b.{kind}"))
        drawn = Svg(self.read("a.svg"))
        self.assertEqual(list(drawn.legend()), ["u", "v", "w"])
        self.assertIn("pca of x", drawn.texts)
        self.assertIn("kind", drawn.texts)

    def test_embed_writes_the_map_as_ever(self):
        expected = self.succeed("embed", "x.csv", "-m", "pca", "--drop", "kind")
        self.assertEqual(self.succeed("embed", "x.csv", "-m", "pca", "--drop", "kind", "--plot", "a.png"), expected)
        self.write("color.txt", b"".join(b"%d.25\n" % i for i in range(60)))
        done = self.run_here("embed", "x.csv", "-m", "pca", "--drop", "kind", "--plot", "a.svg", "--color-by", "color.txt")
        self.assertEqual((done.stdout, done.stderr), (expected, b""))
        self.assertEqual(Svg(self.read("a.svg")).marks, [])

    def test_the_same_bytes_every_time(self):
        self.succeed("embed", "x.csv", "-m", "pca", "--label-column", "kind", "-o", "map.csv")
        self.succeed("embed", "x.csv", "-m", "pca", "--drop", "kind", "-o", "map.npy")
        _, rows = table(self.read("map.csv"))
        self.write("kind.txt", "".join(row[-1] + "\n" for row in rows).encode())
        for kind in ("png", "svg"):
            pictures = set()
            for words in (["map.csv", "-j", "1"], ["map.csv", "-j", "2"], ["map.csv", "-j", "7", "--label-column", "kind"]):
                self.succeed("plot", *words, "-o", f"p.{kind}")
                pictures.add(self.read(f"p.{kind}"))
            self.assertEqual(len(pictures), 1)
        names = "plot", "map.npy", "--labels", "kind.txt", "--title", "map"
        self.succeed(*names, "-o", "q.svg")
        self.assertEqual(Svg(self.read("q.svg")).dots, Svg(self.read("p.svg")).dots)

    def test_a_page(self):
        self.succeed("embed", "x.csv", "-m", "pca", "--label-column", "kind", "-o", "map.csv", "--plot", "a.html")
        self.assertEqual(self.said("plot", "map.csv", "-o", "b.html", "--title", "pca of x"), "")
        self.assertEqual(self.read("a.html"), self.read("b.html"))
        page = self.read("a.html").decode()
        self.assertIn("<h1>pca of x</h1>", page)
        self.assertIn('"name":"kind","labels":["u","v","w"]', page)
        self.assertEqual(page.count("<canvas data-map="), 1)
        self.assertNotRegex(page, r"https?:|src=|href=|url\(")
        self.write("gaps.txt", b"".join(b"\n" if i % 5 == 0 else b"%d.5\n" % i for i in range(60)))
        self.succeed("plot", "map.csv", "-q", "--labels", "gaps.txt", "-o", "c.html")
        self.assertIn('"name":"gaps","low":1.5,"high":59.5', self.read("c.html").decode())
        self.assertIn("note: d.html: 20 of them drawn", self.said("plot", "map.csv", "--max-drawn", "20", "-o", "d.html"))
        self.expect_error(2, "--size is for pictures; a page fits its window", "plot", "map.csv", "-o", "e.html",
                          "--size", "300x200")
        self.expect_error(2, "--dark is for pictures", "plot", "map.csv", "-o", "e.html", "--dark")

    def test_report(self):
        self.succeed("embed", "x.csv", "-m", "pca", "--drop", "kind", "-o", "map.csv")
        report = object_in(self.succeed("plot", "map.csv", "-o", "p.png", "--json", "--size", "300x200"))
        self.assertEqual(report["outputs"], [{"content": "picture", "path": "p.png"}])
        self.assertEqual((report["params"]["width"], report["params"]["height"]), (300, 200))
        self.assertEqual(report["input"]["n"], 60)

    def test_refused(self):
        def refuse(code, message, *words):
            self.expect_error(code, message, "plot", *words)
        self.write("map.csv", as_csv(points(20, 2), "pca0,pca1"))
        self.write("labels.txt", b"a\n" * 19)
        self.write("p.png", b"")
        refuse(2, "-o FILE is missing; use -o map.png or -o map.svg", "map.csv")
        refuse(2, "-o FILE is missing", "map.csv", "--json")
        refuse(2, "'p.gif' does not name a picture; give it the suffix .png or .svg", "map.csv", "-o", "p.gif")
        refuse(2, "does not name a picture", "map.csv", "-o", "-")
        refuse(2, "-o p.png would overwrite MAP, p.png", "p.png", "-o", "p.png")
        refuse(1, "cannot write none/p.png", "map.csv", "-o", "none/p.png")
        refuse(2, "--axes 1,1 are the same coordinate", "map.csv", "--axes", "1,1", "-o", "q.png")
        refuse(2, "--axes 0,1,0 are 3, but a picture has two", "map.csv", "--axes", "0,1,0", "-o", "q.png")
        refuse(2, "--size 960 must be width and height in pixels; write it as 960x720", "map.csv", "--size", "960", "-o", "q.png")
        refuse(2, "width=10 must be an integer >= 64 and <= 8192", "map.csv", "--size", "10x10", "-o", "q.png")
        refuse(3, "'map.csv' has 20 rows but 'labels.txt' has 19", "map.csv", "--labels", "labels.txt", "-o", "q.png")
        embed = "embed", "x.csv", "-m", "pca", "--drop", "kind", "--plot"
        self.expect_error(2, "'q.gif' does not name a picture; give it the suffix .png or .svg", *embed, "q.gif")
        self.expect_error(2, "--plot x.csv would overwrite INPUT, x.csv", *embed, "x.csv")
        self.expect_error(2, "both name 'q.csv'", *embed, "q.csv", "-o", "q.csv")
        self.expect_error(2, "embed INPUT -m METHOD --plot map.png", "embed", "x.csv", "-m", "pca", "-o", "q.png")

    def test_any_map(self):
        """Whatever is finite can be drawn."""
        maps = {"one": [[3.0, 4.0]], "equal": [[1.0, 1.0]] * 30, "largest": [[-1.7e308, 0.0], [1.7e308, 1.7e308]],
                "smallest": [[5e-324, 0.0], [0.0, 5e-324]], "far": [[1e15 + i, 1e-15 * i] for i in range(30)],
                "column": [[1e308]], "square": [[-1.7e308, -1.7e308], [1.7e308, 1.7e308]]}
        for name, rows in maps.items():
            with self.subTest(name):
                self.write("map.npy", as_npy(rows))
                drawn = self.svg("map.npy")
                self.assertEqual(len(drawn.dots), len(rows))
                self.assertNotRegex(self.read("p.svg").decode(), r"\b(nan|inf)\b")
                for x, y, _ in drawn.dots:
                    self.assertTrue(0 <= x <= 960 and 0 <= y <= 720, (x, y))
                self.png("map.npy", "--size", "64x64")


if __name__ == "__main__":
    unittest.main()
