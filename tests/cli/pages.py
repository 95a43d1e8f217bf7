"""Running the commands of a page of the documentation, as a reader who pastes them does."""
import os
import re
import shlex
import subprocess
from pathlib import Path

from harness import ENVIRONMENT, PATIENCE, CliTest, object_in, unroll

ROOT = Path(__file__).resolve().parents[2]
# Pages beside those of the methods that have commands.
GUIDES = ["advise", "choosing", "compare", "dimension", "gallery", "graph", "labels", "neighbors", "plot", "quality", "tutorial"]
DATASETS = "/usr/share/datasets/"


def commands_of(page):
    """Blocks of lines; those of ./run and ./test build, which is not for here."""
    blocks = re.findall(r"(?s)```sh\n(.*?)```", page.read_text(encoding="utf-8"))
    return [[line for line in block.splitlines() if not line.startswith("./")] for block in blocks]


class PageTest(CliTest):
    def methods(self):
        return [method["name"] for method in object_in(self.succeed("methods", "--json"))["methods"]]

    def run_line(self, line, folder):
        """The exit code and standard error. What is no command of ours (python3, awk, printf) is for the shell, whose
        python3 is the system's: it has the packages that ./test installs."""
        program, *words = shlex.split(line, comments=True)
        if program == "unroll":
            done = unroll(*words, cwd=folder)
        else:
            done = subprocess.run(line, shell=True, cwd=folder, capture_output=True, timeout=PATIENCE, check=False,
                                  env={**ENVIRONMENT, "PATH": "/usr/bin:" + ENVIRONMENT["PATH"]})
        return done.returncode, done.stderr

    def run_page(self, name):
        """In a folder of its own with the bundled data: a page needs no other page."""
        folder = Path(self.path(Path(name).stem))
        folder.mkdir()
        os.symlink(ROOT / "data", folder / "data")
        blocks = commands_of(ROOT / name)
        self.assertTrue(sum(blocks, []), name)
        for block in blocks:
            for line in block:
                missing = [word for word in line.split() if word.startswith(DATASETS) and not os.path.exists(word)]
                if missing:
                    print(f"{name}: skipped a block, there is no {missing[0]}")
                    break
                with self.subTest(page=name, command=line):
                    code, said = self.run_line(line, folder)
                    if b"No module named" in said:
                        print(f"{name}: skipped the rest: {said.decode().splitlines()[-1]}")
                        return
                    self.assertEqual((code, b"error" in said), (0, False), said)
