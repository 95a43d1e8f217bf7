#!/usr/bin/python3
"""Draws the pictures of the documentation with the unroll command: docs/make_pictures.py [UNROLL [NAME...]]

Needs python3-numpy, python3-matplotlib and python3-pil; for the picture of the page of maps, chromium.
"""
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile

import matplotlib
import numpy as np
from PIL import Image, ImageChops

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
UNROLL = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "build/release/bin/unroll")
DIGITS = os.path.join(ROOT, "data/digits.csv.gz")
IMAGES = os.path.join(ROOT, "docs/images")
CITIES = os.path.join(ROOT, "data/city-distances.csv")


def unroll(*words):
    return subprocess.run([UNROLL, *words], check=True, stdout=subprocess.PIPE).stdout


def read(path):
    return np.genfromtxt(path, delimiter=",", names=True)


def embedded(folder, name, *words):
    """Coordinates of a file in the folder, a row per point."""
    out = os.path.join(folder, "map.npy")
    unroll("embed", os.path.join(folder, name), *words, "-q", "-o", out)
    return np.load(out)


def sheet_of(folder, name, *words):
    """Writes a sheet that a generator has bent to a file in the folder; the points and their true coordinates."""
    path, truth = os.path.join(folder, name), os.path.join(folder, "truth.npy")
    unroll("datasets", "make", *words, "-o", path, "--truth", truth)
    return np.load(path), np.load(truth)


def swiss_roll(folder, n=1500):
    """Writes roll.npy; the points and the true coordinates of their sheet: arc length and height."""
    return sheet_of(folder, "roll.npy", "swiss_roll", "-n", str(n))


def panel(axes, title, points=None, color=None, **style):
    if points is not None:
        axes.scatter(*points[:, :2].T, c=color, **{"s": 3, "cmap": "turbo", **style})
    axes.set_title(title, fontsize=10)
    axes.set_xticks([])
    axes.set_yticks([])


def save(figure, name):
    figure.tight_layout()
    path = os.path.join(IMAGES, name + ".png")
    pixels = io.BytesIO()
    figure.savefig(pixels, format="png")
    pyplot.close(figure)
    save_pixels(Image.open(pixels), path)


def save_pixels(image, path, colors=96):
    # A palette of 96 colors takes a third of the bytes, and nobody sees the difference.
    image.convert("RGB").quantize(colors, dither=Image.Dither.NONE).save(path, optimize=True)
    print(path, os.path.getsize(path) // 1024, "kB")


def overview(folder):
    """The Swiss roll in space and the digits, each beside a map of it."""
    roll, truth = swiss_roll(folder)
    pixels = np.genfromtxt(DIGITS, delimiter=",", skip_header=1)
    digits = os.path.join(folder, "digits.csv")
    unroll("embed", DIGITS, "-m", "pca", "--label-column", "digit", "-o", digits)
    digits = read(digits)

    figure = pyplot.figure(figsize=(13, 3.4), dpi=80)
    axes = figure.add_subplot(1, 4, 1, projection="3d")
    axes.scatter(*roll.T, c=truth[:, 0], s=3, cmap="turbo")
    axes.view_init(8, -75)
    axes.set_zticks([])
    panel(axes, "Swiss roll, 3-D")
    panel(figure.add_subplot(1, 4, 2), "isomap: unrolled", embedded(folder, "roll.npy", "-m", "isomap"), truth[:, 0])

    axes = figure.add_subplot(1, 4, 3)
    framed = np.pad(pixels[:64, :64].reshape(8, 8, 8, 8), ((0, 0), (0, 0), (1, 1), (1, 1)))
    axes.imshow(framed.transpose(0, 2, 1, 3).reshape(80, 80), cmap="gray_r")
    panel(axes, "handwritten digits, 64-D")

    axes = figure.add_subplot(1, 4, 4)
    points = axes.scatter(digits["pca0"], digits["pca1"], c=digits["label"], s=4, cmap="tab10")
    axes.legend(*points.legend_elements(), fontsize=6, loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
    panel(axes, "pca, colored by the digit")
    save(figure, "overview")


def pca(folder):
    """Digits rebuilt from some of their principal components."""
    model, code = os.path.join(folder, "model.unroll"), os.path.join(folder, "code.npy")
    back = os.path.join(folder, "back.npy")
    pixels = np.genfromtxt(DIGITS, delimiter=",", skip_header=1)[:8, :64]
    rows = [("64 pixels", pixels)]
    for count in (30, 10, 5, 2):
        unroll("embed", DIGITS, "-m", "pca", "-d", str(count), "--label-column", "digit", "--save", model, "-q", "-o", code)
        unroll("transform", model, code, "--inverse", "-o", back)
        rows.append((f"{count} numbers", np.load(back)[:8]))
    figure, all_axes = pyplot.subplots(len(rows), 8, figsize=(6.4, 4), dpi=80)
    for line, (label, images) in zip(all_axes, rows):
        for axes, image in zip(line, images):
            axes.imshow(image.reshape(8, 8), cmap="gray_r", vmin=0, vmax=16)
            panel(axes, "")
        line[0].set_ylabel(label, rotation=0, ha="right", va="center", fontsize=10)
    save(figure, "pca")


def mds(folder):
    """Cities, placed by nothing but a table of the distances between them."""
    out = os.path.join(folder, "map.csv")
    unroll("embed", CITIES, "-m", "mds", "--metric", "precomputed", "-o", out)
    table = np.genfromtxt(out, delimiter=",", dtype=None, names=True, encoding="utf-8")
    names, places = table["id"], np.column_stack([table["mds0"], table["mds1"]])
    # Distances do not know north: turn the map so that Rome - Oslo points up and Lisbon is west of Kyiv.
    at = {name: place for name, place in zip(names, places)}
    up = (at["Oslo"] - at["Rome"]) / np.linalg.norm(at["Oslo"] - at["Rome"])
    right = np.array([up[1], -up[0]])
    right *= np.sign((at["Kyiv"] - at["Lisbon"]) @ right)
    places = places @ np.column_stack([right, up])
    figure, axes = pyplot.subplots(figsize=(5.6, 4.6), dpi=80)
    panel(axes, "mds of a table of distances, turned so that north is up", places, "tab:blue", s=14, cmap=None)
    for name, place in zip(names, places):
        axes.annotate(name, place, xytext=(4, 3), textcoords="offset points", fontsize=8)
    axes.set_aspect("equal")
    axes.margins(0.16)
    save(figure, "mds")


def isomap(folder):
    """The Swiss roll by PCA and by Isomap, and what the residual variance says about its dimension."""
    _, truth = swiss_roll(folder)
    figure, (left, middle, right) = pyplot.subplots(1, 3, figsize=(10, 3), dpi=80)
    panel(left, "pca: a shadow of the roll", embedded(folder, "roll.npy", "-m", "pca"), truth[:, 0])
    panel(middle, "isomap, k = 10: the sheet", embedded(folder, "roll.npy", "-m", "isomap", "-k", "10"), truth[:, 0])
    report = json.loads(unroll("spectrum", os.path.join(folder, "roll.npy"), "-m", "isomap", "-n", "8", "--json"))
    variance = report["scree"]["residual_variance"]
    right.semilogy(range(1, 9), variance, "o-", color="tab:blue")
    right.axvline(report["scree"]["suggested_components"], color="0.7", zorder=0)
    right.set_title("residual variance by dimension", fontsize=10)
    right.set_xlabel("dimensions", fontsize=9)
    right.tick_params(labelsize=8)
    save(figure, "isomap")


def isomap_k(folder):
    """One k that is right, one that joins the turns of the roll, and landmarks."""
    _, truth = swiss_roll(folder)
    figure, (left, middle, right) = pyplot.subplots(1, 3, figsize=(10, 3), dpi=80)
    for axes, title, words in ((left, "k = 10", ["-k", "10"]),
                               (middle, "k = 60: paths jump between turns", ["-k", "60"]),
                               (right, "k = 10, 100 landmarks", ["-k", "10", "--n-landmarks", "100"])):
        panel(axes, title, embedded(folder, "roll.npy", "-m", "isomap", *words), truth[:, 0])
    save(figure, "isomap-k")


def kernel_pca(folder):
    """Two rings that no line parts, and the kernel that parts them."""
    path, labels = os.path.join(folder, "rings.npy"), os.path.join(folder, "labels.csv")
    unroll("datasets", "make", "circles", "-n", "500", "--factor", "0.3", "-o", path, "--labels", labels)
    ring = np.genfromtxt(labels, skip_header=1)
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(6.6, 3.2), dpi=80)
    panel(left, "pca: as they were", embedded(folder, "rings.npy", "-m", "pca"), ring, s=5)
    panel(right, "kernel_pca, rbf, gamma = 3",
          embedded(folder, "rings.npy", "-m", "kernel_pca", "--gamma", "3"), ring, s=5)
    save(figure, "kernel_pca")


def laplacian_eigenmaps(folder):
    """The horseshoe of harmonics, and two directions that are independent."""
    _, sheet = swiss_roll(folder, 3000)
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(6.6, 3.2), dpi=80)
    panel(left, "the first two coordinates", embedded(folder, "roll.npy", "-m", "laplacian_eigenmaps"), sheet[:, 0],
          s=2)
    panel(right, "--independent", embedded(folder, "roll.npy", "-m", "laplacian_eigenmaps", "--independent"),
          sheet[:, 1], s=2)
    save(figure, "laplacian_eigenmaps")


def diffusion_maps(folder):
    """A curve, five times as densely sampled on one half: the first coordinate with and without the density."""
    length = np.concatenate([np.linspace(0, 0.5, 500, endpoint=False), np.linspace(0.5, 1, 100)])
    angle = 3 * np.pi * (length - 0.5)
    curve = np.column_stack([np.sin(angle), np.sign(angle) * (np.cos(angle) - 1)])
    np.save(os.path.join(folder, "curve.npy"), curve)
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(6.6, 3.2), dpi=80)
    panel(left, "the curve", curve, length, s=6)
    for alpha in ("0", "1"):
        map_ = embedded(folder, "curve.npy", "-m", "diffusion_maps", "-d", "1", "--alpha", alpha, "--graph", "full",
                        "--sigma", "0.1")[:, 0]
        right.plot(length, (map_ - map_.min()) / np.ptp(map_) if map_[0] < map_[-1] else
                   (map_.max() - map_) / np.ptp(map_), label=f"alpha = {alpha}")
    right.plot(length, (1 - np.cos(np.pi * length)) / 2, "k:", label="cosine of the way")
    right.set(title="first coordinate against the way along it", xticks=[], yticks=[])
    right.legend(frameon=False, fontsize=8)
    save(figure, "diffusion_maps")


def spectral_clustering(folder):
    """Clusters that no center has, and the gap that tells how many there are."""
    figure, (left, middle, right) = pyplot.subplots(1, 3, figsize=(10, 3), dpi=80)
    path, out = os.path.join(folder, "points.npy"), os.path.join(folder, "labels.npy")
    for axes, name, noise in ((left, "moons", "0.06"), (middle, "circles", "0.04")):
        unroll("datasets", "make", name, "-n", "600", "--noise", noise, "-o", path)
        unroll("cluster", path, "--n-clusters", "2", "-q", "-o", out)
        panel(axes, f"{name}: 2 clusters", np.load(path), np.load(out)[:, 0], s=6, cmap="coolwarm")
        axes.set_aspect("equal")
    random = np.random.default_rng(0)
    np.save(path, np.concatenate([random.normal(place, 1, (200, 2)) for place in ((0, 0), (6, 0), (3, 5))]))
    report = json.loads(unroll("cluster", path, "--n-clusters", "3", "--graph", "full", "-q", "--json"))
    values = report["spectrum"]["values"]
    right.plot(range(1, len(values) + 1), values, "o", color="tab:blue")
    right.axvspan(3.1, 3.9, color="0.9", zorder=0)
    right.set_title("eigenvalues of three clouds", fontsize=10)
    right.tick_params(labelsize=8)
    save(figure, "spectral_clustering")


def made(folder, name, *words):
    """Points of a generator, in a file of that name in the folder."""
    path = os.path.join(folder, name)
    unroll("datasets", "make", *words, "-o", path)
    return np.load(path)


def graph(folder, name, *words):
    """A quantity of the graph of a file in the folder, as a table."""
    out = os.path.join(folder, "quantity.npy")
    unroll("graph", os.path.join(folder, name), *words, "-q", "-o", out)
    return np.load(out)


def graph_waves(folder):
    """Eigenvectors of a cycle and of a path."""
    n = 60
    made(folder, "cycle.npy", "cycle_graph", "-n", str(n))
    made(folder, "path.npy", "path_graph", "-n", str(n))
    figure, all_axes = pyplot.subplots(2, 4, figsize=(10, 3.2), dpi=80, sharey="row")
    words = ("-m", "laplacian_eigenmaps", "--weights", "binary", "--laplacian", "unnormalized", "-d", "4")
    for line, name, own in zip(all_axes, ("cycle", "path"), (("-k", "2"), ("--radius", "1"))):
        vectors = embedded(folder, name + ".npy", *words, *own)
        for k, axes in enumerate(line):
            step = np.sum((np.roll(vectors[:, k], 1) - vectors[:, k])[name == "path":] ** 2)  # v' L v
            axes.axhline(0, color="0.8", linewidth=0.8)
            axes.plot(vectors[:, k], ".-", color="tab:blue", markersize=3, linewidth=0.8)
            panel(axes, f"{name} {k + 2}: $\\lambda$ = {step:.5f}")
    save(figure, "graph_waves")


def graph_grid(folder):
    """Eigenvectors of a grid, as a drum's."""
    rows, columns = 24, 30
    made(folder, "grid.npy", "grid", "-n", str(rows * columns), "--columns", str(columns))
    vectors = embedded(folder, "grid.npy", "-m", "laplacian_eigenmaps", "--radius", "1", "--weights", "binary",
                       "--laplacian", "unnormalized", "-d", "12")
    values = sorted((2 - 2 * np.cos(np.pi * i / rows) + 2 - 2 * np.cos(np.pi * j / columns), i, j)
                    for i in range(rows) for j in range(columns))[1:13]
    figure, all_axes = pyplot.subplots(2, 6, figsize=(10, 3.1), dpi=80)
    for axes, vector, (value, i, j) in zip(all_axes.flat, vectors.T, values):
        most = np.abs(vector).max()
        axes.imshow(vector.reshape(rows, columns), cmap="RdBu", vmin=-most, vmax=most)
        panel(axes, f"({i},{j}) $\\lambda$ = {value:.3f}")
    save(figure, "graph_grid")


def graph_distances(folder):
    """Three metrics from one point of an S-curve."""
    points = made(folder, "curve.npy", "s_curve", "-n", "1500")
    source = int(np.argmax(points[:, 0] * np.sign(points[:, 2]) - np.abs(points[:, 1] - points[:, 1].mean())))
    distances = graph(folder, "curve.npy", "distances", "--from", str(source), "-k", "10", "--t", "200")
    figure = pyplot.figure(figsize=(10, 3.4), dpi=80)
    for k, title in enumerate(("Euclidean", "geodesic", "diffusion, t = 200")):
        axes = figure.add_subplot(1, 3, k + 1, projection="3d")
        axes.scatter(*points.T, c=distances[:, k], s=4, cmap="turbo", alpha=1)
        axes.scatter(*points[source], c="black", s=50, depthshade=False, zorder=10)
        axes.view_init(14, -72)
        axes.set_zticks([])
        panel(axes, title)
        axes.set_title(title, fontsize=10, y=0.92)
    save(figure, "graph_distances")


def graph_heat(folder):
    """Two moons and their sweep cut; heat of one point of them."""
    points = made(folder, "moons.npy", "moons", "-n", "500", "--noise", "0.08")
    side = graph(folder, "moons.npy", "sweep", "-k", "10", "--components", "connect")[:, 1]
    figure, (first, *others) = pyplot.subplots(1, 4, figsize=(12, 2.6), dpi=80)
    panel(first, "the best sweep cut", points, side, s=6, cmap="coolwarm")
    source = int(np.argmin(points[:, 0]))
    for axes, t in zip(others, ("1", "10", "100")):
        heat = graph(folder, "moons.npy", "heat", "--from", str(source), "--t", t, "-k", "10", "--components", "connect")
        panel(axes, f"heat at t = {t}", points, np.log10(np.maximum(heat[:, 0], 1e-8)), s=6, cmap="inferno", vmin=-8,
              vmax=-1)
    save(figure, "graph_heat")


def lle(folder):
    """Images of a face that moves: PCA and LLE, colored by its place; the images at the corners of the map."""
    path, truth = os.path.join(folder, "faces.npy"), os.path.join(folder, "truth.npy")
    unroll("datasets", "make", "translated_face", "-n", "1000", "-o", path, "--truth", truth)
    images, places = np.load(path), np.load(truth)
    side = int(round(np.sqrt(images.shape[1])))
    figure, all_axes = pyplot.subplots(1, 4, figsize=(12, 3.1), dpi=80)
    framed = np.pad(images[:16].reshape(4, 4, side, side), ((0, 0), (0, 0), (2, 2), (2, 2)))
    all_axes[0].imshow(framed.transpose(0, 2, 1, 3).reshape(4 * (side + 4), -1), cmap="gray")
    panel(all_axes[0], f"images of {side} x {side} pixels")
    panel(all_axes[1], "pca, colored by the face's column", embedded(folder, "faces.npy", "-m", "pca"), places[:, 0])
    coordinates = embedded(folder, "faces.npy", "-m", "lle", "-k", "8")
    for axes, column, title in zip(all_axes[2:], (0, 1), ("column", "row")):
        panel(axes, f"lle, by the face's {title}", coordinates, places[:, column])
    save(figure, "lle")


def mlle(folder):
    """The Swiss roll by three local methods."""
    _, sheet = swiss_roll(folder, 2000)
    figure, all_axes = pyplot.subplots(1, 3, figsize=(9, 3.1), dpi=80)
    for axes, method in zip(all_axes, ("lle", "mlle", "ltsa")):
        panel(axes, method, embedded(folder, "roll.npy", "-m", method, "-k", "12"), sheet[:, 0])
    save(figure, "mlle")


def hlle(folder):
    """A Swiss roll with a hole: the sheet, Isomap, Hessian LLE."""
    _, sheet = sheet_of(folder, "roll.npy", "swiss_roll", "-n", "2000", "--hole")
    figure, all_axes = pyplot.subplots(1, 3, figsize=(9, 3.1), dpi=80)
    panel(all_axes[0], "the sheet", sheet, sheet[:, 0])
    for axes, method in zip(all_axes[1:], ("isomap", "hlle")):
        panel(axes, method, embedded(folder, "roll.npy", "-m", method, "-k", "12"), sheet[:, 0])
    save(figure, "hlle")


def ltsa(folder):
    """The S-curve by PCA and LTSA, colored by both coordinates of its strip."""
    _, strip = sheet_of(folder, "curve.npy", "s_curve", "-n", "2000")
    figure, all_axes = pyplot.subplots(1, 3, figsize=(9, 3.1), dpi=80)
    panel(all_axes[0], "pca", embedded(folder, "curve.npy", "-m", "pca"), strip[:, 0])
    coordinates = embedded(folder, "curve.npy", "-m", "ltsa", "-k", "12")
    for axes, column, title in zip(all_axes[1:], (0, 1), ("along", "across")):
        panel(axes, f"ltsa, by the place {title} the S", coordinates, strip[:, column])
    save(figure, "ltsa")


def compare(folder):
    """The page of 'unroll compare', as a browser shows it."""
    browser = shutil.which("chromium")
    if browser is None:
        print("compare: skipped, there is no chromium")
        return
    swiss_roll(folder, 2000)
    os.symlink(os.path.join(ROOT, "data"), os.path.join(folder, "data"))
    # Run in the folder: the page tells the command line, in which no path of this machine has a place.
    for words in (["roll.npy", "--truth", "truth.npy"], ["data/digits.csv.gz", "--label-column", "digit", "--append"]):
        subprocess.run([os.path.abspath(UNROLL), "compare", *words, "-k", "10", "-q", "-o", "maps.html"], cwd=folder,
                       check=True, stdout=subprocess.DEVNULL)
    page, shot = os.path.join(folder, "maps.html"), os.path.join(folder, "shot.png")
    subprocess.run([browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                    "--virtual-time-budget=20000", f"--user-data-dir={folder}/profile", "--window-size=1250,6000",
                    f"--screenshot={shot}", f"file://{page}"], check=True, stderr=subprocess.DEVNULL)
    image = Image.open(shot).convert("RGB")
    background = Image.new("RGB", image.size, image.getpixel((0, 0)))
    bottom = ImageChops.difference(image, background).getbbox()[3] + 24
    assert bottom < image.height, "the page is longer than the window"
    save_pixels(image.crop((0, 0, image.width, bottom)), os.path.join(IMAGES, "compare.png"), 160)


PICTURES = {picture.__name__: picture
            for picture in (overview, pca, mds, isomap, isomap_k, kernel_pca, lle, mlle, hlle, ltsa, laplacian_eigenmaps,
                            diffusion_maps, spectral_clustering, graph_waves, graph_grid, graph_distances, graph_heat,
                            compare)}

if __name__ == "__main__":
    for chosen in sys.argv[2:] or PICTURES:
        with tempfile.TemporaryDirectory() as scratch:
            PICTURES[chosen](scratch)
