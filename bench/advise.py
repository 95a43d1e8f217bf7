#!/usr/bin/env python3
"""Does advise name the best map? Its choice beside the best of all methods with all usual sizes, on ten data sets.

Usage: advise.py UNROLL [POINTS [DATASET...]]: the rows of the table in docs/advise.md, for 600 points.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

SETS = {
    "swiss_roll": ["swiss-roll"], "swiss_roll --hole": ["swiss-roll", "--hole"],
    "swiss_roll --noise 0.5": ["swiss-roll", "--noise", "0.5"], "s_curve": ["s-curve"],
    "punctured_sphere": ["punctured-sphere"], "twin_peaks": ["twin-peaks"], "torus": ["torus"], "helix": ["helix"],
    "trefoil": ["trefoil"], "roll_clusters": ["roll-clusters"],
}
NEIGHBORS = (5, 7, 10, 14, 20, 28, 40, 60)
PERPLEXITIES = (5, 10, 15, 20, 30, 50, 80, 120)
LOCAL = ("isomap", "lle", "mlle", "hlle", "ltsa", "laplacian_eigenmaps", "diffusion_maps", "umap")
USUAL = (["pca", "mds", "metric_mds", "sammon"]
         + [f"{name}:k={k}" for name in LOCAL for k in NEIGHBORS if (name, k) != ("hlle", 5)]
         + [f"tsne:perplexity={p}" for p in PERPLEXITIES])
# Those that advise tries on request only.
OTHERS = ["nonmetric_mds", "autoencoder", "kernel_pca", "kernel_pca:kernel=poly", "sne", "mvu:k=7"]


def areas(page):
    """What the page of compare has: {label: area}."""
    found = json.loads(re.search(r'<script type="application/json">(.*?)</script>', page)[1])
    figure = next(each for each in found["figures"] if each["name"] == "r_nx_area")
    return {method["label"]: area for method, area in zip(found["methods"], figure["values"]) if area is not None}


def main():
    unroll, points = os.path.abspath(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "600"
    with tempfile.TemporaryDirectory() as folder:
        def run(*words):
            return subprocess.run([unroll, *words], cwd=folder, check=True, capture_output=True).stdout

        def best(methods):
            run("compare", "x.npy", "-m", ",".join(methods), "-q", "-o", "x.html")
            with open(os.path.join(folder, "x.html"), encoding="utf-8") as file:
                return max(areas(file.read()).items(), key=lambda item: item[1])

        print("| data set | advised | area | best that is tried | area | best on request | area |\n|---|---|---|---|---|---|---|")
        for name in sys.argv[3:] or SETS:
            run("datasets", "make", *SETS[name], "-n", points, "-o", "x.npy")
            advised = json.loads(run("advise", "x.npy", "--json", "-q"))["advice"]
            cells = [(advised["label"], advised["r_nx_area"]), best(USUAL), best(OTHERS)]
            print(f"| {name} | " + " | ".join(f"`{label}` | {area:.3f}" for label, area in cells) + " |", flush=True)


if __name__ == "__main__":
    main()
