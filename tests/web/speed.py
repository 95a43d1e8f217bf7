#!/usr/bin/env python3
"""How long frames of the page of compare take with many points; no test, since clocks decide nothing.

Usage: speed.py UNROLL [POINTS [MAPS [PICTURE.png]]]
"""
import base64
import json
import os
import re
import subprocess
import sys
import tempfile

import numpy as np

from browser import Browser, Page

# Every picture is drawn in an animation frame: the time that the callbacks of a frame take.
WATCH = """(() => {
  const ask = window.requestAnimationFrame.bind(window);
  window.frames_ = [];
  window.requestAnimationFrame = work => ask(now => {
    const start = performance.now();
    work(now);
    frames_.push(performance.now() - start);
  });
})()"""


def text(array):
    return base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()


def crowded(page, count, maps):
    """The page with other points: spirals of ten labels, each map bent in its own way."""
    found = re.search(r'<script type="application/json">(.*?)</script>', page)
    data = json.loads(found[1])
    random = np.random.RandomState(0)
    label = random.randint(0, 10, count).astype(np.uint8)
    t = random.uniform(1, 3, count) * 2
    method, figure = data["methods"][0], data["figures"]
    data.update(count=count, rows=None, names=None, original=None, features=None, curves=None, qualities=[], maps=[], methods=[])
    for m in range(maps):
        at = np.stack([np.cos((1 + 0.2 * m) * t + label) * t, np.sin((1 + 0.1 * m) * t + label) * t], 1) / 6
        at += random.normal(0, 0.03, at.shape)
        data["maps"].append({"at": text(at.astype("<f4")), "center": [0, 0], "half": 1, "turn": [1, 0, 0, 1]})
        data["methods"].append({**method, "label": f"map {m}", "eigenvalues": []})
    for each in figure:
        each["values"] = each["values"][:1] * maps
    data["colorings"] = [{"name": "label", "labels": [str(i) for i in range(10)], "at": text(label)},
                         {"name": "t", "low": 2, "high": 6, "at": text(t.astype("<f4"))}]
    panel = re.search(r'<figure data-method="0".*?</figure>\n', page, re.S)[0]
    panels = "".join(panel.replace('data-method="0"', f'data-method="{m}"').replace('data-map="0"', f'data-map="{m}"')
                     .replace("<h3>pca", f"<h3>map {m}") for m in range(maps))
    page = page.replace(found[1], json.dumps(data))
    return re.sub(r'(?s)<div class="panels">.*?</div>\n<div class="figures">',
                  lambda _: f'<div class="panels">\n{panels}</div>\n<div class="figures">', page)


def frames(page, what, work):
    page.evaluate("void (frames_.length = 0)")
    work()
    page.settle()
    took = np.array([t for t in page.evaluate("frames_") if t > 0.3])
    print(f"{what:34} {len(took):4} frames  median {np.median(took):6.1f} ms  greatest {took.max():6.1f} ms")


def main():
    unroll, count, maps = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 100_000, int(sys.argv[3]) if len(sys.argv) > 3 else 12
    with tempfile.TemporaryDirectory() as folder:
        run = lambda *words: subprocess.run([os.path.abspath(unroll), *words], cwd=folder, check=True, capture_output=True)
        run("datasets", "make", "swiss-roll", "-n", "100", "-o", "roll.npy")
        run("compare", "roll.npy", "-m", "pca", "-o", "p.html")
        file = os.path.join(folder, "p.html")
        with open(file, encoding="utf-8") as source:
            page = crowded(source.read(), count, maps)
        with open(file, "w", encoding="utf-8") as target:
            target.write(page)
        print(f"{count} points, {maps} maps, {len(page) / 1e6:.1f} MB")
        browser = Browser()
        shown = Page(browser, file, width=1400, height=1000)
        print(f"ready after {shown.evaluate('performance.now()'):.0f} ms")
        shown.evaluate(WATCH)
        box = "(() => { const b = document.querySelector('CANVAS').getBoundingClientRect(); return [b.left, b.top, b.width]; })()"
        left, top, width = shown.evaluate(box.replace("CANVAS", "canvas[data-map=\"1\"]"))
        there = [(left + width * (0.3 + 0.01 * i), top + width * (0.3 + 0.008 * i)) for i in range(40)]
        frames(shown, "pointing in a small panel", lambda: [shown.move(*place) for place in there])
        frames(shown, "selecting by a rectangle", lambda: shown.drag(there))
        shown.evaluate("[...document.querySelectorAll('.choice button')][2].click()")
        frames(shown, "moving a small panel", lambda: shown.drag(there))
        if len(sys.argv) > 4:
            shown.screenshot(sys.argv[4])
        shown.evaluate("document.querySelector('figure .enlarge').click()")
        shown.settle()
        left, top, width = shown.evaluate(box.replace("CANVAS", "dialog canvas"))
        there = [(left + width * (0.3 + 0.01 * i), top + width * (0.3 + 0.008 * i)) for i in range(40)]
        print(f"enlarged: {width:.0f} pixels")
        frames(shown, "moving the enlarged panel", lambda: shown.drag(there))
        frames(shown, "zooming by the wheel", lambda: [
            shown.call("Input.dispatchMouseEvent", type="mouseWheel", x=left + width / 2, y=top + width / 2, deltaX=0, deltaY=-60)
            for _ in range(20)])
        if len(sys.argv) > 4:
            shown.screenshot(sys.argv[4].replace(".png", "_enlarged.png"))
        print(shown.complaints())
        browser.close()


if __name__ == "__main__":
    main()
