"""Methods that optimise a map: starts from a file, frames, going on from a model, Ctrl-C."""
import json
import os
import signal
import unittest

from harness import PATIENCE, CliTest, as_csv, default_signals, object_in, points, start, table


class Layouts(CliTest):
    def setUp(self):
        super().setUp()
        self.write("x.csv", as_csv(points(60, 4)))

    def test_a_start_from_a_file(self):
        first = points(60, 2)
        self.write("start.csv", as_csv(first))
        _, rows = table(self.succeed("embed", "x.csv", "-m", "tsne", "--init", "start.csv", "--n-iter", "0"))
        self.assertEqual([[float(x) for x in row] for row in rows], first)
        self.write("few.csv", as_csv(first[:50]))
        self.expect_error(3, "the start has 50 rows and 2 columns, but the map has 60 points", "embed", "x.csv", "-m",
                          "tsne", "--init", "few.csv")
        self.expect_error(1, "nowhere.csv", "embed", "x.csv", "-m", "tsne", "--init", "nowhere.csv")
        self.expect_error(2, "no start came with the input", "embed", "x.csv", "-m", "tsne", "--init", "given")

    def test_frames(self):
        self.succeed("embed", "x.csv", "-m", "tsne", "--frames", "film", "-o", "y.csv")
        names = sorted(os.listdir(self.path("film")))
        self.assertEqual(names, [f"frame-{i:03}.csv" for i in range(len(names))])
        self.assertGreater(len(names), 20)
        self.assertLess(len(names), 100)
        self.assertEqual(self.read(f"film/{names[-1]}"), self.read("y.csv"))
        self.assertNotEqual(self.read(f"film/{names[0]}"), self.read("y.csv"))
        self.expect_error(2, "--frames is for methods that optimise a map, which pca does not", "embed", "x.csv", "-m",
                          "pca", "--frames", "film")

    def test_going_on_from_a_model(self):
        whole = self.succeed("embed", "x.csv", "-m", "tsne", "--perplexity", "7", "--n-iter", "300")
        self.succeed("embed", "x.csv", "-m", "tsne", "--perplexity", "7", "--n-iter", "120", "--save", "half.unroll", "-o",
                     "half.csv")
        # Options that are not given are those of the model.
        self.assertEqual(self.succeed("embed", "x.csv", "-m", "tsne", "--resume", "half.unroll", "--n-iter", "300"), whole)
        self.expect_error(2, "--perplexity 8, but the model to go on from has 7", "embed", "x.csv", "-m", "tsne",
                          "--resume", "half.unroll", "--perplexity", "8")
        self.expect_error(2, "--resume is for methods that optimise a map", "embed", "x.csv", "-m", "pca", "--resume",
                          "half.unroll")

    def test_a_network_goes_on_from_a_model_and_gives_points_back(self):
        words = ("embed", "x.csv", "-m", "autoencoder", "--layers", "9,5")
        whole = self.succeed(*words, "--epochs", "12", "--save", "whole.unroll")
        self.succeed(*words, "--epochs", "5", "--save", "half.unroll", "--frames", "film", "-o", "half.csv")
        self.assertGreater(len(os.listdir(self.path("film"))), 10)
        self.assertEqual(self.succeed("embed", "x.csv", "-m", "autoencoder", "--resume", "half.unroll", "--epochs", "12"),
                         whole)
        self.write("code.csv", whole)
        _, back = table(self.succeed("transform", "whole.unroll", "code.csv", "--inverse"))
        self.assertEqual((len(back), len(back[0])), (60, 4))
        self.expect_error(2, "an optimised map has no eigenvalues", "spectrum", "x.csv", "-m", "autoencoder")

    def test_the_first_interrupt_keeps_the_map(self):
        self.write("many.csv", as_csv(points(1500, 4)))
        words = ("embed", "many.csv", "-m", "tsne", "--n-iter", "1000000", "--tol", "0", "-o", "y.csv", "--save",
                 "m.unroll", "--progress", "json")
        process = start(*words, cwd=self.folder, preexec_fn=default_signals)
        for line in process.stderr:
            if json.loads(line)["stage"] == "t-SNE":
                break
        process.send_signal(signal.SIGINT)
        rest = process.stderr.read().decode()
        process.stderr.close()
        self.assertEqual(process.wait(timeout=PATIENCE), 0)
        self.assertIn("warning[finished-early]: stopped on request after ", rest)
        self.assertEqual(len(table(self.read("y.csv"))[1]), 1500)
        self.assertLess(object_in(self.succeed("info", "m.unroll", "--json"))["diagnostics"]["n_iter"], 1000000)

    def test_terminating_keeps_nothing(self):
        self.write("many.csv", as_csv(points(1500, 4)))
        process = start("embed", "many.csv", "-m", "tsne", "--n-iter", "1000000", "--tol", "0", "-o", "y.csv",
                        "--progress", "json", cwd=self.folder, preexec_fn=default_signals)
        for line in process.stderr:
            if json.loads(line)["stage"] == "t-SNE":
                break
        process.send_signal(signal.SIGTERM)
        process.stderr.read()
        process.stderr.close()
        self.assertEqual(process.wait(timeout=PATIENCE), 143)
        self.assertNotIn("y.csv", self.files())

    def test_an_optimised_map_has_no_spectrum(self):
        self.expect_error(2, "an optimised map has no eigenvalues", "spectrum", "x.csv", "-m", "tsne")


if __name__ == "__main__":
    unittest.main()
