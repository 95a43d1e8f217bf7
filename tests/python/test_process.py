"""Ctrl-C, forks, threads and memory."""
import logging
import multiprocessing
import signal
import subprocess
import sys
import threading
import unittest

import numpy as np

import unroll
from memory_growth import growth

POINTS = np.random.RandomState(0).normal(size=(150, 6))

# Without the signal this would go on for days.
LONG_WORK = """
import sys
import numpy as np, unroll
points = np.random.RandomState(0).normal(size=(400, 5))
estimator = unroll.TSNE(perplexity=10, n_iter=20).fit(points)
before = {key: value for key, value in vars(estimator).items() if key != "n_iter"}
estimator.set_params(n_iter=2_000_000_000)

def tell(stage, fraction, loss, map):
    if map is not None:
        print("running", flush=True)

try:
    estimator.fit(points, callback=tell)
except KeyboardInterrupt:
    same = all(vars(estimator)[key] is value for key, value in before.items())
    again = unroll.PCA(2).fit(points).components_.shape
    print("interrupted", same, again, flush=True)
"""


# Long work of other methods, which tells when it has begun; without the signal it would go on for minutes at least.
ELSEWHERE = {
    "umap": "unroll.UMAP(n_epochs=1_000_000).fit(points[:2000], callback=tell)",
    "mvu": "unroll.embed(points[:300], 'mvu', n_iter=100_000_000, tol=1e-300, callback=tell)",
    "autoencoder": "unroll.embed(points, 'autoencoder', epochs=50_000_000, callback=tell)",
}
INTERRUPTED = """
import numpy as np, unroll
points = np.random.RandomState(0).normal(size=(9000, 5))

def tell(stage, fraction, loss, map):
    print("running", flush=True)

try:
    WORK
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def map_of(points):
    return unroll.embed(points, "isomap", n_neighbors=8).tobytes()


class Processes(unittest.TestCase):
    def test_an_interrupt_stops_the_work(self):
        child = subprocess.Popen([sys.executable, "-c", LONG_WORK], stdout=subprocess.PIPE, text=True)
        self.assertEqual(child.stdout.readline(), "running\n")
        child.send_signal(signal.SIGINT)
        said, _ = child.communicate()
        self.assertEqual(said.splitlines()[-1], "interrupted True (2, 5)")

    def test_an_interrupt_stops_other_methods(self):
        for name, work in ELSEWHERE.items():
            with self.subTest(name):
                child = subprocess.Popen([sys.executable, "-c", INTERRUPTED.replace("WORK", work)],
                                         stdout=subprocess.PIPE, text=True)
                self.assertEqual(child.stdout.readline(), "running\n")
                child.send_signal(signal.SIGINT)
                said, _ = child.communicate()
                self.assertEqual(said.splitlines()[-1], "interrupted")

    def test_a_fork_computes(self):
        """The parent's threads are not there in a child: it makes its own."""
        expected = map_of(POINTS)
        with multiprocessing.get_context("fork").Pool(2) as pool:
            self.assertEqual(pool.map(map_of, [POINTS] * 4), [expected] * 4)

    def test_joblib(self):
        from joblib import Parallel, delayed
        expected = map_of(POINTS)
        for backend in ("loky", "threading", "multiprocessing"):
            with self.subTest(backend=backend):
                found = Parallel(n_jobs=2, backend=backend)(delayed(map_of)(POINTS) for _ in range(3))
                self.assertEqual(found, [expected] * 3)

    def test_other_threads_run_meanwhile(self):
        """The interpreter is unlocked while the library computes: this would wait for ever otherwise."""
        begun, seen = threading.Event(), threading.Event()

        def other():
            begun.wait()
            seen.set()

        threading.Thread(target=other).start()

        def watch(stage, fraction, loss, map):
            begun.set()
            return None if map is None or not seen.is_set() else "finish"

        unroll.TSNE(perplexity=10, n_iter=2_000_000_000).fit(POINTS, callback=watch)
        self.assertTrue(seen.is_set())

    def test_threads_share_an_estimator(self):
        fitted = unroll.Isomap(n_neighbors=8).fit(POINTS)
        expected, found = fitted.transform(POINTS).tobytes(), []
        workers = [threading.Thread(target=lambda: found.append(fitted.transform(POINTS).tobytes())) for _ in range(6)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self.assertEqual(found, [expected] * 6)


class Callbacks(unittest.TestCase):
    def test_exceptions_come_through(self):
        def fail(stage, fraction, loss, map):
            raise ZeroDivisionError("mine")

        with self.assertRaisesRegex(ZeroDivisionError, "mine"):
            unroll.embed(POINTS, "tsne", perplexity=[10.0], callback=fail)

    def test_false_cancels(self):
        with self.assertRaises(unroll.Cancelled):
            unroll.embed(POINTS, "tsne", perplexity=[10.0], callback=lambda *_: False)

    def test_finish_keeps_the_map(self):
        maps = []

        def keep(stage, fraction, loss, map):
            if map is not None:
                maps.append(map)
                return "finish"

        fitted = unroll.TSNE(perplexity=10, n_iter=500).fit(POINTS, callback=keep)
        self.assertLess(fitted.n_iter_, 500)
        self.assertEqual(maps[-1].shape, fitted.embedding_.shape)


class Memory(unittest.TestCase):
    def test_c_order_is_not_copied(self):
        self.assertLess(growth(256), 0.1)

    def test_fortran_order_is(self):
        self.assertGreater(growth(128, "F"), 0.9)

    def test_copies_are_told(self):
        with self.assertLogs("unroll", logging.DEBUG) as told:
            unroll.embed(np.asfortranarray(POINTS), "pca")
        self.assertIn("copied", told.output[0])
        with self.assertNoLogs("unroll", logging.DEBUG):
            unroll.embed(POINTS, "pca")

    def test_any_layout_gives_the_same(self):
        expected = unroll.embed(POINTS, "pca").tobytes()
        wide = np.zeros((300, 12))
        wide[::2, ::2] = POINTS
        kept = POINTS.copy()
        kept.flags.writeable = False
        unaligned = np.frombuffer(b"x" + POINTS.tobytes(), dtype=np.uint8)[1:].view(np.float64).reshape(POINTS.shape)
        for name, data in (("fortran", np.asfortranarray(POINTS)), ("strides", wide[::2, ::2]),
                           ("swapped bytes", POINTS.astype(">f8")), ("read-only", kept), ("unaligned", unaligned),
                           ("backwards", POINTS[::-1].copy()[::-1]), ("list", POINTS.tolist())):
            with self.subTest(name):
                self.assertEqual(unroll.embed(data, "pca").tobytes(), expected)


if __name__ == "__main__":
    unittest.main()
