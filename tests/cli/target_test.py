"""--target: what is known of the points, for umap."""
import unittest

from harness import CliTest, as_csv, points, table

ROWS = points(60, 3)
FAST = ("-m", "umap", "--n-epochs", "20")


class Target(CliTest):
    def setUp(self):
        super().setUp()
        self.write("x.csv", as_csv(ROWS))
        self.plain = table(self.succeed("embed", "x.csv", *FAST))

    def write_lines(self, name, words):
        self.write(name, ("\n".join(map(str, words)) + "\n").encode())

    def test_classes_and_numbers_change_the_map(self):
        self.write_lines("classes.txt", ["low" if row[0] < 0 else "high" for row in ROWS])
        self.write_lines("numbers.txt", [row[1] for row in ROWS])
        maps = [table(self.succeed("embed", "x.csv", *FAST, "--target", name)) for name in ("classes.txt", "numbers.txt")]
        self.assertEqual(maps[0][0], self.plain[0])
        self.assertNotEqual(maps[0], self.plain)
        self.assertNotEqual(maps[1], self.plain)
        self.assertNotEqual(maps[0], maps[1])

    def test_minus_one_is_unknown(self):
        found = []
        for other in (-1, 2):
            self.write_lines("half.txt", [row[0] > 0 and 1 or other for row in ROWS])
            found.append(table(self.succeed("embed", "x.csv", *FAST, "--target", "half.txt")))
        self.assertNotEqual(found[0], found[1])

    def test_refusals(self):
        self.write_lines("short.txt", ["a", "b"])
        self.expect_error(3, "'short.txt' has 2", "embed", "x.csv", *FAST, "--target", "short.txt")
        self.write_lines("classes.txt", ["a", "b"] * 30)
        self.expect_error(2, "--target is for methods that look at classes, which pca does not", "embed", "x.csv", "-m",
                          "pca", "--target", "classes.txt")


if __name__ == "__main__":
    unittest.main()
