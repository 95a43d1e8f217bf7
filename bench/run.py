"""Runs suites and writes their results; bench/run installs and builds before it."""
from __future__ import annotations

import argparse
import datetime
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import exact
import machine
import plots
import quality
import report
from contender import Contender, Failed, Files, Machinery, Run, Skipped, run
from data import ROOT, Unavailable
from suites import SUITES, Row

SCHEMA = "unroll-bench/2"
LONG_S = 60  # a fit that takes longer is not repeated


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench/run", description="Ours beside the peers, in one run.")
    parser.add_argument("suites", nargs="*", metavar="SUITE", help="one of --list (default: all that are on)")
    parser.add_argument("--list", action="store_true", help="name the suites and end")
    parser.add_argument("--quick", action="store_true", help="small data, once each: does it all work?")
    parser.add_argument("--max-n", type=int, metavar="N", help="leave out rows with more points")
    parser.add_argument("--threads", type=int, default=2, help="of every contender (default: 2)")
    parser.add_argument("--repeat", type=int, help="runs of every contender (default: 3; quick: 1)")
    parser.add_argument("--timeout", type=int, default=1800, metavar="S", help="seconds for one run (default: 1800)")
    parser.add_argument("--out", type=Path, help="results/ and plots/ go beside it (default: bench/RESULTS.md)")
    parser.add_argument("--data", type=Path, default=ROOT / "build/bench-data", help="where made data are kept")
    parser.add_argument("--unroll", type=Path, default=ROOT / "build/release/bin/unroll", help="the command to measure")
    parser.add_argument("--beside", type=Path, metavar="UNROLL", help="another build of the command, in the same run")
    parser.add_argument("--no-peers", action="store_true", help="leave out all but ours and --beside")
    parser.add_argument("--no-install", action="store_true", help="neither install packages nor build")
    told = parser.parse_args()
    if unknown := set(told.suites) - set(SUITES):
        parser.error(f"no suite {', '.join(sorted(unknown))}; there are {', '.join(SUITES)}")
    if min(told.threads, told.timeout, told.repeat or 1) < 1:
        parser.error("--threads, --timeout and --repeat are at least 1")
    told.suites = told.suites or [name for name, suite in SUITES.items() if suite.default]
    told.repeat = told.repeat or (1 if told.quick else 3)
    # Quick figures are no figures: they do not replace the real ones.
    told.out = (told.out or ROOT / ("build/bench-quick" if told.quick else "bench") / "RESULTS.md").resolve()
    return told


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def prepared(row: Row, folder: Path, scratch: Path, programs: Path) -> Files:
    """The files of a row, made if need be."""
    data = row.data.file(folder, programs)
    return Files(data, scratch / "out", row.companion.file(folder, programs) if row.companion else None,
                 exact.reference_file(data, row.k) if row.quality in ("neighbors", "exact_neighbors") else None)


def attempt(contender: Contender, row: Row, files: Files, machinery: Machinery, turn: int,
            figures: dict[str, Any]) -> None:
    """One run, noted in `figures`; the first of every seed is judged too. What goes wrong is noted and ends nothing."""
    if figures["status"] != "ok":
        return
    try:
        done: Run = run(contender, files, row.k, machinery, turn % row.seeds)
        if row.quality and turn < row.seeds:
            figures["judged"].append(quality.FUNCTIONS[row.quality](contender, done, files, row.k))
    except Skipped as reason:
        figures.update(status="skipped", reason=str(reason))
    except Failed as reason:
        figures.update(status="failed", reason=str(reason))
    except (OSError, ValueError, KeyError) as error:
        figures.update(status="failed", reason=f"its result cannot be judged: {error!r}")
    else:
        figures["fit_s"].append(done.fit_s)
        figures["whole_s"] += [done.whole_s] if contender.kind not in ("part", "command") else []
        figures["peak_mb"].append(done.peak_mb)
        figures["cold_s"] += [done.cold_s] if done.cold_s is not None else []
        figures["cpu_s"] += [done.cpu_s] if done.cpu_s is not None else []
        for name, seconds in done.phases.items():
            figures["phases"].setdefault(name, []).append(seconds)
        figures["details"] = done.report.get("details", {})


def invited(contenders: tuple[Contender, ...], told: argparse.Namespace) -> list[Contender]:
    """Those of a row, each of ours with the other build after it."""
    result = []
    for contender in contenders:
        if contender.is_ours or not told.no_peers:
            result.append(contender)
        if told.beside and contender.kind == "ours":
            result.append(contender.beside(told.beside.resolve(), f"{contender.name}, the other build"))
    return result


def measured(row: Row, told: argparse.Namespace, machinery: Machinery) -> dict[str, Any]:
    """All contenders of a row, in turn."""
    contenders = invited(row.contenders, told)
    everyone = [{"name": contender.name, "ours": contender.is_ours, "our_command": contender.is_our_command,
                 "status": "ok", "reason": "", "fit_s": [], "whole_s": [], "cold_s": [], "cpu_s": [], "phases": {},
                 "peak_mb": [], "judged": [], "quality": {}, "details": {}}
                for contender in contenders]
    result = {"task": row.task, "data": row.data.name, "dtype": row.data.dtype, "n": row.data.n, "d": 0, "k": row.k,
              "contenders": everyone}
    try:
        with tempfile.TemporaryDirectory(dir=told.data) as scratch:
            files = prepared(row, told.data, Path(scratch), machinery.unroll.parent)
            result["d"] = row.data.width(files.data)
            seeds = 1 if told.quick else row.seeds
            for turn in range(max(told.repeat, seeds)):
                for contender, figures in zip(contenders, everyone, strict=True):
                    if turn < seeds or max(figures["cpu_s"] or figures["fit_s"], default=0) < LONG_S:
                        attempt(contender, row, files, machinery, turn, figures)
    except Unavailable as reason:
        for figures in everyone:
            figures.update(status="skipped", reason=str(reason))
    for figures in everyone:
        figures["quality"] = means(figures["judged"])
    compare_values(everyone)
    return result


def means(judged: list[dict[str, float]]) -> dict[str, float]:
    return {name: sum(each[name] for each in judged) / len(judged) for name in (judged[0] if judged else ())}


def compare_values(everyone: list[dict[str, Any]]) -> None:
    """Where contenders compute one number: how far each is from the first of them that has it; of what has a unit,
    relative to it."""
    for name, unit in (("trustworthiness", False), ("mean length", True), ("inertia", True)):
        have = [figures for figures in everyone if name in figures["quality"]]
        for figures in have[1:]:
            first = have[0]["quality"][name]
            figures["quality"]["difference"] = abs(figures["quality"][name] - first) / (first if unit else 1)


def run_suite(name: str, told: argparse.Namespace, facts: dict[str, Any]) -> None:
    suite = SUITES[name]
    machinery = Machinery(told.unroll.resolve(), suite.threads or told.threads, told.timeout)
    busy = os.getloadavg()[0]
    result = {"schema": SCHEMA, "suite": name, "title": suite.title, "basis": suite.basis, "note": suite.note,
              "quick": told.quick, "threads": machinery.threads, "repeat": told.repeat, "load": busy, **facts,
              "rows": []}
    path = told.out.parent / "results" / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    for row in suite.rows(told.quick):
        if told.max_n and row.data.n > told.max_n:
            continue
        say(f"{name}: {row.data.name} {row.data.n}, {row.task}")
        result["rows"].append(measured(row, told, machinery))
        for figures in result["rows"][-1]["contenders"]:
            say(f"    {figures['name']}: " + (report.seconds_text(figures["fit_s"]) + " s" if figures["status"] == "ok"
                                              else f"{figures['status']}: {figures['reason']}"))
        # After every row: a run that is stopped leaves what it has.
        path.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


def write_report(told: argparse.Namespace, facts: dict[str, Any]) -> None:
    """All results beside the report that are of this machine and of this kind, in the order of SUITES; of other suites what
    the report has."""
    results = []
    for name in SUITES:
        path = told.out.parent / "results" / f"{name}.json"
        if path.exists():
            result = json.loads(path.read_text(encoding="utf-8"))
            alike = (result["schema"], result["machine"], result["quick"]) == (SCHEMA, facts["machine"], told.quick)
            results += [result] if alike and result["rows"] else []
    if not results:
        sys.exit("bench: nothing was measured")
    drawn = {result["suite"]: [path.relative_to(told.out.parent).as_posix()
                               for path in plots.draw(result, told.out.parent / "plots")] for result in results}
    before = told.out.read_text(encoding="utf-8") if told.out.exists() else ""
    titles = [suite.title for suite in SUITES.values()]
    told.out.write_text(report.markdown(results, drawn, titles, before), encoding="utf-8")
    say(f"{told.out}: {', '.join(result['suite'] for result in results)}")


def main() -> None:
    told = arguments()
    if told.list:
        for name, suite in SUITES.items():
            print(f"{name:22} {suite.title}{'' if suite.default else ' (only when named)'}")
        return
    if not told.unroll.exists():
        sys.exit(f"bench: there is no {told.unroll}; without --no-install, bench/run builds the command")
    told.data.mkdir(parents=True, exist_ok=True)
    version = machine.output(str(told.unroll.resolve()), "version").splitlines()
    facts = {"machine": machine.machine(), "versions": machine.versions(), "commit": machine.commit(),
             "unroll": ", ".join(version), "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")}
    for name in told.suites:
        run_suite(name, told, facts)
    write_report(told, facts)


if __name__ == "__main__":
    main()
