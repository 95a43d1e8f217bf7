"""`cmake --install`, and `pip install . --no-build-isolation` without a network in an environment that sees Debian's packages."""
import os
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.environ["UNROLL_SOURCE_DIR"]


class Packaging(unittest.TestCase):
    def test_cmake_installs_it(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["cmake", "--install", os.environ["UNROLL_BUILD_DIR"], "--prefix", folder, "--component",
                            "python"], check=True, capture_output=True)
            version = f"python{sys.version_info.major}.{sys.version_info.minor}"
            where = os.path.join(folder, "lib", version, "dist-packages")  # below /usr/local, Debian's Python looks there
            said = subprocess.run([sys.executable, "-c", "import unroll; print(unroll.__file__)"], check=True, cwd=folder,
                                  capture_output=True, text=True, env={**os.environ, "PYTHONPATH": where}).stdout
            self.assertTrue(said.startswith(where), said)

    def test_pip_installs_it(self):
        """The library is not compiled again: UNROLL_BUILD_DIR says where it is built."""
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", folder], check=True)
            environment = {**os.environ, "PIP_NO_INDEX": "1", "PYTHONPATH": ""}
            python = os.path.join(folder, "bin", "python")
            done = subprocess.run([python, "-m", "pip", "install", "--no-build-isolation", "--no-deps", SOURCE],
                                  env=environment, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            code = "import unroll; print(unroll.__file__); print(unroll.embed([[0., 1], [1, 0], [2, 2]], 'pca').shape)"
            said = subprocess.run([python, "-c", code], env=environment, check=True, capture_output=True, text=True,
                                  cwd=folder).stdout.splitlines()
            self.assertTrue(said[0].startswith(folder), said[0])
            self.assertEqual(said[1], "(3, 2)")
            listed = subprocess.run([python, "-m", "pip", "show", "unroll"], env=environment, check=True,
                                    capture_output=True, text=True).stdout
            with open(os.path.join(SOURCE, "VERSION"), encoding="utf-8") as version:
                self.assertIn(f"Version: {version.read().strip()}", listed)


if __name__ == "__main__":
    unittest.main()
