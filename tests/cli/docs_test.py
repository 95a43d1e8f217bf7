"""Every page with commands is tried by guides_test.py or methods_pages_test.py; every link and picture of the documentation is
there."""
import re
import unittest

from pages import GUIDES, ROOT, PageTest, commands_of

DOCS = ROOT / "docs"


class Pages(PageTest):
    def test_pages_with_commands_are_tried(self):
        for page in sorted(DOCS.glob("*.md")):
            if sum(commands_of(page), []):
                self.assertIn(page.stem, self.methods() + GUIDES)

    def test_links_and_pictures(self):
        shown = set()
        for page in [ROOT / "README.md", *DOCS.glob("*.md")]:
            text = page.read_text(encoding="utf-8")
            headings = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
                        for heading in re.findall(r"(?m)^#+ (.+)$", text)}
            for link in re.findall(r"\]\(([^)\s]+)\)", text):
                with self.subTest(page=page.name, link=link):
                    if link.startswith("#"):
                        self.assertIn(link[1:], headings)
                    elif not link.startswith("http"):
                        target = (page.parent / link.partition("#")[0]).resolve()
                        self.assertTrue(target.exists(), link)
                        shown.add(target)
        self.assertEqual(sorted(set((DOCS / "images").glob("*.png")) - shown), [], "pictures that no page shows")


if __name__ == "__main__":
    unittest.main()
