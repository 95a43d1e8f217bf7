"""Every command on the pages that are not about one method runs."""
import unittest

from pages import GUIDES, PageTest


class Guides(PageTest):
    def test_commands(self):
        for page in GUIDES:
            self.run_page(f"docs/{page}.md")


if __name__ == "__main__":
    unittest.main()
