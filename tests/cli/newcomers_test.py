"""What new users did and were not told: each test is a mistake that once passed in silence, or a way that led nowhere."""
import unittest
import zipfile
from random import Random

from harness import CliTest, as_csv, as_npy, object_in, points, table

ROWS = points(40, 3)


class Newcomers(CliTest):
    def setUp(self):
        super().setUp()
        self.write("a.csv", as_csv(ROWS, "a,b,c"))

    def said(self, *words, code=0, **options):
        done = self.run_here(*words, **options)
        self.assertEqual(done.returncode, code, (words, done.stderr))
        return done.stderr.decode()

    def embed(self, name, *words, code=0):
        return self.said("embed", name, "-m", "pca", "-o", "o.csv", *words, code=code)


class Columns(Newcomers):
    def test_a_name_that_comes_twice(self):
        self.write("two.csv", as_csv(ROWS, "a,a,c"))
        text = self.embed("two.csv", "--save", "m.unroll")
        self.assertIn("several columns are called 'a': in new tables only their order tells them apart", text)
        placed = self.succeed("transform", "m.unroll", "two.csv")
        self.assertEqual(len(table(placed)[1]), len(ROWS))
        self.write("turned.csv", as_csv([row[::-1] for row in ROWS], "c,a,a"))
        self.expect_error(3, "several columns are called 'a'; only their order tells them apart", "transform",
                          "m.unroll", "turned.csv")
        self.write("three.csv", as_csv([[*row, 1.5] for row in ROWS], "a,a,c,a"))
        self.expect_error(3, "several columns are called 'a'", "transform", "m.unroll", "three.csv")

    def test_a_table_or_a_model_without_names(self):
        self.embed("a.csv", "--save", "m.unroll")
        self.write("a.npy", as_npy(ROWS))
        self.assertIn("'a.npy' has no column names: the columns are taken in their order",
                      self.said("transform", "m.unroll", "a.npy"))
        self.embed("a.npy", "--save", "n.unroll")
        self.assertIn("the model has no column names: the columns are taken in their order",
                      self.said("transform", "n.unroll", "a.csv"))
        self.succeed("transform", "n.unroll", "a.npy")

    def test_capitals_of_names(self):
        self.embed("a.csv", "--save", "m.unroll")
        self.write("A.csv", as_csv(ROWS, "A,B,C"))
        self.expect_error(3, "A.csv lacks columns that the model was fitted on: 'a', 'b', 'c'; capitals count: 'A' is "
                          "not 'a'", "transform", "m.unroll", "A.csv")

    def test_another_number_of_columns(self):
        self.write("a.npy", as_npy(ROWS))
        self.embed("a.npy", "--save", "n.unroll")
        self.write("few.npy", as_npy([row[:2] for row in ROWS]))
        self.expect_error(3, "'few.npy' has 2 columns; the model was fitted on 3", "transform", "n.unroll", "few.npy")

    def test_other_units(self):
        self.write("mm.csv", as_csv([[1000 * (x + 3) for x in row] for row in ROWS], "a,b,c"))
        for method in ("pca", "isomap", "lle"):
            self.said("embed", "a.csv", "-m", method, "-o", "o.csv", "--save", "m.unroll")
            self.assertIn("warning[far-from-training]: mm.csv: 40 of 40 rows are far",
                          self.said("transform", "m.unroll", "mm.csv"))
            # A shift of two deviations is nothing unusual.
            self.write("near.csv", as_csv([[row[0] + 2, *row[1:]] for row in ROWS], "a,b,c"))
            self.succeed("transform", "m.unroll", "near.csv")

    def test_ids_that_are_numbers(self):
        rows = [[1001 + i, *row] for i, row in enumerate(ROWS)]
        self.write("ids.csv", as_csv(rows, "cell,a,b,c"))
        self.assertIn("column 1 ('cell') counts the rows: it is taken for a feature; if it names the rows, use "
                      "--id-column cell", self.embed("ids.csv"))
        self.embed("ids.csv", "--id-column", "cell")
        self.assertEqual(table(self.read("o.csv"))[0], ["cell", "pca0", "pca1"])

    def test_labels_that_are_numbers(self):
        rows = [[*row, i % 4] for i, row in enumerate(ROWS)]
        self.write("anything.csv", as_csv(rows, "a,b,c,what"))
        self.assertIn("column 4 ('what') has few different whole numbers, unlike the other columns, and is taken for a "
                      "feature: if it holds labels, use --label-column what", self.embed("anything.csv"))
        self.write("stage.csv", as_csv(rows, "a,b,c,stage"))
        self.assertIn("use --label-column stage", self.embed("stage.csv"))
        self.write("xy.csv", b"id,x,y\na,1,2\nb,2,1\nc,3,4\nd,4,3\n")
        self.assertEqual(self.embed("xy.csv"), "")
        self.write("xy.csv", as_csv([[1, 2], [2, 1], [3, 4], [4, 3]], "x,y"))
        self.assertNotIn("label", self.embed("xy.csv"))
        # Two such columns are features like others.
        self.write("two.csv", as_csv([[*row, i % 4, i % 3] for i, row in enumerate(ROWS)], "a,b,c,u,v"))
        self.assertNotIn("label", self.embed("two.csv"))

    def test_samples_in_columns(self):
        random = Random(1)
        genes = [[random.random() for _ in range(40)] for _ in range(5)]
        names = ",".join(f"s{j}" for j in range(40))
        lines = [f"gene,{names}"] + [",".join([f"g{i}"] + [repr(x) for x in row]) for i, row in enumerate(genes)]
        self.write("t.csv", ("\n".join(lines) + "\n").encode())
        self.assertIn("5 samples of 40 features: if samples are in columns, use --transpose", self.embed("t.csv"))
        self.assertEqual(self.embed("t.csv", "--transpose", "--save", "m.unroll"), "")
        header, rows = table(self.read("o.csv"))
        self.assertEqual((header[1:], len(rows), rows[3][0]), (["pca0", "pca1"], 40, "s3"))
        self.write("right.csv", as_csv([list(column) for column in zip(*genes)], "g0,g1,g2,g3,g4"))
        placed = [row[1:] for row in table(self.succeed("transform", "m.unroll", "t.csv", "--transpose"))[1]]
        self.assertEqual(table(self.succeed("transform", "m.unroll", "right.csv"))[1], placed)
        self.expect_error(2, "a label would be a row", "embed", "t.csv", "-m", "pca", "--transpose", "--label-column",
                          "s1")

    def test_words_that_are_no_names(self):
        lines = [f"{'TRUE' if i % 2 else 'FALSE'},{row[0]},{row[1]}" for i, row in enumerate(ROWS)]
        self.write("bool.csv", ("flag,a,b\n" + "\n".join(lines) + "\n").encode())
        self.assertIn("column 'flag' (1) is taken for names of rows, though there are only 2 different ones",
                      self.embed("bool.csv"))
        lines = [f"{row[0]}%,{row[1]},{row[2]}" for row in ROWS]
        self.write("pct.csv", ("a,b,c\n" + "\n".join(lines) + "\n").encode())
        self.assertIn("column 'a' (1) is taken for names of rows: if", self.embed("pct.csv"))
        lines = [f"{i}C 1.{i},{row[1]},{row[2]}" for i, row in enumerate(ROWS)]
        self.write("cells.csv", ("cell,b,c\n" + "\n".join(lines) + "\n").encode())
        self.assertEqual(self.embed("cells.csv"), "")

    def test_a_list_without_words(self):
        self.expect_error(2, "--columns ',' names no column", "embed", "a.csv", "-m", "pca", "--columns", ",")

    def test_a_label_left_out(self):
        self.embed("a.csv", "--save", "m.unroll")
        self.write("new.csv", as_csv([[*row, 7] for row in ROWS], "a,b,c,stage"))
        self.assertIn("left out a column that the model does not know: 'stage'; --label-column stage would keep it",
                      self.said("transform", "m.unroll", "new.csv"))


class Headers(Newcomers):
    def test_wavelengths(self):
        for name, header in (("plain.csv", "400,402,404"), ("quoted.csv", '"400","402","404"'),
                             ("years.csv", "2021,2020,2019")):
            self.write(name, as_csv(ROWS, header))
            text = self.embed(name)
            self.assertIn("warning[header-guessed]", text, name)
            self.assertIn("is taken for a sample", text)
            self.assertIn("--header yes", text)
            self.assertEqual(self.embed(name, "--header", "yes"), "")
            self.assertEqual(len(table(self.read("o.csv"))[1]), len(ROWS))
        self.write("counts.csv", b"2019,2020,2021\n5,3,8\n1,9,2\n4,4,4\n")
        self.assertIn("header-guessed", self.embed("counts.csv"))
        self.write("grid.csv", b"1,2,3\n4,5,6\n7,8,10\n2,1,1\n")
        self.assertEqual(self.embed("grid.csv"), "")
        self.write("mixed.csv", b"1,2,3\n4,9,6\n7,8,10\n2,1,1\n")
        self.assertEqual(self.embed("mixed.csv"), "")

    def test_wavelengths_behind_a_corner(self):
        lines = [",400,402,404"] + [f"s{i}," + ",".join(map(repr, row)) for i, row in enumerate(ROWS)]
        self.write("corner.csv", ("\n".join(lines) + "\n").encode())
        self.assertEqual(self.embed("corner.csv"), "")
        self.assertEqual(len(table(self.read("o.csv"))[1]), len(ROWS))

    def test_a_title_above_the_table(self):
        self.write("title.csv", b"Table S4: values of Ct\n\n" + as_csv(ROWS, "a,b,c"))
        self.assertIn("the first line, 'Table S4: values of Ct', is taken for a title", self.embed("title.csv"))
        mapped = self.read("o.csv")
        self.embed("a.csv")
        self.assertEqual(self.read("o.csv"), mapped)

    def test_excel_tells_the_separator(self):
        self.write("sep.csv", b"sep=;\r\n" + as_csv(ROWS, "a,b,c").replace(b",", b";").replace(b"\n", b"\r\n"))
        self.assertEqual(self.embed("sep.csv"), "")
        mapped = self.read("o.csv")
        self.embed("a.csv")
        self.assertEqual(self.read("o.csv"), mapped)
        self.write("bad.csv", b"sep=;\na;b\n1;2\n1;x\n")
        self.expect_error(3, "bad.csv:4: column 'b' (2)", "embed", "bad.csv", "-m", "pca")


class Cells(Newcomers):
    def test_words_for_missing_values(self):
        self.write("gaps.csv", as_csv(ROWS, "a,b,c") + b"#N/A,1,2\n3,#N/A,1\n")
        self.assertIn("2 rows with missing values left out", self.embed("gaps.csv", "--na", "drop"))
        self.write("words.csv", as_csv(ROWS, "a,b,c") + b"1,-,2\n3,n.d.,1\n")
        self.expect_error(3, "cannot read '-' as a number, and 1 more such field, in line 43; correct it, or take the "
                          "column for labels (--label-column 'b') or leave it out (--drop 'b'); if it means a missing "
                          "value, use --na-values '-'", "embed", "words.csv", "-m", "pca")
        self.assertIn("2 rows with missing values left out",
                      self.embed("words.csv", "--na", "drop", "--na-values", "-,n.d."))

    def test_all_bad_cells_are_told(self):
        rows = [list(map(repr, row)) for row in ROWS]
        for i in (3, 10, 20):
            rows[i][1] = "x"
        self.write("typos.csv", ("a,b,c\n" + "\n".join(map(",".join, rows)) + "\n").encode())
        self.expect_error(3, "typos.csv:5: column 'b' (2): cannot read 'x' as a number, and 2 more such fields, in "
                          "lines 12, 22", "embed", "typos.csv", "-m", "pca")

    def test_decimal_commas(self):
        text = as_csv(ROWS, "a,b,c").replace(b",", b";").replace(b".", b",")
        self.write("comma.csv", text)
        self.expect_error(3, "if all have a comma, use --decimal ','", "embed", "comma.csv", "-m",
                          "pca", "--columns", "2-3")
        for decimal in (",", "comma"):
            self.assertEqual(self.embed("comma.csv", "--decimal", decimal), "")
            mapped = self.read("o.csv")
            self.embed("a.csv")
            self.assertEqual(self.read("o.csv"), mapped)
        self.write("both.csv", b"a,b,c,d,e\n" + b"1,5,2,5,3,5,4,5,5,5\n" * 3)
        self.expect_error(3, "10 fields, expected 5, as many as the header has names; about twice as many: if decimals",
                          "embed", "both.csv", "-m", "pca", "--delimiter", ",")
        self.expect_error(2, "--decimal x must be a point or a comma", "embed", "comma.csv", "-m", "pca", "--decimal",
                          "x")

    def test_a_column_of_words_is_one_decision(self):
        lines = [",".join([*map(repr, row), f"w{i}"]) for i, row in enumerate(ROWS)]
        self.write("w.csv", ("a,b,c,d\n" + "\n".join(lines) + "\n").encode())
        text = self.embed("w.csv", code=3)
        self.write("typo.csv", as_csv(ROWS, "a,b,c") + b"1,2..5,3\n")
        self.assertNotIn("missing", self.embed("typo.csv", code=3))
        self.assertIn("cannot read 'w0' as a number; correct it, or take the column for labels", text)
        self.assertNotIn("missing", text)

    def test_workbooks(self):
        with zipfile.ZipFile(self.path("book.xlsx"), "w") as book:
            book.writestr("[Content_Types].xml", "<Types/>")
            book.writestr("xl/workbook.xml", "<workbook/>")
        self.expect_error(2, "book.xlsx: this is an Excel workbook; save the sheet as CSV UTF-8", "embed", "book.xlsx",
                          "-m", "pca")


class Quality(Newcomers):
    def test_only_coordinates_are_measured(self):
        rows = [[*row, i % 4 * 100] for i, row in enumerate(ROWS)]
        self.write("s.csv", as_csv(rows, "a,b,c,stage"))
        self.embed("s.csv", "--label-column", "stage")
        expected = object_in(self.run_here("quality", "s.csv", "o.csv", "--label-column", "stage", "--json").stdout)
        done = self.run_here("quality", "s.csv", "o.csv", "--drop", "stage", "--json")
        self.assertIn(b"o.csv: only pca0, pca1 are measured; left out 'stage'", done.stderr)
        self.assertEqual(object_in(done.stdout)["metrics"]["trustworthiness"], expected["metrics"]["trustworthiness"])

    def test_rows_are_compared_by_name(self):
        lines = [f"r{i}," + ",".join(map(repr, row)) for i, row in enumerate(ROWS)]
        self.write("n.csv", ("id,a,b,c\n" + "\n".join(lines) + "\n").encode())
        self.embed("n.csv")
        self.assertEqual(self.said("quality", "n.csv", "o.csv"), "")
        header, *rows = self.read("o.csv").splitlines()
        self.write("turned.csv", b"\n".join([header] + rows[1:] + rows[:1]) + b"\n")
        self.expect_error(3, "row 1 is 'r0' in 'n.csv' and 'r1' in 'turned.csv'", "quality", "n.csv", "turned.csv")

    def test_files_in_the_wrong_order(self):
        self.embed("a.csv")
        self.assertIn("are the two files in this order", self.said("quality", "o.csv", "a.csv"))
        self.expect_error(2, "LOW, the file with the map's coordinates, is missing", "quality", "a.csv")


    def test_the_figures_are_read(self):
        self.assertIn(b"neighborhoods are kept well\n", self.succeed("quality", "a.csv", "a.csv"))
        self.write("mixed.csv", as_csv(sorted(ROWS), "a,b,c"))
        self.assertIn(b"neighborhoods are badly kept: what fails most is that",
                      self.succeed("quality", "a.csv", "mixed.csv"))


class Words(Newcomers):
    def test_the_way_back_of_another_map(self):
        self.embed("a.csv", "--save", "m.unroll")
        self.said("embed", "a.csv", "-m", "isomap", "-o", "i.csv")
        self.expect_error(3, "'i.csv' has coordinates of isomap ('isomap0'), but the model is one of pca", "transform",
                          "m.unroll", "i.csv", "--inverse")
        header, rows = table(self.read("o.csv"))
        self.write("more.csv", ("\n".join(",".join(row) for row in [header + ["z"]] + [r + ["1"] for r in rows]) +
                                "\n").encode())
        self.assertIn("left out a column that the model does not know: 'z'",
                      self.said("transform", "m.unroll", "more.csv", "--inverse"))

    def test_the_number_of_clusters(self):
        text = self.said("cluster", "a.csv", "-k", "6", "-o", "c.csv")
        self.assertIn("8 clusters, the default", text)
        self.assertIn("--n-clusters N sets another number", text)
        self.assertNotIn("the default", self.said("cluster", "a.csv", "--n-clusters", "3", "-o", "c.csv"))

    def test_names_of_columns_are_kept(self):
        lines = [f"r{i},{'u' if i % 2 else 'v'}," + ",".join(map(repr, row)) for i, row in enumerate(ROWS)]
        self.write("n.csv", ("cell,kind,a,b,c\n" + "\n".join(lines) + "\n").encode())
        self.said("cluster", "n.csv", "--n-clusters", "2", "--label-column", "kind", "-o", "c.csv")
        self.assertEqual(table(self.read("c.csv"))[0], ["cell", "cluster", "kind"])
        self.embed("n.csv", "--label-column", "kind")
        self.assertEqual(table(self.read("o.csv"))[0], ["cell", "pca0", "pca1", "kind"])

    def test_a_flag_that_comes_twice(self):
        self.expect_error(2, "-k is given twice, as 5 and as 10; for both write -k 5,10", "compare", "a.csv", "-k",
                          "5", "-k", "10")
        self.expect_error(2, "-d is given twice, as 2 and as 3; give it once", "embed", "a.csv", "-m", "pca", "-d",
                          "2", "--n-components", "3")
        self.assertEqual(self.embed("a.csv", "-q", "-q", "-d", "2", "-d", "2"), "")

    def test_a_model_replaces_only_a_model(self):
        self.write("sheet.csv", b"precious\n")
        self.expect_error(2, "--save sheet.csv would overwrite a file that is no model", "embed", "a.csv", "-m", "pca",
                          "--save", "sheet.csv")
        self.assertEqual(self.read("sheet.csv"), b"precious\n")
        for _ in range(2):
            self.embed("a.csv", "--save", "m.unroll")

    def test_too_many_neighbors_are_told_once(self):
        text = self.said("compare", "a.csv", "-m", "pca,isomap", "-k", "3000")
        self.assertTrue(text.startswith("note: -k 3000 is not less than the number of points, 40: all methods that use "
                                        "neighbors will fail\n"), text)

    def test_empty_labels(self):
        rows = [[*row, f"{'' if i < 3 else i % 2}"] for i, row in enumerate(ROWS)]
        text = "\n".join(",".join(map(str, row)) for row in rows)
        self.write("l.csv", f"a,b,c,kind\n{text}\n".encode())
        self.assertIn("3 rows have no label", self.said("compare", "l.csv", "-m", "pca", "--label-column", "kind"))

    def test_pictures(self):
        for name, command in (("m.png", "embed INPUT -m METHOD --plot map.png"),
                              ("m.svg", "embed INPUT -m METHOD --plot map.png"),
                              ("m.html", "compare INPUT -m METHOD -o map.html")):
            self.expect_error(2, f"for a picture: unroll {command}", "embed", "a.csv", "-m", "pca", "-o", name)
        self.expect_error(2, "unroll plot MAP -o map.png", "draw", "a.csv")

    def test_colors_from_a_column_of_a_file(self):
        self.write("sheet.csv", as_csv([[i, 2 * i] for i in range(40)], "arc,height"))
        self.expect_error(3, "'sheet.csv' has 2 columns: arc, height; give one column, such as sheet.csv:arc", "embed",
                          "a.csv", "-m", "pca", "--color-by", "sheet.csv", "-o", "o.csv")
        self.embed("a.csv", "--color-by", "sheet.csv:arc")
        self.said("compare", "a.csv", "-m", "pca", "--color-by", "sheet.csv:arc", "-o", "p.html")
        self.assertIn(b'"arc"', self.read("p.html"))

    def test_methods_in_the_wrong_place(self):
        self.expect_error(2, "'isomap' is a method, not a verb; write unroll embed INPUT -m isomap", "isomap", "a.csv")
        self.expect_error(2, "see 'unroll methods isomap'", "help", "isomap")
        self.expect_error(2, "'kpca' is a method, not a file; write unroll embed a.csv -m kernel_pca", "embed", "kpca",
                          "a.csv")

    def test_what_other_programs_call_it(self):
        def embed(*words):
            return ("embed", "a.csv", *words)
        for meant, words in (("--n-neighbors", embed("-m", "isomap", "--k", "5")),
                             ("--label-column", embed("-m", "pca", "--label", "x")),
                             ("--label-column", embed("-m", "pca", "--labels", "x")),
                             ("--threads", embed("-m", "pca", "--n_jobs", "2")),
                             ("--sigma", embed("-m", "diffusion_maps", "--epsilon", "2")),
                             ("--scale standardize", embed("-m", "pca", "--standardize")),
                             ("standardize", embed("-m", "pca", "--scale", "zscore")),
                             ("manhattan", embed("-m", "isomap", "--metric", "l1")),
                             ("correlation", embed("-m", "isomap", "--metric", "pearson")),
                             ("rbf", embed("-m", "kernel_pca", "--kernel", "gaussian")),
                             ("poly", embed("-m", "kernel_pca", "--kernel", "polynomial")),
                             ("hessian_lle", embed("-m", "hessian")),
                             ("modified_lle", embed("-m", "modified")),
                             ("a", embed("-m", "pca", "--color-by", "A"))):
            self.expect_error(2, f"did you mean '{meant}'?", *words)


if __name__ == "__main__":
    unittest.main()
