"""The page of compare in a real browser: it draws, panels are linked, nothing is complained of or asked for."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from browser import Browser, Page, chromium

ROOT = Path(__file__).resolve().parents[2]
UNROLL = os.environ["UNROLL_BINARY"]

# The sums of the pixels of all panels: which of them are drawn, and which have changed.
SUMS = """[...document.querySelectorAll(".panels canvas")].map(canvas => {
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", {willReadFrequently: true});
  copy.drawImage(canvas, 0, 0);
  const data = copy.getImageData(0, 0, canvas.width, canvas.height).data;
  let sum = 0;
  for (let i = 0; i < data.length; i += 4) sum = (sum * 31 + data[i] + 7 * data[i + 1] + 13 * data[i + 2]) % 1000003;
  return sum;
})"""


def box_of(selector):
    return f"(() => {{ const b = document.querySelector({selector!r}).getBoundingClientRect();" \
           " return [b.left, b.top, b.width, b.height]; })()"


class ComparePage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.file = os.path.join(cls.folder.name, "p.html")
        cls.unroll("datasets", "make", "swiss-roll", "-n", "300", "-o", "roll.npy", "--truth", "sheet.csv")
        cls.unroll("compare", "roll.npy", "-m", "pca,isomap,laplacian_eigenmaps,spectral_clustering", "-k", "8,16",
                   "--truth", "sheet.csv", "-o", "p.html")
        cls.unroll("compare", str(ROOT / "data" / "digits.csv.gz"), "-m", "pca,mds", "--label-column", "digit",
                   "--max-drawn", "400", "-o", "p.html", "--append")
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.folder.cleanup()

    @classmethod
    def unroll(cls, *words):
        subprocess.run([UNROLL, *words], cwd=cls.folder.name, check=True, capture_output=True)

    def open(self, **how):
        page = Page(self.browser, self.file, **how)
        self.addCleanup(lambda: self.assert_quiet(page))
        return page

    def assert_quiet(self, page):
        self.assertEqual(page.complaints(), [])
        self.assertEqual(page.requests(), [])

    def scrolled_to(self, page, selector):
        """The box of an element in the middle of the window."""
        page.evaluate(f"document.querySelector({selector!r}).scrollIntoView({{block: 'center'}})")
        page.settle()
        return page.evaluate(box_of(selector))

    def panel(self, page, map_, section=1):
        return self.scrolled_to(page, f"section:nth-of-type({section}) canvas[data-map='{map_}']")

    def changed(self, before, after):
        return [i for i, (a, b) in enumerate(zip(before, after)) if a != b]

    def all_drawn(self, page):
        """Panels are drawn when they are near the window."""
        for i in range(page.evaluate("document.querySelectorAll('.panels canvas').length")):
            page.evaluate(f"document.querySelectorAll('.panels canvas')[{i}].scrollIntoView({{block: 'center'}})")
            page.settle()
        return page.evaluate(SUMS)

    def test_it_draws_every_map(self):
        page = self.open(height=2600)
        sums = self.all_drawn(page)
        self.assertEqual(len(sums), 10)
        self.assertGreaterEqual(len(set(sums)), 8, "pca and mds of the digits are the same, and so may be clusters")
        self.assertEqual(page.evaluate("document.querySelectorAll('figure.chart').length"), 3)
        self.assertGreater(page.evaluate("document.querySelectorAll('.spectrum').length"), 3)

    def test_brushing_one_panel_highlights_the_others(self):
        page = self.open(height=2600)
        before = self.all_drawn(page)
        left, top, width, height = self.panel(page, 0)
        before = page.evaluate(SUMS)
        page.drag([(left + 0.2 * width, top + 0.2 * height), (left + 0.4 * width, top + 0.5 * height),
                   (left + 0.6 * width, top + 0.6 * height)])
        self.assertEqual(self.changed(before, self.all_drawn(page)), [0, 1, 2, 3, 4, 5, 6, 7], "all of this data set alone")
        said = page.evaluate("document.querySelector('.selection').textContent")
        self.assertRegex(said, r"^[1-9]\d* of 300 selected")
        self.panel(page, 0)
        page.key("Escape", 27)
        page.evaluate("document.querySelector(\"canvas[data-map='0']\").focus()")
        page.key("Escape", 27)
        self.assertEqual(page.evaluate("document.querySelector('.selection').textContent"), "")
        page.move(1, 1)
        page.evaluate("document.activeElement.blur()")
        self.assertEqual(self.changed(before, self.all_drawn(page)), [])

    def test_lasso_and_moving(self):
        page = self.open()
        page.evaluate("[...document.querySelectorAll('.choice button')].find(b => b.textContent.includes('Lasso')).click()")
        left, top, width, height = self.panel(page, 1)
        page.drag([(left + x * width, top + y * height) for x, y in ((.1, .1), (.9, .1), (.9, .9), (.5, .5), (.1, .9))])
        some = int(page.evaluate("document.querySelector('.selection').textContent").split()[0])
        self.assertTrue(0 < some < 300, some)
        page.evaluate("[...document.querySelectorAll('.choice button')].find(b => b.textContent.includes('Move')).click()")
        self.panel(page, 1)
        before = page.evaluate(SUMS)
        page.drag([(left + 50, top + 50), (left + 90, top + 80)])
        self.assertIn(2, self.changed(before, page.evaluate(SUMS)))
        self.assertEqual(int(page.evaluate("document.querySelector('.selection').textContent").split()[0]), some)

    def test_pointing_at_a_point_says_what_it_is(self):
        page = self.open()
        left, top, width, height = self.panel(page, 0, section=2)
        before = page.evaluate(SUMS)
        for step in range(20):
            page.move(left + (0.3 + 0.02 * step) * width, top + 0.5 * height)
            if not page.evaluate("document.getElementById('tip').hidden"):
                break
        page.settle()
        self.assertRegex(page.evaluate("document.getElementById('tip').textContent"), r"^row \d+\ndigit: \d")
        self.assertEqual(page.evaluate("[...document.querySelectorAll('#tip canvas')].map(c => [c.width, c.height, c.hidden])"),
                         [[8, 8, False]], "the digit itself")
        self.assertEqual(self.changed(before, page.evaluate(SUMS)), [8, 9])

    def test_legend_and_colorings(self):
        page = self.open()
        self.panel(page, 0, section=2)
        before = page.evaluate(SUMS)
        legend = "document.querySelectorAll('section:nth-of-type(2) .legend button')"
        page.evaluate(f"{legend}[3].click()")
        page.settle()
        self.assertEqual(page.evaluate(f"[...{legend}].map(b => b.getAttribute('aria-pressed'))"),
                         ["true"] * 3 + ["false"] + ["true"] * 6 + [None])
        after = page.evaluate(SUMS)
        self.assertEqual(self.changed(before, after), [8, 9])
        groups = page.evaluate("[...document.querySelectorAll('section:nth-of-type(2) .coloring optgroup')].map(g => g.label)")
        self.assertEqual(groups, ["kept neighborhoods", "features"])
        page.evaluate("(() => { const s = document.querySelector('section:nth-of-type(2) .coloring select');"
                      " s.value = s.querySelector('optgroup option').value; s.dispatchEvent(new Event('change')); })()")
        page.settle()
        self.assertEqual(self.changed(after, page.evaluate(SUMS)), [8, 9])
        self.assertEqual(page.evaluate("document.querySelectorAll('section:nth-of-type(2) .scale').length"), 1)

    def test_by_keyboard(self):
        page = self.open()
        self.panel(page, 0)
        page.evaluate("document.querySelector(\"canvas[data-map='0']\").focus()")
        page.key("ArrowRight", 39)
        first = page.evaluate("document.getElementById('tip').textContent")
        self.assertRegex(first, r"^row \d+\narc: ")
        page.key("ArrowRight", 39)
        self.assertNotEqual(page.evaluate("document.getElementById('tip').textContent"), first)
        page.key(" ", 32, " ")
        self.assertRegex(page.evaluate("document.querySelector('.selection').textContent"), "^1 of 300 selected")
        page.key("Enter", 13, "\r")
        self.assertTrue(page.evaluate("document.querySelector('dialog').open"))
        self.assertIn("Parameters", page.evaluate("document.querySelector('dialog').textContent"))
        before = page.evaluate("document.querySelector('dialog canvas').toDataURL().length")
        page.key("+", 187, "+")
        page.key("+", 187, "+")
        self.assertNotEqual(page.evaluate("document.querySelector('dialog canvas').toDataURL().length"), before)
        page.evaluate("document.querySelector('dialog header button:nth-of-type(2)').click()")
        self.assertEqual(page.evaluate("document.querySelector('dialog h2').textContent"), "isomap k=8")
        for _ in range(3):  # the point, the selection, the dialog
            page.key("Escape", 27)
        self.assertFalse(page.evaluate("document.querySelector('dialog').open"))

    def test_a_click_enlarges(self):
        page = self.open()
        left, top, width, height = self.panel(page, 1)
        page.click(left + width / 2, top + height / 2)
        self.assertTrue(page.evaluate("document.querySelector('dialog').open"))
        _, _, large, _ = page.evaluate(box_of("dialog canvas"))
        self.assertGreater(large, 1.8 * width)
        self.assertGreater(page.evaluate("document.querySelectorAll('dialog .spectrum rect').length"), 2)
        self.assertIn("Distances are lengths of paths", page.evaluate("document.querySelector('dialog').textContent"))

    def test_pictures_and_rows_can_be_saved(self):
        page = self.open()
        page.evaluate("(() => { window.saved = []; URL.createObjectURL = blob => { saved.push(blob); return 'blob:none'; };"
                      " HTMLAnchorElement.prototype.click = function() { saved.push(this.download); }; })()")
        left, top, width, height = self.panel(page, 1)
        page.drag([(left + 10, top + 10), (left + width / 2, top + height / 2), (left + width - 10, top + height - 10)])
        page.evaluate("[...document.querySelectorAll('section:first-of-type :is(.tools, .selection) button')]"
                      ".filter(b => ['PNG', 'SVG', 'Save rows'].includes(b.textContent)).forEach(b => b.click())")
        page.wait_for("saved.length === 6")
        texts = page.evaluate("Promise.all(saved.filter(x => x.text).map(blob => blob.text()))")
        self.assertTrue(any(text.startswith("<svg xmlns=") and "isomap k=8" in text for text in texts))
        self.assertTrue(any(text.startswith("row,arc,height") for text in texts))
        self.assertTrue(any("PNG" in text[:8] for text in texts))

    def test_a_page_of_one_map(self):
        with open(os.path.join(self.folder.name, "town.txt"), "w", encoding="utf-8") as labels:
            labels.writelines("\n" if i % 3 == 0 else "ab"[i % 2] + "\n" for i in range(300))
        self.unroll("embed", "roll.npy", "-m", "isomap", "-o", "map.npy")
        self.unroll("plot", "map.npy", "--labels", "town.txt", "-o", "one.html")
        page = Page(self.browser, os.path.join(self.folder.name, "one.html"))
        self.addCleanup(lambda: self.assert_quiet(page))
        self.assertEqual(len(page.evaluate(SUMS)), 1)
        legend = "[...document.querySelectorAll('.legend button span')].map(b => b.textContent)"
        self.assertEqual(page.evaluate(legend), ["a", "b"])
        page.evaluate("document.querySelector('canvas[data-map]').focus()")
        said = set()
        for _ in range(20):
            page.key("ArrowRight", 39)
            said.add(page.evaluate("document.getElementById('tip').textContent").split("town: ")[1])
        self.assertIn("unknown", said)
        self.assertTrue(said <= {"a", "b", "unknown"}, said)
        page.key("Enter", 13, "\r")
        self.assertTrue(page.evaluate("document.querySelector('dialog').open"))
        page.key("Escape", 27)
        page.key("Escape", 27)

    def test_dark_and_narrow(self):
        page = self.open(width=360, height=800, dark=True)
        self.assertEqual(page.evaluate("document.documentElement.dataset.theme"), "dark")
        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 360)
        self.panel(page, 1)
        before = page.evaluate(SUMS)
        page.evaluate("document.querySelector('.theme').click()")
        page.settle()
        self.assertEqual(page.evaluate("document.documentElement.dataset.theme"), "light")
        self.assertIn(2, self.changed(before, page.evaluate(SUMS)))


if __name__ == "__main__":
    if chromium() is None:
        print("skipped: there is no chromium")
        sys.exit(77)
    unittest.main()
