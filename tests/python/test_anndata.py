"""Maps in AnnData objects: where they are put, whose neighbors they stand on, what is told of them."""
import os
import tempfile
import unittest
import warnings

import anndata
import numpy as np

import unroll
import unroll.anndata


def make_cells(count=120, features=12):
    """Two groups of cells, with principal components."""
    points = np.random.RandomState(0).normal(size=(count, features)).astype(np.float32)
    points[::2, 0] += 8
    cells = anndata.AnnData(points)
    cells.obsm["X_pca"] = unroll.PCA(5).fit_transform(points)
    return cells


def add_neighbors(cells, count, key="neighbors", metric="euclidean", rep="X_pca", **more):
    """As scanpy.pp.neighbors does: entries in the order of columns, in float32."""
    distances = key if key == "distances" else "distances" if key == "neighbors" else f"{key}_distances"
    points = cells.obsm[rep][:, :more.get("n_pcs")] if rep in cells.obsm else cells.X
    graph = unroll.kneighbors_graph(points, count, mode="distance", metric=metric)
    graph.sort_indices()
    cells.obsp[distances] = graph.astype(np.float32)
    cells.uns[key] = {"distances_key": distances, "params": {"n_neighbors": count + 1, "metric": metric, "use_rep": rep,
                                                             **more}}


class Embed(unittest.TestCase):
    def setUp(self):
        caught = warnings.catch_warnings()
        caught.__enter__()
        self.addCleanup(caught.__exit__, None, None, None)
        warnings.simplefilter("ignore")
        self.cells = make_cells()

    def test_every_method(self):
        small = {"sne": {"n_iter": 5}, "tsne": {"n_iter": 10}, "umap": {"n_epochs": 10},
                 "mvu": {"n_iter": 10, "components": "separate"}}
        add_neighbors(self.cells, 15)
        for entry in unroll.methods():
            name = entry["name"]
            if entry["kind"] == "labels":
                continue
            with self.subTest(name):
                key = "X_our_pca" if name == "pca" else f"X_{name}"
                more = {"key_added": key} if name == "pca" else {}
                self.assertIsNone(unroll.anndata.embed(self.cells, name, **more, **small.get(name, {})))
                self.assertEqual(self.cells.obsm[key].shape[0], 120)
                said = self.cells.uns["unroll"][key]
                self.assertEqual((said["method"], said["use_rep"]), (name, "X_pca"))
                self.assertEqual(said["neighbors"], "obsp" if "n_neighbors" in said["options"] else "searched")

    def test_the_representation(self):
        for use_rep, n_pcs, points in ((None, None, self.cells.obsm["X_pca"]), ("X_pca", 3, self.cells.obsm["X_pca"][:, :3]),
                                       ("X", None, self.cells.X)):
            unroll.anndata.embed(self.cells, "isomap", use_rep=use_rep, n_pcs=n_pcs)
            np.testing.assert_array_equal(self.cells.obsm["X_isomap"], unroll.embed(np.ascontiguousarray(points), "isomap"))
        unroll.anndata.embed(self.cells, "pca", n_components=3)
        np.testing.assert_array_equal(self.cells.obsm["X_pca"], unroll.embed(self.cells.X, "pca", n_components=3))
        self.assertEqual(self.cells.uns["unroll"]["X_pca"]["use_rep"], "X")
        del self.cells.obsm["X_pca"]
        unroll.anndata.embed(self.cells, "isomap")
        self.assertEqual(self.cells.uns["unroll"]["X_isomap"]["use_rep"], "X")
        with self.assertRaisesRegex(KeyError, "use_rep='X_no' is not in obsm"):
            unroll.anndata.embed(self.cells, "pca", use_rep="X_no")

    def test_known_neighbors_are_used(self):
        """They are the graph that the method gets, not only of its size: a changed entry changes the map."""
        expected = unroll.embed(self.cells.obsm["X_pca"], "umap", n_neighbors=9, n_epochs=20)
        add_neighbors(self.cells, 9)
        unroll.anndata.embed(self.cells, n_epochs=20)
        said = self.cells.uns["unroll"]["X_umap"]
        self.assertEqual((said["neighbors"], said["options"]["n_neighbors"]), ("obsp", 9))
        self.assertGreater(unroll.trustworthiness(expected, self.cells.obsm["X_umap"], n_neighbors=9), 0.9)
        first = self.cells.obsm["X_umap"]
        row = self.cells.obsp["distances"][0]
        farthest = int(np.argmax(self.cells.obsp["distances"][0].toarray()))
        self.cells.obsp["distances"][0, farthest] = 0.5 * row[0, row.indices[0]] if len(row.indices) else 1
        unroll.anndata.embed(self.cells, n_epochs=20)
        self.assertGreater(np.abs(self.cells.obsm["X_umap"] - first).max(), 0)

    def test_neighbors_in_double_give_the_same_bytes(self):
        graph = unroll.kneighbors_graph(self.cells.obsm["X_pca"], 9, mode="distance")
        graph.sort_indices()  # by number instead of distance
        self.cells.obsp["distances"] = graph
        unroll.anndata.embed(self.cells, "isomap")
        self.assertEqual(self.cells.uns["unroll"]["X_isomap"]["neighbors"], "obsp")
        self.assertEqual(self.cells.obsm["X_isomap"].tobytes(),
                         unroll.embed(self.cells.obsm["X_pca"], "isomap", n_neighbors=9).tobytes())

    def test_other_neighbors_are_not_used(self):
        add_neighbors(self.cells, 9)
        for options in ({"n_neighbors": 12}, {"metric": "manhattan"}, {"use_rep": "X"}, {"n_pcs": 3}, {"scale": "standardize"},
                        {"pca": 2}):
            with self.subTest(options):
                unroll.anndata.embed(self.cells, "isomap", **options)
                self.assertEqual(self.cells.uns["unroll"]["X_isomap"]["neighbors"], "searched")
        unroll.anndata.embed(self.cells, "isomap", n_neighbors=5)  # the first five of nine
        self.assertEqual(self.cells.uns["unroll"]["X_isomap"]["neighbors"], "obsp")
        unroll.anndata.embed(self.cells, "tsne", n_iter=5)  # a perplexity of 30 needs more
        self.assertEqual(self.cells.uns["unroll"]["X_tsne"]["neighbors"], "searched")
        unroll.anndata.embed(self.cells, "tsne", n_iter=5, perplexity=[3.0])
        self.assertEqual(self.cells.uns["unroll"]["X_tsne"]["neighbors"], "obsp")

    def test_the_metric_and_the_columns_are_those_of_the_neighbors(self):
        add_neighbors(self.cells, 9, metric="cosine", n_pcs=3)
        unroll.anndata.embed(self.cells, "isomap")
        self.assertEqual(self.cells.uns["unroll"]["X_isomap"]["options"]["metric"], "cosine")
        model = unroll.embed(np.ascontiguousarray(self.cells.obsm["X_pca"][:, :3]), "isomap", metric="cosine", n_neighbors=9)
        self.assertEqual(self.cells.uns["unroll"]["X_isomap"]["neighbors"], "obsp")
        signs = np.sign((self.cells.obsm["X_isomap"] * model).sum(axis=0))
        np.testing.assert_allclose(self.cells.obsm["X_isomap"] * signs, model, atol=1e-4 * np.abs(model).max())

    def test_few_genes_have_neighbors_in_all_of_them(self):
        """scanpy looks at X, not at the principal components, where there are at most 50 genes and no use_rep."""
        add_neighbors(self.cells, 9, rep="X")
        del self.cells.uns["neighbors"]["params"]["use_rep"]
        unroll.anndata.embed(self.cells, "isomap")
        said = self.cells.uns["unroll"]["X_isomap"]
        self.assertEqual((said["use_rep"], said["neighbors"]), ("X", "obsp"))
        unroll.anndata.embed(self.cells, "isomap", use_rep="X_pca")
        self.assertEqual(self.cells.uns["unroll"]["X_isomap"]["neighbors"], "searched")
        with self.assertRaisesRegex(ValueError, "n_pcs=3 is of a representation"):
            unroll.anndata.embed(self.cells, "isomap", use_rep="X", n_pcs=3)

    def test_named_neighbors(self):
        add_neighbors(self.cells, 7, key="other")
        unroll.anndata.embed(self.cells, "isomap", neighbors_key="other")
        self.assertEqual(self.cells.uns["unroll"]["X_isomap"]["options"]["n_neighbors"], 7)
        with self.assertRaisesRegex(KeyError, "there are no neighbors 'none'"):
            unroll.anndata.embed(self.cells, "isomap", neighbors_key="none")
        with self.assertRaisesRegex(ValueError, "isomap cannot use the neighbors 'other'"):
            unroll.anndata.embed(self.cells, "isomap", neighbors_key="other", n_neighbors=20)

    def test_what_is_told(self):
        unroll.anndata.embed(self.cells, "isomap", key_added="X_mine", n_neighbors=4)
        said = self.cells.uns["unroll"]["X_mine"]
        found = unroll.quality(self.cells.obsm["X_pca"], self.cells.obsm["X_mine"])
        self.assertEqual(said["quality"]["trustworthiness"], found["trustworthiness"]["value"])
        self.assertIn("connected components", said["warnings"][0])  # the two groups
        unroll.anndata.embed(self.cells, "pca", quality=False)
        self.assertNotIn("quality", self.cells.uns["unroll"]["X_pca"])
        self.assertIn("X_mine", self.cells.uns["unroll"])

    def test_clusters(self):
        unroll.anndata.embed(self.cells, "spectral_clustering", n_clusters=2)
        groups = self.cells.obs["spectral_clustering"]
        self.assertEqual(groups.dtype.name, "category")
        self.assertEqual(len(set(groups[::2])), 1)
        self.assertNotEqual(groups[0], groups[1])

    def test_copies_and_files(self):
        copied = unroll.anndata.embed(self.cells, "isomap", n_neighbors=4, copy=True)
        self.assertNotIn("X_isomap", self.cells.obsm)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "cells.h5ad")
            unroll.anndata.embed(copied, "tsne", n_iter=5)  # a list among its options, no warnings
            copied.write(path)
            again = anndata.read_h5ad(path)
        np.testing.assert_array_equal(again.obsm["X_isomap"], copied.obsm["X_isomap"])
        self.assertEqual(again.uns["unroll"]["X_isomap"]["options"]["n_neighbors"], 4)
        self.assertEqual(list(again.uns["unroll"]["X_isomap"]["warnings"]),
                         list(copied.uns["unroll"]["X_isomap"]["warnings"]))

    def test_few_cells(self):
        cells = anndata.AnnData(np.random.RandomState(1).normal(size=(5, 3)).astype(np.float32))
        unroll.anndata.embed(cells, "pca")
        self.assertEqual(cells.uns["unroll"]["X_pca"]["quality"], {})


if __name__ == "__main__":
    unittest.main()
