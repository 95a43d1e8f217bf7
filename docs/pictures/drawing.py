"""What all pictures share: the command, the colors, panels, and files that are small and not cut.

A picture is drawn in a scratch folder, which is the working folder: commands are written as a reader would type them.
"""
import io
import json
import os
import shlex
import subprocess

import matplotlib
import numpy as np
from PIL import Image

matplotlib.use("Agg")
from matplotlib import colors, pyplot  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
IMAGES = os.path.join(ROOT, "docs/images")
UNROLL = os.path.join(ROOT, "build/release/bin/unroll")  # make_pictures.py sets it
MAX_KB = 150

# The colors of web/src/draw/palette.ts: viridis without the end that white paper swallows, and ten classes that color-blind
# readers tell apart (M. Petroff, "Accessible color sequences for data visualization", 2021).
SCALE = colors.ListedColormap(pyplot.get_cmap("viridis")(np.linspace(0, 0.93, 256)))
CLASSES = colors.ListedColormap(["#3f90da", "#ffa90e", "#bd1f01", "#94a4a2", "#832db6", "#a96b59", "#e76300", "#b9ac70",
                                 "#717581", "#92dadd"])
INK, SOFT, BLUE, RED = "#1b1f27", "#b4bac4", "#3f90da", "#bd1f01"

pyplot.rcParams.update({"figure.dpi": 100, "font.size": 10, "axes.titlesize": 11, "axes.labelsize": 10,
                        "xtick.labelsize": 9, "ytick.labelsize": 9, "axes.edgecolor": SOFT, "legend.frameon": False,
                        "text.color": INK, "axes.labelcolor": INK})


def unroll(command):
    """Standard output of the command, written without its first word."""
    return subprocess.run([UNROLL, *shlex.split(command)], check=True, stdout=subprocess.PIPE).stdout


def report(command):
    return json.loads(unroll(command + " --json -q"))


def made(name, words):
    """Points of a generator, in a file of that name; their true coordinates are in truth.npy."""
    unroll(f"datasets make {words} -o {name} --truth truth.npy")
    return np.load(name), np.load("truth.npy")


def swiss_roll(n=1500):
    """The points of roll.npy, and arc length and height on the sheet that was rolled up."""
    return made("roll.npy", f"swiss-roll -n {n}")


def embedded(words, like=None):
    """Coordinates, a row per point. The sign of an axis has no meaning: make it run as the true coordinate does."""
    unroll(f"embed {words} -q -o map.npy")
    points = np.load("map.npy")
    return points if like is None else along(points, like)


def along(points, truth):
    """Every axis flipped, if need be, so that it runs with the true coordinate that it resembles most."""
    points = points.copy()
    for column in points.T:
        resemblance = np.corrcoef(column, truth.T)[0, 1:]
        column *= np.sign(resemblance[np.argmax(np.abs(resemblance))]) or 1
    return points


def turned(points, truth):
    """The map, turned and mirrored so that it is as near to the truth as that makes it."""
    points, truth = points - points.mean(axis=0), truth - truth.mean(axis=0)
    left, _, right = np.linalg.svd(points.T @ truth)
    return points @ left @ right


def quality(words):
    return report(f"quality {words}")["metrics"]


def table(path):
    """A csv with a header, words allowed, as an array with names."""
    return np.genfromtxt(path, delimiter=",", dtype=None, names=True, encoding="utf-8")


def cities_on_map(method="mds", distances="data/city-distances.csv"):
    """Names and places of the cities that a table of distances is about, north up."""
    unroll(f"embed {distances} -m {method} --metric precomputed -q -o map.csv")
    cities = table("map.csv")
    names, places = cities[cities.dtype.names[0]], np.column_stack([cities[f"{method}0"], cities[f"{method}1"]])
    # Distances do not know north: turn the map so that Rome - Oslo points up and Lisbon is west of Kyiv.
    at = dict(zip(names, places))
    up = (at["Oslo"] - at["Rome"]) / np.linalg.norm(at["Oslo"] - at["Rome"])
    right = np.array([up[1], -up[0]])
    right *= np.sign((at["Kyiv"] - at["Lisbon"]) @ right)
    return names, places @ np.column_stack([right, up])


def figure_of(rows, columns, width=10.0, height=3.2, **options):
    """A figure and its panels, row by row. Ten inches are the width of a web page."""
    figure, panels = pyplot.subplots(rows, columns, figsize=(width, height), squeeze=False, **options)
    return figure, list(panels.flat)


def bare(axes, title="", below=""):
    axes.set_title(title)
    axes.set_xlabel(below)
    axes.set_xticks([])
    axes.set_yticks([])


def scatter(axes, points, color, title="", below="", equal=False, classes=False, size=5, limits=(None, None)):
    """A map. Equal axes are for methods that keep distances; the others know the shape up to stretching."""
    low, high = (0, 9) if classes else limits
    axes.scatter(*points[:, :2].T, c=color, s=size, cmap=CLASSES if classes else SCALE, linewidths=0, vmin=low, vmax=high)
    if equal:
        axes.set_aspect("equal", adjustable="datalim")
    bare(axes, title, below)


def in_space(figure, place, points, color, title, view=(12, -72), zoom=1.35, size=6):
    """Points in three dimensions, in one unit along all axes; place is what add_subplot takes."""
    axes = figure.add_subplot(*place, projection="3d")
    axes.scatter(*points.T[:3], c=color, s=size, cmap=SCALE, linewidths=0, depthshade=False)
    axes.view_init(*view)
    axes.set_box_aspect(np.ptp(points[:, :3], axis=0), zoom=zoom)
    axes.set_axis_off()
    axes.set_title(title)
    return axes


def image_sheet(images, rows, columns, gap=1, blank=0.0):
    """Images, side by side, as one."""
    side = int(round(np.sqrt(images.shape[1])))
    tiles = np.full((rows, columns, side + gap, side + gap), blank)
    tiles[:, :, :side, :side] = images[:rows * columns].reshape(rows, columns, side, side)
    return tiles.transpose(0, 2, 1, 3).reshape(rows * (side + gap), columns * (side + gap))[:-gap, :-gap]


def legend(axes, names, title=None, **place):
    """Names of classes beside their colors."""
    marks = [axes.scatter([], [], color=CLASSES(i), s=30, label=name) for i, name in enumerate(names)]
    axes.legend(handles=marks, title=title, **{"fontsize": 9, "handletextpad": 0.1, **place})


def complain_of_cut_words(figure, name):
    """No title or label may pass the edge of the picture, or run into that of its neighbor."""
    figure.canvas.draw()
    whole = figure.bbox
    titles = [text for axes in figure.axes for text in (axes.title, axes.xaxis.label) if text.get_text()]
    boxes = [(text.get_text(), text.get_window_extent()) for text in titles]
    for text, box in boxes:
        assert box.x0 >= 0 and box.y0 >= 0 and box.x1 <= whole.x1 and box.y1 <= whole.y1, f"{name}: '{text}' is cut"
    for i, (text, box) in enumerate(boxes):
        for other, its in boxes[i + 1:]:
            assert not box.overlaps(its), f"{name}: '{text}' runs into '{other}'"


def save(figure, name, tight=True):
    if tight:
        figure.tight_layout()
    complain_of_cut_words(figure, name)
    pixels = io.BytesIO()
    figure.savefig(pixels, format="png")
    pyplot.close(figure)
    save_pixels(Image.open(pixels), os.path.join(IMAGES, name + ".png"))


def with_palette(image, count):
    """The picture in that many colors. White and the colors of classes stay as they are: few points have those, and a
    palette of the most frequent colors would mix them with others."""
    drawn, places = np.unique(np.asarray(image).reshape(-1, 3), axis=0, return_inverse=True)
    fixed = np.vstack([[[255, 255, 255]], np.rint(255 * CLASSES(range(CLASSES.N))[:, :3]).astype(int)])
    kept = fixed[[(color == drawn).all(axis=1).any() for color in fixed]]
    others = image.quantize(count - len(kept), dither=Image.Dither.NONE).getpalette()[:3 * (count - len(kept))]
    palette = np.vstack([kept, np.reshape(others, (-1, 3))])
    nearest = [np.argmin(((palette - color) ** 2).sum(axis=1)) for color in drawn.astype(int)]
    small = Image.fromarray(np.array(nearest, dtype=np.uint8)[places].reshape(image.height, image.width), "P")
    small.putpalette(palette.astype(np.uint8).tobytes())
    return small


def save_pixels(image, path, palettes=(256, 128, 96)):
    """The picture with a palette, as many colors as keep it small."""
    for count in palettes:
        with_palette(image.convert("RGB"), count).save(path, optimize=True)
        if os.path.getsize(path) <= MAX_KB * 1024:
            break
    print(path, os.path.getsize(path) // 1024, "kB")
