"""How much memory a fit takes beside the data."""
import subprocess
import sys

CODE = """
import resource, sys
import numpy as np, unroll
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
unroll.PCA(2).fit(np.random.rand(2000, 50).astype(np.float32))
x = np.zeros((int(sys.argv[1]), 100), dtype=np.float32, order=sys.argv[2])
x[::7, ::3] = 1; x[::5, 1] = 2; x += 1
before = peak()
unroll.PCA(2).fit(x)
print((peak() - before) / x.nbytes)
"""


def growth(megabytes, order="C"):
    """By how much the peak of memory grows while PCA is fitted to float32 data of that size, per byte of the data; in a
    process of its own."""
    rows = megabytes * 2**20 // 400
    return float(subprocess.run([sys.executable, "-c", CODE, str(rows), order], check=True, capture_output=True,
                                text=True).stdout)
