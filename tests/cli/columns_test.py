"""Columns have names: models keep them, new tables are matched by them, and odd ones are noted."""
import unittest

from harness import CliTest, as_csv, as_npy, object_in, points, table

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
        done = self.run_here("transform", "m.unroll", "plain.csv")
        self.assertEqual((done.returncode, done.stdout), (0, self.placed))
        self.assertIn(b"note: 'plain.csv' has no column names: the columns are taken in their order", done.stderr)

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


MIXED = ["name,a,kind,b,c,site,d"] + [f"r{i},{row[0]!r},k{i % 2},{row[1]!r},{row[2]!r},s{i % 3},{i * i % 7}"
                                      for i, row in enumerate(ROWS)]


class Choice(CliTest):
    """--columns, --drop, --id-column and several label columns, by name, number or range."""

    def setUp(self):
        super().setUp()
        self.write("mixed.csv", ("\n".join(MIXED) + "\n").encode())
        self.write("bare.csv", ("\n".join(MIXED[1:]) + "\n").encode())
        self.write("plain.csv", as_csv(ROWS, "a,b,c"))
        self.expected = table(self.succeed("embed", "plain.csv", "-m", "pca"))[1]

    def embed(self, name, *words):
        return table(self.succeed("embed", name, "-m", "pca", *words))

    def test_features(self):
        names = [f"r{i}" for i in range(40)]
        for words in (("--columns", "a,b,c"), ("--columns", "2,4-5"), ("--columns", "c,a,4"), ("--columns", "a,4-,c",
                      "--drop", "site,d"), ("--drop", "kind,site,d"), ("--drop", "3,6-"), ("--drop", "kind,6-")):
            header, rows = self.embed("mixed.csv", *words)
            self.assertEqual(header, ["name", "pca0", "pca1"], words)
            self.assertEqual([row[0] for row in rows], names, words)
            self.assertEqual([row[1:] for row in rows], self.expected, words)
        header, rows = self.embed("bare.csv", "--columns", "2,4-5")
        self.assertEqual([row[1:] for row in rows], self.expected)
        self.assertEqual([row[0] for row in rows], names)

    def test_numbers_of_a_table_without_text(self):
        self.write("x.npy", as_npy([[7.0, *row, 9.0] for row in ROWS]))
        for words in (("--columns", "2-4"), ("--drop", "1,5"), ("--columns", "2-", "--drop", "5")):
            self.assertEqual(self.embed("x.npy", *words)[1], self.expected)
        self.expect_error(2, "x.npy: --columns '6': there are 5 columns", "embed", "x.npy", "-m", "pca", "--columns", "6")
        self.expect_error(2, "x.npy: --columns 'a': the columns have no names; give the number", "embed", "x.npy", "-m",
                          "pca", "--columns", "a")
        self.expect_error(2, "leaves no column", "embed", "x.npy", "-m", "pca", "--drop", "1-")
        self.expect_error(2, "--id-column 1 is for text", "embed", "x.npy", "-m", "pca", "--id-column", "1")

    def test_names_of_rows(self):
        header, rows = self.embed("mixed.csv", "--columns", "a,b,c", "--id-column", "d")
        self.assertEqual([row[0] for row in rows], [str(i * i % 7) for i in range(40)])
        header, rows = self.embed("mixed.csv", "--columns", "a,b,c", "--drop", "name")
        self.assertEqual(header, ["pca0", "pca1"])
        self.assertEqual(rows, self.expected)
        self.expect_error(2, "must be one column", "embed", "mixed.csv", "-m", "pca", "--id-column", "name,d", "--columns",
                          "a,b")

    def test_several_labels(self):
        header, rows = self.embed("mixed.csv", "--label-column", "kind,site,d")
        self.assertEqual(header, ["name", "pca0", "pca1", "kind", "site", "d"])
        self.assertEqual([row[3:] for row in rows], [[f"k{i % 2}", f"s{i % 3}", str(i * i % 7)] for i in range(40)])
        self.assertEqual([row[1:3] for row in rows], self.expected)
        self.succeed("embed", "mixed.csv", "-m", "pca", "--label-column", "kind,site,d", "-o", "y.csv")
        report = object_in(self.succeed("quality", "mixed.csv", "y.csv", "--label-column", "kind,site,d", "--json"))
        self.assertIn("label_accuracy", report["metrics"])
        header, rows = self.embed("bare.csv", "--header", "no", "--label-column", "3,6", "--drop", "7")
        self.assertEqual(header, ["id", "pca0", "pca1", "label", "label2"])

    def test_a_name_with_a_comma(self):
        self.write("comma.csv", as_csv(ROWS, 'a,"b, and more",c'))
        self.assertEqual(self.embed("comma.csv", "--drop", "b, and more")[1], self.embed("plain.csv", "--drop", "b")[1])

    def test_a_name_wins_over_a_number(self):
        self.write("numbered.csv", as_csv(ROWS, "3,2,1"))
        self.assertEqual(self.embed("numbered.csv", "--header", "yes", "--drop", "3")[1],
                         self.embed("plain.csv", "--drop", "a")[1])

    def test_unknown_columns(self):
        text = self.expect_error(2, "mixed.csv: --columns 'knd': there is no such column; did you mean 'kind'?; there are: "
                                 "name, a, kind", "embed", "mixed.csv", "-m", "pca", "--columns", "a,knd")
        self.assertIn("see 'unroll embed -m pca --help'", text)
        self.expect_error(2, "--drop '9': there are 7 columns", "embed", "mixed.csv", "-m", "pca", "--drop", "9")
        self.expect_error(2, "--drop '0': there are 7 columns", "embed", "mixed.csv", "-m", "pca", "--drop", "0")
        self.expect_error(3, "no column of numbers", "embed", "plain.csv", "-m", "pca", "--drop", "1-")

    def test_a_hint_that_can_be_typed(self):
        self.expect_error(3, "correct it, or take the column for labels (--label-column 'kind') or leave it out "
                          "(--drop 'kind')", "embed", "mixed.csv", "-m", "pca")

    def test_every_verb_that_reads(self):
        chosen = ("--columns", "a,b,c")
        for words in (("spectrum", "-m", "pca", "-o", "out.csv"), ("neighbors", "-k", "3", "-o", "out.csv"),
                      ("cluster", "--n-clusters", "2", "-o", "out.csv"), ("graph", "fiedler", "-o", "out.csv")):
            position = words[1:2] if words[0] == "graph" else ()
            rest = words[1 + len(position):]
            outputs = []
            for name, more in (("plain.csv", ()), ("mixed.csv", chosen)):
                self.assertEqual(self.run_here(words[0], name, *position, *rest, *more).returncode, 0, words)
                outputs.append([row[-1] for row in table(self.read("out.csv"))[1]])
            self.assertEqual(outputs[0], outputs[1], words)
        plain = object_in(self.succeed("compare", "plain.csv", "-m", "pca,isomap", "--json"))
        mixed = object_in(self.succeed("compare", "mixed.csv", "-m", "pca,isomap", "--json", *chosen))
        self.assertEqual([m["trustworthiness"] for m in plain["methods"]], [m["trustworthiness"] for m in mixed["methods"]])


class RememberedColumns(CliTest):
    """A model knows its columns: new rows need no flags."""

    def setUp(self):
        super().setUp()
        self.write("mixed.csv", ("\n".join(MIXED) + "\n").encode())
        self.write("bare.csv", ("\n".join(MIXED[1:]) + "\n").encode())

    def placed(self, model, name, *words):
        done = self.run_here("transform", model, name, *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return table(done.stdout), done.stderr.decode()

    def test_by_name(self):
        fitted = table(self.succeed("embed", "mixed.csv", "-m", "pca", "--drop", "kind,site,d", "--save", "m.unroll"))
        found, said = self.placed("m.unroll", "mixed.csv")
        self.assertEqual(found, fitted)
        self.assertIn("note: mixed.csv: left out columns that the model does not know: 'kind', 'site', 'd'", said)
        found, said = self.placed("m.unroll", "mixed.csv", "--label-column", "kind", "--drop", "site,d")
        self.assertEqual((found[0], said), (["name", "pca0", "pca1", "kind"], ""))
        self.expect_error(3, "lacks a column that the model was fitted on: 'a'", "transform", "m.unroll", "mixed.csv",
                          "--drop", "a")

    def test_by_place(self):
        fitted = table(self.succeed("embed", "bare.csv", "-m", "pca", "--header", "no", "--drop", "3,6,7", "--save",
                                    "m.unroll"))
        found, said = self.placed("m.unroll", "bare.csv")
        self.assertEqual(found, fitted)
        self.assertIn("note: bare.csv: left out columns, as in the training table: 3, 6, 7", said)
        self.write("only.csv", as_csv(ROWS))
        found, said = self.placed("m.unroll", "only.csv")
        self.assertEqual((found[1], said), ([row[1:] for row in fitted[1]], ""))

    def test_by_place_in_numbers(self):
        self.write("x.npy", as_npy([[7.0, *row, 9.0] for row in ROWS]))
        fitted = self.succeed("embed", "x.npy", "-m", "pca", "--columns", "2-4", "--save", "m.unroll")
        done = self.run_here("transform", "m.unroll", "x.npy")
        self.assertEqual((done.returncode, done.stdout), (0, fitted))
        self.assertIn(b"as in the training table: 1, 5", done.stderr)


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
        self.assertIn("x.csv: column 1 ('number') counts the rows: it is taken for a feature; if it names the rows, use "
                      "--id-column number", said)

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
        self.assertIn("x.csv: 5 samples of 60 features: if samples are in columns, use --transpose",
                      self.noted(text.encode()))


if __name__ == "__main__":
    unittest.main()
