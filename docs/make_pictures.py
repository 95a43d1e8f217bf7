#!/usr/bin/python3
"""Draws the pictures of the documentation with the unroll command: docs/make_pictures.py [UNROLL [NAME...]]

Needs python3-numpy, python3-matplotlib, python3-pil and, for the wine of the tutorial, python3-sklearn; for the
eigen-images, dataset-fashion-mnist; for the picture of the page of maps, chromium. The pictures are functions of
docs/pictures/; docs/pictures/drawing.py has what they share.
"""
import inspect
import os
import shutil
import subprocess
import sys
import tempfile

from PIL import Image, ImageChops

from pictures import drawing, gallery, graphs, guides, methods
from pictures.drawing import IMAGES, MAX_KB, ROOT, save_pixels

UNROLL = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else drawing.UNROLL


def compare():
    """The page of 'unroll compare', as a browser shows it."""
    folder = os.getcwd()
    browser = shutil.which("chromium")
    if browser is None:
        print("compare: skipped, there is no chromium")
        return
    drawing.unroll("datasets make swiss-roll -n 2000 -o roll.npy --truth sheet.csv")
    # Run in the folder: the page tells the command line, in which no path of this machine has a place.
    # Eight panels each, to be readable on a page.
    some = "pca,isomap,kernel_pca,ltsa,laplacian_eigenmaps,tsne,umap"
    for words in (["roll.npy", "--truth", "sheet.csv", "-m", some],
                  ["data/digits.csv.gz", "--label-column", "digit", "-m", some + ",spectral_clustering", "--append"]):
        subprocess.run([os.path.abspath(UNROLL), "compare", *words, "-k", "10", "-q", "-o", "maps.html"], cwd=folder,
                       check=True, stdout=subprocess.DEVNULL)
    page, shot = os.path.join(folder, "maps.html"), os.path.join(folder, "shot.png")
    subprocess.run([browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
                    "--disable-background-networking", "--disable-component-update", "--disable-sync",
                    "--virtual-time-budget=20000", f"--user-data-dir={folder}/profile", "--window-size=1250,9000",
                    f"--screenshot={shot}", f"file://{page}"], check=True, stderr=subprocess.DEVNULL)
    image = Image.open(shot).convert("RGB")
    background = Image.new("RGB", image.size, image.getpixel((0, 0)))
    bottom = ImageChops.difference(image, background).getbbox()[3] + 24
    assert bottom < image.height, "the page is longer than the window"
    save_pixels(image.crop((0, 0, image.width, bottom)), os.path.join(IMAGES, "compare.png"), [160])


def pictures_of(module):
    """The functions that a module defines itself and that draw."""
    return {name: function for name, function in inspect.getmembers(module, inspect.isfunction)
            if function.__module__ == module.__name__ and not name.startswith("_")}


PICTURES = {name: picture for module in (methods, graphs, guides, gallery) for name, picture in pictures_of(module).items()}
PICTURES["compare"] = compare


def draw(name):
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        os.symlink(os.path.join(ROOT, "data"), "data")
        PICTURES[name]()
        os.chdir(ROOT)


if __name__ == "__main__":
    drawing.UNROLL = UNROLL
    for chosen in sys.argv[2:] or PICTURES:
        draw(chosen)
    heavy = [name for name in sorted(os.listdir(IMAGES)) if name != "compare.png"
             and os.path.getsize(os.path.join(IMAGES, name)) > MAX_KB * 1024]
    sys.exit(f"larger than {MAX_KB} kB: {', '.join(heavy)}" if heavy else 0)
