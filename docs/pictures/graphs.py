"""The pictures of docs/graph.md."""
import numpy as np
from matplotlib import pyplot

from .drawing import BLUE, INK, SCALE, SOFT, bare, embedded, figure_of, in_space, made, save, scatter, unroll

LAPLACIAN = "-m laplacian_eigenmaps --weights binary --laplacian unnormalized"


def _of_graph(words):
    """A quantity of a graph, as a table."""
    unroll(f"graph {words} -q -o quantity.npy")
    return np.load("quantity.npy")


def graph_waves():
    """Eigenvectors of D - A of a cycle and of a path."""
    made("cycle.npy", "cycle-graph -n 60")
    made("path.npy", "path-graph -n 60")
    figure, panels = figure_of(2, 4, 10, 3.6, sharey="row")
    for name, edges, line in (("cycle", "-k 2", panels[:4]), ("path", "--radius 1", panels[4:])):
        vectors = embedded(f"{name}.npy {LAPLACIAN} {edges} -d 4")
        for k, axes in enumerate(line):
            value = np.sum((np.roll(vectors[:, k], 1) - vectors[:, k])[name == "path":] ** 2)  # v' L v
            axes.axhline(0, color=SOFT, linewidth=0.8)
            axes.plot(vectors[:, k], ".-", color=BLUE, markersize=4, linewidth=0.9)
            bare(axes, f"{name} {k + 2}: $\\lambda$ = {value:.5f}")
    save(figure, "graph_waves")


def graph_grid():
    """Eigenvectors of D - A of a grid, as a drum's; black where they are zero."""
    rows, columns = 24, 30
    made("grid.npy", f"grid -n {rows * columns} --columns {columns}")
    vectors = embedded(f"grid.npy {LAPLACIAN} --radius 1 -d 15")
    values = sorted((2 - 2 * np.cos(np.pi * i / rows) + 2 - 2 * np.cos(np.pi * j / columns), i, j)
                    for i in range(rows) for j in range(columns))[1:16]
    figure, panels = figure_of(3, 5, 10, 5.6)
    for axes, vector, (value, i, j) in zip(panels, vectors.T, values):
        image = vector.reshape(rows, columns)
        axes.imshow(image, cmap=SCALE)
        axes.contour(image, levels=[0], colors=INK, linewidths=1)
        bare(axes, f"({i}, {j})  $\\lambda$ = {value:.3f}")
    save(figure, "graph_grid")


def graph_distances():
    """Three metrics from one point of an S-curve."""
    points, _ = made("curve.npy", "s-curve -n 1500 --height 3")
    source = 1208  # at the upper end of the S
    distances = _of_graph(f"curve.npy distances --from {source} -k 10 --t 200")
    figure = pyplot.figure(figsize=(10, 3.5))
    for k, title in enumerate(("Euclidean", "geodesic", "diffusion, t = 200")):
        axes = in_space(figure, (1, 3, k + 1), points, distances[:, k], title, view=(14, -80), zoom=1.18)
        axes.scatter(*points[source], color=INK, s=60, depthshade=False, zorder=10)
    figure.subplots_adjust(left=0, right=1, bottom=0, top=0.9, wspace=0)
    save(figure, "graph_distances", tight=False)


def graph_heat():
    """Two moons and their sweep cut; heat of one point of them."""
    points, _ = made("moons.npy", "moons -n 500 --noise 0.08")
    side = _of_graph("moons.npy sweep -k 10 --components connect")[:, 1]
    figure, (first, *others) = figure_of(1, 4, 10, 2.6)
    scatter(first, points, side, "the best sweep cut", equal=True, classes=True, size=8)
    source = int(np.argmin(points[:, 0]))
    for axes, t in zip(others, (1, 10, 100)):
        heat = _of_graph(f"moons.npy heat --from {source} --t {t} -k 10 --components connect")
        scatter(axes, points, np.log10(np.maximum(heat[:, 0], 1e-9)), f"heat at t = {t}", equal=True, size=8,
                limits=(-8, -1))
        axes.scatter(*points[source], color=INK, s=25, zorder=3)
    save(figure, "graph_heat")
