"""The pictures of docs/gallery.md that no other page has."""
import gzip
import os

import numpy as np
from matplotlib import pyplot

from .drawing import (BLUE, RED, bare, embedded, figure_of, image_sheet, in_space, made, quality, report, save, scatter,
                      swiss_roll, turned, unroll)

FASHION = "/usr/share/datasets/fashion-mnist/t10k-images-idx3-ubyte.gz"
# Methods that keep distances, of one kind or another: their axes have one unit.
KEEP_DISTANCES = ("pca", "mds", "metric_mds", "nonmetric_mds", "sammon", "isomap", "mvu")


def gallery_roll():
    """The Swiss roll by the methods that make maps; below each, the correlation of its distances with those on the sheet."""
    roll, sheet = swiss_roll(1000)
    figure, panels = figure_of(4, 5, 11.2, 9.6)
    panels[0].remove()
    in_space(figure, (4, 5, 1), roll, sheet[:, 0], "1000 points of a roll", view=(10, -76), zoom=1.3, size=5)
    methods = ("pca", "mds", "metric_mds", "nonmetric_mds", "sammon", "isomap", "mvu", "kernel_pca", "lle", "mlle", "hlle",
               "ltsa", "laplacian_eigenmaps", "diffusion_maps", "sne", "tsne", "umap", "autoencoder")
    for axes, method in zip(panels[1:], methods):
        points = embedded(f"roll.npy -m {method}", sheet)
        np.save("judged.npy", points)
        found = quality("roll.npy judged.npy --truth truth.npy")
        scatter(axes, points, sheet[:, 0], method,
                f"trust {found['trustworthiness']:.3f}, corr {found['true_distance_pearson']:.4f}",
                equal=method in KEEP_DISTANCES)
    unroll("cluster roll.npy --n-clusters 8 -q -o labels.npy")
    scatter(panels[19], embedded("roll.npy -m isomap", sheet), np.load("labels.npy")[:, 0], "spectral_clustering",
            "8 clusters, on isomap's map", equal=True, classes=True)
    save(figure, "gallery_roll")


def gallery_kernel():
    """The Swiss roll in the first three coordinates of kernel PCA, which does not unroll it, and by LLE, which does."""
    roll, sheet = swiss_roll(1500)
    figure = pyplot.figure(figsize=(10, 3.5))
    in_space(figure, (1, 3, 1), roll, sheet[:, 0], "the roll", view=(10, -76), zoom=1.3)
    in_space(figure, (1, 3, 2), embedded("roll.npy -m kernel_pca -d 3", sheet), sheet[:, 0], "kernel_pca, rbf, 3 coordinates",
             view=(50, -100), zoom=1.25)
    scatter(figure.add_subplot(1, 3, 3), embedded("roll.npy -m lle -k 12", sheet), sheet[:, 0], "lle, k = 12")
    figure.subplots_adjust(left=0, right=0.99, bottom=0.03, top=0.9, wspace=0.03)
    save(figure, "gallery_kernel", tight=False)


def gallery_face_path():
    """Images of a face along a line through the map of LLE."""
    images, places = made("faces.npy", "translated-face -n 1000")
    places = places * (1, -1)  # rows of an image are counted from its top
    points = turned(embedded("faces.npy -m lle -k 8"), places)
    start, end = points[np.argmin(places[:, 0] - places[:, 1])], points[np.argmax(places[:, 0] - places[:, 1])]
    stops = [int(np.argmin(np.linalg.norm(points - (start + (end - start) * t), axis=1))) for t in np.linspace(0, 1, 8)]
    figure = pyplot.figure(figsize=(10, 3.5))
    cells = figure.add_gridspec(1, 2, width_ratios=[1, 1.8], left=0.01, right=0.99, top=0.91, bottom=0.02, wspace=0.04)
    axes = figure.add_subplot(cells[0])
    scatter(axes, points, places[:, 0], "lle: a line through the map", size=7)
    axes.plot(*points[stops].T, "o-", color=RED, markersize=5)
    for number, stop in enumerate(stops, 1):
        axes.annotate(number, points[stop], xytext=(5, 5), textcoords="offset points", fontsize=10)
    axes = figure.add_subplot(cells[1])
    axes.imshow(image_sheet(images[stops], 2, 4, 2, 1.0), cmap="gray", vmin=0, vmax=1)
    bare(axes, "the images nearest to eight places on it, 1 to 8 row by row")
    save(figure, "gallery_face_path", tight=False)


def gallery_eigenimages():
    """The mean and the first principal axes of images of clothes."""
    if not os.path.exists(FASHION):
        print("gallery_eigenimages: skipped, there is no dataset-fashion-mnist")
        return
    unroll(f"embed {FASHION} -m pca -d 15 --save clothes.unroll -q -o code.npy")
    np.savetxt("steps.csv", np.vstack([np.zeros(15), np.eye(15)]), delimiter=",")
    unroll("transform clothes.unroll steps.csv --inverse -o images.npy")
    images = np.load("images.npy")
    figure, panels = figure_of(2, 8, 10, 3)
    for k, axes in enumerate(panels):
        image = images[k] - images[0] if k else images[0]
        most = np.abs(image).max()
        axes.imshow(image.reshape(28, 28), cmap="gray", vmin=-most if k else 0, vmax=most)
        bare(axes, f"axis {k}" if k else "mean")
    save(figure, "gallery_eigenimages")


def gallery_rebuilt():
    """Clothes from the first few of their coordinates."""
    if not os.path.exists(FASHION):
        print("gallery_rebuilt: skipped, there is no dataset-fashion-mnist")
        return
    rows = []
    for count in (2, 10, 50, 200):
        unroll(f"embed {FASHION} -m pca -d {count} --save clothes.unroll -q -o code.npy")
        unroll("transform clothes.unroll code.npy --inverse -o back.npy")
        rows.append((f"{count} numbers", np.load("back.npy")[:10]))
    with gzip.open(FASHION) as file:
        file.read(16)  # the header of idx
        rows.append(("784 pixels", np.frombuffer(file.read(10 * 784), np.uint8).reshape(10, 784)))
    figure, (axes,) = figure_of(1, 1, 10, 4.6)
    axes.imshow(image_sheet(np.concatenate([images for _, images in rows]), len(rows), 10, 2), cmap="gray", vmin=0, vmax=255)
    bare(axes)
    axes.set_yticks([30 * i + 14 for i in range(len(rows))], [label for label, _ in rows], fontsize=10)
    axes.tick_params(length=0)
    save(figure, "gallery_rebuilt")


def gallery_gap():
    """Spectra of the faces that move in two directions: Isomap alone has a gap after two."""
    made("faces.npy", "translated-face -n 1000")
    figure, panels = figure_of(1, 4, 10, 3)
    for axes, words in zip(panels, ("pca", "isomap -k 8", "lle -k 8", "laplacian_eigenmaps -k 8")):
        scree = report(f"spectrum faces.npy -m {words} -n 8")["scree"]
        cut = scree["suggested_components"]
        axes.bar(range(1, 9), scree["eigenvalues"], color=BLUE)
        if cut:
            axes.axvline(cut + 0.5, color=RED)
        axes.set(title=f"{words.split()[0]}: {f'a gap after {cut}' if cut else 'none'}", xlabel="eigenvalue", yticks=[],
                 xticks=range(1, 9))
    save(figure, "gallery_gap")


def gallery_nine():
    """An S-curve by the methods of a well-known lecture figure, with the correlation of distances below each."""
    curve, strip = made("curve.npy", "s-curve -n 2000 --arc 9.42477796 --height 5")
    figure, panels = figure_of(3, 3, 9, 8.4)
    panels[0].remove()
    in_space(figure, (3, 3, 1), curve, strip[:, 0], "original data, N = 2000", view=(14, -76), zoom=1.15, size=4)
    for axes, title, words in zip(panels[1:], ("mds", "isomap, k = 12", "lle, k = 20", "hlle, k = 20", "ltsa, k = 20",
                                               "kernel_pca, poly", "diffusion_maps", "autoencoder"),
                                  ("mds", "isomap -k 12", "lle -k 20", "hlle -k 20", "ltsa -k 20",
                                   "kernel_pca --kernel poly", "diffusion_maps --graph full --sigma 1", "autoencoder")):
        points = turned(embedded(f"curve.npy -m {words}"), strip)
        np.save("judged.npy", points)
        found = quality("curve.npy judged.npy --truth truth.npy")
        scatter(axes, points, strip[:, 0], title, f"corr = {found['true_distance_pearson']:.4f}", equal=True, size=4)
    save(figure, "gallery_nine")
