"""unroll spectrum: eigenvalues, their gaps, and the dimension that they suggest."""
import math
import unittest

from harness import CliTest, as_csv, as_npy, maps_of, object_in, points, table


def flat(rows=40):
    """Points of a plane in five dimensions."""
    return [[x, 2 * y, x + y, x - y, 3.0] for x, y in points(rows, 2)]


# For these, n_components is part of the operator.
PRESUMING = ("mlle", "hlle", "ltsa")


def distances(rows):
    return [[math.dist(a, b) for b in rows] for a in rows]


class Spectrum(CliTest):
    def setUp(self):
        super().setUp()
        self.rows = points(60, 4)
        self.write("x.csv", as_csv(self.rows))
        self.write("flat.csv", as_csv(flat()))
        self.write("d.npy", as_npy(distances(flat())))
        self.succeed("datasets", "make", "swiss-roll", "-n", "1000", "-o", "roll.npy")

    def report(self, *words):
        return object_in(self.succeed("spectrum", *words, "--json"))

    def test_eigenvalues_are_those_of_the_fit(self):
        for method in maps_of(self.succeed("methods", "--json")):
            name = method["name"]
            if name == "mvu":  # the kernel that it learns has eigenvalues
                continue
            if method["transform_kind"] == "optimized" or name == "autoencoder":
                self.expect_error(2, "an optimised map has no eigenvalues", "spectrum", "x.csv", "-m", name)
                continue
            report = self.report("x.csv", "-m", name, "-n", "3", *(("-d", "3") if name in PRESUMING else ()))
            fitted = object_in(self.succeed("embed", "x.csv", "-m", name, "-d", "3", "--json", "-q"))  # may warn of the map
            self.assertEqual(report["spectrum"], fitted["spectrum"], name)
            self.assertEqual(report["scree"]["eigenvalues"], fitted["spectrum"]["values"], name)
            self.assertEqual((report["command"], report["method"]), ("spectrum", name))

    def test_the_learned_kernel_tells_the_dimension(self):
        report = self.report("roll.npy", "-m", "mvu")
        fitted = object_in(self.succeed("embed", "roll.npy", "-m", "mvu", "--json", "-q"))
        self.assertEqual(report["spectrum"], fitted["spectrum"])
        self.assertEqual(report["scree"]["suggested_components"], 2)

    def test_shares_and_ratios(self):
        report = self.report("x.csv", "-m", "pca", "-n", "3")
        scree, values = report["scree"], report["spectrum"]["values"]
        total = report["diagnostics"]["total_variance"]
        for share, value in zip(scree["share_of_total"], values):
            self.assertAlmostEqual(share, value / total, delta=1e-12)
        self.assertEqual(scree["ratio"], [values[0] / values[1], values[1] / values[2], None])
        shares = scree["share_of_total"]
        self.assertEqual(scree["cumulative_share"], [shares[0], shares[0] + shares[1], shares[0] + shares[1] + shares[2]])
        self.assertIn(f"{100 * (shares[0] + shares[1]):.2f} %", self.succeed("spectrum", "x.csv", "-m", "pca", "-n", "3").decode())
        shares = self.report("x.csv", "-m", "mds", "-n", "3")["scree"]["share_of_shown"]
        self.assertAlmostEqual(sum(shares), 1, delta=1e-12)

    def test_no_more_than_there_are(self):
        for method, count in (("pca", 4), ("mds", 4), ("isomap", 20)):
            done = self.run_here("spectrum", "x.csv", "-m", method, "-o", "s.csv")
            self.assertEqual(done.returncode, 0)
            self.assertEqual(len(table(self.read("s.csv"))[1]), count)
            self.assertEqual(b" instead of 20: " in done.stderr, count < 20, done.stderr)
        report = self.report("x.csv", "-m", "isomap", "-n", "99")
        self.assertEqual(report["params"]["n_components"], 59)
        report = self.report("x.csv", "-m", "isomap", "--n-landmarks", "12")
        self.assertEqual(report["params"]["n_components"], 11)

    def test_the_dimension_that_a_method_presumes(self):
        for name in PRESUMING:
            done = self.run_here("spectrum", "roll.npy", "-m", name, "-k", "12")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(f"2 eigenvalues instead of 20: {name} has one per coordinate, -d,".encode(), done.stderr)
            self.assertIn(b"suggested  none: this method presumes a dimension", done.stdout)
            report = self.report("roll.npy", "-m", name, "-k", "12", "-n", "1", "-d", "2")
            fitted = object_in(self.succeed("embed", "roll.npy", "-m", name, "-k", "12", "-d", "2", "--json"))
            self.assertEqual(report["params"]["n_components"], 2)
            self.assertEqual(report["spectrum"], fitted["spectrum"])
            self.assertEqual(report["scree"]["eigenvalues"], fitted["spectrum"]["values"][:1])
            self.assertIsNone(report["scree"]["suggested_components"])
            self.assertNotIn("all-rounding", [warning["code"] for warning in report["warnings"]])
            report = self.report("roll.npy", "-m", name, "-k", "12", "-d", "3", "-q")
            self.assertLess(max(report["scree"]["eigenvalues"]), 1e-12)
            self.assertIn("all-rounding", [warning["code"] for warning in report["warnings"]])
            self.expect_error(2, f"{name}: -d 4 must be less than or equal to the number of features, 3",
                              "spectrum", "roll.npy", "-m", name, "-d", "4", "-n", "9")

    def test_the_small_end_suggests_nothing(self):
        for name, count in (("lle", 3), ("laplacian_eigenmaps", 20)):
            done = self.run_here("spectrum", "roll.npy", "-m", name)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(b"suggested  none: the small eigenvalues of this method have no gap", done.stdout)
            self.assertEqual(b"3 eigenvalues instead of 20: lle has no more coordinates than there are features"
                             in done.stderr, count == 3)
            self.assertEqual(len(self.report("roll.npy", "-m", name, "-q")["scree"]["eigenvalues"]), count)

    def test_errors_name_the_flag_that_was_given(self):
        apart = [[x + 1000 * (i % 2) for x in row] for i, row in enumerate(points(24, 2))]
        self.write("apart.npy", as_npy(distances(apart)))
        self.expect_error(2, "lle: -n 20 must be at most 11", "spectrum", "apart.npy", "-m", "lle", "-k", "4",
                          "--metric", "precomputed")

    def test_a_plane_has_two_dimensions(self):
        for words in (("flat.csv", "-m", "pca"), ("d.npy", "-m", "mds", "--metric", "precomputed")):
            scree = self.report(*words, "-q")["scree"]
            self.assertEqual(scree["suggested_components"], 2, words)
        self.assertEqual(len(scree["eigenvalues"]), 2)
        self.assertEqual(scree["ratio"][1], None)  # infinite
        text = self.succeed("spectrum", "d.npy", "-m", "mds", "--metric", "precomputed", "-q").decode()
        self.assertIn("2 dimensions: all eigenvalues behind are zero", text)

    def test_the_number_of_features_is_no_gap(self):
        cube = [[((i * 7919) % 101) / 101, ((i * 104729) % 103) / 103, ((i * 1299709) % 107) / 107] for i in range(90)]
        self.write("cube.csv", as_csv(cube))
        for method in ("pca", "mds"):
            scree = self.report("cube.csv", "-m", method, "-q")["scree"]
            self.assertEqual((len(scree["eigenvalues"]), scree["suggested_components"]), (3, None))
            self.assertIn("no eigenvalue is twice", scree["reason"])

    def test_isomap_tells_the_residual_variance(self):
        report = self.report("roll.npy", "-m", "isomap", "-n", "6")
        scree = report["scree"]
        self.assertEqual(scree["residual_variance"], report["diagnostics"]["residual_variance"])
        self.assertEqual(scree["suggested_components"], 2)
        self.assertEqual(report["diagnostics"]["suggested_components"], 2)
        header, rows = table(self.succeed("spectrum", "roll.npy", "-m", "isomap", "-n", "6", "-o", "-"))
        self.assertEqual(header, ["eigenvalue", "ratio", "residual", "share", "cumulative", "residual_variance"])
        self.assertEqual([float(row[5]) for row in rows], scree["residual_variance"])
        self.assertEqual(float(rows[-1][1]), 0)

    def test_what_people_see(self):
        lines = self.succeed("spectrum", "roll.npy", "-m", "isomap", "-n", "5").decode().splitlines()
        self.assertEqual(lines[0].split(), ["EIGENVALUE", "SHARE", "SUM", "RATIO", "RESIDUAL", "RES.", "VAR."])
        self.assertEqual([line.split()[0] for line in lines[1:6]], ["1", "2", "3", "4", "5"])
        self.assertLessEqual(max(map(len, lines)), 80)
        bars = [line.count("#") for line in lines[1:6]]
        self.assertEqual(bars, sorted(bars, reverse=True))
        self.assertGreater(bars[0], 9)
        self.assertTrue(any(line.startswith("  suggested  2 dimensions: ") for line in lines))
        self.assertTrue(any(line.startswith("  solver ") for line in lines))

    def test_ways_out(self):
        words = ("spectrum", "x.csv", "-m", "pca", "-n", "2")
        expected = self.succeed(*words, "-o", "-")
        self.assertEqual(self.succeed(*words, "-o", "s.csv"), b"")
        self.assertEqual(self.read("s.csv"), expected)
        self.assertEqual(self.succeed(*words, "-o", "s.npy"), b"")
        rows = [[float(x) for x in row] for row in table(expected)[1]]
        self.assertEqual(self.read("s.npy"), as_npy(rows))
        for threads in ("1", "2", "3", "8"):
            self.assertEqual(self.succeed(*words, "-o", "-", "-j", threads), expected)

    def test_points_without_extent(self):
        self.write("same.csv", as_csv([[1.0, 2.0]] * 9))
        for method in ("pca", "mds", "isomap"):
            done = self.run_here("spectrum", "same.csv", "-m", method)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(b"warning[zero-variance]", done.stderr)
            self.assertIn(b"suggested  none: ", done.stdout)

    def parts(self):
        """Points in three parts, of 12, 30 and 18: each part by itself, too."""
        of = [[], [], []]
        rows = []
        for i, row in enumerate(points(60, 3)):
            part = (0, 0, 1, 1, 1, 1, 1, 2, 2, 2)[i % 10]
            rows.append([x + 100 * part for x in row])
            of[part].append(rows[-1])
        self.write("parts.csv", as_csv(rows))
        for number, part in enumerate(of):
            self.write(f"part{number + 1}.csv", as_csv(part))
        return [(f"part{number + 1}.csv", len(part)) for number, part in enumerate(of)]

    def test_every_component_has_its_own_list(self):
        parts = self.parts()
        for words in (("laplacian_eigenmaps", "--weights", "binary", "--components", "separate"),
                      ("laplacian_eigenmaps", "--weights", "binary", "--laplacian", "unnormalized", "--components", "keep"),
                      ("isomap", "--components", "separate"), ("lle", "--components", "separate")):
            words = ("-m", *words, "-k", "6", "-n", "3" if "keep" not in words else "5")
            report = self.report("parts.csv", *words, "-q")
            lists = report["component_spectra"]
            self.assertEqual([part["points"] for part in lists], sorted((size for _, size in parts), reverse=True))
            for part in lists:
                path, size = parts[part["component"] - 1]
                self.assertEqual(part["points"], size, words)
                alone = self.report(path, *words, "-q")["spectrum"]["values"]
                self.assertEqual(len(part["eigenvalues"]), 3)
                for value, expected in zip(part["eigenvalues"], alone):
                    self.assertAlmostEqual(value, expected, delta=1e-9 * max(1, abs(alone[0])), msg=words)
            done = self.run_here("spectrum", "parts.csv", *words).stdout.decode()
            owner = f"component {lists[0]['component']}, the largest, of {lists[0]['points']} points"
            self.assertIn("all components together" if "keep" in words else owner, done)
            for part in lists:
                self.assertRegex(done, rf"component {part['component']} +{part['points']} points: {part['eigenvalues'][0]:.6g}")
        self.assertNotIn("component_spectra", self.report("x.csv", "-m", "isomap"))

    def test_all_shows_the_one_that_is_skipped(self):
        self.write("few.csv", as_csv(points(20, 3)))
        for name, value in (("laplacian_eigenmaps", 0), ("diffusion_maps", 1)):
            done = self.run_here("spectrum", "few.csv", "-m", name)
            self.assertIn(b"19 eigenvalues instead of 20: 20 points have 20, and the trivial one is skipped: --all shows it",
                          done.stderr)
            plain = self.report("few.csv", "-m", name)["scree"]["eigenvalues"]
            done = self.run_here("spectrum", "few.csv", "-m", name, "--all")
            self.assertEqual(done.stderr, b"")
            self.assertRegex(done.stdout.decode().splitlines()[1], rf"^ +{value} .*trivial$")
            scree = self.report("few.csv", "-m", name, "--all")["scree"]
            self.assertEqual((scree["trivial"], scree["eigenvalues"]), (0, [value] + plain))
            self.assertEqual(len(self.report("few.csv", "-m", name, "--all", "-n", "4")["scree"]["eigenvalues"]), 4)
        # Among the zeros of centred distances it comes after the positive ones.
        scree = self.report("few.csv", "-m", "mds", "--all")["scree"]
        self.assertEqual((scree["trivial"], len(scree["eigenvalues"])), (3, 20))
        self.assertEqual(scree["eigenvalues"][3:], [0] * 17)
        self.assertEqual(len(self.report("few.csv", "-m", "mds", "-q")["scree"]["eigenvalues"]), 3)

    def test_parts_that_are_kept_have_a_zero_each(self):
        self.parts()
        words = ("parts.csv", "-m", "laplacian_eigenmaps", "-k", "6", "--components", "keep", "-q", "-n", "5")
        self.assertEqual(self.report(*words, "--all")["scree"]["eigenvalues"][:3], [0, 0, 0])
        self.assertEqual(self.report(*words)["scree"]["eigenvalues"][:2], [0, 0])

    def test_errors(self):
        self.expect_error(2, "spectrum: -m METHOD is missing; the methods are: pca", "spectrum", "x.csv")
        self.expect_error(2, "'spectrum -m pca' has no --n-components", "spectrum", "x.csv", "-m", "pca", "-d", "2")
        self.expect_error(2, "-n 0 must be an integer >= 1", "spectrum", "x.csv", "-m", "pca", "-n", "0")
        self.expect_error(2, "there is no method 'isomp'; did you mean 'isomap'?", "spectrum", "x.csv", "-m", "isomp")


if __name__ == "__main__":
    unittest.main()
