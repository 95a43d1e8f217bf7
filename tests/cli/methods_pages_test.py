"""Every command in README.md and on the pages of methods runs."""
import unittest

from pages import PageTest


class MethodsPages(PageTest):
    def test_commands(self):
        for name in ["README.md"] + [f"docs/{page}.md" for page in self.methods()]:
            self.run_page(name)


if __name__ == "__main__":
    unittest.main()
