"""unroll label: classes of all rows from those of some, saved models, and what is said of them."""
import unittest
from random import Random

from harness import CliTest, as_csv, object_in, table

PLACES = ((0, 0), (20, 0), (0, 20))
KINDS = ("ant", "bee", "cat")


def clouds(each, seed=0):
    """Points around three places, which take turns."""
    random = Random(seed)
    return [[x + random.gauss(0, 1), y + random.gauss(0, 1)] for _ in range(each) for x, y in PLACES]


class Label(CliTest):
    def setUp(self):
        super().setUp()
        self.write("x.csv", as_csv(clouds(30), header="a,b"))
        self.write("new.csv", as_csv(clouds(5, 1), header="a,b"))
        self.write_lines("some.txt", [KINDS[i] if i < 3 else "" for i in range(90)])
        self.fit = ("label", "x.csv", "--labels", "some.txt", "-q")

    def write_lines(self, name, words):
        self.write(name, ("\n".join(map(str, words)) + "\n").encode())

    def found(self, *words):
        header, rows = table(self.succeed(*words, "-o", "-"))
        self.assertEqual(header[-2:], ["probability", "label"])
        return [row[-1] for row in rows]

    def test_every_method(self):
        for method in ("spreading", "propagation", "eigenvectors"):
            self.assertEqual(self.found(*self.fit, "--method", method), list(KINDS) * 30)
        self.assertEqual(self.found(*self.fit, "--alpha", "0.3", "-k", "5"), list(KINDS) * 30)

    def test_unknown_is_empty_or_minus_one(self):
        expected = self.succeed(*self.fit, "-o", "-")
        self.write_lines("minus.txt", [KINDS[i] if i < 3 else -1 for i in range(90)])
        self.write("named.csv", ("kind\n" + "\n".join(KINDS[i] if i < 3 else "" for i in range(90)) + "\n").encode())
        self.write_lines("numbers.txt", [(7, 30, 4)[i] if i < 3 else "" for i in range(90)])
        self.assertEqual(self.found("label", "x.csv", "--labels", "numbers.txt", "-q"), ["7", "30", "4"] * 30)
        self.assertEqual(self.succeed("label", "x.csv", "--labels", "minus.txt", "-q", "-o", "-"), expected)
        self.assertEqual(self.succeed("label", "x.csv", "--labels", "named.csv", "-q", "-o", "-"), expected)

    def test_numbers_stay_numbers(self):
        self.write_lines("numbers.txt", [(7, 30, 4)[i] if i < 3 else -1 for i in range(90)])
        self.assertEqual(self.found("label", "x.csv", "--labels", "numbers.txt", "-q"), ["7", "30", "4"] * 30)
        self.succeed("label", "x.csv", "--labels", "numbers.txt", "-q", "-o", "l.npy", "--probabilities", "p.csv")
        header, rows = table(self.read("p.csv"))
        self.assertEqual(header, ["4", "7", "30"])
        for row in rows:
            self.assertAlmostEqual(sum(map(float, row)), 1)

    def test_a_column_of_the_input(self):
        lines = ["name,a,b,kind"] + [f"r{i},{x!r},{y!r},{KINDS[i % 3] if i < 6 else ''}" for i, (x, y) in enumerate(clouds(30))]
        self.write("named.csv", ("\n".join(lines) + "\n").encode())
        header, rows = table(self.succeed("label", "named.csv", "--label-column", "kind", "-q", "-o", "-"))
        self.assertEqual(header, ["name", "probability", "label"])
        self.assertEqual([row[0] + row[2] for row in rows[30:33]], ["r30ant", "r31bee", "r32cat"])

    def test_new_rows(self):
        self.succeed(*self.fit, "--save", "m.unroll", "-o", "l.csv")
        self.assertEqual(self.found("label", "new.csv", "--model", "m.unroll", "-q"), list(KINDS) * 5)
        self.assertEqual(self.found("transform", "m.unroll", "new.csv", "-q"), list(KINDS) * 5)
        self.assertEqual(self.found("transform", "m.unroll", "x.csv", "-q"), list(KINDS) * 30)
        self.assertIn(b"ant, bee, cat", self.succeed("info", "m.unroll"))
        self.expect_error(2, "--alpha is for a fit", "label", "new.csv", "--model", "m.unroll", "--alpha", "0.5")
        self.succeed("embed", "x.csv", "-m", "pca", "--save", "pca.unroll", "-q", "-o", "p.csv")
        self.expect_error(3, "finds no labels", "label", "new.csv", "--model", "pca.unroll")

    def test_parts_without_a_label(self):
        self.write_lines("two.txt", [KINDS[i] if i < 2 else "" for i in range(90)])
        done = self.run_here("label", "x.csv", "--labels", "two.txt", "-o", "-")
        self.assertEqual([row[-1] for row in table(done.stdout)[1]], ["ant", "bee", ""] * 30)
        self.assertIn(b"1 component of the graph has no label (of row 3): 30 points have equal probabilities",
                      b" ".join(done.stderr.split()))
        self.assertIn(b"2 of 90 rows have a label, of 2 classes", done.stderr)
        self.assertEqual(set(self.found("label", "x.csv", "--labels", "two.txt", "-q", "--components", "connect")),
                         {"ant", "bee"})

    def test_what_people_see(self):
        lines = self.succeed(*self.fit).decode().splitlines()
        facts = {line.split()[0]: line.split(None, 1)[1] for line in lines if not line.startswith("   ")}
        self.assertEqual((facts["rows"], facts["known"], facts["components"]), ("90", "3", "3"))
        self.assertEqual(facts["labels"], "30 of 'ant', 30 of 'bee', 30 of 'cat'")
        self.assertLessEqual(max(map(len, lines)), 80)
        report = object_in(self.succeed(*self.fit, "--json"))
        self.assertEqual((report["command"], report["method"]), ("label", "label_spreading"))
        self.assertEqual(report["labels"], {"n_classes": 3, "without_label": 0})

    def test_mistakes(self):
        self.expect_error(2, "no labels are given; use --labels FILE, or --label-column", "label", "x.csv")
        self.write_lines("none.txt", [-1] * 90)
        self.expect_error(3, "no row has a label", "label", "x.csv", "--labels", "none.txt")
        self.write_lines("short.txt", ["a", "b"])
        self.expect_error(3, "'short.txt' has 2", "label", "x.csv", "--labels", "short.txt")
        self.expect_error(2, "finds classes instead of a map; use 'unroll label INPUT --method spreading'", "embed", "x.csv",
                          "-m", "label_spreading")
        self.expect_error(2, "label_spreading finds classes from labels", "compare", "x.csv", "-m", "label_spreading")


if __name__ == "__main__":
    unittest.main()
