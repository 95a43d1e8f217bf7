"""Standard input, output and error in every state a shell can leave them in."""
import os
import signal
import subprocess
import unittest

from harness import BINARY, ENVIRONMENT, PATIENCE, CliTest, as_csv, points, start

ROWS = points(5000, 3)


class Streams(CliTest):
    def setUp(self):
        super().setUp()
        self.write("x.csv", as_csv(ROWS))

    def shell(self, script):
        return subprocess.run(["sh", "-c", script, "sh", BINARY], cwd=self.folder, env=ENVIRONMENT, timeout=PATIENCE,
                              capture_output=True, check=False)

    def test_pipes(self):
        done = self.shell('"$1" datasets make swiss-roll -n 100 | "$1" embed - -m pca -d 1 | wc -l')
        self.assertEqual((done.stdout.strip(), done.stderr), (b"101", b""))

    def test_a_reader_that_goes_away_ends_it_quietly(self):
        for ignored in (False, True):
            def prepare(ignored=ignored):
                signal.signal(signal.SIGPIPE, signal.SIG_IGN if ignored else signal.SIG_DFL)
            process = start("embed", "-", "-m", "pca", stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                            restore_signals=False, preexec_fn=prepare)
            process.stdout.close()  # before anything can have been written
            process.stdin.write(as_csv(ROWS))
            process.stdin.close()
            messages = process.stderr.read()
            process.stderr.close()
            self.assertEqual((process.wait(), messages), (-signal.SIGPIPE, b""))

    def test_closed_standard_output(self):
        for words in ("embed x.csv -m pca", "methods", "--version", "embed x.csv -m pca --json"):
            done = self.shell(f'"$1" {words} >&-')
            self.assertEqual(done.returncode, 1, words)
            self.assertIn(b"Bad file descriptor", done.stderr, words)

    def test_closed_streams_do_not_end_up_in_the_file(self):
        expected = self.shell('"$1" embed x.csv -m pca').stdout
        done = self.shell('"$1" embed x.csv -m pca -o z.csv --progress plain <&- >&- 2>&-')
        self.assertEqual((done.returncode, self.read("z.csv")), (0, expected))

    def test_closed_standard_input(self):
        done = self.shell('"$1" embed - -m pca <&-')
        self.assertEqual((done.returncode, done.stdout), (1, b""))
        self.assertIn(b"<stdin>", done.stderr)

    def test_a_full_disk_behind_standard_output(self):
        for words in ("embed x.csv -m pca", "methods", "--version"):
            done = self.shell(f'"$1" {words} >/dev/full')
            self.assertEqual(done.returncode, 1, words)
            self.assertIn(b"No space left", done.stderr, words)

    def test_devices_are_written_in_place(self):
        done = self.shell('"$1" embed x.csv -m pca -o /dev/null && test -c /dev/null')
        self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_an_empty_environment(self):
        done = subprocess.run([BINARY, "embed", "x.csv", "-m", "pca", "-o", "z.csv"], cwd=self.folder, check=False,
                              env={key: value for key, value in os.environ.items() if "SAN_OPTIONS" in key},
                              capture_output=True, timeout=PATIENCE)
        self.assertEqual((done.returncode, done.stderr), (0, b""))


if __name__ == "__main__":
    unittest.main()
