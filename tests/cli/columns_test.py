"""Columns have names: models keep them, new tables are matched by them, and odd ones are noted."""
import unittest

from harness import CliTest, as_csv, object_in, points, table

ROWS = points(40, 3)


def columns(rows, order):
    return [[row[j] for j in order] for row in rows]


class Columns(CliTest):
    def setUp(self):
        super().setUp()
        self.write("old.csv", as_csv(ROWS, "a,b,c"))
        self.succeed("embed", "old.csv", "-m", "pca", "-o", "map.csv", "--save", "m.unroll")
        self.placed = self.succeed("transform", "m.unroll", "old.csv")

    def place(self, name, rows, header, *words):
        self.write(name, as_csv(rows, header))
        return self.run_here("transform", "m.unroll", name, *words)

    def test_another_order_is_put_right(self):
        done = self.place("new.csv", columns(ROWS, [2, 0, 1]), "c,a,b")
        self.assertEqual((done.returncode, done.stdout), (0, self.placed))
        self.assertIn(b"note: new.csv: the columns are in another order", done.stderr)
        self.assertEqual(self.place("same.csv", ROWS, "a,b,c").stderr, b"")

    def test_more_columns_are_left_out(self):
        rows = [[9.0, *row, 7.0] for row in ROWS]
        done = self.place("new.csv", rows, "x,a,b,c,y2")
        self.assertEqual((done.returncode, done.stdout), (0, self.placed))
        self.assertIn(b"left out columns that the model does not know: 'x', 'y2'", done.stderr)

    def test_missing_columns_are_named(self):
        self.write("new.csv", as_csv(columns(ROWS, [0, 1]), "a,z"))
        self.expect_error(3, "pca: new.csv lacks columns that the model was fitted on: 'b', 'c'; add them",
                          "transform", "m.unroll", "new.csv")

    def test_without_names_the_place_counts(self):
        self.write("plain.csv", as_csv(ROWS))
        self.assertEqual(self.succeed("transform", "m.unroll", "plain.csv"), self.placed)

    def test_gaps_get_the_training_means(self):
        self.write("one.csv", b"a,b,c\n,0.5,0.25\n")
        means = [sum(row[j] for row in ROWS) / len(ROWS) for j in range(3)]
        self.write("full.csv", as_csv([[means[0], 0.5, 0.25]], "a,b,c"))
        done = self.run_here("transform", "m.unroll", "one.csv", "--na", "mean")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"1 missing value filled in with the mean of the training column", done.stderr)
        expected = table(self.succeed("transform", "m.unroll", "full.csv"))[1][0]
        for ours, theirs in zip(table(done.stdout)[1][0], expected):
            self.assertAlmostEqual(float(ours), float(theirs), 12)
        self.expect_error(3, "one.csv", "transform", "m.unroll", "one.csv")

    def test_the_way_back_has_the_names(self):
        header, rows = table(self.succeed("transform", "m.unroll", "map.csv", "--inverse"))
        self.assertEqual(header, ["a", "b", "c"])
        self.assertEqual(len(rows), len(ROWS))

    def test_clusters_are_matched_too(self):
        self.succeed("cluster", "old.csv", "--n-clusters", "2", "-o", "l.csv", "--save", "c.unroll")
        expected = self.succeed("cluster", "old.csv", "--model", "c.unroll", "-o", "-")
        self.write("new.csv", as_csv(columns(ROWS, [1, 0, 2]), "b,a,c"))
        self.assertEqual(self.run_here("cluster", "new.csv", "--model", "c.unroll", "-o", "-").stdout, expected)


class Doubts(CliTest):
    def noted(self, content, *words):
        self.write("x.csv", content)
        done = self.run_here("embed", "x.csv", "-m", "pca", "-o", "y.csv", *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        report = object_in(self.run_here("embed", "x.csv", "-m", "pca", "-o", "y.csv", *words, "--json").stdout)
        said = [line[len("note: "):] for line in done.stderr.decode().splitlines() if line.startswith("note: ")]
        self.assertEqual(report["notes"], said)
        self.assertNotIn(b"note:", self.run_here("embed", "x.csv", "-m", "pca", "-o", "y.csv", "-q", *words).stderr)
        return said

    def test_plain_tables_raise_none(self):
        self.assertEqual(self.noted(as_csv(ROWS, "a,b,c")), [])

    def test_a_column_that_counts(self):
        rows = [[i + 1, *row] for i, row in enumerate(ROWS)]
        said = self.noted(as_csv(rows, "number,a,b,c"))
        self.assertIn("x.csv: column 1 ('number') counts the rows: it is taken for a feature", said)

    def test_labels_that_were_not_named(self):
        rows = [[*row, i % 3] for i, row in enumerate(ROWS)]
        self.assertIn("x.csv: column 4 ('Class') is taken for a feature: if it holds labels, use --label-column Class",
                      self.noted(as_csv(rows, "a,b,c,Class")))
        self.assertEqual(self.noted(as_csv(rows, "a,b,c,Class"), "--label-column", "Class"), [])

    def test_one_feature_that_is_all(self):
        rows = [[1000 * row[0], row[1], row[2]] for row in ROWS]
        said = self.noted(as_csv(rows, "a,b,c"))
        self.assertEqual(len(said), 1)
        self.assertRegex(said[0], r"column 1 \('a'\) has 9\d % of the variance.*use --scale standardize")
        self.assertEqual(self.noted(as_csv(rows, "a,b,c"), "--scale", "standardize"), [])

    def test_distances_that_were_not_called_so(self):
        rows = [[abs(i - j) * 1.5 for j in range(8)] for i in range(8)]
        self.assertEqual(self.noted(as_csv(rows)),
                         ["x.csv: the table is square and symmetric with a zero diagonal: if it holds distances, use "
                          "--metric precomputed"])

    def test_samples_in_columns(self):
        rows = [[f"gene{i}", *row] for i, row in enumerate(points(5, 60))]
        text = "\n".join(",".join(map(str, row)) for row in [["id", *[f"s{j}" for j in range(60)]], *rows]) + "\n"
        self.assertIn("x.csv: there are 5 rows with names and 60 columns: if samples are in columns, transpose the table",
                      self.noted(text.encode()))


if __name__ == "__main__":
    unittest.main()
