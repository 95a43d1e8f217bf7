#!/usr/bin/env python3
"""Searches the sources for what must not be in them, and says why.

Usage: check_words.py [ROOT]
"""
import re
import sys
from pathlib import Path

# Where a word is looked for: regular expressions of paths.
CODE = r"\.(h|cpp|inc)$"
LIBRARY = r"^(include|src)/.*\.(h|cpp|inc)$"
BUILD = r"\.(h|cpp|inc|in|txt|cmake|json|sh|py)$|^(run|test)$"
EVERYTHING = ""

# Paths that begin with / may lead into the system, or continue another one into this repository.
SYSTEM = r"(usr|etc|dev|proc|sys|bin|tmp|run|lib\w*)/"
OURS = r"(apps|bench|cmake|data|docs|include|src|tests|tools|simd|linalg)/"

# (pattern, where it is looked for, files exempt, why it is forbidden)
RULES = [
    (r"-ffast-math|-Ofast|-funsafe-math", BUILD, (), "removes the checks for NaN and reorders sums"),
    (r"\b(strto(d|f|ld)|ato[fil]|sto(d|f|ld))\(", CODE, (), "depends on the locale or hides errors: std::from_chars"),
    (r"\bs?rand\(|\brandom_device\b|\bmt19937", CODE, (), "random numbers come from src/core/random.h"),
    (r"\bnew\s+[\w:<>, ]+\[|\b(m|c|re)alloc\(|\bfree\(", CODE,
     ("tests/property/budget_test.cpp",), "memory has an owner: a container or unique_ptr"),
    (r"\b(mk(s?temp|tempnam)|tmpnam|gets)\(", LIBRARY, (), "unsafe; files are written by the data layer"),
    (r"\busing namespace\b", CODE, (), "names say where they come from"),
    (r"#\s*pragma\s+omp|\bstd::(thread|jthread|async)\b", LIBRARY, ("src/core/parallel.cpp",),
     "threads come from src/core/parallel.h"),
    (r"\bstd::(cout|cerr|clog)\b|\bfmt::print\b|\b(f?printf|f?puts|abort|exit)\(", LIBRARY, (),
     "the library never prints, aborts or exits"),
    (r"\b(TODO|FIXME|XXX)\b", EVERYTHING, (), "finish it, or write an issue"),
    (rf"(?<![\w./:$}}>~)\\*-])/(?!{SYSTEM}|{OURS})[a-z]+/\w", EVERYTHING, (".gitignore", "tools/try_bare_debian.sh"),
     "a path of one machine"),
]

TEXT = {".h", ".cpp", ".inc", ".in", ".py", ".sh", ".cmake", ".json", ".md", ".txt", ".cff", ".toml", ".yml", ".html",
        ".js", ".ts", ".css", ""}
SKIPPED = {".git", "build", "__pycache__", "data"}


def text_files(root):
    for path in sorted(root.rglob("*")):
        parts = path.relative_to(root).parts
        if not SKIPPED.intersection(parts[:1]) and "__pycache__" not in parts and path.is_file():
            if path.suffix in TEXT and path.resolve() != Path(__file__).resolve():
                yield path.relative_to(root).as_posix(), path


def complaints_about(file, text):
    rules = [(re.compile(pattern), why) for pattern, where, exempt, why in RULES
             if re.search(where, file) and file not in exempt]
    for number, line in enumerate(text.splitlines(), 1):
        for pattern, why in rules:
            if match := pattern.search(line):
                yield f"{file}:{number}: '{match[0]}': {why}"


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    files = list(text_files(root))
    if not files:
        sys.exit(f"check_words: {root} has no text files")
    complaints = [line for file, path in files
                  for line in complaints_about(file, path.read_text(encoding="utf-8", errors="replace"))]
    print("\n".join(complaints + [f"{len(files)} files, {len(complaints)} forbidden words"]))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
