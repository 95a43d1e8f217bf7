#!/usr/bin/env python3
"""Checks that everything which states the version says what VERSION says.

Usage: check_version.py ROOT [COMMAND]     COMMAND: the built `unroll`
"""
import re
import subprocess
import sys
from pathlib import Path


def stated_versions(root, command):
    """(where, the version it states) for each place."""
    patterns = {
        "CITATION.cff": r"^version: *[\"']?([0-9][^\"'\s]*)",
        "CHANGELOG.md": r"^## *\[?([0-9][^\]\s]*)",  # its newest release is its first
    }
    for name, pattern in patterns.items():
        path = root / name
        found = re.search(pattern, path.read_text(encoding="utf-8"), re.MULTILINE) if path.exists() else None
        yield name, found[1] if found else "nothing"
    header = root / "include/unroll/version.h"
    if header.exists():
        text = header.read_text(encoding="utf-8")
        parts = [re.search(rf"#define UNROLL_VERSION_{part} (\d+)", text) for part in ("MAJOR", "MINOR", "PATCH")]
        yield "include/unroll/version.h", ".".join(part[1] if part else "?" for part in parts)
    if command:
        said = subprocess.run([command, "--version"], check=True, capture_output=True, text=True).stdout
        found = re.search(r"\b[0-9]+\.[0-9]+\.[0-9]+\S*", said)
        yield f"{command} --version", found[0] if found else repr(said)


def main():
    root = Path(sys.argv[1])
    version = (root / "VERSION").read_text(encoding="utf-8").strip()
    wrong = [(where, stated) for where, stated in stated_versions(root, *sys.argv[2:3] or [None]) if stated != version]
    for where, stated in wrong:
        print(f"{where} says {stated}, VERSION says {version}")
    print(f"version {version}: {len(wrong)} places disagree")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
