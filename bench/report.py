"""Results as Markdown. Works on what the JSON files hold, so that suites of several runs make one table."""
from __future__ import annotations

import math
from collections import defaultdict
from typing import Any

Result = dict[str, Any]  # the JSON of a suite
Figures = dict[str, Any]  # of one contender in one row
COUNTS = {"flops", "entries", "products", "iterations", "inertia", "missed", "MB", "supernodal", "is METIS", "pairs"}
DIVISORS = {"whole": "fit / our whole command", "fit": "fit / our fit", "cpu": "CPU / our CPU"}


def is_our_command(figures: Figures) -> bool:
    """Ours or another build of it."""
    return figures.get("our_command", figures["ours"])


def best(figures: Figures, basis: str) -> float:
    """The seconds that count: a peer's fit; ours by the suite's basis; of both the CPU's where that is the basis."""
    if basis == "cpu":
        return min(figures["cpu_s"])
    return min(figures["whole_s" if is_our_command(figures) and basis == "whole" else "fit_s"])


def our_best(row: dict[str, Any], basis: str) -> float | None:
    """Of ours in this row, if it got through."""
    times = [best(figures, basis) for figures in row["contenders"] if figures["ours"] and figures["status"] == "ok"]
    return min(times, default=None)


def series(result: Result, memory: bool = False) -> dict[str, dict[str, list[tuple[int, float]]]]:
    """For every task on every kind of data: contender -> [(n, seconds)], or megabytes, n ascending."""
    lines: dict[str, dict[str, list[tuple[int, float]]]] = defaultdict(lambda: defaultdict(list))
    for row in result["rows"]:
        for figures in row["contenders"]:
            if figures["status"] == "ok":
                value = max(figures["peak_mb"]) if memory else best(figures, result["basis"])
                lines[f"{row['data']}, {row['task']}"][figures["name"]].append((row["n"], value))
    return {task: {name: sorted(points) for name, points in by_name.items()} for task, by_name in lines.items()}


def growth(points: list[tuple[int, float]]) -> float | None:
    """The e of seconds ~ n^e, by least squares on logarithms."""
    if len({n for n, _ in points}) < 2:
        return None
    xs, ys = [math.log(n) for n, _ in points], [math.log(seconds) for _, seconds in points]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    return (sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True)) /
            sum((x - mean_x) ** 2 for x in xs))


def seconds_text(values: list[float]) -> str:
    """The best, with how much longer the longest took."""
    low, high = min(values), max(values)
    spread = f" (+{100 * (high / low - 1):.0f} %)" if len(values) > 1 else ""
    return f"{low:.3g}{spread}" if low < 1000 else f"{low:.0f}{spread}"


def number(name: str, value: float) -> str:
    if "error" in name or "difference" in name:
        return f"{value:.0e}" if value else "0"
    if "stress" in name:
        return f"{value:.6g}"
    if name == "MB/s" or name in COUNTS:
        return f"{value:.0f}" if value < 1e6 else f"{value:.2e}"
    return f"{value:.4f}"


def plain(count: int) -> str:
    return f"{count:,}".replace(",", " ")


def columns_of(everyone: list[Figures]) -> dict[str, list[str]]:
    """The columns that not every suite has, by what they are of: the heads of each."""
    ours = [figures for figures in everyone if figures["ours"]]
    return {"cold": ["cold, s"] if any(figures["cold_s"] for figures in everyone) else [],
            "cpu": ["CPU, s"] if any(figures["cpu_s"] for figures in ours) else [],
            "phases": several(dict.fromkeys(name for figures in everyone for name in figures["phases"])),
            "whole": ["whole command, s"] if any(figures["whole_s"] for figures in ours) else [],
            "quality": list(dict.fromkeys(name for figures in everyone for name in figures["quality"]))}


def several(names: dict[str, None]) -> list[str]:
    """One phase alone is the fit itself."""
    return list(names) if len(names) > 1 else []


def cells(row: dict[str, Any], figures: Figures, basis: str, columns: dict[str, list[str]]) -> list[str]:
    chosen = f", ef {figures['details']['ef']}" if "ef" in figures["details"] else ""
    start = [f"{row['data']}, {row['task']}", f"{plain(row['n'])} x {row['d']}", figures["name"] + chosen]
    if figures["status"] != "ok":
        reason = f"{figures['status']}: {figures['reason']}".replace("|", "\\|")
        return [*start, reason] + [""] * (2 + sum(len(heads) for heads in columns.values()))
    ours = our_best(row, basis)
    ratio = "" if figures["ours"] or ours is None else f"{best(figures, basis) / ours:.2f}"
    quality, phases = figures["quality"], figures["phases"]
    return [*start, seconds_text(figures["fit_s"]),
            *(seconds_text(figures["cold_s"]) if figures["cold_s"] else "" for _ in columns["cold"]),
            *(seconds_text(figures["cpu_s"]) if figures["cpu_s"] else "" for _ in columns["cpu"]),
            *(f"{min(phases[name]):.3g}" if name in phases else "" for name in columns["phases"]),
            *(seconds_text(figures["whole_s"]) if is_our_command(figures) else "" for _ in columns["whole"]),
            f"{max(figures['peak_mb']):.0f}",
            *(number(name, quality[name]) if name in quality else "" for name in columns["quality"]), ratio]


def table(result: Result) -> list[str]:
    everyone = [figures for row in result["rows"] for figures in row["contenders"]]
    columns = columns_of(everyone)
    head = ["data", "size", "contender", "fit, s", *columns["cold"], *columns["cpu"],
            *(f"{name}, s" for name in columns["phases"]), *columns["whole"], "peak MB", *columns["quality"],
            f"times ours ({DIVISORS[result['basis']]})"]
    rows = [cells(row, figures, result["basis"], columns)
            for row in result["rows"] for figures in row["contenders"]]
    return ["| " + " | ".join(line) + " |" for line in (head, ["---"] * len(head), *rows)]


def growth_lines(result: Result) -> list[str]:
    lines = []
    for task, by_name in series(result).items():
        exponents = {name: growth(points) for name, points in by_name.items()}
        told = ", ".join(f"{name} {value:.2f}" for name, value in exponents.items() if value is not None)
        if told:
            lines.append(f"- {task}: {told}")
    return ["", "Growth, the e of seconds ~ n^e:", "", *lines] if lines else []


def section(result: Result, plots: list[str]) -> list[str]:
    repeat = f"best of {result['repeat']} in turn" if result["repeat"] > 1 else "once"
    lines = [f"## {result['title']}", "", f"`bench/run {result['suite']}`, threads: {result['threads']}, {repeat}, "
             f"{result['date']}, commit {result['commit']}, {result['machine']['CPU']}, load of the machine before it: "
             f"{result['load']:.1f}."]
    lines += [result["note"]] if result["note"] else []
    lines += ["", *table(result), *growth_lines(result)]
    lines += [""] + [f"![Seconds and memory against n]({path})" for path in plots] if plots else []
    return [*lines, ""]


HEAD = """# Ours beside the peers

Written by `bench/run`; [README.md](README.md) tells how it is measured.

- **fit**: a peer's fit on data in memory, ours without reading and writing; the best, and by how much the longest took
  longer. **cold**: the first fit of a peer that compiles itself while it runs, with imports and reading (fit is then the
  second, on the same data). **whole command**: ours from start to end, with reading the file and writing the result.
- **CPU**: of the fit, all threads together: what the wall clock would say on a machine that nobody else uses, where
  there is one thread. Columns after it are phases of the fit, on the CPU too, each the best of its own.
- **peak MB** (10^6 bytes): of the whole process. **recall**, **distance error**: on 2000 of the points, against their
  true neighbours.
- **times ours**: how many times as long as ours a peer takes; the head of the column says what of ours is counted.
"""


def sections_of(text: str) -> dict[str, str]:
    """title -> section, of a report that was written before."""
    return {part.partition("\n")[0]: "## " + part.rstrip() + "\n" for part in text.split("\n## ")[1:]}


def markdown(results: list[Result], plots: dict[str, list[str]], titles: list[str], before: str = "") -> str:
    """The results are of one machine; `plots`: suite -> paths of its plots; `titles`: of all suites, in their order. What
    the report had `before` of a suite without a result stays."""
    newest = max(results, key=lambda result: result["date"])
    facts = {**newest["machine"], "unroll": newest["unroll"]}
    versions = ", ".join(f"{name} {version}" for name, version in newest["versions"].items())
    lines = [HEAD, "| | |", "|---|---|", *(f"| {name} | {value} |" for name, value in facts.items()),
             f"| packages | {versions} |", ""]
    sections = sections_of(before)
    for result in results:
        sections[result["title"]] = "\n".join(section(result, plots.get(result["suite"], [])))
    lines += [sections[title] for title in titles if title in sections]
    return "\n".join(lines).rstrip() + "\n"
