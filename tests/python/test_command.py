"""The package and the command give the same bytes for the same input and options, with any number of threads."""
import os
import pickle
import subprocess
import tempfile
import unittest

import numpy as np
from scipy import sparse

import unroll

UNROLL = os.environ["UNROLL"]
THREADS = (1, 2, 8)
# Options that keep the work short, or that take another way through a method.
OPTIONS = {
    "pca": [{}, {"n_components": 0.9}, {"whiten": True, "scale": "standardize"}],
    "mds": [{"metric": "manhattan"}, {"n_landmarks": 40}],
    "isomap": [{}, {"n_neighbors": 7, "n_landmarks": 50}],
    "kernel_pca": [{}, {"kernel": "poly", "degree": 2}],
    "lle": [{"n_neighbors": 9}],
    "laplacian_eigenmaps": [{}, {"graph": "full", "sigma": 0.7}],
    "diffusion_maps": [{"alpha": 0.5, "t": 2}],
    "sne": [{"n_iter": 40}],
    "tsne": [{"n_iter": 60, "early_exaggeration_iter": 30, "perplexity": [10.0]}],
    "umap": [{"n_epochs": 40}],
    "mvu": [{"n_iter": 15}],
    "autoencoder": [{"epochs": 5, "pretrain_epochs": 2}, {"epochs": 5, "layers": [20, 9], "visible": "binary"}],
    "spectral_clustering": [{"n_clusters": 3}],
}


def flags(options):
    words = []
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if isinstance(value, list):
            words += [flag, ",".join(map(str, value))]
        else:
            words += [flag] if value is True else [flag, str(value)]
    return words


class SameBytes(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        points, _ = unroll.make_dataset("s_curve", 220, random_state=3)
        self.points = points + np.random.RandomState(0).normal(size=points.shape) * 0.01

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def command(self, data, method, options):
        """The coordinates, or the labels, that the command writes."""
        name = self.path("x.npz" if sparse.issparse(data) else "x.npy")
        sparse.save_npz(name, data) if sparse.issparse(data) else np.save(name, data)
        verb = ["cluster", name] if method == "spectral_clustering" else ["embed", name, "-m", method]
        subprocess.run([UNROLL, *verb, *flags(options), "-q", "-o", self.path("y.npy"), "--save", self.path("m.unroll")],
                       check=True, capture_output=True)
        return np.load(self.path("y.npy"))

    def test_every_method(self):
        for method in (entry["name"] for entry in unroll.methods() if entry["kind"] != "labels"):
            for options in OPTIONS.get(method, [{}]):
                expected = self.command(self.points, method, options)
                for threads in THREADS:
                    with self.subTest(method=method, options=options, threads=threads):
                        model = unroll.embed(self.points, method, n_jobs=threads, return_model=True, **options)
                        found = model.labels_[:, None] if method == "spectral_clustering" else model.embedding_
                        self.assertEqual(found.astype(expected.dtype).tobytes(), expected.tobytes())

    def test_labels(self):
        known = np.where(np.arange(220) % 9 == 0, np.arange(220) % 4 + 3, -1)
        np.savetxt(self.path("known.txt"), known, fmt="%d")
        np.save(self.path("x.npy"), self.points)
        for method in ("spreading", "propagation", "eigenvectors"):
            subprocess.run([UNROLL, "label", self.path("x.npy"), "--labels", self.path("known.txt"), "--method", method, "-q", "-o",
                            self.path("y.npy"), "--probabilities", self.path("p.npy")], check=True, capture_output=True)
            found, expected = np.load(self.path("y.npy")), np.load(self.path("p.npy"))
            for threads in THREADS:
                with self.subTest(method=method, threads=threads):
                    model = unroll.embed(self.points, f"label_{method}", y=known, n_jobs=threads, return_model=True)
                    self.assertEqual(model.embedding_.tobytes(), expected.tobytes())
                    np.testing.assert_array_equal(model.labels_, found[:, 0])

    def test_sparse_features(self):
        cells = sparse.random(220, 200, 0.05, format="csr", random_state=0)
        for method, options in (("pca", {"n_components": 3}), ("isomap", {"n_neighbors": 12}),
                                ("umap", {"n_epochs": 10}), ("lle", {"n_neighbors": 9, "pca": 8})):
            expected = self.command(cells, method, {**options, "sparse": "features"})
            for threads in THREADS:
                with self.subTest(method=method, threads=threads):
                    self.assertEqual(unroll.embed(cells, method, n_jobs=threads, **options).tobytes(), expected.tobytes())

    def test_more_points_than_a_block(self):
        points, _ = unroll.make_dataset("swiss_roll", 3000, random_state=1)
        known = np.where(np.arange(3000) % 50 == 0, np.arange(3000) % 3, -1)
        for method, more in (("pca", {}), ("isomap", {"n_landmarks": 40}), ("umap", {"n_epochs": 3}),
                             ("label_spreading", {"y": known}), ("label_eigenvectors", {"y": known})):
            maps = {unroll.embed(points, method, n_jobs=threads, **more).tobytes() for threads in THREADS}
            self.assertEqual(len(maps), 1, method)

    def test_every_method_is_here(self):
        self.assertEqual(set(OPTIONS) - {entry["name"] for entry in unroll.methods()}, set())

    def test_float32(self):
        single = self.points.astype(np.float32)
        expected = self.command(single, "pca", {})
        self.assertEqual(unroll.embed(single, "pca").tobytes(), expected.tobytes())

    def test_sparse_distances(self):
        graph = unroll.kneighbors_graph(self.points, 8, mode="distance")
        expected = self.command(graph, "isomap", {"metric": "precomputed"})
        self.assertEqual(unroll.embed(graph, "isomap", metric="precomputed").tobytes(), expected.tobytes())

    def test_models_go_both_ways(self):
        fresh = self.points[:20] + 0.01
        np.save(self.path("new.npy"), fresh)
        self.command(self.points, "isomap", {"n_neighbors": 7})
        ours = unroll.Isomap(n_neighbors=7).fit(self.points)
        placed = ours.transform(fresh)
        self.assertEqual(unroll.load(self.path("m.unroll")).transform(fresh).tobytes(), placed.tobytes())
        ours.save(self.path("ours.unroll"))
        subprocess.run([UNROLL, "transform", self.path("ours.unroll"), self.path("new.npy"), "-o", self.path("z.npy")],
                       check=True, capture_output=True)
        self.assertEqual(np.load(self.path("z.npy")).tobytes(), placed.tobytes())

    def test_pickles_hold_the_model_file(self):
        ours = unroll.Isomap(n_neighbors=7).fit(self.points)
        content = pickle.dumps(ours)
        self.assertIn(ours.model_.bytes(), content)
        again = pickle.loads(content)
        self.assertEqual(again.embedding_.tobytes(), ours.embedding_.tobytes())
        self.assertEqual(again.transform(self.points[:9]).tobytes(), ours.transform(self.points[:9]).tobytes())


if __name__ == "__main__":
    unittest.main()
