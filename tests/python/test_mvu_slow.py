"""Maximum variance unfolding of more points: five rolls, a certificate, a ring of images."""
import shutil
import unittest

import numpy as np

import test_mvu
import unroll
from test_mvu import swiss_roll, unexplained


@unittest.skipUnless(shutil.which("csdp"), "csdp is not installed")
class MoreBesideCsdp(unittest.TestCase):
    def test_a_hundred_and_fifty_points(self):
        test_mvu.check_beside_csdp(self, swiss_roll(150)[0], 6, 1e-3)


class Rolls(unittest.TestCase):
    def test_two_thousand_points_are_laid_flat(self):
        for seed in range(5):
            points, truth = swiss_roll(2000, seed)
            ours = unroll.MVU(n_neighbors=6, components="connect").fit(points)  # six do not connect every roll
            self.assertLess(unexplained(ours.embedding_, truth), 1e-3, seed)
            self.assertLessEqual(ours.violation_, 1e-3, seed)
            self.assertGreater(ours.eigenvalues_[1], 50 * ours.eigenvalues_[2], seed)

    def test_new_points_of_a_roll_go_where_they_belong(self):
        points, truth = swiss_roll(600)
        test_mvu.check_new_points(self, points, truth, 500, 0.5)  # of a strip of 21 x 90

    def test_five_hundred_points_are_certified(self):
        points, _ = swiss_roll(500)
        ours = unroll.MVU(n_neighbors=6, certify=True, n_iter=20000).fit(points)
        self.assertTrue(ours.certified_)
        self.assertLess(abs(ours.model_.attributes["gap"]), 1e-3)
        self.assertLessEqual(ours.violation_, 1e-3)


class Rings(unittest.TestCase):
    def test_images_of_a_turning_spot_are_a_circle(self):
        angles = np.linspace(0, 2 * np.pi, 120, endpoint=False)
        pixels = np.stack(np.meshgrid(np.linspace(-1, 1, 24), np.linspace(-1, 1, 24)), -1)
        spots = 0.6 * np.c_[np.cos(angles), np.sin(angles)]
        images = np.exp(-((pixels[None] - spots[:, None, None]) ** 2).sum(-1) / 0.02).reshape(120, -1)
        ours = unroll.MVU(n_neighbors=4).fit(images)
        radii = np.linalg.norm(ours.embedding_, axis=1)
        self.assertLess(radii.std() / radii.mean(), 0.01)
        self.assertLess(ours.eigenvalues_[0], 1.02 * ours.eigenvalues_[1])
        self.assertGreater(ours.eigenvalues_[1], 50 * ours.eigenvalues_[2])


if __name__ == "__main__":
    unittest.main()
