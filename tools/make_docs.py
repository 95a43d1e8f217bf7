#!/usr/bin/env python3
"""Writes the parts of the documentation that the command can tell: options, rows of the table, the list of methods.

Usage: make_docs.py [--check] [--root FOLDER] UNROLL

They stand between the lines <!-- generated: WHAT --> and <!-- end --> of README.md and docs/*.md, where WHAT is
`methods`, `table`, `row METHOD` or `options METHOD`. With --check nothing is written; the exit code tells whether all is
up to date, and whether every method has a page with the headings in their order.
"""
import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

HEADINGS = ["Idea", "Its row of the table", "Formula", "Options", "Picture", "When it fails", "Reference"]
PART = re.compile(r"(<!-- generated: ([\w ]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
# The cells of the table, and their headings.
CELLS = {"row": "row", "W": "W", "density": "density", "operator": "operator", "order": "order", "skip": "skip",
         "coordinates": "coordinates", "new_point": "new point", "method": "method"}


class Command:
    """What the built command tells about itself."""

    def __init__(self, binary):
        self.binary = binary
        listed = self.ask("methods", "--json")
        # Clusterings have a page and options as methods have.
        self.methods = {method["name"]: method for method in listed["methods"]}
        self.table = self.ask("methods", "--table", "--json")["table"]

    def ask(self, *words):
        done = subprocess.run([self.binary, *words], capture_output=True, check=True, timeout=60)
        return json.loads(done.stdout)


def code(text):
    return f"`{text}`" if text else ""


def markdown(headings, rows):
    lines = [headings, ["---"] * len(headings), *rows]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)


def recipe_cells(row):
    cells = {**row, "row": " ".join(filter(None, (row["row"], row["variant"])))}
    words = ("no", row["order"], row["skip"])  # the others are formulas
    method = f"[{row['method']}]({row['method']}.md)" if row["method"] else ""
    return [method if key == "method" else cells[key] if cells[key] in words else code(cells[key]) for key in CELLS]


def options_of(method):
    rows = []
    for option in method["options"]:
        flags = ", ".join(code(flag) for flag in (option["short"], option["flag"], option["alias"]) if flag)
        default = option["default"]
        default = "auto" if default is None else str(default).lower() if isinstance(default, bool) else str(default)
        allowed = ", ".join(map(code, option["choices"])) if "choices" in option else option["allowed"]
        rows.append([flags, code(default), allowed, option["help"]])
    return markdown(["flag", "default", "values", "meaning"], rows)


def methods_of(command):
    yes_no = {True: "yes", False: "no"}
    rows = [[f"[`{m['name']}`](docs/{m['name']}.md)", m["title"], m["transform_kind"], yes_no[m["has_inverse"]],
             yes_no[m["sparse_input"]]] for m in command.methods.values()]
    return markdown(["name", "method", "new points", "inverse", "sparse input"], rows)


def generated(command, what):
    kind, _, name = what.partition(" ")
    if kind == "methods":
        return methods_of(command)
    if kind == "table":
        return markdown(list(CELLS.values()), [recipe_cells(row) for row in command.table])
    if name not in command.methods:
        sys.exit(f"make_docs: there is no method '{name}' for 'generated: {what}'")
    if kind == "options":
        return options_of(command.methods[name])
    if kind == "row":
        rows = [row for row in command.table if row["method"] == name]
        return markdown(list(CELLS.values())[:-1], [recipe_cells(row)[:-1] for row in rows])
    sys.exit(f"make_docs: 'generated: {what}' is none of methods, table, row METHOD, options METHOD")


def complaints_about_page(path, name):
    """What is wrong with the page of a method, whatever its words."""
    if not path.exists():
        return [f"{path}: missing; {name} is a method"]
    text = path.read_text(encoding="utf-8")
    headings = re.findall(r"(?m)^## (.+)$", text)
    complaints = [] if headings == HEADINGS else [f"{path}: its headings must be: {', '.join(HEADINGS)}"]
    if f"<!-- generated: options {name} -->" not in text:
        complaints.append(f"{path}: has no 'generated: options {name}'")
    return complaints


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing, tell what is out of date")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[1])
    parser.add_argument("command", metavar="UNROLL", help="the built command")
    arguments = parser.parse_args()
    command = Command(arguments.command)
    docs = arguments.root / "docs"
    complaints = [line for name in command.methods for line in complaints_about_page(docs / f"{name}.md", name)]
    for path in [arguments.root / "README.md", *sorted(docs.glob("*.md"))]:
        text = path.read_text(encoding="utf-8")
        fresh = PART.sub(lambda part: part[1] + generated(command, part[2]) + part[4], text)
        if fresh == text:
            continue
        if arguments.check:
            complaints.append(f"{path}: out of date; run tools/make_docs.py {arguments.command}")
        else:
            path.write_text(fresh, encoding="utf-8")
    print("\n".join(complaints + [f"{len(complaints)} complaints about the documentation"]))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
