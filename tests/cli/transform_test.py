"""unroll transform: new rows, the way back, model files."""
import unittest

from harness import CliTest, as_csv, object_in, points, table

ROWS = points(30, 4)


def numbers(text):
    return [[float(x) for x in row] for row in table(text)[1]]


class Transform(CliTest):
    def setUp(self):
        super().setUp()
        self.write("x.csv", as_csv(ROWS))
        self.fitted = self.succeed("embed", "x.csv", "-m", "pca", "-d", "3", "--save", "m.unroll")

    def assert_close(self, actual, expected):
        self.assertEqual(len(actual), len(expected))
        for a, b in zip(actual, expected):
            self.assertEqual(len(a), len(b))
            for x, y in zip(a, b):
                self.assertAlmostEqual(x, y, delta=1e-10)

    def test_training_rows_come_out_as_they_were(self):
        placed = self.succeed("transform", "m.unroll", "x.csv")
        self.assertEqual(table(placed)[0], ["pca0", "pca1", "pca2"])
        self.assert_close(numbers(placed), numbers(self.fitted))

    def test_rows_do_not_depend_on_their_neighbors(self):
        placed = self.succeed("transform", "m.unroll", "x.csv").splitlines(keepends=True)
        alone = self.succeed("transform", "m.unroll", "-", stdin=as_csv(ROWS[7:8]))
        self.assertEqual(alone, placed[0] + placed[8])

    def test_threads_do_not_change_a_byte(self):
        expected = self.succeed("transform", "m.unroll", "x.csv", "-j", "1")
        for threads in ("2", "3", "8"):
            self.assertEqual(self.succeed("transform", "m.unroll", "x.csv", "-j", threads), expected)

    def test_there_and_back(self):
        self.succeed("embed", "x.csv", "-m", "pca", "-d", "4", "--save", "all.unroll", "-o", "z.csv")
        back = self.succeed("transform", "all.unroll", "z.csv", "--inverse")
        self.assertEqual(table(back)[0], ["x0", "x1", "x2", "x3"])
        self.assert_close(numbers(back), ROWS)

    def test_back_from_a_few_coordinates(self):
        self.write("named.csv", as_csv(ROWS, "a,b,c,d"))
        self.succeed("embed", "named.csv", "-m", "pca", "-d", "4", "--save", "all.unroll", "-o", "z.csv")
        self.succeed("embed", "named.csv", "-m", "pca", "-d", "2", "--save", "two.unroll", "-o", "two.csv")
        expected = self.succeed("transform", "two.unroll", "two.csv", "--inverse")
        coordinates = numbers(self.read("z.csv"))
        for name, header, order in (("first.csv", None, (0, 1)), ("named2.csv", "pca1,pca0", (1, 0)),
                                    ("others.csv", "u,v", (0, 1))):
            self.write(name, as_csv([[row[j] for j in order] for row in coordinates], header))
            done = self.run_here("transform", "all.unroll", name, "--inverse")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assert_close(numbers(done.stdout), numbers(expected))
            self.assertEqual(table(done.stdout)[0], ["a", "b", "c", "d"])
            self.assertIn(f"note: {name} has 2 of 4 coordinates (pca{order[0]}, pca{order[1]}): the others are taken as "
                          "0\n" if header != "u,v" else f"note: {name} has 2 of 4 coordinates (pca0, pca1)",
                          done.stderr.decode())
        self.write("third.csv", as_csv([[row[2]] for row in coordinates], "pca2"))
        self.assertIn(b"1 of 4 coordinates (pca2)", self.run_here("transform", "all.unroll", "third.csv", "--inverse").stderr)
        self.write("many.csv", as_csv([[*row, 1.0] for row in coordinates]))
        self.expect_error(3, "5 columns, but the map of pca has 4", "transform", "all.unroll", "many.csv", "--inverse")

    def test_a_map_with_labels_leads_back(self):
        self.write("l.csv", as_csv(ROWS, "a,b,c,d").replace(b"d\n", b"d,kind\n", 1).replace(b"\n", b",k\n").replace(
            b"kind,k", b"kind", 1))
        self.succeed("embed", "l.csv", "-m", "pca", "-d", "4", "--label-column", "kind", "--save", "l.unroll", "-o", "z.csv")
        done = self.run_here("transform", "l.unroll", "z.csv", "--inverse")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_close(numbers(done.stdout), ROWS)

    def test_names_and_labels_go_along(self):
        lines = as_csv(ROWS).decode().splitlines()
        self.write("n.csv", "\n".join(["id,a,b,c,d,kind"] + [f"r{i},{line},k" for i, line in enumerate(lines)]).encode())
        done = self.run_here("transform", "m.unroll", "n.csv", "--label-column", "kind")
        self.assertEqual(done.stderr, b"note: the model has no column names: the columns are taken in their order\n")
        header, rows = table(done.stdout)
        self.assertEqual(header, ["id", "pca0", "pca1", "pca2", "kind"])
        self.assertEqual((rows[3][0], rows[3][-1]), ("r3", "k"))

    def test_report(self):
        report = object_in(self.succeed("transform", "m.unroll", "x.csv", "--json", "-o", "z.csv"))
        self.assertEqual((report["command"], report["method"], report["model"]), ("transform", "pca", "m.unroll"))
        self.assertEqual(report["params"]["n_components"], 3)
        self.assertEqual(set(report["timings_s"]), {"read", "transform", "write", "total"})
        self.assertEqual(report["outputs"], [{"content": "coordinates", "path": "z.csv", "n": 30, "d": 3}])
        self.assertEqual(self.read("z.csv"), self.succeed("transform", "m.unroll", "x.csv"))

    def test_wrong_input(self):
        self.write("narrow.csv", as_csv(points(5, 2)))
        text = self.expect_error(3, "4", "transform", "m.unroll", "narrow.csv")
        self.assertIn("2", text)
        self.expect_error(1, "nothing.unroll", "transform", "nothing.unroll", "x.csv")
        self.expect_error(3, "x.csv", "transform", "x.csv", "x.csv")
        model = self.read("m.unroll")
        self.write("short.unroll", model[:len(model) // 2])
        self.expect_error(3, "short.unroll", "transform", "short.unroll", "x.csv")
        self.expect_error(2, "INPUT is missing", "transform", "m.unroll")
        self.expect_error(2, "MODEL is missing", "transform")


if __name__ == "__main__":
    unittest.main()
