"""The pictures of README.md and of the pages of the methods."""
import numpy as np
from matplotlib import pyplot
from matplotlib.offsetbox import AnnotationBbox, OffsetImage

from .drawing import (BLUE, CLASSES, INK, RED, SOFT, bare, cities_on_map, embedded, figure_of, image_sheet, in_space, legend,
                      made, report, save, scatter, swiss_roll, turned, unroll)

DIGITS = "data/digits.csv.gz"


def overview():
    """The Swiss roll in space and the digits, each beside a map of it."""
    roll, sheet = swiss_roll()
    digits = np.genfromtxt(DIGITS, delimiter=",", skip_header=1)
    figure = pyplot.figure(figsize=(10, 2.9))
    cells = figure.add_gridspec(1, 4, width_ratios=[1.25, 1.4, 1, 1.1], left=0.01, right=0.95, top=0.87, bottom=0.05,
                                wspace=0.08)
    in_space(figure, (cells[0],), roll, sheet[:, 0], "a sheet, rolled up", view=(10, -76), zoom=1.5)
    axes = figure.add_subplot(cells[1])
    scatter(axes, embedded("roll.npy -m isomap -k 10", sheet), sheet[:, 0], "isomap: unrolled, with its lengths", equal=True)
    axes = figure.add_subplot(cells[2])
    axes.imshow(image_sheet(digits[:64, :64], 8, 8), cmap="gray_r", aspect="auto")
    bare(axes, "digits, 64 numbers each")
    axes = figure.add_subplot(cells[3])
    scatter(axes, embedded(f"{DIGITS} -m isomap -k 10 --label-column digit"), digits[:, 64], "isomap: 2 numbers each",
            equal=True, classes=True)
    legend(axes, range(10), loc="center left", bbox_to_anchor=(1, 0.5))
    save(figure, "overview", tight=False)


def pca():
    """Digits rebuilt from some of their principal components."""
    pixels = np.genfromtxt(DIGITS, delimiter=",", skip_header=1)[:8, :64]
    rows = [("64 pixels", pixels)]
    for count in (30, 10, 5, 2):
        unroll(f"embed {DIGITS} -m pca -d {count} --label-column digit --save digits.unroll -q -o code.npy")
        unroll("transform digits.unroll code.npy --inverse -o back.npy")
        rows.append((f"{count} numbers", np.load("back.npy")[:8]))
    figure, (axes,) = figure_of(1, 1, 6.4, 3.9)
    axes.imshow(image_sheet(np.concatenate([images for _, images in rows]), len(rows), 8), cmap="gray_r", vmin=0, vmax=16)
    bare(axes)
    axes.set_yticks([9 * i + 4 for i in range(len(rows))], [label for label, _ in rows], fontsize=10)
    axes.tick_params(length=0)
    save(figure, "pca")


def _draw_cities(axes, names, places, title, size=9):
    axes.scatter(*places.T, color=BLUE, s=18)
    bare(axes, title)
    for name, place in zip(names, places):
        beside = {"London": (-5, 3), "Stockholm": (5, -10), "Budapest": (5, -10)}.get(name, (5, 3))
        axes.annotate(name, place, xytext=beside, textcoords="offset points", fontsize=size,
                      ha="right" if beside[0] < 0 else "left")
    axes.margins(0.22)
    axes.set_aspect("equal", adjustable="datalim")


def _drop_crowded_names(figure):
    """Of names that run into each other, the first stays."""
    figure.tight_layout()
    figure.canvas.draw()
    for axes in figure.axes:
        kept = []
        for name in list(axes.texts):
            box = name.get_window_extent()
            if any(box.overlaps(other) for other in kept):
                name.remove()
            else:
                kept.append(box)


def mds():
    """Cities, placed by nothing but a table of the distances between them."""
    figure, (axes,) = figure_of(1, 1, 6.4, 5)
    _draw_cities(axes, *cities_on_map(), "mds of a table of distances, turned so that north is up")
    save(figure, "mds")


def _changed_cities(path, change):
    """The table of distances between cities with changed numbers."""
    with open("data/city-distances.csv", encoding="utf-8") as file:
        head, *rows = [line.strip().split(",") for line in file]
    numbers = change(np.array([row[1:] for row in rows], dtype=float))
    with open(path, "w", encoding="utf-8") as file:
        print(",".join(head), file=file)
        for row, values in zip(rows, numbers):
            print(",".join([row[0], *(f"{value:g}" for value in values)]), file=file)


def metric_mds():
    """Cities although a third of their distances is missing; the Shepard diagram of some digits."""
    known = np.triu(np.random.default_rng(0).random((20, 20)) > 1 / 3, 1)
    np.save("known.npy", (known | known.T).astype(float))
    figure, (left, right) = figure_of(1, 2, 10, 4.4)
    _draw_cities(left, *cities_on_map("metric_mds", "data/city-distances.csv --pair-weights known.npy"),
                "metric_mds, a third of the distances unknown", 7)
    points = np.genfromtxt(DIGITS, delimiter=",", skip_header=1)[:500, :64]
    np.save("some.npy", points)
    places = embedded("some.npy -m metric_mds")
    pairs = np.triu_indices(len(points), 1)
    given, found = (np.linalg.norm(x[pairs[0]] - x[pairs[1]], axis=1) for x in (points, places))
    right.scatter(given, found, s=0.3, color=BLUE, alpha=0.3, rasterized=True)
    right.plot([0, given.max()], [0, given.max()], color=RED, linewidth=1)
    right.set_xlabel("distance in the data")
    right.set_ylabel("distance in the map")
    right.set_title("500 digits: Shepard diagram")
    save(figure, "metric_mds")


def nonmetric_mds():
    """Cities by the cubes of their distances, whose order is all that is left."""
    _changed_cities("cubes.csv", lambda distances: distances ** 3)
    figure, panels = figure_of(1, 3, 12, 4)
    for axes, method in zip(panels, ("mds", "metric_mds", "nonmetric_mds")):
        _draw_cities(axes, *cities_on_map(method, "cubes.csv"), method, 7)
    _drop_crowded_names(figure)
    save(figure, "nonmetric_mds")


def sammon():
    """The digits by metric scaling and by Sammon's mapping."""
    label = np.genfromtxt(DIGITS, delimiter=",", skip_header=1)[:, 64]
    figure, panels = figure_of(1, 2, 7, 3.4)
    for panel, method in zip(panels, ("metric_mds", "sammon")):
        scatter(panel, embedded(f"{DIGITS} --label-column digit -m {method}"), label, method, classes=True, size=3)
    save(figure, "sammon")


def isomap():
    """The Swiss roll by PCA and by Isomap, and what the residual variance says about its dimension."""
    _, sheet = swiss_roll()
    figure, (left, middle, right) = figure_of(1, 3, gridspec_kw={"width_ratios": [1, 1.5, 1]})
    scatter(left, embedded("roll.npy -m pca"), sheet[:, 0], "pca: a shadow of the roll", equal=True)
    scatter(middle, embedded("roll.npy -m isomap -k 10", sheet), sheet[:, 0], "isomap, k = 10: the sheet", equal=True)
    scree = report("spectrum roll.npy -m isomap -k 10 -n 8")["scree"]
    right.semilogy(range(1, 9), scree["residual_variance"], "o-", color=BLUE)
    right.axvline(scree["suggested_components"], color=SOFT, zorder=0)
    right.set(title="residual variance", xlabel="dimensions", xticks=range(1, 9))
    save(figure, "isomap")


def isomap_k():
    """One k that is right, one that joins the turns of the roll, and landmarks."""
    _, sheet = swiss_roll()
    figure, panels = figure_of(1, 3)
    for axes, title, words in zip(panels, ("k = 10", "k = 60: paths jump between turns", "k = 10, 100 landmarks"),
                                  ("-k 10", "-k 60", "-k 10 --n-landmarks 100")):
        scatter(axes, embedded(f"roll.npy -m isomap {words}", sheet), sheet[:, 0], title, equal=True)
    save(figure, "isomap-k")


def mvu():
    """The Swiss roll laid flat, the gap of its spectrum, and a knot that becomes a circle."""
    _, sheet = swiss_roll()
    figure, (left, middle, right) = figure_of(1, 3, gridspec_kw={"width_ratios": [1.5, 1, 1]})
    scatter(left, embedded("roll.npy -m mvu", sheet), sheet[:, 0], "mvu, k = 6: the sheet", equal=True)
    values = report("spectrum roll.npy -m mvu -n 8")["scree"]["eigenvalues"]
    middle.semilogy(range(1, len(values) + 1), values, "o-", color=BLUE)
    middle.set(title="eigenvalues of the learned kernel", xlabel="dimensions", xticks=range(1, len(values) + 1))
    t = np.linspace(0, 2 * np.pi, 300, endpoint=False)
    np.save("knot.npy", np.c_[np.sin(t) + 2 * np.sin(2 * t), np.cos(t) - 2 * np.cos(2 * t), -np.sin(3 * t)])
    scatter(right, embedded("knot.npy -m mvu -k 4"), t, "a trefoil knot", equal=True)
    save(figure, "mvu")


def kernel_pca():
    """Two rings that no line parts, and the kernel that parts them."""
    unroll("datasets make circles -n 500 --factor 0.3 -o circles.npy --labels rings.csv")
    ring = np.genfromtxt("rings.csv", skip_header=1)
    figure, (left, right) = figure_of(1, 2, 7, 3.4)
    scatter(left, embedded("circles.npy -m pca"), ring, "pca: as they were", equal=True, classes=True, size=8)
    scatter(right, embedded("circles.npy -m kernel_pca --gamma 3"), ring, "kernel_pca, rbf, gamma = 3", equal=True,
            classes=True, size=8)
    save(figure, "kernel_pca")


def lle():
    """Images of a face that moves, by PCA and by LLE; on the maps, the images whose face is in a corner."""
    images, places = made("faces.npy", "translated-face -n 1000")
    places = places * (1, -1)  # rows of an image are counted from its top
    side = int(round(np.sqrt(images.shape[1])))
    low, high = places.min(axis=0), places.max(axis=0)
    corners = {at: int(np.argmin(np.linalg.norm(places - (low + (high - low) * at), axis=1)))
               for at in ((0, 0), (0, 1), (1, 0), (1, 1))}
    figure, (left, middle, right) = figure_of(1, 3, 10, 3.6)
    figure.subplots_adjust(left=0.01, right=0.99, top=0.91, bottom=0.02, wspace=0.05)
    left.imshow(image_sheet(images, 4, 4, 2, 1.0), cmap="gray", vmin=0, vmax=1, aspect="auto")
    bare(left, f"images of {side} x {side} pixels")
    for axes, method, words in ((middle, "pca", ""), (right, "lle", "-k 8")):
        drawn = turned(embedded(f"faces.npy -m {method} {words}"), places)
        scatter(axes, drawn, places[:, 0], method, equal=method == "pca", size=7)
        axes.margins(0.42)
        for at, corner in corners.items():
            image = OffsetImage(images[corner].reshape(side, side), zoom=1.5, cmap="gray", norm=pyplot.Normalize(0, 1))
            beside = 0.11 + 0.78 * np.array(at)
            axes.add_artist(AnnotationBbox(image, drawn[corner], beside, boxcoords="axes fraction", pad=0.1,
                                           arrowprops={"arrowstyle": "-", "color": RED}, bboxprops={"edgecolor": RED}))
            axes.scatter(*drawn[corner], color=RED, s=20, zorder=3)
    save(figure, "lle", tight=False)


def mlle():
    """The Swiss roll by three local methods."""
    _, sheet = swiss_roll(2000)
    figure, panels = figure_of(1, 3)
    for axes, method in zip(panels, ("lle", "mlle", "ltsa")):
        scatter(axes, turned(embedded(f"roll.npy -m {method} -k 12"), sheet / sheet.std(axis=0)), sheet[:, 0], method)
    save(figure, "mlle")


def hlle():
    """A Swiss roll with a hole: the sheet, Isomap, Hessian LLE."""
    _, sheet = made("roll.npy", "swiss-roll -n 2000 --hole")
    figure, (left, middle, right) = figure_of(1, 3, gridspec_kw={"width_ratios": [1.3, 1.3, 1]})
    scatter(left, sheet, sheet[:, 0], "the sheet", equal=True)
    scatter(middle, embedded("roll.npy -m isomap -k 12", sheet), sheet[:, 0], "isomap: the hole is wider", equal=True)
    scatter(right, embedded("roll.npy -m hlle -k 12", sheet), sheet[:, 0], "hlle, its axes stretched")
    save(figure, "hlle")


def ltsa():
    """The S-curve by PCA and LTSA, colored by both coordinates of its strip."""
    _, strip = made("curve.npy", "s-curve -n 2000")
    figure, panels = figure_of(1, 3)
    scatter(panels[0], embedded("curve.npy -m pca"), strip[:, 0], "pca", equal=True)
    coordinates = embedded("curve.npy -m ltsa -k 12")
    for axes, column, word in zip(panels[1:], (0, 1), ("along", "across")):
        scatter(axes, coordinates, strip[:, column], f"ltsa, colored by the place {word}")
    save(figure, "ltsa")


def laplacian_eigenmaps():
    """The horseshoe of harmonics, and two directions that are independent."""
    _, sheet = swiss_roll(3000)
    figure, (left, right) = figure_of(1, 2, 7, 3.4)
    scatter(left, embedded("roll.npy -m laplacian_eigenmaps"), sheet[:, 0], "the first two coordinates")
    scatter(right, embedded("roll.npy -m laplacian_eigenmaps --independent"), sheet[:, 1], "--independent")
    save(figure, "laplacian_eigenmaps")


def diffusion_maps():
    """A curve, five times as densely sampled on one half: the first coordinate with and without the density."""
    length = np.concatenate([np.linspace(0, 0.5, 500, endpoint=False), np.linspace(0.5, 1, 100)])
    angle = 3 * np.pi * (length - 0.5)
    curve = np.column_stack([np.sin(angle), np.sign(angle) * (np.cos(angle) - 1)])
    np.save("curve.npy", curve)
    figure, (left, right) = figure_of(1, 2, 7.6, 3.4)
    scatter(left, curve[::3], length[::3], "the curve, every third point", equal=True, size=9)
    for alpha, color in ((0, BLUE), (1, RED)):
        words = f"curve.npy -m diffusion_maps -d 1 --alpha {alpha} --graph full --sigma 0.1"
        first = embedded(words)[:, 0]
        first = first if first[0] < first[-1] else -first
        right.plot(length, (first - first.min()) / np.ptp(first), color=color, label=f"alpha = {alpha}")
    right.plot(length, (1 - np.cos(np.pi * length)) / 2, ":", color=INK, label="cosine of the length")
    bare(right, "first coordinate", "length along the curve")
    right.legend()
    save(figure, "diffusion_maps")


def umap():
    """The digits without their classes, and with those of every second one."""
    digits = np.genfromtxt(DIGITS, delimiter=",", skip_header=1)[:, 64].astype(int)
    np.savetxt("half.csv", np.where(np.arange(len(digits)) % 2, -1, digits), fmt="%d", header="class", comments="")
    figure, (left, right) = figure_of(1, 2, 7.6, 3.6)
    scatter(left, embedded(f"{DIGITS} -m umap --label-column digit"), digits, "umap", classes=True)
    scatter(right, embedded(f"{DIGITS} -m umap --label-column digit --target half.csv"), digits, "half of the classes known",
            classes=True)
    save(figure, "umap")


def tsne():
    """The digits, by principal axes and by t-SNE with three perplexities."""
    label = np.genfromtxt(DIGITS, delimiter=",", skip_header=1)[:, 64]
    figure, panels = figure_of(1, 4, 13, 3.4)
    scatter(panels[0], embedded(f"{DIGITS} --label-column digit -m pca"), label, "pca", classes=True, size=3)
    for panel, perplexity in zip(panels[1:], (5, 30, 100)):
        scatter(panel, embedded(f"{DIGITS} --label-column digit -m tsne --perplexity {perplexity}"), label,
                f"tsne, perplexity {perplexity}", classes=True, size=3)
    save(figure, "tsne")


def autoencoder():
    """Digits rebuilt from two numbers by PCA and by an autoencoder, and the codes."""
    digits = np.genfromtxt(DIGITS, delimiter=",", skip_header=1)
    rows, shown = [("64 pixels", digits[:, :64])], [np.flatnonzero(digits[:, 64] == digit)[3] for digit in range(10)]
    for label, method in (("pca, 2 numbers", "pca"), ("autoencoder, 2 numbers", "autoencoder")):
        unroll(f"embed {DIGITS} --label-column digit -m {method} --save digits.unroll -q -o code.npy")
        unroll("transform digits.unroll code.npy --inverse -o back.npy")
        rows.append((label, np.load("back.npy")))
    figure = pyplot.figure(figsize=(11, 3.2))
    cells = figure.add_gridspec(1, 2, width_ratios=[2.6, 1], left=0.19, right=0.99, top=0.9, bottom=0.03, wspace=0.04)
    axes = figure.add_subplot(cells[0])
    axes.imshow(image_sheet(np.concatenate([images[shown] for _, images in rows]), len(rows), 10), cmap="gray_r", vmin=0,
                vmax=16)
    bare(axes)
    axes.set_yticks([9 * i + 4 for i in range(len(rows))], [label for label, _ in rows], fontsize=10)
    axes.tick_params(length=0)
    scatter(figure.add_subplot(cells[1]), np.load("code.npy"), digits[:, 64], "the codes", classes=True, size=3)
    save(figure, "autoencoder", tight=False)


def sne():
    """The digits by SNE, crowded, and by t-SNE."""
    label = np.genfromtxt(DIGITS, delimiter=",", skip_header=1)[:, 64]
    figure, panels = figure_of(1, 2, 7, 3.4)
    for panel, method in zip(panels, ("sne", "tsne")):
        scatter(panel, embedded(f"{DIGITS} --label-column digit -m {method}"), label, method, classes=True, size=3)
    save(figure, "sne")


def spectral_clustering():
    """Clusters that no center has, and the gap that tells how many there are."""
    figure, (left, middle, right) = figure_of(1, 3)
    for axes, name, noise in ((left, "moons", 0.06), (middle, "circles", 0.04)):
        points, _ = made("points.npy", f"{name} -n 600 --noise {noise}")
        unroll("cluster points.npy --n-clusters 2 -q -o labels.npy")
        scatter(axes, points, np.load("labels.npy")[:, 0], f"{name}: 2 clusters", equal=True, classes=True, size=8)
    random = np.random.default_rng(0)
    np.save("points.npy", np.concatenate([random.normal(place, 1, (200, 2)) for place in ((0, 0), (6, 0), (3, 5))]))
    values = report("cluster points.npy --n-clusters 3 --graph full")["spectrum"]["values"]
    right.plot(range(1, len(values) + 1), values, "o", color=CLASSES(0))
    right.axvspan(3.1, 3.9, color="0.9", zorder=0)
    right.set(title="eigenvalues of three clouds", xticks=range(1, len(values) + 1))
    save(figure, "spectral_clustering")


def labels():
    """Two moons of which four points have a label: the nearest label, and labels that travel along the graph."""
    unroll("datasets make moons -n 600 --noise 0.06 -o moons.npy --labels truth.npy")
    moons, truth = np.load("moons.npy"), np.load("truth.npy").ravel()
    known = np.arange(0, 600, 151)
    some = np.full(600, -1)
    some[known] = truth[known]
    np.savetxt("some.csv", some, fmt="%d", header="label", comments="")
    figure, panels = figure_of(1, 4, 12, 2.6)
    nearest = truth[known][((moons[:, np.newaxis] - moons[known])**2).sum(axis=2).argmin(axis=1)]
    found = [("nearest label", nearest)]
    for method in ("propagation", "spreading", "eigenvectors"):
        unroll(f"label moons.npy --labels some.csv --method {method} -q -o found.npy")
        found.append((method, np.load("found.npy")[:, 0]))
    for panel, (title, classes) in zip(panels, found):
        scatter(panel, moons, classes, title, f"{np.mean(classes == truth):.1%} right", equal=True, classes=True)
        panel.scatter(*moons[known].T, c=truth[known], s=60, cmap=CLASSES, vmin=0, vmax=9, edgecolors=INK, linewidths=1)
    save(figure, "labels")
