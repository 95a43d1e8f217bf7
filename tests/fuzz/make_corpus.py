"""Makes the seeds of the fuzzers: small sound files of every kind, and some that lie. The same files each time.

Usage: /usr/bin/python3 make_corpus.py

What the fuzzers have found is kept beside them as found-*, and not touched here.
"""
import io
import struct
import zipfile
from pathlib import Path

import numpy as np
import scipy.io
import scipy.sparse

HERE = Path(__file__).resolve().parent
CORPUS = HERE / "corpus"
TABLE = np.arange(6.0).reshape(3, 2) / 4
SPARSE = scipy.sparse.csr_matrix(np.array([[0, 1.5, 0], [0, 0, 0], [-2, 0, 3]]))


def put(target, name, content):
    folder = CORPUS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)


def written(write, *arguments, **options):
    """The bytes that a function writes to a file."""
    file = io.BytesIO()
    write(file, *arguments, **options)
    return file.getvalue()


def npy(array, version=(1, 0)):
    return written(np.lib.format.write_array, array, version=version)


def npy_with_header(header, data=b""):
    header = header.encode() + b" " * (63 - (10 + len(header)) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data


def make_npy():
    for kind in ("?", "b", "B", "h", "H", "i", "I", "q", "Q", "e", "f", "d"):
        put("npy", f"type-{np.dtype(kind).name}", npy(TABLE.astype(kind)))
    put("npy", "big-endian", npy(TABLE.astype(">i2")))
    put("npy", "fortran", npy(np.asfortranarray(np.arange(24.0).reshape(4, 2, 3))))
    put("npy", "version-2", npy(TABLE, (2, 0)))
    put("npy", "version-3", npy(TABLE, (3, 0)))
    put("npy", "no-rows", npy(np.zeros((0, 5))))
    put("npy", "one-number", npy(np.array(1.0)))
    put("npy", "trailing", npy(TABLE) + b"more")
    put("npy", "structured", npy(np.zeros(2, dtype=[("a", "f8")])))
    put("npy", "objects", npy_with_header("{'descr': '|O', 'fortran_order': False, 'shape': (2,), }", b"\x80\x04."))
    for name, shape in (("huge", "(1099511627776, 1048576)"), ("promise", "(1000000000, 8)"), ("minus", "(-1, 2)")):
        header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}"
        put("npy", f"shape-{name}", npy_with_header(header, b"12345678"))
    put("npy", "long-header", b"\x93NUMPY\x02\x00\xf0\xff\xff\xff")


def make_npz():
    put("npz", "stored", written(np.savez, TABLE))
    put("npz", "deflated", written(np.savez_compressed, X=TABLE, y=np.arange(3)))
    put("npz", "several", written(np.savez, a=TABLE, b=TABLE))
    for kind in ("csr", "csc", "coo", "bsr"):
        put("npz", f"sparse-{kind}", written(scipy.sparse.save_npz, SPARSE.asformat(kind), compressed=False))
    put("npz", "sparse-deflated", written(scipy.sparse.save_npz, SPARSE))
    duplicates = scipy.sparse.coo_matrix(([1.0, 2.0, 4.0], ([0, 0, 1], [1, 1, 0])), shape=(2, 2))
    put("npz", "sparse-duplicates", written(scipy.sparse.save_npz, duplicates, compressed=False))
    parts = {"format": np.array(b"csr"), "shape": np.array([2, 2]), "indptr": np.array([0, 2, 1]),
             "indices": np.array([0, 7, 1]), "data": np.ones(3)}
    put("npz", "sparse-lies", written(np.savez, **parts))
    put("npz", "bomb", written(np.savez_compressed, np.zeros((1 << 10, 1 << 6))))
    empty = written(np.savez)
    put("npz", "no-members", empty)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.comment = b"a comment"
        member = zipfile.ZipInfo("../a.npy")
        archive.writestr(member, npy(TABLE))
    sound = file.getvalue()
    put("npz", "comment-and-path", sound)
    put("npz", "wrong-checksum", sound.replace(npy(TABLE)[-8:], b"\0" * 8))
    put("npz", "encrypted", sound.replace(b"PK\x01\x02\x14\x03\x14\0\0\0", b"PK\x01\x02\x14\x03\x14\0\x01\0"))
    put("npz", "cut", sound[:-40])


def make_csv():
    texts = {
        "plain": "1,2\n3,4\n", "header": "a,b\n1,2\n3,4\n", "semicolon": "a;b\r\n1;2\r\n3;4\r\n",
        "tab": "1\t2\n3\t4\n", "blanks": "  1   2\n3 4\n", "quotes": 'name,"a ""q""",b\n"r,1",1,2\n"r\n2",3,4\n',
        "comments": "# one\n\n1,2\n# two\n3,4\n", "missing": "a,b,y\n1,NA,u\n,4,v\n5,6,\n", "row-names": ",a,b\nx,1,2\ny,3,4\n",
        "as-r": '"a" "b"\n"1" 1 2\n"2" 3 4\n', "cr": "1,2\r3,4\r", "bom": "\ufeff1,2\n3,4\n", "trailing": "1,2,\n3,4,\n",
        "numbers": "1e400,-1e-400\n+.5,0x1p3\ninf,nan\n", "ragged": "1,2\n3\n", "decimal-comma": "1,5;2\n2,5;3\n",
        "open-quote": 'a,b\n"1,2\n3,4\n', "words": "a,b c;d\n1 2\n3 4\n",
    }
    for name, text in texts.items():
        for choice in (0, 40, 77):  # see fuzz_csv.cpp
            put("csv", f"{name}-{choice}", bytes([choice]) + text.encode())
    put("csv", "utf-16", b"\0" + "1,2\n".encode("utf-16"))


def make_mtx():
    put("mtx", "dense", written(scipy.io.mmwrite, TABLE))
    put("mtx", "sparse", written(scipy.io.mmwrite, SPARSE))
    put("mtx", "integer", written(scipy.io.mmwrite, TABLE.astype(int)))
    put("mtx", "pattern", written(scipy.io.mmwrite, SPARSE, field="pattern"))
    put("mtx", "symmetric", written(scipy.io.mmwrite, SPARSE + SPARSE.T))
    put("mtx", "symmetric-dense", written(scipy.io.mmwrite, (SPARSE + SPARSE.T).toarray()))
    put("mtx", "skew", written(scipy.io.mmwrite, SPARSE - SPARSE.T, symmetry="skew-symmetric"))
    put("mtx", "skew-dense", written(scipy.io.mmwrite, (SPARSE - SPARSE.T).toarray()))
    banner = "%%MatrixMarket matrix coordinate real "
    texts = {
        "duplicates": banner + "general\n2 2 3\n1 1 1\n1 1 2\n2 1 3\n", "zero-based": banner + "general\n2 2 1\n0 0 1\n",
        "beyond": banner + "general\n2 2 1\n3 1 1\n", "fewer": banner + "general\n2 2 3\n1 1 1\n2 2 1.000\n",
        "more": banner + "general\n2 2 1\n1 1 1\n2 2 1\n", "promise": banner + "general\n9 9 99999999999\n1 1 1\n",
        "rows": banner + "general\n99999999999999 2 1\n1 1 1\n", "upper": banner + "symmetric\n2 2 1\n1 2 1\n",
        "complex": "%%MatrixMarket matrix array complex general\n1 1\n1 2\n",
        "square": "%%MatrixMarket matrix array real symmetric\n9223372036854775807 9223372036854775807\n1\n",
        "blank-lines": "%%MatrixMarket MATRIX Array Real General\n\n%\n\n1 2\n\n1\r\n%\n2",
    }
    for name, text in texts.items():
        put("mtx", name, text.encode())


def make_idx():
    def idx(kind, shape, data):
        return bytes([0, 0, kind, len(shape)]) + b"".join(struct.pack(">I", size) for size in shape) + data

    for kind, dtype in ((8, "u1"), (9, "i1"), (11, ">i2"), (12, ">i4"), (13, ">f4"), (14, ">f8")):
        put("idx", f"type-{kind}", idx(kind, (3, 2), TABLE.astype(dtype).tobytes()))
    put("idx", "images", idx(8, (2, 2, 2), b"abcdefgh"))
    put("idx", "trailing", idx(8, (2,), b"abc"))
    put("idx", "promise", idx(14, (0xffffffff,) * 4, b"abc"))
    put("idx", "no-dimension", idx(8, (), b""))
    put("idx", "many-dimensions", idx(8, (1,) * 255, b"a"))


def make_model():
    model = (HERE.parent / "golden" / "pca-0.1.0.unroll").read_bytes()
    put("model", "golden", model)
    put("model", "cut", model[:len(model) // 2])
    put("model", "version", model[:8] + b"\x02" + model[9:])
    put("model", "sections", model[:24] + b"\xff\xff\xff\x7f" + model[28:])
    for section in (1, struct.unpack_from("<I", model, 24)[0] - 1):
        entry = 32 + 96 * section
        put("model", f"rows-of-section-{section:02}", model[:entry + 64] + b"\xff" * 8 + model[entry + 72:])
        offset, length = struct.unpack_from("<QQ", model, entry + 80)
        put("model", f"ones-in-section-{section:02}", model[:offset] + b"\xff" * length + model[offset + length:])


if __name__ == "__main__":
    for make in (make_npy, make_npz, make_csv, make_mtx, make_idx, make_model):
        make()
