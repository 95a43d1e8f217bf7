"""Maximum variance unfolding beside CSDP, which solves the semidefinite program with a full matrix."""
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import numpy as np

import unroll


def swiss_roll(n, seed=0):
    """Points, and the place on the sheet: arc length and height."""
    random = np.random.default_rng(seed)
    t, height = 1.5 * np.pi * (1 + 2 * random.random(n)), 21 * random.random(n)
    length = (t * np.sqrt(1 + t * t) + np.arcsinh(t)) / 2
    return np.c_[t * np.cos(t), height, t * np.sin(t)], np.c_[length, height]


def bent_sheet(n, seed=0):
    """Points on most of a half pipe, and the place on the sheet."""
    random = np.random.default_rng(seed)
    angle, height = 4 * random.random(n), 2 * random.random(n)
    return np.c_[np.cos(angle), height, np.sin(angle)], np.c_[angle, height]


def kept_pairs(squared, k):
    """Neighbors, and pairs that are among the nearest of one point."""
    pairs = set()
    for i, row in enumerate(squared):
        near = [i] + [j for j in np.argsort(row, kind="stable") if j != i][:k]
        pairs |= {(min(a, b), max(a, b)) for a in near for b in near if a != b}
    return sorted(pairs)


def csdp_text(pairs, squared, n, slack):
    """The program in SDPA's sparse format, with M = <y_i - y_n, y_j - y_n>, of n - 1 rows: tr K = tr M - 1'M1/n. With a
    slack, residuals are s X12 of 2 x 2 matrices with X22 = 1 and sum X11 <= 1."""
    m, s = len(pairs), slack * np.linalg.norm(squared)
    lines = [f"{2 * m + 1}", f"{m + 2}", f"{n - 1} " + "2 " * m + "-1"] if slack else [f"{m}", "1", f"{n - 1}"]
    lines.append(" ".join(repr(float(b)) for b in squared) + (" 1" * (m + 1) if slack else ""))
    lines += [f"0 1 {i + 1} {j + 1} {(i == j) - 1 / n!r}" for i in range(n - 1) for j in range(i, n - 1)]
    for e, (i, j) in enumerate(pairs, 1):
        lines.append(f"{e} 1 {i + 1} {i + 1} 1")
        if j < n - 1:
            lines += [f"{e} 1 {i + 1} {j + 1} -1", f"{e} 1 {j + 1} {j + 1} 1"]
        if slack:
            lines += [f"{e} {e + 1} 1 2 {float(s / 2)!r}", f"{m + e} {e + 1} 2 2 1", f"{2 * m + 1} {e + 1} 1 1 1"]
    if slack:
        lines.append(f"{2 * m + 1} {m + 2} 1 1 1")
    return "\n".join(lines) + "\n"


def csdp(points, k, slack):
    """K of the best map."""
    n = len(points)
    squared = ((points[:, None] - points[None]) ** 2).sum(-1)
    pairs = kept_pairs(squared, k)
    b = np.array([squared[pair] for pair in pairs])
    with tempfile.TemporaryDirectory() as folder:
        problem, solution = pathlib.Path(folder, "mvu.dat-s"), pathlib.Path(folder, "mvu.sol")
        problem.write_text(csdp_text(pairs, b / b.mean(), n, slack))
        subprocess.run(["csdp", problem, solution], capture_output=True, check=False, timeout=120)
        m = np.zeros((n, n))
        for line in solution.read_text().splitlines()[1:]:
            matrix, block, i, j, value = line.split()
            if (matrix, block) == ("2", "1"):
                m[int(i) - 1, int(j) - 1] = m[int(j) - 1, int(i) - 1] = float(value)
    center = np.eye(n) - 1 / n
    return center @ m @ center * b.mean()


def map_of(kernel, d):
    values, vectors = np.linalg.eigh(kernel)
    return vectors[:, -d:] * np.sqrt(values[-d:])


def procrustes(a, b):
    """1 - what the best rotation and scaling of one explains of the other."""
    a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
    return 1 - np.linalg.svd(a.T @ b, compute_uv=False).sum() ** 2


def unexplained(found, truth):
    """The share of the truth's variance that the best affine map does not give back."""
    columns = np.c_[found, np.ones(len(found))]
    missed = truth - columns @ np.linalg.lstsq(columns, truth, rcond=None)[0]
    return (missed ** 2).sum() / ((truth - truth.mean(0)) ** 2).sum()


def check_beside_csdp(test, points, k, slack, **options):
    kernel = csdp(points, k, slack)
    ours = unroll.MVU(n_neighbors=k, slack=slack, n_components=3, certify=True, n_iter=10000, **options).fit(points)
    test.assertAlmostEqual(ours.objective_ / np.trace(kernel), 1, delta=1e-3)
    test.assertLessEqual(procrustes(ours.embedding_, map_of(kernel, 3)), 1e-3)
    test.assertTrue(ours.certified_)
    found = ours.model_.attributes
    test.assertLess(abs(found["gap"]), 1e-3)
    test.assertGreaterEqual(found["dual_bound"], np.trace(kernel) * (1 - 1e-6), "no allowed K exceeds it")
    test.assertLessEqual(ours.violation_, slack if slack else 1e-5)
    return ours


def check_new_points(test, points, truth, known, allowed):
    """The median distance of new points from where they belong, on the true sheet."""
    ours = unroll.MVU().fit(points[:known])
    np.testing.assert_array_equal(ours.transform(points[:20]), ours.embedding_[:20])
    columns = np.c_[ours.embedding_, np.ones(known)]
    affine = np.linalg.lstsq(columns, truth[:known], rcond=None)[0]
    new = ours.transform(points[known:])
    missed = np.c_[new, np.ones(len(new))] @ affine - truth[known:]
    test.assertLess(np.median(np.linalg.norm(missed, axis=1)), allowed)
    near = ours.transform(points[:20] + 1e-7)
    np.testing.assert_allclose(near, ours.embedding_[:20], atol=1e-3)


@unittest.skipUnless(shutil.which("csdp"), "csdp is not installed")
class BesideCsdp(unittest.TestCase):
    def test_sixty_points(self):
        check_beside_csdp(self, swiss_roll(60)[0], 6, 1e-3)

    def test_sixty_points_with_few_neighbors(self):
        check_beside_csdp(self, swiss_roll(60)[0], 4, 1e-3)

    def test_without_slack_the_roll_is_rigid(self):
        points = swiss_roll(60)[0]
        ours = check_beside_csdp(self, points, 6, 0, tol=1e-5)
        self.assertAlmostEqual(ours.objective_ / np.sum((points - points.mean(0)) ** 2), 1, delta=1e-4)


class Unfolding(unittest.TestCase):
    def test_a_sheet_is_laid_flat(self):
        points, truth = bent_sheet(200)
        ours = unroll.MVU().fit(points)
        self.assertLess(unexplained(ours.embedding_, truth), 1e-3)
        self.assertLessEqual(ours.violation_, 1e-3)
        self.assertGreater(ours.eigenvalues_[1], 10 * ours.eigenvalues_[2])  # the gap after two dimensions

    def test_a_knot_is_a_circle(self):
        t = np.linspace(0, 2 * np.pi, 200, endpoint=False)
        trefoil = np.c_[np.sin(t) + 2 * np.sin(2 * t), np.cos(t) - 2 * np.cos(2 * t), -np.sin(3 * t)]
        ours = unroll.MVU(n_neighbors=4).fit(trefoil)
        radii = np.linalg.norm(ours.embedding_, axis=1)
        self.assertLess(radii.std() / radii.mean(), 0.03)  # the knot is not of one speed
        self.assertLess(ours.eigenvalues_[0], 1.05 * ours.eigenvalues_[1])
        self.assertGreater(ours.eigenvalues_[1], 50 * ours.eigenvalues_[2])

    def test_kernel_pca_of_the_learned_kernel_is_the_map(self):
        ours = unroll.MVU().fit(swiss_roll(80)[0])
        again = unroll.KernelPCA(n_components=2, kernel="precomputed").fit_transform(
            ours.kernel_factor_ @ ours.kernel_factor_.T)
        np.testing.assert_allclose(np.abs(again), np.abs(ours.embedding_), atol=1e-6 * np.abs(again).max())

    def test_new_points_go_where_they_belong(self):
        points, truth = bent_sheet(240)
        check_new_points(self, points, truth, 200, 0.05)  # of a strip of 2 x 4

    def test_parts_are_joined_or_an_error(self):
        points = bent_sheet(60)[0]
        points[30:] += 100
        with self.assertWarns(unroll.DisconnectedGraphWarning):
            unroll.MVU().fit(points)
        with self.assertRaisesRegex(ValueError, "smallest that connects all points"):
            unroll.MVU(components="error").fit(points)


if __name__ == "__main__":
    unittest.main()
