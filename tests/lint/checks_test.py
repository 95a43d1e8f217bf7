"""The checks in tools/ must find what they are for: each is run on small trees that break one rule."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[2] / "tools"
GOOD_TREE = {
    "VERSION": "1.2.3\n",
    "CITATION.cff": "version: 1.2.3\n",
    "CHANGELOG.md": "# Changes\n\n## [Unreleased]\n\n## [1.2.3] - 2024-01-01\n\n## [1.2.2]\n",
    "include/unroll/core/types.h": "#include <vector>\n",
    "include/unroll/core/eigen.h": "#include <Eigen/Core>\n",
    "include/unroll/methods/pca.h": '#include "unroll/core/types.h"\n',
    "src/methods/pca.cpp": '#include "unroll/methods/pca.h"\n#include <fmt/format.h>\n#include "linalg/blas.h"\n',
    "src/methods/pca_transformer.cpp": '#include "unroll/methods/pca.h"\n',
    "tests/reference/check.py": "numpy.allclose(a, b, atol=1e-9)\n",
    "src/registry.cpp": '#include "unroll/methods/pca.h"\n',
}


def run_check(script, changes):
    """Exit code and output of the check on the good tree with these files changed."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {**GOOD_TREE, **changes}.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, TOOLS / script, folder], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


class Checks(unittest.TestCase):
    def check_finds(self, script, name, text, *words):
        with self.subTest(file=name, text=text):
            code, output = run_check(script, {name: text})
            self.assertEqual(code, 1, output)
            for word in (name, *words):
                self.assertIn(word, output)

    def test_good_tree_passes(self):
        for script in ("check_layers.py", "check_words.py", "check_version.py"):
            code, output = run_check(script, {})
            self.assertEqual(code, 0, output)

    def test_layers(self):
        for name, target in [
            ("src/core/x.cpp", '"simd/kernels.h"'),  # upward
            ("src/data/x.cpp", '"linalg/blas.h"'),  # sideways
            ("src/linalg/x.inc", '"unroll/data/table.h"'),  # sideways, public
            ("src/methods/x.cpp", '"unroll/methods/pca.h"'),  # between methods
            ("src/methods/x.cpp", '"unroll/registry.h"'),  # upward, in the root
            ("src/core/x.cpp", '"types.h"'),  # not named by its folder
            ("include/unroll/core/x.h", '"core/parallel.h"'),  # public to private
            ("include/unroll/core/x.h", "<zlib.h>"),  # a private dependency
            ("include/unroll/core/x.h", "<fmt/format.h>"),
            ("include/unroll/core/types.h", "<Eigen/Core>"),  # only eigen.h may
        ]:
            self.check_finds("check_layers.py", name, f"#include {target}\n", target.strip('"<>'))
        self.check_finds("check_layers.py", "include/unroll/unroll.h", '#include "unroll/core/types.h"\n',
                         "lacks unroll/methods/pca.h")
        self.check_finds("check_layers.py", "src/misc/x.cpp", "", "in no layer")

    def test_words(self):
        for name, text in [
            ("CMakeLists.txt", "add_compile_options(-ffast" + "-math)"),
            ("src/data/x.cpp", "double x = std::sto" + "d(text);"),
            ("apps/cli/x.cpp", "x = ato" + "f(text);"),
            ("tests/unit/x.cpp", "int x = ra" + "nd();"),
            ("src/core/x.cpp", "auto* x = ne" + "w std::byte[n];"),
            ("src/core/x.cpp", "std::thre" + "ad worker;"),
            ("src/core/x.cpp", "std::ce" + "rr << 1;"),
            ("src/core/x.cpp", "// TO" + "DO later"),
            ("README.md", "see /ho" + "me/me/unroll"),
            ("tests/unit/x.cpp", 'read_table("/mn' + 't/disk/x.csv")'),
        ]:
            self.check_finds("check_words.py", name, text, ":1:")

    def test_version(self):
        self.check_finds("check_version.py", "VERSION", "1.2.4\n", "CITATION.cff", "CHANGELOG.md")
        self.check_finds("check_version.py", "CITATION.cff", "version: 1.2.2\n")
        self.check_finds("check_version.py", "CHANGELOG.md", "## [1.2.2]\n")

    def test_docs(self):
        method = {"name": "pca", "title": "PCA", "transform_kind": "exact", "has_inverse": True, "sparse_input": False,
                  "options": [{"short": "-d", "flag": "--n-components", "alias": None, "default": 2,
                               "allowed": "an integer >= 1", "help": "Coordinates."}]}
        page = "".join(f"## {heading}\n" for heading in ("Idea", "Its row of the table", "Formula", "Options", "Picture",
                                                         "When it fails", "Reference"))
        page = page.replace("## Options\n", "## Options\n<!-- generated: options pca -->\n<!-- end -->\n")
        with tempfile.TemporaryDirectory() as folder:
            command = Path(folder, "unroll")
            told = {"methods": [method], "table": []}
            command.write_text(f"#!{sys.executable}\nimport json\nprint(json.dumps({told}))\n", encoding="utf-8")
            command.chmod(0o755)
            Path(folder, "docs").mkdir()
            Path(folder, "README.md").write_text("<!-- generated: methods -->\n<!-- end -->\n", encoding="utf-8")
            document = Path(folder, "docs", "pca.md")

            def run(*words):
                done = subprocess.run([sys.executable, TOOLS / "make_docs.py", *words, "--root", folder, command],
                                      capture_output=True, text=True, check=False)
                return done.returncode, done.stdout + done.stderr
            self.assertIn("pca is a method", run("--check")[1])
            document.write_text(page, encoding="utf-8")
            code, output = run("--check")
            self.assertEqual((code, output.count("out of date")), (1, 2), output)
            self.assertEqual(run()[0], 0)
            self.assertIn("| `-d`, `--n-components` | `2` | an integer >= 1 | Coordinates. |",
                          document.read_text(encoding="utf-8"))
            self.assertEqual(run("--check")[0], 0)
            document.write_text(document.read_text(encoding="utf-8").replace("## Idea\n", ""), encoding="utf-8")
            code, output = run("--check")
            self.assertEqual((code, "headings" in output), (1, True), output)


class Packages(unittest.TestCase):
    """Installing the serial OpenBLAS must not make it the BLAS of other programs (tools/build.sh)."""

    NAME = "libblas.so.3-x86_64-linux-gnu"

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        # Debian's own tool, with folders of this test.
        wrapper = self.folder / "update-alternatives"
        real = shutil.which("update-alternatives", path="/usr/bin:/usr/sbin:/bin:/sbin")
        if real is None:
            self.skipTest("not a Debian system")
        wrapper.write_text(f"#!/bin/sh\nexec {real} --altdir {self.folder} --admindir {self.folder}/admin"
                           f' --log /dev/null "$@"\n', encoding="utf-8")
        wrapper.chmod(0o755)
        (self.folder / "admin").mkdir()

    def run_bash(self, command):
        subprocess.run(["bash", "-euc", f'source "$root/tools/build.sh"; {command}'], check=True,
                       env={"root": str(TOOLS.parent), "PATH": f"{self.folder}:/usr/bin:/bin"})

    def install(self, flavour, priority):
        library = self.folder / flavour / "libblas.so.3"
        library.parent.mkdir()
        library.touch()
        self.run_bash(f"update-alternatives --quiet --install {self.folder}/libblas.so.3 {self.NAME} {library} {priority}")

    def blas(self):
        """Which library programs get, and whether that still follows what is installed."""
        told = subprocess.run([self.folder / "update-alternatives", "--query", self.NAME], check=True,
                              capture_output=True, text=True).stdout
        status = next(line.split()[1] for line in told.splitlines() if line.startswith("Status:"))
        return Path(os.path.realpath(self.folder / "libblas.so.3")).parent.name, status

    def test_the_system_keeps_its_blas(self):
        self.install("blas", 10)
        self.install("openblas-serial", 90)
        self.assertEqual(self.blas(), ("openblas-serial", "auto"))
        self.run_bash("yield_blas")
        self.assertEqual(self.blas(), ("blas", "auto"))
        self.install("openblas-pthread", 100)
        self.assertEqual(self.blas(), ("openblas-pthread", "auto"), "a better one that comes later is used")

    def test_a_system_without_another_blas_keeps_the_serial_one_until_there_is_one(self):
        self.install("openblas-serial", 90)
        self.run_bash("yield_blas")
        self.assertEqual(self.blas(), ("openblas-serial", "auto"))
        self.install("blas", 10)
        self.assertEqual(self.blas(), ("blas", "auto"))

    def test_the_choice_of_its_owner_stays(self):
        self.install("blas", 10)
        self.install("openblas-serial", 90)
        self.install("openblas-pthread", 100)
        self.run_bash(f"update-alternatives --quiet --set {self.NAME} {self.folder}/blas/libblas.so.3; yield_blas")
        self.assertEqual(self.blas(), ("blas", "manual"))

    def test_a_system_without_the_serial_one_is_left_alone(self):
        self.install("blas", 10)
        self.run_bash("yield_blas")
        self.assertEqual(self.blas(), ("blas", "auto"))


if __name__ == "__main__":
    unittest.main()
