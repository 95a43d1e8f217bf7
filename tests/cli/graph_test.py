"""unroll graph: what a graph tells by itself."""
import math
import unittest

from harness import CliTest, as_csv, as_npy, object_in, points, table


def path_weights(n):
    return [[1.0 if abs(i - j) == 1 else 0.0 for j in range(n)] for i in range(n)]


def matrix_market(n, edges):
    lines = ["%%MatrixMarket matrix coordinate real symmetric", f"{n} {n} {len(edges)}"]
    return ("\n".join(lines + [f"{max(i, j) + 1} {min(i, j) + 1} {w}" for i, j, w in edges]) + "\n").encode()


class Graph(CliTest):
    def setUp(self):
        super().setUp()
        self.write("path.npy", as_npy(path_weights(12)))
        self.write("x.csv", as_csv(points(60, 3)))

    def report(self, *words):
        return object_in(self.succeed("graph", *words, "--json"))

    def rows(self, *words):
        header, rows = table(self.succeed("graph", *words, "-o", "-"))
        return header, [[float(x) for x in row] for row in rows]

    def test_fiedler_vector_of_a_path(self):
        words = ("path.npy", "fiedler", "--weights", "precomputed")
        self.assertAlmostEqual(self.report(*words)["fiedler"]["lambda2"], 1 - math.cos(math.pi / 11), delta=1e-12)
        report = self.report(*words, "--laplacian", "unnormalized")
        self.assertAlmostEqual(report["fiedler"]["lambda2"], 2 - 2 * math.cos(math.pi / 12), delta=1e-12)
        self.assertEqual((report["graph"]["points"], report["graph"]["edges"], report["graph"]["components"]), (12, 11, 1))
        header, rows = self.rows(*words)
        self.assertEqual(header, ["fiedler"])
        for i, (value,) in enumerate(rows):
            self.assertAlmostEqual(value / rows[0][0], math.cos(math.pi * i / 11), delta=1e-8)
        self.assertIn("lambda_2", self.succeed("graph", *words).decode())

    def test_points_and_a_radius_are_the_same_path(self):
        self.write("line.csv", as_csv([[float(i)] for i in range(12)]))
        words = ("line.csv", "fiedler", "--radius", "1", "--weights", "binary")
        self.assertAlmostEqual(self.report(*words)["fiedler"]["lambda2"], 1 - math.cos(math.pi / 11), delta=1e-12)

    def test_sparse_weights(self):
        self.write("path.mtx", matrix_market(12, [(i, i + 1, 1.0) for i in range(11)]))
        one = self.report("path.mtx", "sweep", "--weights", "precomputed")
        other = self.report("path.npy", "sweep", "--weights", "precomputed")
        self.assertEqual(one["sweep"]["sizes"], [6, 6])
        self.assertAlmostEqual(one["sweep"]["conductance"], 1 / 11, delta=1e-14)
        self.assertAlmostEqual(other["sweep"]["conductance"], 1 / 11, delta=1e-14)

    def test_sweep_and_cheeger(self):
        report = self.report("x.csv", "sweep", "-k", "6")
        found = report["sweep"]
        low, high = found["cheeger_bounds"]
        self.assertAlmostEqual(low, found["lambda2"] / 2, delta=1e-13)
        self.assertAlmostEqual(high, math.sqrt(2 * found["lambda2"]), delta=1e-11)
        self.assertTrue(low <= found["conductance"] <= high)
        header, rows = self.rows("x.csv", "sweep", "-k", "6")
        self.assertEqual(header, ["fiedler", "side"])
        self.assertEqual(sum(side for _, side in rows), found["sizes"][0])
        threshold = max(value for value, side in rows if side)
        self.assertTrue(all(value >= threshold for value, side in rows if not side))
        self.assertIsNone(self.report("x.csv", "sweep", "--laplacian", "unnormalized")["sweep"]["cheeger_bounds"])
        self.assertIn("lowest conductance", self.succeed("graph", "x.csv", "sweep").decode())
        symmetric = self.report("x.csv", "sweep", "-k", "6", "--laplacian", "symmetric")["sweep"]
        self.assertAlmostEqual(symmetric["conductance"], found["conductance"], delta=1e-12)

    def test_conductance_of_the_sweep_is_told_again(self):
        self.succeed("graph", "x.csv", "sweep", "-k", "6", "-o", "sweep.csv")
        sides = [[float(row[1])] for row in table(self.read("sweep.csv"))[1]]
        self.write("sides.csv", as_csv(sides, "side"))
        swept, told = self.report("x.csv", "sweep", "-k", "6"), self.report("x.csv", "conductance", "-k", "6", "--labels",
                                                                         "sides.csv")
        self.assertAlmostEqual(told["conductance"]["conductance"], swept["sweep"]["conductance"], delta=1e-14)
        self.write("both.csv", as_csv([row + ["ab"[int(side[0])]] for row, side in zip(points(60, 3), sides)])
                   .replace(b"'", b""))
        again = self.report("both.csv", "conductance", "-k", "6", "--label-column", "4")
        self.assertAlmostEqual(again["conductance"]["conductance"], swept["sweep"]["conductance"], delta=1e-14)
        self.assertEqual(sorted(again["conductance"]["labels"]), ["a", "b"])

    def test_conductance_of_three_labels(self):
        self.write("three.csv", as_csv([[float(i // 4)] for i in range(12)]))
        words = ("path.npy", "conductance", "--weights", "precomputed", "--labels", "three.csv")
        self.assertEqual(self.report(*words)["conductance"]["conductance"], [1 / 7, 2 / 8, 1 / 7])
        header, rows = table(self.succeed("graph", *words, "-o", "-"))
        self.assertEqual(header[1:], ["points", "cut", "volume", "conductance", "normalized_cut"])
        self.assertEqual([row[0] for row in rows], ["0", "1", "2"])

    def test_disconnected(self):
        self.write("two.mtx", matrix_market(6, [(0, 1, 1), (1, 2, 1), (3, 4, 1), (4, 5, 1)]))
        done = self.run_here("graph", "two.mtx", "fiedler", "--weights", "precomputed", "-o", "f.csv")
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"2 components", done.stderr)
        for row in table(self.read("f.csv"))[1]:
            self.assertAlmostEqual(abs(float(row[0])), 8 ** -0.5, delta=1e-15)  # unlike signs; the sum of d f^2 is 1
        self.assertIn(b"give weights between the components", done.stderr)
        self.expect_error(3, "give weights between the components", "graph", "two.mtx", "distances", "--weights", "precomputed",
                          "--from", "0")

    def test_mutual_neighbors(self):
        edges = [self.report("x.csv", "fiedler", "-k", "6", "--symmetrization", rule)["graph"]["edges"]
                 for rule in ("union", "average", "mutual")]
        self.assertEqual(edges[0], edges[1])
        self.assertLess(edges[2], edges[0])

    def test_heat(self):
        words = ("path.npy", "heat", "--weights", "precomputed", "--t", "3")
        header, rows = self.rows(*words, "--from", "4")
        self.assertEqual(header, ["heat0"])
        self.assertAlmostEqual(sum(row[0] for row in rows), 1, delta=1e-13)
        wave = [[math.cos(math.pi * (i + 0.5) / 12), 1.0] for i in range(12)]
        self.write("f.csv", as_csv(wave, "wave,one"))
        header, rows = self.rows(*words, "--values", "f.csv")
        self.assertEqual(header, ["wave", "one"])
        decay = math.exp(-3 * (2 - 2 * math.cos(math.pi / 12)))
        for (start, _), (value, one) in zip(wave, rows):
            self.assertAlmostEqual(value, decay * start, delta=1e-13)
            self.assertAlmostEqual(one, 1, delta=1e-13)

    def test_kernels_are_for_kernel_pca(self):
        for quantity, value in ((("inverse",), lambda l: 1 / l),
                                (("diffusion-kernel", "--beta", "0.5"), lambda l: math.exp(-0.5 * l))):
            self.succeed("graph", "path.npy", *quantity, "--weights", "precomputed", "-o", "k.npy")
            fitted = object_in(self.succeed("embed", "k.npy", "-m", "kernel_pca", "--kernel", "precomputed", "-d", "3",
                                            "--json"))
            for i, found in enumerate(fitted["spectrum"]["values"]):
                self.assertAlmostEqual(found, value(2 - 2 * math.cos(math.pi * (i + 1) / 12)), delta=1e-11)

    def test_distances(self):
        header, rows = self.rows("x.csv", "distances", "--from", "7", "-k", "8", "--components", "connect")
        self.assertEqual(header, ["euclidean", "geodesic", "diffusion"])
        own = points(60, 3)
        for place, (straight, along, walk) in zip(own, rows):
            self.assertAlmostEqual(straight, math.dist(place, own[7]), delta=1e-12)
            self.assertGreaterEqual(along, straight - 1e-12)
            self.assertGreaterEqual(walk, 0)
        self.assertEqual(rows[7], [0, 0, 0])
        self.succeed("embed", "x.csv", "-m", "diffusion_maps", "-k", "8", "-d", "59", "-q", "-o", "map.csv")
        coordinates = [[float(x) for x in row] for row in table(self.read("map.csv"))[1]]
        for row, (_, _, walk) in zip(coordinates, rows):
            self.assertAlmostEqual(walk, math.dist(row, coordinates[7]), delta=1e-8)
        header, rows = self.rows("path.npy", "distances", "--from", "3", "--weights", "precomputed")
        self.assertEqual(header, ["geodesic", "diffusion"])
        self.assertEqual([row[0] for row in rows], [abs(i - 3) for i in range(12)])
        self.assertEqual(self.rows("x.csv", "distances", "--from", "0", "--graph", "full")[0], ["euclidean", "diffusion"])

    def test_tiny_and_huge_weights_and_times(self):
        for scale in (1e-305, 1e-150, 1e300):
            self.write("scaled.npy", as_npy([[scale * w for w in row] for row in path_weights(12)]))
            for quantity in (("fiedler",), ("sweep",), ("heat", "--from", "3"), ("diffusion-kernel",), ("inverse",),
                             ("distances", "--from", "3"), ("heat", "--from", "3", "--laplacian", "random_walk")):
                words = ("scaled.npy", *quantity, "--weights", "precomputed")
                self.assertNotIn(None, self.report(*words)[quantity[0].replace("-", "_")].values(), words)
                self.assertNotIn(b"nan", self.succeed("graph", *words, "-o", "-").lower(), words)
        for quantity in (("heat", "--from", "3", "--t", "1e-150"), ("diffusion-kernel", "--beta", "1e-120")):
            printed = self.succeed("graph", "path.npy", *quantity, "--weights", "precomputed").decode()
            self.assertNotIn("nan", printed)
        self.write("tiny.npy", as_npy([[1e-308 * w for w in row] for row in path_weights(12)]))
        self.expect_error(3, "multiply the weights", "graph", "tiny.npy", "inverse", "--weights", "precomputed")

    def test_two_cliques_and_a_thin_edge(self):
        for weight in (1e-9, 1e-12, 1e-14, 1e-18, 1e-40):
            edges = [(20 * part + i, 20 * part + j, 1.0) for part in (0, 1) for i in range(20) for j in range(i)]
            self.write("thin.mtx", matrix_market(40, edges + [(3, 25, weight)]))
            done = self.run_here("graph", "thin.mtx", "sweep", "--weights", "precomputed", "--json")
            found = object_in(done.stdout)["sweep"]
            self.assertEqual(b"nearly falls apart" in done.stderr, weight < 1e-9)
            low, high = found["cheeger_bounds"]
            self.assertTrue(0.99 * weight / 380 <= low <= found["conductance"] <= high)
            self.assertAlmostEqual(found["lambda2"] * 190 / weight, 1, delta=1e-6)
            kernel = self.rows("thin.mtx", "inverse", "--weights", "precomputed")[1]
            self.assertAlmostEqual(weight * (kernel[3][3] + kernel[25][25] - 2 * kernel[3][25]), 1, delta=1e-9)

    def test_long_times_of_few_points(self):
        for words in (("heat", "--from", "3", "--t", "1e12"), ("diffusion-kernel", "--beta", "1e12")):
            for row in self.rows("path.npy", *words, "--weights", "precomputed")[1]:
                for value in row:
                    self.assertAlmostEqual(value, 1 / 12, delta=1e-12)

    def test_options_that_a_quantity_does_not_take(self):
        taken = {"fiedler": "laplacian", "sweep": "laplacian", "conductance": "labels", "heat": "laplacian from values t",
                 "diffusion-kernel": "laplacian beta", "inverse": "laplacian", "distances": "from t alpha"}
        values = {"laplacian": "symmetric", "from": "3", "values": "f.csv", "labels": "l.csv", "t": "5", "beta": "2",
                  "alpha": "0.5"}
        for quantity, own in taken.items():
            for option, value in values.items():
                words = ("path.npy", quantity, "--weights", "precomputed", "--" + option, value)
                if option in own.split():
                    self.assertNotIn(b"applies to", self.run_here("graph", *words).stderr)
                    continue
                *others, last = (other for other in taken if option in taken[other].split())
                owners = f"{', '.join(others)} and {last}" if others else last
                self.expect_error(2, f"--{option} applies to {owners}, not to {quantity}; leave it out", "graph", *words)
        self.write("f.csv", as_csv([[1.0]] * 12))
        self.expect_error(2, "give either --from or --values, not both", "graph", "path.npy", "heat", "--weights", "precomputed", "--from", "3",
                          "--values", "f.csv")

    def test_a_point_without_edges(self):
        self.write("lonely.npy", as_npy([row + [0.0] for row in path_weights(4)] + [[0.0] * 5]))
        text = self.expect_error(3, "give it weights, or leave its row and column out", "graph", "lonely.npy", "distances",
                                 "--from", "0", "--weights", "precomputed")
        self.assertNotIn("loops", text)

    def test_one_is_singular(self):
        self.write("two.npy", as_npy(path_weights(2)))
        printed = self.succeed("graph", "two.npy", "sweep", "--weights", "precomputed").decode()
        self.assertIn("2 points, 1 edge, 1 component\n", printed)
        self.assertIn("1 and 1 point\n", printed)
        self.write("three.csv", as_csv([[0.0], [1.0], [2.0]]))
        self.write("w.npy", as_npy(path_weights(3)))
        self.assertIn("conductance 1, 1 point\n", self.succeed("graph", "w.npy", "conductance", "--weights", "precomputed",
                                                               "--labels", "three.csv").decode())

    def test_many_labels(self):
        n = 3000
        self.write("cycle.mtx", matrix_market(n, [(i, (i + 1) % n, 1.0) for i in range(n)]))
        self.write("labels.csv", as_csv([[float(i)] for i in range(n)]))
        report = self.report("cycle.mtx", "conductance", "--weights", "precomputed", "--labels", "labels.csv")
        self.assertEqual(report["conductance"]["conductance"], [1.0] * n)

    def test_threads_do_not_matter(self):
        for quantity in (("sweep",), ("heat", "--from", "0"), ("inverse",), ("distances", "--from", "0")):
            first = self.succeed("graph", "x.csv", *quantity, "-o", "-", "-j", "1")
            self.assertEqual(first, self.succeed("graph", "x.csv", *quantity, "-o", "-", "-j", "3"))

    def test_errors(self):
        self.expect_error(2, "did you mean 'fiedler'", "graph", "x.csv", "fielder")
        self.expect_error(2, "--from is missing", "graph", "x.csv", "distances")
        self.expect_error(2, "--values FILE", "graph", "x.csv", "heat")
        self.expect_error(2, "points are 0 to 59", "graph", "x.csv", "heat", "--from", "60")
        self.expect_error(2, "points are 0 to 59", "graph", "x.csv", "distances", "--from", "60")
        self.expect_error(2, "--labels FILE", "graph", "x.csv", "conductance")
        self.expect_error(2, "no kernel", "graph", "x.csv", "inverse", "--laplacian", "random_walk")
        self.write("one.csv", as_csv([[0.0]] * 60))
        self.expect_error(3, "on one side", "graph", "x.csv", "conductance", "--labels", "one.csv")
        self.expect_error(3, "one column of 12", "graph", "path.npy", "conductance", "--weights", "precomputed",
                          "--labels", "one.csv")
        self.expect_error(2, "--components connect adds the shortest edges", "graph", "path.npy", "fiedler", "--weights",
                          "precomputed", "--components", "connect")
        self.write("bad.npy", as_npy([[0, 1, 2], [1, 0, -3], [2, -3, 0]]))
        self.expect_error(3, "row 2 has the weight -3 in column 3", "graph", "bad.npy", "fiedler", "--weights", "precomputed")
        self.expect_error(5, "", "graph", "x.csv", "inverse", "--memory-budget", "1KiB")


if __name__ == "__main__":
    unittest.main()
