"""Who takes part, and one run of one of them in a process of its own."""
from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
THREADED_BLAS = Path("/usr/lib/x86_64-linux-gnu/openblas-pthread")
NOT_COMPUTING = {"read", "write", "total"}  # of our timings_s


@dataclass(frozen=True)
class Contender:
    """Ours: the arguments of the command; a peer: a function of peers.py or peers.R and its options; of a part: a
    contender of a program of bench/parts; a command: its words; another build of ours: its file, the same arguments."""
    name: str
    kind: str  # "ours", "other build", "python", "r", "part", "command"
    arguments: tuple[str, ...] = ()
    peer: str = ""
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def is_ours(self) -> bool:
        return self.kind == "ours" or self.options.get("ours", False)

    @property
    def is_our_command(self) -> bool:
        return self.kind in ("ours", "other build")

    def beside(self, unroll: Path, name: str) -> Contender:
        """The same arguments for another build of the command: a peer."""
        return Contender(name, "other build", self.arguments, peer=str(unroll), options=self.options)


def ours(*arguments: str, name: str = "unroll", counted: str = "compute") -> Contender:
    """{data}, {companion}, {out}, {k}, {threads} and {seed} stand for what their names say; `counted` is what of timings_s is
    the fit: "read", or all that is neither reading nor writing."""
    return Contender(name, "ours", arguments, options={"counted": counted})


def peer(name: str, function: str, **options: Any) -> Contender:
    return Contender(name, "python", peer=function, options=options)


def r_peer(name: str, package: str) -> Contender:
    return Contender(name, "r", peer=package)


def part(part_name: str, contender: str, name: str = "", program: str = "unroll_parts", ours: bool = False) -> Contender:
    """A part of the library, or what could replace it, in the program that bench/CMakeLists.txt builds."""
    return Contender(name or contender, "part", (program, part_name, contender), options={"ours": ours})


def command(name: str, *words: str, ours: bool = False) -> Contender:
    """A program that is measured as a whole; {root} and {out} stand for what their names say."""
    return Contender(name, "command", words, options={"ours": ours})


@dataclass(frozen=True)
class Files:
    """What a run reads and writes."""
    data: Path
    out: Path  # without a suffix: each contender adds its own
    companion: Path | None = None
    reference: Path | None = None


@dataclass(frozen=True)
class Machinery:
    unroll: Path
    threads: int
    timeout: int


@dataclass
class Run:
    """One run; `fit_s` of ours is the computing alone, `whole_s` the process from start to end."""
    fit_s: float = 0
    whole_s: float = 0
    cold_s: float | None = None
    cpu_s: float | None = None  # of the fit, all threads together
    phases: dict[str, float] = field(default_factory=dict)  # of the fit, on the CPU
    peak_mb: float = 0
    report: dict[str, Any] = field(default_factory=dict)


class Skipped(Exception):
    """The contender is not on this machine."""


class Failed(Exception):
    """The contender did not get through."""


def command_of(contender: Contender, files: Files, k: int, machinery: Machinery, seed: int) -> list[str]:
    threads = str(machinery.threads)
    if contender.is_our_command:
        values = {"data": files.data, "companion": files.companion, "out": files.out, "k": k, "threads": threads,
                  "seed": seed}
        program = contender.peer or str(machinery.unroll)
        return [program, *(argument.format(**values) for argument in contender.arguments)]
    if contender.kind == "part":
        program, part_name, name = contender.arguments
        return [str(machinery.unroll.parent / program), part_name, name, str(files.companion or files.data),
                str(files.out.with_suffix(".numbers")), str(k), threads]
    if contender.kind == "command":
        return [word.format(root=HERE.parent, out=files.out) for word in contender.arguments]
    if contender.kind == "r":
        return ["Rscript", "--vanilla", str(HERE / "peers.R"), contender.peer, str(files.data),
                str(files.out.with_suffix(".npy")), threads, str(k), str(seed)]
    task = {"peer": contender.peer, "data": str(files.data), "out": str(files.out.with_suffix(".npz")),
            "threads": machinery.threads, "k": k, "options": contender.options,
            "companion": str(files.companion), "reference": str(files.reference)}
    path = files.out.with_suffix(".task.json")
    path.write_text(json.dumps(task), encoding="utf-8")
    return [sys.executable, str(HERE / "peers.py"), str(path)]


def environment(contender: Contender, threads: int) -> dict[str, str]:
    """Peers get as many threads as ours, and the threaded BLAS whatever this machine's default is; not those that share a
    program with ours."""
    result = dict(os.environ)
    if contender.is_our_command or "unroll_parts" in contender.arguments:
        return result
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
        result[name] = str(threads)
    if THREADED_BLAS.is_dir():
        result["LD_LIBRARY_PATH"] = os.pathsep.join(filter(None, [str(THREADED_BLAS), result.get("LD_LIBRARY_PATH")]))
    return result


def measured(command: list[str], environ: dict[str, str], timeout: int) -> tuple[dict[str, Any], str]:
    """Time, memory and exit code of a command, and its standard output. Failed if it did not end well."""
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder, "result.json")
        answer = subprocess.run([sys.executable, "-I", "-S", str(HERE / "measure.py"), str(result), str(timeout),
                                 *command], env=environ, capture_output=True, text=True, errors="replace", check=False)
        if not result.exists():
            if "FileNotFoundError" in answer.stderr:
                raise Skipped(f"{Path(command[0]).name} is not installed")
            raise Failed(complaint(answer.stderr))
        figures = json.loads(result.read_text(encoding="ascii"))
    if figures["code"] == -9 and figures["seconds"] >= timeout:
        raise Failed(f"took more than {timeout} s")
    if figures["code"] < 0:
        raise Failed(f"ended by signal {-figures['code']}")
    if figures["code"] > 0:
        raise Failed(complaint(answer.stderr) or f"exit code {figures['code']}")
    return figures, answer.stdout


def complaint(text: str) -> str:
    """What ours says in the first line; of a trace in Python or R, the last."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return next((line for line in lines if line.startswith("unroll")), lines[-1] if lines else "")[:160]


def run(contender: Contender, files: Files, k: int, machinery: Machinery, seed: int = 0) -> Run:
    command = command_of(contender, files, k, machinery, seed)
    figures, output = measured(command, environment(contender, machinery.threads), machinery.timeout)
    if contender.kind == "command":
        return Run(figures["seconds"], figures["seconds"], cpu_s=figures["cpu_s"], peak_mb=figures["peak_mb"])
    try:
        # Other things may be printed before it (R packages, numba).
        text = output if contender.is_our_command else output.splitlines()[-1]
        report = json.loads(text)
        if "missing" in report:
            raise Skipped(f"{report['missing']} is not installed")
        fit = (our_seconds(report, contender.options["counted"]) if contender.is_our_command else
               report["fit_s"])
    except (ValueError, KeyError, IndexError) as error:
        raise Failed(f"its report cannot be read: {error!r}") from error
    return Run(fit, figures["seconds"], report.get("cold_s"), report.get("cpu_s"), report.get("phases", {}),
               figures["peak_mb"], report)


def our_seconds(report: dict[str, Any], counted: str) -> float:
    seconds = report["timings_s"]
    if counted != "compute":
        return seconds[counted]
    return sum(value for name, value in seconds.items() if name not in NOT_COMPUTING)
