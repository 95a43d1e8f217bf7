#!/usr/bin/env python3
"""Checks the direction of every #include: a layer knows the layers below it and nothing beside or above it. The umbrella
header unroll/unroll.h includes all public headers.

Usage: check_layers.py [ROOT]
"""
import re
import sys
from pathlib import Path

# From the bottom up; layers of one level do not know each other.
LEVELS = [
    ["core"],
    ["simd"],
    ["linalg", "data"],
    ["sparse"],
    ["eigen"],
    ["neighbors"],
    ["affinity", "quality"],
    ["spectral", "layout"],
    ["sources", "network"],
    ["frame"],
    ["graph"],
    ["methods", "learn"],
    ["registry"],
    ["report"],
    ["advice"],
]
LEVEL_OF = {layer: level for level, layers in enumerate(LEVELS) for layer in layers}

# Files directly in src/ and include/unroll/.
LAYER_OF_ROOT_FILE = {
    "registry": "registry",
    "method_options": "registry",
    "version": "core",
    "unroll": "advice",
    "build_info": "registry",
    "precompiled": "core",
}

# What public headers may include besides the standard library and each other.
PUBLIC_EXTRAS = {"include/unroll/core/eigen.h": ["Eigen/Core"]}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def layer_of(path):
    """The layer of a path relative to src/ or include/unroll/; None when it has none."""
    path = Path(path)
    layer = path.parts[0] if len(path.parts) > 1 else LAYER_OF_ROOT_FILE.get(path.stem)
    return layer if layer in LEVEL_OF else None


def is_same_method(file, other):
    """A method may have more files than one: pca.cpp, pca_transformer.h."""
    shorter, longer = sorted((Path(file).stem, Path(other).stem), key=len)
    return longer == shorter or longer.startswith(shorter + "_")


def complaint_about(file, layer, target, in_brackets):
    """What is wrong with an #include in that file; None if nothing is."""
    if file.startswith("include/"):
        is_standard = in_brackets and re.fullmatch(r"[a-z_0-9]+", target)
        is_public = not in_brackets and target.startswith("unroll/")
        if not is_standard and not is_public and target not in PUBLIC_EXTRAS.get(file, []):
            return "a public header may include the standard library and public headers alone"
    if in_brackets:
        return None
    target = target.removeprefix("unroll/")
    target_layer = layer_of(target)
    if target_layer is None:
        return 'it is in no layer; files are named by their folder: "core/parallel.h", "unroll/core/types.h"'
    if layer == target_layer == "methods" and not is_same_method(file, target):
        return "a method may not include another; what two share belongs in a layer below"
    if layer != target_layer and LEVEL_OF[target_layer] >= LEVEL_OF[layer]:
        return f"{target_layer} is not below {layer}"
    return None


def complaints_about(root, path):
    file = path.relative_to(root).as_posix()
    layer = layer_of(file.removeprefix("include/unroll/").removeprefix("src/"))
    if layer is None:
        yield f"{file}: in no layer; the layers are {', '.join(LEVEL_OF)}"
        return
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if match := INCLUDE.match(line):
            if what := complaint_about(file, layer, match[2], match[1] == "<"):
                yield f'{file}:{number}: includes "{match[2]}": {what}'


def missing_in_umbrella(include):
    """Public headers that unroll/unroll.h leaves out; those that need more than the standard library may be."""
    umbrella = include / "unroll" / "unroll.h"
    if not umbrella.exists():
        return
    included = {match[2] for line in umbrella.read_text(encoding="utf-8").splitlines() if (match := INCLUDE.match(line))}
    for path in sorted((include / "unroll").rglob("*.h")):
        name = path.relative_to(include).as_posix()
        if path != umbrella and name not in included and f"include/{name}" not in PUBLIC_EXTRAS:
            yield f"include/unroll/unroll.h: lacks {name}"


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    folders = (root / "include" / "unroll", root / "src")
    paths = [p for folder in folders for p in sorted(folder.rglob("*")) if p.suffix in (".h", ".cpp", ".inc")]
    if not paths:
        sys.exit(f"check_layers: {root} has no sources in include/unroll or src")
    complaints = [line for path in paths for line in complaints_about(root, path)]
    complaints += missing_in_umbrella(root / "include")
    print("\n".join(complaints + [f"{len(paths)} files, {len(complaints)} complaints"]))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
