"""Ctrl-C and SIGTERM: the exit code, nothing left behind."""
import json
import os
import signal
import subprocess
import unittest

from harness import PATIENCE, CliTest, as_csv, default_signals, npy, points, start


class Signals(CliTest):
    def stopped(self, process, number, stage):
        """Exit code and last words of a process that gets the signal in the given stage of its work."""
        for line in process.stderr:
            if json.loads(line)["stage"] == stage:
                break
        process.send_signal(number)
        rest = process.stderr.read().decode().splitlines()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream:
                stream.close()
        return process.wait(timeout=PATIENCE), rest[-1]

    def test_while_waiting_for_input(self):
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            process = start("embed", "-", "-m", "pca", "-o", "z.csv", "--progress", "json", cwd=self.folder,
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, preexec_fn=default_signals)
            self.assertEqual(self.stopped(process, number, "reading"), (code, "unroll: error: stopped on request"))
            self.assertEqual(self.files(), [])

    def test_during_the_work(self):
        # Several seconds for the eigenvectors of a 3000 x 3000 matrix, which no one waits for.
        self.write("x.npy", npy("<u2", (3000, 3000), os.urandom(2 * 3000 * 3000)))
        process = start("embed", "x.npy", "-m", "pca", "--solver", "covariance", "-d", "1000", "-o", "z.csv",
                        "--save", "m.unroll", "--progress", "json", cwd=self.folder, preexec_fn=default_signals)
        self.assertEqual(self.stopped(process, signal.SIGINT, "covariance"), (130, "unroll: error: stopped on request"))
        self.assertEqual(self.files(), ["x.npy"])

    def is_writing(self, process, name):
        """Whether the process has written to a file of the folder other than `name`."""
        descriptors = f"/proc/{process.pid}/fd"
        for number in os.listdir(descriptors):
            path = os.path.join(descriptors, number)
            try:
                file = os.readlink(path)
                if file.startswith(self.folder) and file != self.path(name) and os.stat(path).st_size > 0:
                    return True
            except FileNotFoundError:  # closed meanwhile
                pass
        return False

    def test_while_a_file_is_written(self):
        try:
            os.close(os.open(self.folder, os.O_WRONLY | os.O_TMPFILE))
        except OSError:
            self.skipTest("this file system has no files without a name")
        # Several seconds to write and compress a million rows.
        self.write("x.npy", npy("|u1", (1000000, 3), os.urandom(3000000)))
        self.write("z.csv.gz", b"old")
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)):
            process = start("embed", "x.npy", "-m", "pca", "-o", "z.csv.gz", cwd=self.folder,
                            preexec_fn=default_signals)
            while not self.is_writing(process, "x.npy"):
                self.assertIsNone(process.poll())
            process.send_signal(number)
            self.assertEqual((process.communicate(timeout=PATIENCE)[1], process.returncode), (b"", code))
            self.assertEqual((self.files(), self.read("z.csv.gz")), (["x.npy", "z.csv.gz"], b"old"))

    def test_what_the_parent_ignores_stays_ignored(self):
        process = start("embed", "-", "-m", "pca", "--progress", "json", cwd=self.folder, stdin=subprocess.PIPE,
                        stdout=subprocess.PIPE,
                        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
        self.assertEqual(json.loads(process.stderr.readline())["stage"], "reading")
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(as_csv(points(50, 3)), timeout=PATIENCE)
        self.assertEqual((process.returncode, output.count(b"\n")), (0, 51))


if __name__ == "__main__":
    unittest.main()
