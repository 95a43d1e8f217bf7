#!/usr/bin/python3
"""Digits of which a few are labeled: the classes of all others, beside k-NN and scikit-learn.

Run it as labels.py [FOLDER [DRAWS]]; the pictures go to the folder. Every number is the mean of so many random draws of the
labels (20 by default), at least one per digit; what counts is the share of the other digits that are named right.
"""
import os
import sys
import warnings

import numpy as np
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning
from sklearn.neighbors import KNeighborsClassifier
from sklearn.semi_supervised import LabelSpreading

import unroll

folder = sys.argv[1] if len(sys.argv) > 1 else "."
draws = int(sys.argv[2]) if len(sys.argv) > 2 else 20
images, digits = load_digits(return_X_y=True)
warnings.simplefilter("ignore", ConvergenceWarning)


def drawn_labels(count, seed):
    """The digits of `count` images, -1 for the others."""
    order = np.random.RandomState(seed).permutation(len(digits))
    first = [order[np.flatnonzero(digits[order] == digit)[0]] for digit in range(10)]
    others = [place for place in order if place not in set(first)]
    chosen = np.array(first + others[:count - 10])
    labels = np.full(len(digits), -1)
    labels[chosen] = digits[chosen]
    return labels


def by_knn(labels):
    known = labels != -1
    return KNeighborsClassifier(1).fit(images[known], labels[known]).predict(images)


def by_method(name, labels):
    """With the options of the command, which are not scikit-learn's."""
    return unroll.embed(images, name, y=labels, return_model=True).labels_


WAYS = {
    "k-NN": by_knn,
    "scikit-learn": lambda labels: LabelSpreading(kernel="knn").fit(images, labels).transduction_,
    "the same class": lambda labels: unroll.LabelSpreading(kernel="knn").fit(images, labels).transduction_,
    "spreading": lambda labels: by_method("label_spreading", labels),
    "propagation": lambda labels: by_method("label_propagation", labels),
    "eigenvectors": lambda labels: by_method("label_eigenvectors", labels),
}
for count in (10, 50, 100):
    right = dict.fromkeys(WAYS, 0.0)
    for seed in range(draws):
        labels = drawn_labels(count, seed)
        for name, way in WAYS.items():
            right[name] += 100 * np.mean((way(labels) == digits)[labels == -1]) / draws
    print(f"{count} labels: " + ", ".join(f"{name} {share:.1f} %" for name, share in right.items()))

# A map to look at: which images were labeled, and what was found.
labels = drawn_labels(50, 0)
map = unroll.UMAP(n_epochs=200).fit_transform(images)
for name, color in (("known", np.where(labels == -1, None, labels.astype(str))),
                    ("found", WAYS["spreading"](labels).astype(str))):
    unroll.picture(map, color, title=f"50 labels, {name}", size=300).save(os.path.join(folder, f"labels_{name}.svg"))
