#!/usr/bin/python3
"""1797 handwritten digits of 8 x 8 pixels, as a map. Run it as digits.py [FOLDER]; the pictures go to the folder."""
import os
import sys

from sklearn.datasets import load_digits
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline

import unroll

folder = sys.argv[1] if len(sys.argv) > 1 else "."
images, digits = load_digits(return_X_y=True)

# Two maps, both without a look at the labels, which only color them.
for name, estimator in (("pca", unroll.PCA(n_components=2)), ("umap", unroll.UMAP(n_epochs=200))):
    map = estimator.fit_transform(images)
    found = unroll.quality(images, map, y=digits)
    print(f"{name}: the nearest point in the map has the same digit in {100 * found['labels']['accuracy']:.1f} %, "
          f"trustworthiness {found['trustworthiness']['value']:.3f}")
    unroll.picture(map, digits, title=type(estimator).__name__, size=300).save(os.path.join(folder, f"digits_{name}.svg"))

# A map is a step of a pipeline: digits that were not there are placed into it, and named by their neighbors there.
seen, new = slice(0, 1200), slice(1200, None)
reader = make_pipeline(unroll.UMAP(n_components=8, n_epochs=100), KNeighborsClassifier(5))
reader.fit(images[seen], digits[seen])
print(f"new digits read: {100 * reader.score(images[new], digits[new]):.1f} %")
