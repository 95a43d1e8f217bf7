"""Makes a wheel by CMake (PEP 517), with the standard library alone, so that it works without a network.

UNROLL_BUILD_DIR names a build folder to use instead of a new one.
"""
import base64
import hashlib
import os
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VERSION = (ROOT / "VERSION").read_text(encoding="utf-8").split()[0]
METADATA = f"""Metadata-Version: 2.1
Name: unroll
Version: {VERSION}
Summary: Manifold learning engine
License: MIT
Requires-Python: >=3.9
Requires-Dist: numpy
"""


def get_requires_for_build_wheel(config_settings=None):
    return []


def get_requires_for_build_sdist(config_settings=None):
    return []


def build_sdist(sdist_directory, config_settings=None):
    name = f"unroll-{VERSION}"
    path = Path(sdist_directory) / f"{name}.tar.gz"
    subprocess.run(["git", "archive", "--format=tar.gz", f"--prefix={name}/", "-o", str(path), "HEAD"], cwd=ROOT,
                   check=True)
    return path.name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = f"unroll-{VERSION}-{tag()}.whl"
    with tempfile.TemporaryDirectory() as scratch:
        build = Path(os.environ.get("UNROLL_BUILD_DIR") or Path(scratch) / "build")
        if not (build / "CMakeCache.txt").exists():
            subprocess.run(["cmake", "-S", ROOT, "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DUNROLL_BUILD_PYTHON=ON",
                            f"-DUNROLL_PYTHON={sys.executable}", "-DUNROLL_BUILD_CLI=OFF", "-DUNROLL_BUILD_TESTS=OFF",
                            "-DUNROLL_WERROR=OFF"], check=True, stdout=sys.stderr)
        subprocess.run(["cmake", "--build", build, "--target", "unroll_python_modules", "--parallel"], check=True,
                       stdout=sys.stderr)
        write_wheel(Path(wheel_directory) / name, build / "python" / "unroll")
    return name


def tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def write_wheel(path, package):
    """A zip of the package and of what describes it, with a list of checksums."""
    info, records = f"unroll-{VERSION}.dist-info", []
    described = {f"{info}/METADATA": METADATA,
                 f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: unroll\nRoot-Is-Purelib: false\nTag: {tag()}\n"}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        def add(name, content):
            wheel.writestr(name, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            records.append(f"{name},sha256={digest},{len(content)}\n")

        for file in sorted(package.iterdir()):
            if file.is_file():
                add(f"unroll/{file.name}", file.read_bytes())
        for name, text in described.items():
            add(name, text.encode())
        wheel.writestr(f"{info}/RECORD", "".join(records) + f"{info}/RECORD,,\n")
