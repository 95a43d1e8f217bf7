"""unroll methods: the list, one method, and the table that every spectral method is a row of."""
import re
import unittest

from harness import CliTest, object_in

COLUMNS = ["ROW", "W", "DENSITY", "OPERATOR", "ORDER", "SKIP", "COORDINATES", "NEW POINT", "METHOD"]


class Methods(CliTest):
    def setUp(self):
        super().setUp()
        self.names = [method["name"] for method in object_in(self.succeed("methods", "--json"))["methods"]]
        self.rows = object_in(self.succeed("methods", "--table", "--json"))["table"]

    def test_list(self):
        lines = self.succeed("methods").decode().splitlines()
        self.assertEqual([line.split()[0] for line in lines[1:len(self.names) + 1]], self.names)

    def test_table(self):
        for row in self.rows:
            self.assertEqual(list(row), ["row", "variant", "W", "density", "operator", "order", "skip", "coordinates",
                                         "new_point", "method"])
            callable_ = row["row"] in [*self.names, "spectral_clustering"]
            self.assertEqual(row["method"], row["row"] if callable_ else None)
            self.assertIn(row["order"], ("largest", "smallest"))
        called = {row["method"] for row in self.rows}
        self.assertTrue({"mds", "isomap"} <= called)
        self.assertEqual(len({(row["row"], row["variant"]) for row in self.rows}), len(self.rows))

    def test_table_is_aligned(self):
        header, *lines = self.succeed("methods", "--table").decode().split("\n\n")[0].splitlines()
        starts = [match.start() for match in re.finditer(r"(?<!\S)\S+( \S+)*", header)]
        self.assertEqual([header[a:b].strip() for a, b in zip(starts, [*starts[1:], None])], COLUMNS)
        self.assertEqual(len(lines), len(self.rows))
        for line, row in zip(lines, self.rows):
            cells = [line[a:b].strip() for a, b in zip(starts, [*starts[1:], None])]
            self.assertEqual(cells, [" ".join(filter(None, (row["row"], row["variant"]))), row["W"], row["density"],
                                     row["operator"], row["order"], row["skip"], row["coordinates"], row["new_point"],
                                     row["method"] or ""])

    def test_a_method_shows_its_row(self):
        text = self.succeed("methods", "isomap").decode()
        self.assertIn("Its row of the table:", text)
        self.assertRegex(text, r"(?m)^  operator +J W J$")
        self.assertNotIn("row of the table", self.succeed("methods", "pca").decode())

    def test_errors(self):
        self.expect_error(2, "--table shows all rows", "methods", "isomap", "--table")
        self.expect_error(2, "there is no method 'isomp'; did you mean 'isomap'?", "methods", "isomp")


if __name__ == "__main__":
    unittest.main()
