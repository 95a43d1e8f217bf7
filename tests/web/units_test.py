"""The modules of the page of compare: their types, and the tests of those that need no browser."""
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
WEB = HERE.parents[1] / "web"


class Modules(unittest.TestCase):
    def run_tool(self, *words, **options):
        done = subprocess.run(words, capture_output=True, text=True, check=False, **options)
        self.assertEqual(done.returncode, 0, f"{' '.join(map(str, words))}:\n{done.stdout}{done.stderr}")

    def test_types(self):
        for folder in (WEB, HERE):
            self.run_tool("tsc", "--noEmit", "--project", folder)

    def test_modules(self):
        with tempfile.TemporaryDirectory() as folder:
            names = sorted(HERE.glob("*.test.ts"))
            self.assertTrue(names)
            self.run_tool(os.environ.get("UNROLL_ESBUILD", "esbuild"), *names, "--bundle", "--platform=node",
                          "--target=node18", "--log-level=warning", f"--outdir={folder}")
            self.run_tool("node", "--test", folder)

    def test_files_are_short(self):
        for path in WEB.rglob("*.ts"):
            self.assertLessEqual(len(path.read_text(encoding="utf-8").splitlines()), 300, path)


if __name__ == "__main__":
    unittest.main()
