"""Every command in README.md and on the pages of methods and of some verbs runs, page by page, in a folder with the
bundled data."""
import os
import re
import shlex
import unittest
from pathlib import Path

from harness import CliTest, object_in

ROOT = Path(__file__).resolve().parents[2]


class Pages(CliTest):
    def test_commands(self):
        os.symlink(ROOT / "data", self.path("data"))
        listed = object_in(self.succeed("methods", "--json"))
        methods = [method["name"] for method in listed["methods"]]
        for name in ["README.md"] + [f"docs/{name}.md" for name in methods + ["compare", "graph", "tutorial"]]:
            page = (ROOT / name).read_text(encoding="utf-8")
            commands = [line for block in re.findall(r"(?s)```sh\n(.*?)```", page) for line in block.splitlines()
                        if not line.startswith("./")]
            self.assertTrue(commands, name)
            for command in commands:
                with self.subTest(page=name, command=command):
                    program, *words = shlex.split(command, comments=True)
                    self.assertEqual(program, "unroll")
                    done = self.run_here(*words)
                    self.assertEqual((done.returncode, b"error" in done.stderr), (0, False), done.stderr)


if __name__ == "__main__":
    unittest.main()
