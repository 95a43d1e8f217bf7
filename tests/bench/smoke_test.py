"""That bench/run gets through on little data, and that its judges can tell right from wrong. No times are looked at."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
import contender  # noqa: E402
import data  # noqa: E402
import exact  # noqa: E402
import peers  # noqa: E402
import quality  # noqa: E402
import report  # noqa: E402
import run  # noqa: E402
import suites  # noqa: E402

UNROLL = Path(os.environ["UNROLL"])


class OneSuite(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder, "RESULTS.md")
            subprocess.run([ROOT / "bench/run", "--quick", "--no-install", "--unroll", UNROLL, "--out", out, "--data",
                            Path(folder, "data"), "neighbors-exact"], check=True, capture_output=True)
            cls.markdown = out.read_text(encoding="utf-8")
            cls.result = json.loads(Path(folder, "results/neighbors-exact.json").read_text(encoding="utf-8"))
        # A command without this verb is a failure in the table, and no failure of the benchmark.
        cls.verb = subprocess.run([UNROLL, "help", "neighbors"], capture_output=True, check=False).returncode == 0

    def contenders(self):
        return [figures for row in self.result["rows"] for figures in row["contenders"]]

    def test_every_contender_got_through_or_is_not_there(self):
        self.assertEqual([len(row["contenders"]) for row in self.result["rows"]], [3, 3])
        for figures in self.contenders():
            with self.subTest(figures["name"]):
                needed = figures["name"].startswith(("scikit-learn", "scipy")) or (figures["ours"] and self.verb)
                allowed = {"ok"} if needed else {"ok", "failed"} if figures["ours"] else {"ok", "skipped"}
                self.assertIn(figures["status"], allowed, figures["reason"])

    def test_figures_and_qualities(self):
        for figures in self.contenders():
            if figures["status"] == "ok":
                with self.subTest(figures["name"]):
                    self.assertEqual(len(figures["fit_s"]), 1)
                    self.assertGreater(figures["fit_s"][0], 0)
                    self.assertGreaterEqual(figures["whole_s"][0], figures["fit_s"][0])
                    self.assertGreater(figures["peak_mb"][0], 1)
                    self.assertEqual(figures["quality"]["recall"], 1)
                    # faiss computes in single precision, all others in double.
                    limit = 1e-5 if "faiss" in figures["name"] else 1e-12
                    self.assertLess(figures["quality"]["distance error"], limit)

    def test_the_table_has_them_all(self):
        lines = [line for line in self.markdown.splitlines() if line.startswith(("| digits", "| Swiss roll"))]
        self.assertEqual(len(lines), 6)
        for line, figures in zip(lines, self.contenders(), strict=True):
            self.assertIn(f"| {figures['name']} |", line)
            self.assertIn("| 1.0000 |" if figures["status"] == "ok" else figures["status"], line)
        self.assertIn("| CPU |", self.markdown)
        self.assertIn(self.result["commit"], self.markdown)


class Suites(unittest.TestCase):
    def test_every_peer_is_there(self):
        named = {one.peer for suite in suites.SUITES.values() for quick in (True, False) for row in suite.rows(quick)
                 for one in row.contenders if one.kind == "python"}
        self.assertEqual(named - set(peers.PEERS), set())


class Report(unittest.TestCase):
    def test_sections_without_a_result_stay(self):
        before = "# Head\n\n## Isomap\n\nold rows\n\n## PCA\n\nold too\n"
        machine = {"CPU": "one"}
        result = {"suite": "pca", "title": "PCA", "basis": "whole", "note": "", "threads": 2, "repeat": 1, "date": "2000-01-01",
                  "commit": "abc", "load": 0.0, "machine": machine, "unroll": "unroll", "versions": {}, "rows": []}
        text = report.markdown([result], {}, ["PCA", "Isomap"], before)
        self.assertLess(text.index("## PCA"), text.index("## Isomap"))
        self.assertIn("old rows", text)
        self.assertNotIn("old too", text)


class Judges(unittest.TestCase):
    def setUp(self):
        # On a line with growing gaps: the nearest of i are i - 1 and i - 2.
        self.points = np.array([[0.0], [1], [3], [7], [15], [31]])
        self.reference = exact.true_neighbors(self.points, 2)
        self.right = np.array([[1, 2], [0, 2], [1, 0], [2, 1], [3, 2], [4, 3]])

    def test_recall(self):
        self.assertEqual(exact.recall(self.points, self.reference, self.right), 1)
        for name, neighbor in (("too far", 5), ("itself", 0), ("twice", 2), ("none", -1)):
            with self.subTest(name):
                wrong = self.right.copy()
                wrong[0, 0] = neighbor
                self.assertAlmostEqual(exact.recall(self.points, self.reference, wrong), 11 / 12)

    def test_distance_error(self):
        told = np.abs(self.points[self.right, 0] - self.points)
        self.assertEqual(exact.distance_error(self.reference, told), 0)
        told[3, 1] *= 1.5
        self.assertAlmostEqual(exact.distance_error(self.reference, told), 0.5)

    def test_trustworthiness_is_that_of_scikit_learn(self):
        from sklearn.manifold import trustworthiness
        points = np.random.default_rng(0).normal(size=(300, 5))
        self.assertAlmostEqual(quality.sampled_trustworthiness(points, points[:, :2], 7),
                               trustworthiness(points, points[:, :2], n_neighbors=7), 12)

    def test_labels_of_the_nearest(self):
        low = np.array([[0.0, 0], [1, 0], [2, 0], [10, 0], [11, 0], [12, 0]])
        self.assertEqual(quality.label_accuracy(low, np.array([0, 0, 0, 1, 1, 1]), 2), 1)
        self.assertAlmostEqual(quality.label_accuracy(low, np.array([0, 0, 0, 1, 1, 0]), 1), 5 / 6)

    def test_labels_are_those_of_the_file(self):
        labels = data.labels(Path("digits-20-float64.npy"), 20)
        self.assertEqual(labels.tolist(), 2 * list(range(10)))
        self.assertIsNone(data.labels(Path("swiss-roll-20-float64.npy"), 20))

    def test_divergence_is_that_of_scikit_learn(self):
        from scipy.spatial.distance import pdist, squareform
        from sklearn.manifold._t_sne import _joint_probabilities, _kl_divergence
        random = np.random.default_rng(0)
        points, low = random.normal(size=(91, 5)), random.normal(size=(91, 2))  # of 91, all others are neighbours
        p = _joint_probabilities(squareform(pdist(points, "sqeuclidean")), 30, 0)
        with tempfile.TemporaryDirectory() as folder:
            np.save(Path(folder, "x.npy"), points)
            found = quality.divergence(quality.tsne_affinities(Path(folder, "x.npy"), 30), low)
        self.assertAlmostEqual(found, _kl_divergence(low.ravel(), p, 1, 91, 2)[0], 5)

    def test_the_mean_of_several_seeds(self):
        self.assertEqual(run.means([{"trust@10": 0.5, "KL": 2}, {"trust@10": 1, "KL": 4}]), {"trust@10": 0.75, "KL": 3})
        self.assertEqual(run.means([]), {})

    def test_the_point_itself_is_taken_out_by_its_index(self):
        # Point 0 has a duplicate that comes first; point 1 did not find itself.
        found = peers.graph(np.array([[4, 0, 2], [3, 2, 0]]), np.array([[0.0, 0, 1], [1, 2, 3]]))
        outcome = peers.without_self(found, 2)
        self.assertEqual(outcome.arrays["indices"].tolist(), [[4, 2], [3, 2]])
        self.assertEqual(outcome.arrays["distances"].tolist(), [[0, 1], [1, 2]])

    def test_growth(self):
        self.assertAlmostEqual(report.growth([(10, 3.0), (100, 300.0), (1000, 30000.0)]), 2)
        self.assertIsNone(report.growth([(10, 3.0), (10, 4.0)]))


class MapJudges(unittest.TestCase):
    """Of maps that the command has written."""

    def judged(self, function, points, places, fit_s=0.0, **told):
        with tempfile.TemporaryDirectory() as folder:
            files = contender.Files(Path(folder, "data.npy"), Path(folder, "out"))
            np.save(files.data, points)
            np.save(files.out.with_suffix(".npy"), places)
            return function(contender.ours("embed"), contender.Run(fit_s, report={"diagnostics": told}), files, 10)

    def test_stress(self):
        points = np.random.default_rng(0).normal(size=(20, 2))
        self.assertEqual(self.judged(quality.metric_stress, points, points)["stress"], 0)
        half = self.judged(quality.metric_stress, points, points / 2)
        self.assertAlmostEqual(half["normalized stress"], 0.5)
        squares = ((points[:, None] - points) ** 2).sum() / 2
        self.assertAlmostEqual(half["stress"], squares / 4)

    def test_unfolding(self):
        roll = data.swiss_roll(50)
        told = {"violation": 1e-3, "constraints": 200, "n_iter": 100}
        right = self.judged(quality.unfolded, roll, roll, 2e-3, **told)
        self.assertAlmostEqual(right["ns / iteration / pair"], 100)
        self.assertAlmostEqual(right["R2 across"], 1)
        self.assertLess(right["R2 along"], 0.9)
        self.assertEqual(right["pairs"], 200)

    def test_what_is_lost_beside_pca(self):
        told = {"reconstruction_error": 3.0, "pca_error": 4.0}
        self.assertEqual(self.judged(quality.rebuilt, np.eye(3), np.eye(3), **told), {"loss / PCA's": 0.75})


class PartJudges(unittest.TestCase):
    """What parts have found, in the files of their programs."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.files = contender.Files(Path(folder.name, "torus.npy"), Path(folder.name, "out"),
                                     Path(folder.name, "a.matrix"))
        side, n = 6, 36  # the graph of a torus
        near = [[(i // side * side + (i + 1) % side), (i // side * side + (i - 1) % side), (i + side) % n, (i - side) % n]
                for i in range(n)]
        self.matrix = np.eye(n)
        for i, row in enumerate(near):
            self.matrix[i, row] = -0.25
        with self.files.companion.open("wb") as file:
            for part in ([n, 5 * n], 5 * np.arange(n + 1), np.nonzero(self.matrix)[1], self.matrix[self.matrix != 0]):
                np.asarray(part, None if np.asarray(part).dtype == float else np.int64).tofile(file)

    def judged(self, function, numbers, k=0):
        np.asarray(numbers, float).tofile(self.files.out.with_suffix(".numbers"))
        return function(None, contender.Run(report={"details": {}}), self.files, k)

    def test_the_matrix_is_read(self):
        self.assertTrue((data.read_matrix(self.files.companion).toarray() == self.matrix).all())

    def test_solutions(self):
        n = len(self.matrix)
        b = np.cos(np.arange(n)[:, None] + 0.1 * np.arange(8))
        x = np.linalg.solve(self.matrix + 1e-8 * np.eye(n), b)
        self.assertLess(self.judged(quality.solved, x.T.ravel())["error"], 1e-14)
        x[3, 5] *= 1.5
        self.assertGreater(self.judged(quality.solved, x.T.ravel())["error"], 1e-6)

    def test_eigenpairs(self):
        values, vectors = np.linalg.eigh(self.matrix)
        right = self.judged(quality.eigenpairs, np.concatenate([values[:5], vectors[:, :5].T.ravel()]), 5)
        self.assertLess(right["residual error"], 1e-14)
        self.assertEqual(right["missed"], 0)
        some = [0, 1, 2, 3, 5]  # the fourth of four equal ones is left out
        gap = self.judged(quality.eigenpairs, np.concatenate([values[some], vectors[:, some].T.ravel()]), 5)
        self.assertLess(gap["residual error"], 1e-14)
        self.assertEqual(gap["missed"], 1)
        wrong = self.judged(quality.eigenpairs, np.concatenate([values[:5] + 0.1, vectors[:, :5].T.ravel()]), 5)
        self.assertGreater(wrong["residual error"], 0.01)

    def test_a_program_that_is_not_built_is_skipped(self):
        nowhere = contender.Machinery(Path("/tmp/unroll-is-not-here/unroll"), 1, 60)
        with self.assertRaises(contender.Skipped):
            contender.run(contender.part("order", "amd"), self.files, 1, nowhere)


class Processes(unittest.TestCase):
    def run_of(self, *command):
        return contender.measured(list(command), dict(os.environ), 600)

    def test_memory_is_that_of_the_command_alone(self):
        ballast = np.ones(40_000_000)  # 320 MB that the command must not be charged for
        self.assertLess(self.run_of("true")[0]["peak_mb"], 100)
        self.assertEqual(ballast[-1], 1)
        figures, _ = self.run_of(sys.executable, "-c", "len(b'1' * 300_000_000)")
        self.assertGreater(figures["peak_mb"], 300)
        self.assertGreater(figures["cpu_s"], 0)

    def test_how_a_command_ended(self):
        with self.assertRaisesRegex(contender.Failed, "exit code 1"):
            self.run_of("false")
        with self.assertRaisesRegex(contender.Failed, "signal 15"):
            self.run_of("sh", "-c", "kill -TERM $$")
        with self.assertRaisesRegex(contender.Skipped, "is not installed"):
            self.run_of("unroll-has-no-such-command")
        self.assertEqual(self.run_of("echo", "hello")[1], "hello\n")


if __name__ == "__main__":
    unittest.main()
