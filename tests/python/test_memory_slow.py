"""No copy of 4 GB."""
import unittest

from memory_growth import growth


class Large(unittest.TestCase):
    def test_c_order_is_not_copied(self):
        self.assertLess(growth(4096), 0.1)


if __name__ == "__main__":
    unittest.main()
