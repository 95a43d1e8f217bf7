"""Seconds and memory against n, a plot per task."""
from __future__ import annotations

import re
from pathlib import Path

from report import Result, plain, series


def draw(result: Result, folder: Path) -> list[Path]:
    """The files written: one for every task that was done at two sizes or more. None without matplotlib."""
    try:
        import matplotlib
    except ModuleNotFoundError:
        return []
    matplotlib.use("svg")
    # Text as text and no date: small files that change only when the figures do.
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "unroll", "font.size": 9})
    from matplotlib import pyplot, ticker

    paths = []
    memory = series(result, memory=True)
    for task, lines in series(result).items():
        counts = sorted({n for points in lines.values() for n, _ in points})
        if len(counts) < 2:
            continue
        figure, panels = pyplot.subplots(1, 2, figsize=(8, 3), layout="constrained")
        figure.suptitle(f"{result['title']}: {task}")
        for axes, by_name, label in zip(panels, (lines, memory[task]), ("seconds", "peak MB"), strict=True):
            for name, points in by_name.items():
                is_ours = name.startswith("unroll")
                axes.loglog(*zip(*points, strict=True), marker="o", markersize=4 if is_ours else 3, label=name,
                            linewidth=2 if is_ours else 1, color="black" if name == "unroll" else None)
            axes.set(xlabel="n", ylabel=label)
            axes.set_xticks(counts, [plain(n) for n in counts])
            axes.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
            axes.yaxis.set_major_formatter("{x:g}")
            for axis in (axes.xaxis, axes.yaxis):
                axis.set_minor_locator(ticker.NullLocator())
            axes.grid(alpha=0.3)
        panels[0].legend(frameon=False)
        folder.mkdir(parents=True, exist_ok=True)
        slug = re.sub(r"[^a-z0-9]+", "-", f"{result['suite']} {task}".lower()).strip("-")
        paths.append(folder / f"{slug}.svg")
        figure.savefig(paths[-1], metadata={"Date": None})
        pyplot.close(figure)
    return paths
