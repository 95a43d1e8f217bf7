"""What `import unroll` does to a process: little, and nothing to NumPy's BLAS."""
import glob
import json
import os
import subprocess
import sys
import unittest

PACKAGE = os.path.join(os.environ["PYTHONPATH"], "unroll")


def answer(code, **environment):
    """What a fresh interpreter prints, as JSON."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          env={**os.environ, **environment})
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


class Loading(unittest.TestCase):
    def test_loads_no_other_packages(self):
        """Beside NumPy, only our own modules and a few of the standard library: this is what keeps it quick."""
        found = answer("import sys, json, numpy, logging\nbefore = set(sys.modules)\nimport unroll\n"
                       "print(json.dumps(sorted(set(sys.modules) - before)))")
        self.assertEqual([name for name in found if name.split(".")[0] not in ("unroll", "inspect", "dis", "opcode",
                                                                               "_opcode")], [])
        self.assertLess(len(found), 20)

    def test_starts_no_thread(self):
        count = "len(os.listdir('/proc/self/task'))"
        before, after = answer("import os, json, numpy\n"
                               f"before = {count}\nimport unroll\nprint(json.dumps([before, {count}]))")
        self.assertEqual(before, after)

    def test_exports_one_symbol(self):
        """Nothing else: another OpenBLAS in the process must not be given ours, nor we its."""
        extension, = glob.glob(os.path.join(PACKAGE, "_core*.so"))
        lines = subprocess.run(["nm", "-D", "--defined-only", extension], check=True, capture_output=True,
                               text=True).stdout.split("\n")
        self.assertEqual([line.split()[-1] for line in lines if line], ["PyInit__core"])
        undefined = subprocess.run(["nm", "-D", "--undefined-only", extension], check=True, capture_output=True,
                                   text=True).stdout
        for name in ("blas", "gemm", "dsyev", "dpotrf"):
            self.assertNotIn(name, undefined)

    def test_leaves_the_other_blas_alone(self):
        """Its threads and its results are the same before and after, whichever is loaded first."""
        work = ("x = np.random.RandomState(0).normal(size=(300, 200))\n"
                "def products(): return hashlib.sha256((x.T @ x).tobytes() + np.linalg.svd(x)[1].tobytes()).hexdigest()\n"
                "def threads(): return [(lib['num_threads'], lib['prefix']) for lib in threadpool_info()]\n")
        for order in ("import numpy as np, unroll\n", "import unroll, numpy as np\n"):
            with self.subTest(order=order):
                found = answer("import hashlib, json\n" + order + "from threadpoolctl import threadpool_info\n" + work +
                               "first = [threads(), products()]\n"
                               "y = unroll.embed(x, 'isomap'); unroll.PCA(3).fit(x); unroll.KernelPCA(2).fit(x)\n"
                               "print(json.dumps([first, [threads(), products()]]))", OPENBLAS_NUM_THREADS="2")
                self.assertEqual(found[0], found[1])

    def test_numpy_alone_gives_the_same(self):
        code = ("import hashlib, json, numpy as np\n{}\nx = np.random.RandomState(0).normal(size=(300, 200))\n"
                "print(json.dumps(hashlib.sha256((x.T @ x).tobytes() + np.linalg.svd(x)[1].tobytes()).hexdigest()))")
        self.assertEqual(answer(code.format("")),
                         answer(code.format("import unroll\nunroll.embed(np.random.rand(200, 50), 'pca')")))


if __name__ == "__main__":
    unittest.main()
