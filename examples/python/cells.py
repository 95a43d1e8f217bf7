#!/usr/bin/python3
"""Cells that branch into three kinds, from counts to maps. Run it as cells.py [FOLDER]; the pictures go to the folder."""
import os
import sys

import anndata
import numpy as np
import pandas

import unroll
import unroll.anndata

folder = sys.argv[1] if len(sys.argv) > 1 else "."


def make_cells(count, genes=600, seed=0):
    """Counts of genes in cells that change from a stem to one of three kinds.

    Every cell has a time between 0 and 1. Up to 0.4 all cells are stem cells; then each goes the way of its kind. A fifth
    of the genes rises or falls on the stem, a fifth on each of the three ways; the last fifth says nothing. What is seen
    is a negative binomial count (variance m + m^2 / 4) whose mean m grows with the cell's own depth of sequencing, which
    has nothing to do with its kind.
    """
    random = np.random.RandomState(seed)
    time, kind = random.uniform(size=count), random.randint(3, size=count)
    on_stem, on_way = np.minimum(time, 0.4), np.maximum(time - 0.4, 0)
    state = np.column_stack([on_stem, *(on_way * (kind == way) for way in range(3)), np.zeros(count)])
    slopes = np.repeat(np.eye(5), genes // 5, axis=1) * random.normal(scale=4, size=genes)
    depth = random.lognormal(sigma=0.3, size=(count, 1))
    means = depth * np.exp(state @ slopes + random.normal(size=genes))
    counts = random.poisson(means * random.gamma(4, 1 / 4, size=means.shape)).astype(np.float32)
    names = np.where(time < 0.4, "stem", np.array(["alpha", "beta", "gamma"])[kind])
    return anndata.AnnData(counts, obs=pandas.DataFrame({"kind": names, "time": time},
                                                        index=[f"cell{i}" for i in range(count)]))


cells = make_cells(1500)

# The usual recipe: the same depth for all cells, logarithms, and the 30 leading principal components.
depth = cells.X.sum(axis=1, keepdims=True)
cells.X = np.log1p(cells.X / depth * np.median(depth))
cells.obsm["X_pca"] = unroll.PCA(n_components=30).fit_transform(cells.X)
# Neighbors are found once. scanpy.pp.neighbors puts them into the same place.
cells.obsp["distances"] = unroll.kneighbors_graph(cells.obsm["X_pca"], 15, mode="distance")

for method, options in (("umap", {"n_epochs": 200}), ("diffusion_maps", {})):
    unroll.anndata.embed(cells, method, **options)
    map, said = cells.obsm[f"X_{method}"], cells.uns["unroll"][f"X_{method}"]
    print(f"{method}: neighbors from {said['neighbors']}, trustworthiness {said['quality']['trustworthiness']:.3f}")
    unroll.picture(map, cells.obs["kind"], title=method, size=300).save(os.path.join(folder, f"cells_{method}.svg"))

# The time of a cell is hidden in its counts. Neighbors in the map are of the same time.
time = cells.obs["time"].to_numpy()
unroll.picture(cells.obsm["X_umap"], time, title="umap, by time", size=300).save(os.path.join(folder, "cells_time.svg"))
neighbors, _ = unroll.kneighbors(cells.obsm["X_umap"], 10)
print(f"time of a cell and of its 10 neighbors in the map: r = {np.corrcoef(time, time[neighbors].mean(axis=1))[0, 1]:.3f}")
