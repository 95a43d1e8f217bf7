#!/usr/bin/python3
"""The Swiss roll: which methods unroll it? Run it as swiss_roll.py [FOLDER]; the pictures go to the folder."""
import os
import sys

import unroll

folder = sys.argv[1] if len(sys.argv) > 1 else "."

# A sheet of paper, rolled up: its true coordinates are known, and color the maps.
roll, sheet = unroll.make_dataset("swiss_roll", 1500, random_state=1)

# PCA looks at the roll from the side. Isomap measures distances along the paper.
flat = unroll.PCA(n_components=2).fit_transform(roll)
isomap = unroll.Isomap(n_neighbors=10).fit(roll)
unroll.picture(flat, sheet[:, 0], title="PCA", size=300).save(os.path.join(folder, "swiss_roll_pca.svg"))
unroll.picture(isomap.embedding_, sheet[:, 0], title="Isomap", size=300).save(
    os.path.join(folder, "swiss_roll_isomap.svg"))

# How much of the truth does each map tell? 1 is all of it.
for name, map in (("PCA", flat), ("Isomap", isomap.embedding_)):
    found = unroll.quality(roll, map, truth=sheet)
    print(f"{name}: {found['truth']['affine_r2'].min():.3f} of the true coordinates, "
          f"trustworthiness {found['trustworthiness']['value']:.3f}")

# Points that were not there are placed into the map.
fresh, place = unroll.make_dataset("swiss_roll", 200, random_state=2)
found = unroll.quality(fresh, isomap.transform(fresh), truth=place)
print(f"200 new points: {found['truth']['affine_r2'].min():.3f} of the true coordinates")
