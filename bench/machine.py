"""Where figures come from: the machine, the versions of the peers, the commit."""
from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path

from contender import THREADED_BLAS
from data import ROOT


def output(*command: str) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def field(path: str, key: str, separator: str) -> str:
    """The value of the first line `key separator value` of a file of the system."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    return next((line.split(separator, 1)[1].strip().strip('"') for line in lines if line.startswith(key)), "")


def peer_packages() -> list[str]:
    """The packages that tools/packages.txt lists for us."""
    lines = (ROOT / "tools/packages.txt").read_text(encoding="utf-8").splitlines()
    return [name for line in lines if line.startswith("bench ") for name in line.split()[1:]]


def versions() -> dict[str, str]:
    told = {}
    for name in peer_packages():
        status, _, version = output("dpkg-query", "-W", "-f", "${db:Status-Status} ${Version}", name).partition(" ")
        told[name] = version if status == "installed" else "not installed"
    return told


def machine() -> dict[str, str]:
    return {"CPU": field("/proc/cpuinfo", "model name", ":") or platform.machine(),
            "cores": str(len(os.sched_getaffinity(0))),
            "memory": f"{os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') / 1e9:.0f} GB",
            "BLAS of the peers": str(THREADED_BLAS if THREADED_BLAS.is_dir() else "that of the system"),
            "system": field("/etc/os-release", "PRETTY_NAME", "="), "kernel": platform.release()}


def commit() -> str:
    """The commit, with a mark if files differ from it."""
    name = output("git", "rev-parse", "--short=12", "HEAD") or "unknown"
    changed = output("git", "status", "--porcelain", "--untracked-files=no", "--", "src", "include", "apps", "cmake",
                     "bench/*.py", "bench/*.R")
    return name + (" + changes" if changed else "")
