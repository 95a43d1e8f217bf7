"""The programs of examples/python as they are, where test_examples.py shortens them."""
import unittest

from test_examples import SHORTER, Programs


class WholeExamples(Programs):
    def test_whole(self):
        for name in SHORTER:
            with self.subTest(name):
                self.run_program(name)


if __name__ == "__main__":
    unittest.main()
