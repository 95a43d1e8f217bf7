"""Labels: numbers or words, classes or measurements, under their own name."""
import unittest

from harness import CliTest, as_csv, object_in, points, table

ROWS = points(60, 3)


def with_column(rows, name, values):
    lines = [f"a,b,c,{name}"] + [",".join(map(repr, row)) + f",{value}" for row, value in zip(rows, values)]
    return ("\n".join(lines) + "\n").encode()


class Labels(CliTest):
    def test_the_column_keeps_its_name(self):
        self.write("x.csv", with_column(ROWS, "species", [f"s{i % 3}" for i in range(60)]))
        header, rows = table(self.succeed("embed", "x.csv", "-m", "pca", "--label-column", "species"))
        self.assertEqual(header, ["pca0", "pca1", "species"])
        self.succeed("embed", "x.csv", "-m", "pca", "--label-column", "species", "-o", "y.csv")
        report = object_in(self.succeed("quality", "x.csv", "y.csv", "--label-column", "species", "--json"))
        self.assertIn("label_accuracy", report["metrics"])

    def test_words_in_a_file(self):
        self.write("x.csv", as_csv(ROWS))
        words = ["low" if row[0] < 0 else "very high" for row in ROWS]
        self.write("words.txt", ("\n".join(words) + "\n").encode())
        self.write("named.txt", ("level\n" + "\n".join(f'"{word}"' for word in words) + "\n").encode())
        self.write("numbers.txt", ("\n".join("10"[word == "low"] for word in words) + "\n").encode())
        self.succeed("embed", "x.csv", "-m", "pca", "-o", "y.csv")
        found = [object_in(self.succeed("quality", "x.csv", "y.csv", "--labels", name, "--json"))["metrics"]
                 for name in ("words.txt", "named.txt", "numbers.txt")]
        self.assertGreater(found[0]["label_accuracy"], 0.8)
        self.assertEqual(found[0], found[1])
        self.assertEqual(found[0], found[2])
        self.write("short.txt", b"a\nb\n")
        self.expect_error(3, "'short.txt' has 2", "quality", "x.csv", "y.csv", "--labels", "short.txt")
        self.write("two.txt", b"a,b\n" * 60)
        self.expect_error(3, "two.txt, line 1: several fields; give one label per line", "quality", "x.csv", "y.csv",
                          "--labels", "two.txt")

    def test_many_numbers_are_measurements(self):
        self.write("x.csv", with_column(ROWS, "age", [20 + i for i in range(60)]))
        done = self.run_here("compare", "x.csv", "-m", "pca,isomap", "--label-column", "age", "-o", "p.html")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"note: 'age' has numbers rather than classes", done.stderr)
        self.assertNotIn(b"labels", done.stdout)
        page = self.read("p.html")
        self.assertIn(b'"name":"age","low":20', page.replace(b" ", b""))
        self.write("x.csv", with_column(ROWS, "kind", [i % 4 for i in range(60)]))
        done = self.run_here("compare", "x.csv", "-m", "pca,isomap", "--label-column", "kind", "-o", "p.html")
        self.assertNotIn(b"note:", done.stderr)
        self.assertIn(b'"name":"kind","labels":["0","1","2","3"]', self.read("p.html").replace(b" ", b""))

    def test_the_order_of_people(self):
        self.write("x.csv", with_column(ROWS, "stage", [("16C", "2C", "8C", "4C")[i % 4] for i in range(60)]))
        self.run_here("compare", "x.csv", "-m", "pca,isomap", "--label-column", "stage", "-o", "p.html")
        self.assertIn(b'["2C","4C","8C","16C"]', self.read("p.html").replace(b" ", b""))

    def test_a_header_of_numbers_with_an_empty_corner(self):
        lines = [",0,1,2"] + [f"{i}," + ",".join(map(repr, row)) for i, row in enumerate(ROWS)]
        self.write("pandas.csv", ("\n".join(lines) + "\n").encode())
        self.write("x.csv", as_csv(ROWS))
        header, rows = table(self.succeed("embed", "pandas.csv", "-m", "pca"))
        self.assertEqual(header, ["id", "pca0", "pca1"])
        self.assertEqual([row[1:] for row in rows], table(self.succeed("embed", "x.csv", "-m", "pca"))[1])


if __name__ == "__main__":
    unittest.main()
