"""What a terminal shows: a picture of the map instead of a flood of numbers."""
import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import unittest

from harness import BINARY, ENVIRONMENT, CliTest, as_csv, as_npy, object_in, points, table

UTF8 = {"LANG": "C.UTF-8", "TERM": "xterm-256color"}
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


class Terminal(CliTest):
    def setUp(self):
        super().setUp()
        rows = points(60, 3)
        lines = ["a,b,c,kind,age"] + [",".join(map(repr, row)) + f",{'uvw'[i % 3]}{'uvw'[i % 3]},{20 + i}"
                                      for i, row in enumerate(rows)]
        self.write("x.csv", ("\n".join(lines) + "\n").encode())
        self.write("plain.csv", as_csv(rows))
        self.write("two.npy", as_npy([[0.0, 0.0], [4.0, 0.0], [0.0, 2.0], [4.0, 2.0]]))

    def seen(self, *words, columns=80, rows=30, env=None):
        """What the command writes to a terminal of that size; standard error is apart."""
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        process = subprocess.Popen([BINARY, *words], cwd=self.folder, env={**ENVIRONMENT, **(UTF8 if env is None else env)},
                                   stdin=subprocess.DEVNULL, stdout=theirs, stderr=subprocess.PIPE)
        os.close(theirs)
        text = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            text += piece
        os.close(ours)
        self.messages = process.stderr.read().decode()
        process.stderr.close()
        self.assertEqual(process.wait(), 0, self.messages)
        return text.decode().replace("\r\n", "\n")

    def test_a_picture_and_how_to_save(self):
        text = self.seen("embed", "plain.csv", "-m", "pca")
        self.assertIn("pca0 to the right, pca1 upwards; 60 points\n", text)
        self.assertNotIn("\x1b", text)  # there is nothing to tell by colors
        self.assertIn("nothing is saved: add -o map.csv", self.messages)
        for line in text.splitlines():
            self.assertLessEqual(len(line), 80)
        self.assertLessEqual(len(text.splitlines()), 30)
        dots = sum(bin(ord(c) - 0x2800).count("1") for c in text if 0x2800 <= ord(c) <= 0x28FF)
        self.assertGreater(dots, 40)
        self.assertLessEqual(dots, 60)

    def test_ranges_and_corners(self):
        text = self.seen("embed", "two.npy", "-m", "pca", env={"LANG": "C", "TERM": "xterm"})
        lines = text.splitlines()
        self.assertRegex(lines[0], r"^ +1\|\. +\.$")  # the points are the corners of a rectangle
        last = next(i for i, line in enumerate(lines) if "+--" in line) - 1
        self.assertRegex(lines[last], r"^ +-1\|\. +\.$")
        self.assertTrue(all(line.endswith("|") for line in lines[1:last]))
        self.assertRegex(lines[last + 2], r"^ +-2 +2$")
        self.assertTrue(text.isascii())
        width, height = lines[last + 1].count("-"), last + 1
        self.assertAlmostEqual(height / width, 1 / 4, delta=0.05)  # a character is twice as high as wide

    def test_labels_have_colors_or_letters(self):
        words = "embed", "x.csv", "-m", "pca", "--drop", "age", "--label-column", "kind"
        text = self.seen(*words)
        self.assertEqual(len(set(re.findall(r"38;5;\d+", text))), 3)
        self.assertIn("kind:  ■ uu  ■ vv  ■ ww", ESCAPE.sub("", text))
        self.assertEqual(len(set(re.findall(r"\x1b\[(3\dm)", self.seen(*words, env={"TERM": "xterm"})))), 3)
        plain = self.seen(*words, env={**UTF8, "NO_COLOR": "1"})
        self.assertNotIn("\x1b", plain)
        self.assertIn("kind:  a uu  b vv  c ww", plain)
        self.assertEqual(set("".join(line[10:] for line in plain.splitlines() if line[9:10] == "│")), set(" abc"))

    def test_colors_by_a_column_or_a_file(self):
        words = "embed", "x.csv", "-m", "pca", "--drop", "age", "--label-column", "kind", "--color-by"
        text = ESCAPE.sub("", self.seen(*words, "age"))
        self.assertIn("age: 20 ■■■■■■■■■■■■ 79\n", text)
        self.assertIn("b: ", self.seen(*words, "b"))  # a feature stays one
        self.assertIn("kind:  ■ uu", ESCAPE.sub("", self.seen(*words, "kind")))
        self.write("colors.txt", b"".join(b"%d.5\n" % i for i in range(60)))
        self.assertIn("colors: 0.5 ■■■■■■■■■■■■ 59.5\n", ESCAPE.sub("", self.seen(*words, "colors.txt")))
        self.assertEqual(self.seen("embed", "x.csv", "-m", "pca", "--columns", "a,b,c", "--color-by", "kind").splitlines()[-1]
                         .count("■"), 3)
        self.expect_error(2, "x.csv: --color-by 'agee': there is no such column; did you mean 'age'?", *words, "agee")
        done = self.run_here(*words, "age")
        self.assertIn(b"note: --color-by is for the picture that --plot FILE draws, and for the map on a terminal", done.stderr)
        self.assertEqual(table(done.stdout)[0], ["pca0", "pca1", "kind"])

    def test_pages_are_colored_alike(self):
        def page(*words):
            self.run_here("compare", "x.csv", "-m", "pca,isomap", "--columns", "a,b,c", "-o", "p.html", *words)
            return self.read("p.html").replace(b" ", b"")
        self.assertIn(b'"name":"kind","labels":["uu","vv","ww"]', page("--color-by", "kind"))
        self.assertIn(b'"name":"age","low":20', page("--color-by", "age"))
        self.assertIn(b'"name":"b","low":', page("--color-by", "b"))

    def test_elsewhere_numbers_come_as_ever(self):
        expected = self.succeed("embed", "plain.csv", "-m", "pca")
        self.assertEqual(len(table(expected)[1]), 60)
        self.assertEqual(self.seen("embed", "plain.csv", "-m", "pca", "-o", "-"), expected.decode())
        self.assertEqual(object_in(self.seen("embed", "plain.csv", "-m", "pca", "--json").encode())["outputs"], [])
        self.seen("embed", "plain.csv", "-m", "pca", "-o", "z.csv")
        self.assertEqual(self.read("z.csv"), expected)

    def test_new_rows_are_drawn_too(self):
        self.succeed("embed", "plain.csv", "-m", "pca", "-o", "z.csv", "--save", "m.unroll")
        self.assertIn("pca1 upwards; 60 points", self.seen("transform", "m.unroll", "plain.csv"))
        self.assertIn("nothing is saved: add -o map.csv for the coordinates\n", self.messages)
        self.assertNotIn("--save", self.messages)  # which transform does not have

    def test_one_coordinate_and_three(self):
        self.assertIn("the number of the row upwards", self.seen("embed", "plain.csv", "-m", "pca", "-d", "1"))
        self.assertIn("pca1 upwards (of 3 coordinates)", self.seen("embed", "plain.csv", "-m", "pca", "-d", "3"))

    def test_labels_cannot_steer_the_terminal(self):
        self.write("evil.csv", b"a,b,kind\n1,2,\x1b[2Jx\n2,1,y\n3,5,z\n4,4,y\n")
        text = self.seen("embed", "evil.csv", "-m", "pca", "--label-column", "kind")
        self.assertNotIn("\x1b[2J", text)
        self.assertIn("?[2Jx", text)

    def test_odd_maps(self):
        """One place, huge numbers, more classes than colors, a tiny terminal."""
        self.write("same.csv", b"1,2\n" * 5)
        self.assertIn("5 points", self.seen("embed", "same.csv", "-m", "mds", "-q"))
        self.write("huge.csv", as_csv([[x * 1e300 for x in row] for row in points(20, 2)]))
        self.assertIn("e+3", self.seen("embed", "huge.csv", "-m", "pca", columns=20, rows=5))
        self.write("many.csv", ("a,b,k\n" + "".join(f"{i},{i * i % 7},c{i}\n" for i in range(30))).encode())
        self.assertIn("all others", self.seen("embed", "many.csv", "-m", "pca", "--label-column", "k"))


class Progress(CliTest):
    def test_what_is_left_of_a_stage(self):
        """remaining = elapsed (1 - f) / f: from it follows when the stage began, which is not before the command did."""
        self.succeed("datasets", "make", "swiss-roll", "-n", "3000", "-o", "r.npy")
        done = self.run_here("embed", "r.npy", "-m", "isomap", "-o", "y.npy", "--progress", "json")
        events = [object_in(line) for line in done.stderr.splitlines()]
        told = [event for event in events if "stage_remaining_s" in event]
        self.assertTrue(told)
        for event in events:
            self.assertEqual("stage_remaining_s" in event, event["fraction"] > 0)
        for event in told:
            f = event["fraction"]
            if f < 1:
                elapsed = event["stage_remaining_s"] * f / (1 - f)
                self.assertGreaterEqual(elapsed, 0)
                self.assertLessEqual(elapsed, event["elapsed_s"] + 1e-3)
            else:
                self.assertEqual(event["stage_remaining_s"], 0)


if __name__ == "__main__":
    unittest.main()
