"""What the tests of unroll-mpi share. UNROLL_MPI names it, UNROLL_BINARY the command it is compared with."""
import os
import subprocess

from harness import ENVIRONMENT, PATIENCE, CliTest

BINARY = os.environ["UNROLL_MPI"]
MPIEXEC = [os.environ["MPIEXEC"], "--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"]
if os.geteuid() == 0:
    MPIEXEC.append("--allow-run-as-root")


OWN_LINES = ("unroll: ", "warning[", "note:", "  hint:", "  see ")


def without_mpirun(text):
    """Standard error without what mpirun adds when a program has failed."""
    return "".join(line for line in text.decode().splitlines(keepends=True) if line.startswith(OWN_LINES))


class MpiTest(CliTest):
    """A test of unroll-mpi with a folder of its own."""

    def start_ranks(self, *applications, **options):
        """Starts mpirun; each application is (ranks, folder, words)."""
        line = []
        for ranks, folder, words in applications:
            line += [":" if line else "", "-n", str(ranks), "-wdir", folder, BINARY, *words]
        line = MPIEXEC + line[1:]
        return subprocess.Popen(line, env={**ENVIRONMENT, **options.pop("env", {})}, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder, **options)

    def ranks(self, count, *words, **options):
        """Runs so many ranks to their end: exit code, standard output, standard error."""
        with self.start_ranks((count, self.folder, words), **options) as started:
            out, err = started.communicate(timeout=PATIENCE)
        return started.returncode, out, err

    def succeed_ranks(self, count, *words, **options):
        code, out, err = self.ranks(count, *words, **options)
        self.assertEqual((code, err), (0, b""), words)
        return out

    def fail_ranks(self, count, code, *words):
        """What ranks say that must end with this exit code, and leave no file."""
        before = self.files()
        ended, out, err = self.ranks(count, *words)
        self.assertEqual((ended, out), (code, b""), err.decode())
        self.assertEqual(self.files(), before)
        return without_mpirun(err)
