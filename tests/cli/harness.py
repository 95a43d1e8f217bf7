"""What the tests of the command share. The binary is named by the environment variable UNROLL_BINARY."""
import csv
import io
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import tempfile
import unittest
from random import Random

BINARY = os.environ["UNROLL_BINARY"]

# How long a command may take before it counts as hanging. Sanitizers make it slower.
PATIENCE = 120 * int(os.environ.get("UNROLL_SLOWDOWN", "1"))

# Nothing of the tester's own settings reaches the command.
ENVIRONMENT = {key: value for key, value in os.environ.items()
               if key not in ("UNROLL_THREADS", "NO_COLOR", "TERM", "COLUMNS") and not key.startswith("LC_")}


def default_signals():
    """A shell that runs the tests in the background has had SIGINT ignored; for preexec_fn."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def start(*words, env=None, **options):
    """Starts the command in the background; output is bytes."""
    return subprocess.Popen([BINARY, *words], env={**ENVIRONMENT, **(env or {})}, stderr=subprocess.PIPE, **options)


def unroll(*words, stdin=b"", env=None, **options):
    """Runs the command to its end; output is bytes."""
    return subprocess.run([BINARY, *words], input=stdin, env={**ENVIRONMENT, **(env or {})}, capture_output=True,
                          timeout=PATIENCE, check=False, **options)


def points(rows=20, columns=3):
    """Random numbers, the same each time; columns have less and less variance."""
    random = Random(0)
    return [[random.gauss(0, 1 / (1 + j)) for j in range(columns)] for _ in range(rows)]


def as_csv(rows, header=None):
    lines = [header] if header else []
    return ("\n".join(lines + [",".join(repr(x) for x in row) for row in rows]) + "\n").encode()


def as_npy(rows):
    shape = (len(rows), len(rows[0]))
    return npy("<f8", shape, struct.pack(f"<{shape[0] * shape[1]}d", *(x for row in rows for x in row)))


def npy(dtype, shape, data):
    header = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}, }}".encode()
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data


def table(text):
    """Header and rows of csv bytes."""
    rows = list(csv.reader(io.StringIO(text.decode())))
    return rows[0], rows[1:]


def object_in(text):
    """The one JSON object in some bytes. NaN and Infinity are not JSON; a name that comes twice is of no use."""
    def refuse(word):
        raise ValueError(f"{word} is not JSON")

    def unique(members):
        names = [name for name, _ in members]
        if len(set(names)) != len(names):
            raise ValueError(f"a name comes twice: {names}")
        return dict(members)
    return json.loads(text.decode("utf-8"), parse_constant=refuse, object_pairs_hook=unique)


def maps_of(listing):
    """The methods in 'methods --json' that make a map."""
    return [method for method in object_in(listing)["methods"] if method["kind"] == "map"]


class CliTest(unittest.TestCase):
    """A test with a folder of its own, which is the working folder of what it runs."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="unroll-cli-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content)
        return name

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def files(self):
        return sorted(os.listdir(self.folder))

    def run_here(self, *words, **options):
        return unroll(*words, cwd=self.folder, **options)

    def succeed(self, *words, **options):
        """Standard output of a run that must succeed without a word on standard error."""
        done = self.run_here(*words, **options)
        self.assertEqual((done.returncode, done.stderr), (0, b""), words)
        return done.stdout

    def expect_error(self, code, message, *words, **options):
        """A run that must end with that exit code, say so on standard error alone, and leave no new file."""
        before = self.files()
        done = self.run_here(*words, **options)
        text = done.stderr.decode()
        self.assertEqual((done.returncode, done.stdout), (code, b""), text)
        self.assertIn(message, text)
        self.assertRegex(text, r"(?m)^unroll: error: ")
        self.assertEqual(self.files(), before)
        return text


def without_times(report):
    """A report without what differs from run to run."""
    return {key: value for key, value in report.items() if not re.match("timings_s|peak_rss_mb", key)}
