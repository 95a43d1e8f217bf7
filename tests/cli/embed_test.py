"""unroll embed: formats, names, flags, threads."""
import gzip
import unittest

from harness import CliTest, as_csv, as_npy, object_in, points, table, without_times

ROWS = points()


class Embed(CliTest):
    def setUp(self):
        super().setUp()
        self.write("x.csv", as_csv(ROWS))

    def test_csv_on_standard_output(self):
        header, rows = table(self.succeed("embed", "x.csv", "-m", "pca"))
        self.assertEqual(header, ["pca0", "pca1"])
        self.assertEqual(len(rows), len(ROWS))
        means = [sum(float(row[j]) for row in rows) / len(rows) for j in range(2)]
        spreads = [sum(float(row[j]) ** 2 for row in rows) for j in range(2)]
        self.assertLess(max(map(abs, means)), 1e-12)
        self.assertGreater(spreads[0], spreads[1])

    def test_every_way_in_gives_the_same_bytes(self):
        expected = self.succeed("embed", "x.csv", "-m", "pca")
        self.write("x.npy", as_npy(ROWS))
        self.write("x.tsv", as_csv(ROWS, "a,b,c").replace(b",", b"\t"))
        self.write("x.csv.gz", gzip.compress(as_csv(ROWS)))
        self.write("[a,b].csv", as_csv(ROWS))
        for name in ("x.npy", "x.tsv", "x.csv.gz", "[a,b].csv"):
            self.assertEqual(self.succeed("embed", name, "-m", "pca"), expected, name)
        self.assertEqual(self.succeed("embed", "-", "-m", "pca", stdin=as_csv(ROWS)), expected)
        self.assertEqual(self.succeed("embed", "-m", "pca", "--", "x.csv"), expected)
        self.assertEqual(self.succeed("embed", "x.csv", "-m", "pca", "-o", "-"), expected)

    def test_every_way_out(self):
        expected = self.succeed("embed", "x.csv", "-m", "pca")
        for name in ("z.csv", "z.tsv", "z.csv.gz", "z.npy"):
            self.assertEqual(self.succeed("embed", "x.csv", "-m", "pca", "-o", name), b"")
        self.assertEqual(self.read("z.csv"), expected)
        self.assertEqual(self.read("z.tsv"), expected.replace(b",", b"\t"))
        self.assertEqual(gzip.decompress(self.read("z.csv.gz")), expected)
        self.assertEqual(self.read("z.npy"), as_npy([[float(x) for x in row] for row in table(expected)[1]]))

    def test_names_of_rows_and_labels(self):
        lines = as_csv(ROWS).decode().splitlines()
        named = "\n".join(["name,a,b,c,kind"] + [f"r{i},{line},k{i % 2}" for i, line in enumerate(lines)]) + "\n"
        self.write("named.csv", named.encode())
        header, rows = table(self.succeed("embed", "named.csv", "-m", "pca", "--label-column", "kind"))
        self.assertEqual(header, ["name", "pca0", "pca1", "kind"])
        self.assertEqual([row[0] for row in rows], [f"r{i}" for i in range(len(ROWS))])
        self.assertEqual([row[3] for row in rows], [f"k{i % 2}" for i in range(len(ROWS))])
        plain = table(self.succeed("embed", "x.csv", "-m", "pca"))[1]
        self.assertEqual([row[1:3] for row in rows], plain)
        done = self.run_here("embed", "named.csv", "-m", "pca", "--label-column", "kind", "-o", "z.npy")
        self.assertEqual(done.returncode, 0)
        self.assertTrue(done.stderr.startswith(b"warning[labels-not-written]: "), done.stderr)
        self.assertIn(b"\n  hint: ", done.stderr)

    def test_spellings_of_flags(self):
        expected = self.succeed("embed", "x.csv", "-m", "pca", "-d", "3", "--whiten", "--seed", "7")
        self.assertEqual(len(table(expected)[0]), 3)
        for words in (["-d3", "--whiten=true", "--random-state", "7"],
                      ["--n-components=3", "--no-whiten", "--whiten", "--random_state=7"],
                      ["--n_components", "3", "--whiten=yes", "--seed=7"],
                      ["-d", "3", "-d", "3", "--no-whiten=false", "--seed", "7"]):
            self.assertEqual(self.succeed("embed", "x.csv", "-m", "pca", *words), expected, words)
        plain = self.succeed("embed", "x.csv", "-m", "pca")
        self.assertEqual(self.succeed("embed", "x.csv", "--method=pca", "--whiten=false"), plain)
        self.assertEqual(self.succeed("embed", "x.csv", "-mpca", "--no-whiten"), plain)
        scaled = self.succeed("embed", "x.csv", "-m", "pca", "--scale", "unit_rows")
        self.assertEqual(self.succeed("embed", "x.csv", "-m", "pca", "--scale", "unit-rows"), scaled)
        self.assertNotEqual(scaled, plain)

    def test_reading_flags(self):
        expected = self.succeed("embed", "x.csv", "-m", "pca")
        self.write("odd.txt", as_csv(ROWS, "1,2,3").replace(b",", b"|"))
        self.assertEqual(self.succeed("embed", "odd.txt", "-m", "pca", "--delimiter", "|", "--header", "yes"), expected)
        self.write("gap.csv", as_csv(ROWS) + b"1,,2\n")
        self.expect_error(3, "gap.csv", "embed", "gap.csv", "-m", "pca")
        done = self.run_here("embed", "gap.csv", "-m", "pca", "--na", "drop")
        self.assertEqual((done.returncode, done.stdout), (0, expected))
        self.assertIn(b"warning[rows-dropped]: ", done.stderr)
        self.assertEqual(self.succeed("embed", "gap.csv", "-m", "pca", "--na=drop", "--quiet"), expected)
        self.expect_error(3, "--strict makes an error of warning[rows-dropped]",
                  "embed", "gap.csv", "-m", "pca", "--na=drop", "--strict", "-o", "z.csv", "--save", "m.unroll")

    def test_threads_do_not_change_a_byte(self):
        self.write("wide.npy", as_npy(points(700, 40)))
        for solver in ("covariance", "gram", "randomized"):
            words = ("embed", "wide.npy", "-m", "pca", "-d", "5", "--solver", solver)
            expected = self.succeed(*words, "-j", "1")
            for threads in ("2", "3", "8", "auto"):
                self.assertEqual(self.succeed(*words, "-j", threads), expected, (solver, threads))
            self.assertEqual(self.succeed(*words, env={"UNROLL_THREADS": "3"}), expected, solver)

    def test_number_of_threads(self):
        def threads(*words, **env):
            return object_in(self.succeed("embed", "x.csv", "-m", "pca", "--json", *words, env=env))["threads"]
        self.assertEqual(threads("-j", "3"), 3)
        self.assertEqual(threads(UNROLL_THREADS="2"), 2)
        self.assertEqual(threads("--threads=3", UNROLL_THREADS="2"), 3)
        self.assertGreaterEqual(threads(UNROLL_THREADS=""), 1)
        self.expect_error(2, "UNROLL_THREADS=many must be an integer >= 1", "embed", "x.csv", "-m", "pca",
                  env={"UNROLL_THREADS": "many"})

    def test_the_locale_does_not_matter(self):
        expected = self.succeed("embed", "x.csv", "-m", "pca")
        report = object_in(self.succeed("embed", "x.csv", "-m", "pca", "--json"))
        for name in ("de_DE.UTF-8", "C", "tr_TR.UTF-8"):
            self.assertEqual(self.succeed("embed", "x.csv", "-m", "pca", env={"LC_ALL": name}), expected, name)
            again = object_in(self.succeed("embed", "x.csv", "-m", "pca", "--json", env={"LC_ALL": name}))
            self.assertEqual(without_times(again), without_times(report), name)


class Axes(CliTest):
    def test_rows_are_axes_and_columns_features(self):
        rows = points(40, 3)
        self.write("x.csv", as_csv(rows, "a,b,c"))
        header, placed = table(self.succeed("embed", "x.csv", "-m", "pca", "-d", "2", "--axes", "axes.csv"))
        names, axes = table(self.read("axes.csv"))
        self.assertEqual(names, ["id", "a", "b", "c"])
        self.assertEqual([row[0] for row in axes], ["pca0", "pca1"])
        axes = [[float(x) for x in row[1:]] for row in axes]
        means = [sum(row[j] for row in rows) / 40 for j in range(3)]
        for row, coordinates in zip(rows, placed):
            for axis, coordinate in zip(axes, coordinates):
                self.assertAlmostEqual(sum(a * (x - m) for a, x, m in zip(axis, row, means)), float(coordinate), 12)
        report = object_in(self.succeed("embed", "x.csv", "-m", "pca", "--axes", "axes.npy", "--json"))
        self.assertEqual(report["outputs"], [{"content": "axes", "path": "axes.npy", "n": 2, "d": 3}])
        self.assertTrue(self.read("axes.npy").startswith(b"\x93NUMPY"))

    def test_what_cannot_be(self):
        self.write("x.csv", as_csv(points(40, 3)))
        self.expect_error(2, "isomap: --axes writes axes among the features, which only pca has; leave it out, or use -m pca",
                          "embed", "x.csv", "-m", "isomap", "--axes", "axes.csv")
        self.expect_error(2, "--axes x.csv would overwrite INPUT", "embed", "x.csv", "-m", "pca", "--axes", "x.csv")
        self.expect_error(1, "nowhere", "embed", "x.csv", "-m", "pca", "--axes", "nowhere/axes.csv")
        self.expect_error(2, "its extension names no known format", "embed", "x.csv", "-m", "pca", "--axes", "axes.xyz")


if __name__ == "__main__":
    unittest.main()
