"""The pictures of docs/choosing.md, docs/quality.md, docs/tutorial.md and docs/plot.md."""
import os
import shutil

import numpy as np
from matplotlib import pyplot

from .drawing import (BLUE, CLASSES, IMAGES, INK, SCALE, bare, cities_on_map, embedded, figure_of, in_space, legend, made, quality,
                      save, scatter, swiss_roll, table, unroll)


def choosing_kept():
    """Four wishes, and a method that fulfills each."""
    figure = pyplot.figure(figsize=(10, 3.1))
    cells = figure.add_gridspec(1, 4)
    axes = figure.add_subplot(cells[0])
    names, places = cities_on_map()
    axes.scatter(*places.T, color=BLUE, s=14)
    for name, place in zip(names, places):
        if name in ("Lisbon", "Rome", "Oslo", "Athens", "Dublin", "Warsaw"):
            axes.annotate(name, place, xytext=(0, 5), textcoords="offset points", fontsize=9, ha="center")
    axes.margins(0.15)
    axes.set_aspect("equal", adjustable="datalim")
    bare(axes, "distances: mds", "cities by their distances")
    _, sheet = swiss_roll(1000)
    scatter(figure.add_subplot(cells[1]), embedded("roll.npy -m isomap -k 10", sheet), sheet[:, 0], "paths: isomap",
            "a rolled-up strip", equal=True)
    _, sheet = made("holed.npy", "swiss-roll -n 1500 --hole")
    scatter(figure.add_subplot(cells[2]), embedded("holed.npy -m ltsa -k 12", sheet), sheet[:, 0], "neighbourhoods: ltsa",
            "a strip with a hole")
    points, _ = made("moons.npy", "moons -n 400 --noise 0.06")
    unroll("cluster moons.npy --n-clusters 2 -q -o labels.npy")
    scatter(figure.add_subplot(cells[3]), points, np.load("labels.npy")[:, 0], "clusters: unroll cluster", "two moons",
            equal=True, classes=True, size=8)
    save(figure, "choosing_kept")


def _judged(axes, name, words, sheet, title, **style):
    """A map with its numbers below."""
    points = embedded(f"{name} {words}", sheet)
    np.save("judged.npy", points)
    found = quality(f"{name} judged.npy")
    scatter(axes, points, sheet[:, 0], title, f"trust {found['trustworthiness']:.3f}\nneighbours kept "
            f"{found['neighbor_preservation']:.2f}", **style)


def choosing_k():
    """The Swiss roll by Isomap with four numbers of neighbours."""
    _, sheet = swiss_roll(2000)
    figure, panels = figure_of(1, 4, 10, 3.2)
    for axes, k, word in zip(panels, (5, 10, 30, 60), ("rough", "right", "folded", "rolled up again")):
        _judged(axes, "roll.npy", f"-m isomap -k {k}", sheet, f"k = {k}: {word}", equal=True)
    save(figure, "choosing_k")


def choosing_bad():
    """Four maps that are not what they seem."""
    figure, panels = figure_of(1, 4, 10, 3.1)
    _, truth = made("patches.npy", "roll-clusters -n 900")
    scatter(panels[0], embedded("patches.npy -m isomap -k 10", truth), truth[:, 0], "in pieces",
            "isomap of six patches", equal=True)
    _, sheet = swiss_roll(2000)
    scatter(panels[1], embedded("roll.npy -m isomap -k 30", sheet), sheet[:, 0], "short circuit",
            "isomap of a roll, k = 30", equal=True)
    scatter(panels[2], embedded("roll.npy -m laplacian_eigenmaps -k 10", sheet), sheet[:, 0], "horseshoe",
            "laplacian_eigenmaps")
    digits = np.genfromtxt("data/digits.csv.gz", delimiter=",", skip_header=1)[:, 64]
    scatter(panels[3], embedded("data/digits.csv.gz -m hlle --label-column digit -k 10"), digits, "a few points rule",
            "hlle of the digits", classes=True)
    save(figure, "choosing_bad")


def choosing_closed():
    """Closed shapes need more coordinates than they have dimensions."""
    figure = pyplot.figure(figsize=(10, 3.1))
    knot, turn = made("knot.npy", "trefoil -n 800")
    in_space(figure, (1, 4, 1), knot, turn[:, 0], "a knot: 1 dimension", view=(60, -60), zoom=1.25)
    scatter(figure.add_subplot(1, 4, 2), embedded("knot.npy -m isomap -k 10"), turn[:, 0], "isomap in 2: a ring", equal=True)
    sphere, angle = made("sphere.npy", "punctured-sphere -n 1500")
    in_space(figure, (1, 4, 3), sphere, sphere[:, 2], "an open sphere", view=(25, -60), zoom=1.5)
    scatter(figure.add_subplot(1, 4, 4), embedded("sphere.npy -m isomap -k 10"), sphere[:, 2], "isomap in 2: crushed",
            equal=True)
    figure.subplots_adjust(left=0.01, right=0.99, top=0.89, bottom=0.04, wspace=0.06)
    save(figure, "choosing_closed", tight=False)


def choosing_noise():
    """A roll with more and more noise."""
    figure, panels = figure_of(2, 3, 10, 5.2)
    for column, noise in enumerate((0.3, 0.6, 1.0)):
        _, sheet = made("noisy.npy", f"swiss-roll -n 1500 --noise {noise}")
        for row, method in enumerate(("isomap", "ltsa")):
            _judged(panels[3 * row + column], "noisy.npy", f"-m {method} -k 10", sheet, f"{method}, noise {noise}",
                    equal=method == "isomap")
    save(figure, "choosing_noise")


def quality_maps():
    """Six maps of one roll, from the best to none."""
    _, sheet = swiss_roll(2000)
    np.save("random.npy", np.random.default_rng(0).normal(size=(2000, 2)))
    figure, panels = figure_of(2, 3, 10, 5.8)
    for axes, words, equal in zip(panels, ("isomap -k 10", "ltsa -k 10", "isomap -k 30", "pca", "laplacian_eigenmaps -k 10",
                                           None), (True, False, True, True, False, True)):
        points = embedded(f"roll.npy -m {words}", sheet) if words else np.load("random.npy")
        np.save("judged.npy", points)
        found = quality("roll.npy judged.npy")
        scatter(axes, points, sheet[:, 0], words or "random numbers",
                f"trust {found['trustworthiness']:.3f}, continuity {found['continuity']:.3f},\n"
                f"neighbours kept {found['neighbor_preservation']:.2f}", equal=equal)
    save(figure, "quality_maps")


def quality_points():
    """Where a map is good: trustworthiness of every point."""
    _, sheet = swiss_roll(2000)
    figure, panels = figure_of(1, 3, 10, 3.4, gridspec_kw={"width_ratios": [1, 1, 1.2]})
    for axes, words in zip(panels, ("isomap -k 30", "pca", "laplacian_eigenmaps -k 10")):
        points = embedded(f"roll.npy -m {words}", sheet)
        np.save("judged.npy", points)
        unroll("quality roll.npy judged.npy --per-point -q -o points.csv")
        trust = table("points.csv")["trustworthiness"]
        scatter(axes, points, trust, words, equal="laplacian" not in words, limits=(0.8, 1))
    figure.colorbar(pyplot.cm.ScalarMappable(pyplot.Normalize(0.8, 1), SCALE), ax=panels[2], label="trust of the point")
    save(figure, "quality_points")


def tutorial_wine():
    """Wine by PCA, raw and standardized, and new samples among the known ones."""
    _write_wine()
    raw = table("wine.csv")
    figure, panels = figure_of(1, 3, 10, 3.6)
    kinds = raw["kind"].astype(int)
    for axes, words, title in ((panels[0], "", "raw: proline alone"), (panels[1], "--scale standardize", "standardized")):
        scatter(axes, embedded(f"wine.csv -m pca --label-column kind {words}"), kinds, title, equal=True, classes=True, size=14)
    unroll("embed known.csv -m pca --scale standardize --label-column kind -q -o map.csv --save wine.unroll")
    unroll("transform wine.unroll new.csv --label-column kind -q -o placed.csv")
    known, new = table("map.csv"), table("placed.csv")
    scatter(panels[2], np.column_stack([known["pca0"], known["pca1"]]), known["kind"], "new samples", equal=True, classes=True,
            size=6)
    panels[2].scatter(new["pca0"], new["pca1"], c=[CLASSES(int(kind)) for kind in new["kind"]], marker="X", s=70,
                      edgecolors=INK, linewidths=0.8)
    legend(panels[1], ["kind 0", "kind 1", "kind 2"], loc="lower left", fontsize=8)
    save(figure, "tutorial_wine")


def _write_wine():
    """wine.csv, and its rows parted into known.csv and new.csv, as docs/tutorial.md says."""
    from sklearn.datasets import load_wine
    wine = load_wine()
    rows = np.column_stack([wine.data, wine.target])
    header = ",".join([*wine.feature_names, "kind"])
    new = np.arange(2, len(rows) + 2) % 9 == 0  # the header is line 1
    for name, part in (("wine", rows), ("new", rows[new]), ("known", rows[~new])):
        np.savetxt(name + ".csv", part, "%g", ",", header=header, comments="")


def plot_digits():
    """What the command itself draws."""
    unroll("embed data/digits.csv.gz -m tsne --label-column digit --plot map.png -q -o map.csv")
    shutil.copy("map.png", os.path.join(IMAGES, "plot_digits.png"))
