"""What people do wrong, one row per mistake: the command line, the exit code, and words that the message must have.

None is silent: what cannot be done is refused with the place and a cure, and what is probably not meant gets a warning or
a note beside the result."""
import math
import os
import struct
import unittest

from harness import CliTest, as_csv, as_npy, npy, points, unroll


def distances(rows):
    return [[math.dist(a, b) for b in rows] for a in rows]


def changed(matrix, *entries):
    """The matrix with entries (row, column, value) replaced."""
    copy = [row[:] for row in matrix]
    for i, j, value in entries:
        copy[i][j] = value
    return copy


def symmetric_noise(n):
    rows = points(n, n)
    return [[rows[i][j] + rows[j][i] for j in range(n)] for i in range(n)]


LENGTHS = distances(points(20, 2))
WEIGHTS = [[math.exp(-d) if d else 0.0 for d in row] for row in LENGTHS]
FILES = {
    "x.csv": as_csv(points(40, 3), "a,b,c"),
    "new.csv": as_csv(points(5, 3), "a,b,c"),
    "reversed.csv": as_csv([row[::-1] for row in points(5, 3)], "c,b,a"),
    "missing.csv": as_csv(points(5, 2), "a,b"),
    "extra.csv": as_csv(points(5, 4), "a,b,c,d"),
    "two.csv": as_csv(points(5, 2)),
    "gap.csv": b"a,b,c\n1,2,3\n3,,1\n5,6,4\n7,9,2\n",
    "empty.csv": b"",
    "header.csv": b"a,b,c\n",
    "one.csv": as_csv(points(1, 3), "a,b,c"),
    "list.npy": npy("<f8", "(9,)", struct.pack("<9d", *range(9))).replace(b"'(9,)'", b"(9,)"),
    "images.npy": npy("<f8", (3, 2, 2), struct.pack("<12d", 1, 2, 3, 5, 4, 4, 9, 1, 1, 7, 2, 6)),
    "nan.npy": as_npy([[1.0, 2.0], [float("nan"), 3.0], [4.0, 5.0]]),
    "inf.csv": b"a,b\n1,2\ninf,4\n5,6\n",
    "complex.npy": npy("<c16", (2, 2), bytes(64)),
    "words.npy": npy("<U3", (2, 2), bytes(48)),
    "objects.npy": npy("|O", (2, 2), bytes(32)),
    "word.csv": b"a,b\n1,2\n3,x\n5,6\n",
    "ragged.csv": b"a,b\n1,2\n3\n5,6\n",
    "comma.csv": b"1,5;2,5\n3,5;4,5\n5,5;1,0\n",
    "garbage.bin": b"no table \x00\x01\x02",
    "same.csv": as_csv([[1.0, 2.0, 3.0]] * 30),
    "copies.csv": as_csv([points(4, 2)[i // 10] for i in range(40)]),
    "islands.csv": as_csv([[x + 1000 * (i % 2) for x in row] for i, row in enumerate(points(40, 2))]),
    "line.csv": as_csv([[i / 2, 1.0 * i, 1.5 * i] for i in range(30)]),
    "lengths.csv": as_csv(LENGTHS),
    "oblong.csv": as_csv(LENGTHS[:10]),
    "uneven.csv": as_csv(changed(LENGTHS, (2, 5, 1.01 * LENGTHS[2][5]))),
    "negative.csv": as_csv(changed(LENGTHS, (2, 5, -1.0), (5, 2, -1.0))),
    "diagonal.csv": as_csv(changed(LENGTHS, (3, 3, 1.0))),
    "infinite.csv": as_csv(changed(LENGTHS, (2, 5, math.inf), (5, 2, math.inf))),
    "squared.csv": as_csv([[d * d for d in row] for row in LENGTHS]),
    "minus.csv": as_csv(changed(WEIGHTS, (2, 5, -0.5), (5, 2, -0.5))),
    "nothing.csv": as_csv([[0.0] * 10] * 10),
    "alone.csv": as_csv(changed(WEIGHTS, *[(4, i, 0.0) for i in range(20)], *[(i, 4, 0.0) for i in range(20)])),
    "noise.csv": as_csv(symmetric_noise(20)),
    "counted.csv": as_csv([[i + 1.0] + row for i, row in enumerate(points(30, 3))], "n,a,b,c"),
    "labelled.csv": as_csv([row + [float(i % 3)] for i, row in enumerate(points(30, 3))], "a,b,c,label"),
    "units.csv": as_csv([[1e4 * row[0]] + row[1:] for row in points(30, 3)], "a,b,c"),
    "genes.csv": ("name," + ",".join(f"s{i}" for i in range(60)) + "\n" + "".join(
        f"g{j}," + ",".join(str((i * 7 + j * 3) % 11 + 0.5) for i in range(60)) + "\n" for j in range(4))).encode(),
    "edges.mtx": b"%%MatrixMarket matrix coordinate real general\n4 4 4\n1 2 1\n2 1 1\n3 4 1\n4 3 1\n",
    "hello.unroll": b"hello",
    "map.csv": as_csv(points(40, 2)),
    "short.csv": as_csv(points(19, 2)),
    "constant.csv": as_csv([[1.0]] * 40),
    "far.csv": as_csv([[1e6, 1e6, 1e6]], "a,b,c"),
    "labels3.txt": b"a\nb\nc\n",
}

PCA, ISOMAP, LLE = ("embed", "x.csv", "-m", "pca"), ("embed", "x.csv", "-m", "isomap"), ("embed", "x.csv", "-m", "lle")
EIGENMAPS, KERNEL = ("embed", "x.csv", "-m", "laplacian_eigenmaps"), ("embed", "x.csv", "-m", "kernel_pca")
OF_LENGTHS, OF_WEIGHTS = ("--metric", "precomputed"), ("--weights", "precomputed")


def embed(name, method, *words):
    return ("embed", name, "-m", method, *words)


# (what was done, the command line, exit code, words of the message)
MISTAKES = [
    # The table: FAULTS A.
    ("a file that is not there", embed("none.csv", "pca"), 1, ["none.csv", "No such file"]),
    ("a folder as input", embed(".", "pca"), 1, ["Is a directory"]),
    ("an empty file", embed("empty.csv", "pca"), 3, ["empty.csv: the file is empty", "a row of numbers per sample"]),
    ("nothing through a pipe", embed("-", "pca"), 3, ["<stdin>: the file is empty", "a row of numbers per sample"]),
    ("a header without rows", embed("header.csv", "pca"), 3, ["a header and no rows"]),
    ("one sample", embed("one.csv", "isomap"), 3, ["1 sample(s)", "minimum of 2"]),
    ("one sample, two coordinates", embed("one.csv", "pca"), 2, ["-d 2 must be at most", "(1 sample, 3 features)"]),
    ("a list instead of a table", embed("list.npy", "pca"), 2, ["one dimension", "9 rows of 1 number", "(9 samples, 1 feature)"]),
    ("images, not yet one row each", embed("images.npy", "pca"), 0, ["note:", "3 x 2 x 2", "3 rows of 4 numbers"]),
    ("a gap", embed("gap.csv", "pca"), 3, ["gap.csv:3: column 'b' (2)", "--na drop|mean"]),
    ("NaN", embed("nan.npy", "pca"), 3, ["row 2 contains NaN in column 1"]),
    ("infinity", embed("inf.csv", "pca"), 3, ["inf.csv:3: column 'a' (1)", "infinite"]),
    ("complex numbers", embed("complex.npy", "pca"), 3, ["Complex data not supported"]),
    ("an array of words", embed("words.npy", "pca"), 3, ["strings are not numbers"]),
    ("an array of Python objects", embed("objects.npy", "pca"), 3, ["object arrays (pickle) are never loaded"]),
    ("a word among numbers", embed("word.csv", "pca"), 3, ["word.csv:3: column 'b' (2)", "'x'", "--drop 'b'"]),
    ("a row that is too short", embed("ragged.csv", "pca"), 3, ["ragged.csv:3: 1 field, expected 2", "complete the row, or remove it"]),
    ("decimal commas", embed("comma.csv", "pca"), 3, ["decimals are written with a point"]),
    ("no table at all", embed("garbage.bin", "pca"), 3, ["not a format I know", "npy (NumPy)"]),
    ("more than the memory", (*ISOMAP, "--memory-budget", "3KB"), 5, ["budget"]),
    # New rows.
    ("new rows with another number of columns", ("transform", "pca.unroll", "two.csv"), 3, ["2 columns", "fitted on 3"]),
    ("new rows with columns in another order", ("transform", "pca.unroll", "reversed.csv"), 0, ["note:", "matched by name"]),
    ("new rows that lack a column", ("transform", "pca.unroll", "missing.csv"), 3, ["lacks a column", "'c'", "add it, or fit without it"]),
    ("new rows with one more column", ("transform", "pca.unroll", "extra.csv"), 0, ["note:", "left out", "'d'"]),
    ("new rows with a gap", ("transform", "pca.unroll", "gap.csv"), 3, ["gap.csv:3: column 'b'", "--na drop|mean"]),
    ("model and table swapped", ("transform", "new.csv", "pca.unroll"), 3, ["new.csv: not an unroll model file", "saved as a model"]),
    ("a file that is no model", ("transform", "hello.unroll", "new.csv"), 3, ["not an unroll model file"]),
    ("half of a model", ("transform", "cut.unroll", "new.csv"), 3, ["cut.unroll: truncated", "save the model again"]),
    ("a damaged model", ("transform", "damaged.unroll", "new.csv"), 3, ["damaged.unroll: ", "checksum", "save the model again"]),
    ("the way back of isomap", ("transform", "isomap.unroll", "map.csv", "--inverse"), 2, ["no inverse transform", "use one that has: pca"]),
    ("a new row far from all", ("transform", "heat.unroll", "far.csv"), 3, ["row 1 has no training point near enough", "same units?"]),
    # The shape of the data: FAULTS B.
    ("identical points", embed("same.csv", "pca"), 0, ["zero-variance", "all points are identical"]),
    ("identical points in lle", embed("same.csv", "lle"), 3, ["all 30 samples are identical"]),
    ("identical points in a graph", embed("same.csv", "laplacian_eigenmaps"), 0, ["identical-points", "says nothing of the data"]),
    ("identical points in diffusion maps", embed("same.csv", "diffusion_maps"), 0, ["identical-points"]),
    ("identical points in kernel_pca", embed("same.csv", "kernel_pca"), 0, ["zero-variance"]),
    ("many copies", embed("copies.csv", "isomap", "-k", "5"), 0, ["graph-disconnected", "1 dimension:", "ask for -d 1"]),
    ("many copies in mlle", embed("copies.csv", "mlle", "-k", "5"), 0, ["flat-neighborhoods", "remove duplicates"]),
    ("points on a line, two coordinates", embed("line.csv", "pca"), 0, ["rank-deficient", "rank 1", "ask for -d 1"]),
    ("a kernel that is zero", (*KERNEL, "--gamma", "1e300"), 2, ["--gamma 1e+300", "nothing to map", "use --gamma 0."]),
    ("a kernel that is nearly zero", (*KERNEL, "--gamma", "30"), 0, ["vanishing-kernel", "worthless", "try --gamma 0."]),
    ("heat that is too narrow", (*EIGENMAPS, "--sigma", "1e-5"), 3, ["--sigma 1e-05", "try --sigma"]),
    ("a point without edges", embed("alone.csv", "laplacian_eigenmaps", *OF_WEIGHTS), 0, ["not fully connected"]),
    ("no edge at all", embed("nothing.csv", "laplacian_eigenmaps", *OF_WEIGHTS), 3, ["all weights", "zero", "give weights above zero"]),
    # A graph in parts: FAULTS C.
    ("a graph in parts", embed("islands.csv", "isomap", "-k", "5"), 0, ["is 2 > 1 (20, 20 points)", "edges between them were added", "-k 20"]),
    ("a graph in parts, separate maps", embed("islands.csv", "lle", "-k", "5"), 0, ["is 2 > 1", "distances between maps mean nothing"]),
    ("a graph in parts, as an error", embed("islands.csv", "isomap", "-k", "5", "--components", "error"), 3, ["is 2 > 1", "-k 20"]),
    ("a sparse graph in parts", embed("edges.mtx", "isomap", *OF_LENGTHS, "-d", "1"), 3, ["nothing can be joined", "--components separate"]),
    ("a radius that reaches nobody", (*ISOMAP, "--radius", "1e-9"), 0, ["is 40 > 1", "use --radius 0.747, ", "the smallest that connects"]),
    ("a negative weight", embed("minus.csv", "laplacian_eigenmaps", *OF_WEIGHTS), 3, ["row 3", "-0.5", "column 6", "give 0 to pairs"]),
    # Options: FAULTS D.
    ("as many neighbours as points", (*ISOMAP, "-k", "40"), 2, ["-k 40 must be less than the number of points, 40"]),
    ("no neighbours", (*ISOMAP, "-k", "0"), 2, ["-k 0 must be an integer >= 1"]),
    ("minus one neighbour", (*ISOMAP, "-k", "-1"), 2, ["-k -1 must be an integer >= 1"]),
    ("half a neighbour", (*ISOMAP, "-k", "5.5"), 2, ["-k 5.5 must be an integer"]),
    ("a number in words", (*ISOMAP, "-k", "five"), 2, ["-k five must be an integer"]),
    ("as many coordinates as points", (*EIGENMAPS, "-d", "40"), 2, ["-d 40 must be less than the number of points, 40"]),
    ("more coordinates than features", (*LLE, "-d", "4"), 2, ["-d 4", "number of features, 3"]),
    ("more axes than features", (*PCA, "-d", "4"), 2, ["-d 4", "(40 samples, 3 features)", "use a smaller -d"]),
    ("no coordinates", (*ISOMAP, "-d", "0"), 2, ["-d 0 must be an integer >= 1"]),
    ("two and a half axes", (*PCA, "-d", "2.5"), 2, ["-d 2.5 must be a whole number, or a fraction strictly between 0 and 1"]),
    ("too few neighbours for hlle", embed("x.csv", "hlle", "-k", "5"), 2, ["-k 5 must be at least 6", "use a larger -k"]),
    ("too few neighbours for mlle", embed("x.csv", "mlle", "-k", "2", "-d", "3"), 2, ["-k 2 must be at least 4"]),
    ("too few neighbours for ltsa", embed("x.csv", "ltsa", "-k", "2"), 2, ["-k 2 must be at least 4"]),
    ("gamma of zero", (*KERNEL, "--gamma", "0"), 2, ["--gamma 0 must be a number > 0"]),
    ("gamma that is no number", (*KERNEL, "--gamma", "nan"), 2, ["--gamma nan must be a number > 0"]),
    ("negative regularization", (*LLE, "--reg", "-1"), 2, ["--reg -1 must be a number >= 0"]),
    ("negative time", embed("x.csv", "diffusion_maps", "--t", "-1"), 2, ["--t -1 must be a number >= 0"]),
    ("a metric by half of its name", (*ISOMAP, "--metric", "euclid"), 2, ["did you mean 'euclidean'?"]),
    ("a metric that is not there", (*ISOMAP, "--metric", "mahalanobis"), 2, ["must be one of: euclidean, manhattan"]),
    ("a kernel that is not there", (*KERNEL, "--kernel", "gauss"), 2, ["must be one of: linear, poly, rbf"]),
    ("a solver that is not there", (*ISOMAP, "--eigen-solver", "arpack"), 2, ["must be one of: auto, dense"]),
    ("a scaling that is not there", (*PCA, "--scale", "zscore"), 2, ["must be one of: none, center, standardize"]),
    ("a method that is misspelt", embed("x.csv", "ismap"), 2, ["did you mean 'isomap'?"]),
    ("no method", ("embed", "x.csv"), 2, ["-m METHOD is missing", "pca"]),
    ("clusters by embed", embed("x.csv", "spectral_clustering"), 2, ["use 'unroll cluster'"]),
    ("a negative seed", (*ISOMAP, "--seed", "-1"), 2, ["--seed -1 must be an integer >= 0"]),
    ("a seed of letters", (*ISOMAP, "--seed", "a"), 2, ["--seed a must be an integer >= 0"]),
    ("no threads", (*ISOMAP, "-j", "0"), 2, ["-j 0 must be an integer >= 1"]),
    ("British neighbours", (*ISOMAP, "--neighbours", "5"), 2, ["did you mean '--n-neighbors'?"]),
    ("neighbours of pca", (*PCA, "-k", "5"), 2, ["'embed -m pca' has no --n-neighbors; leave it out"]),
    ("a verb that is misspelt", ("embd", "x.csv"), 2, ["did you mean 'embed'?"]),
    ("fewer landmarks than coordinates", (*ISOMAP, "--n-landmarks", "2", "-d", "3"), 2, ["must be more than -d 3"]),
    ("more landmarks than points", (*ISOMAP, "--n-landmarks", "100"), 2, ["at most the number of points, 40"]),
    ("the wrong flag of spectrum", ("spectrum", "x.csv", "-m", "isomap", "-d", "3"), 2, ["'spectrum -m isomap' has no --n-components; use -n"]),
    ("more eigenvalues than points", ("spectrum", "x.csv", "-m", "laplacian_eigenmaps", "-n", "60"), 0, ["39 eigenvalues instead of 60", "--all shows it"]),
    # Matrices and labels: FAULTS E.
    ("distances that are not square", embed("oblong.csv", "mds", *OF_LENGTHS), 3, ["square distance matrix", "10 x 20"]),
    ("distances that differ by 1 % the other way", embed("uneven.csv", "mds", *OF_LENGTHS), 3, ["points 3 and 6", "must be symmetric"]),
    ("the same, in isomap", embed("uneven.csv", "isomap", *OF_LENGTHS, "-k", "5"), 3, ["points 3 and 6", "must be symmetric"]),
    ("weights that differ the other way", embed("uneven.csv", "laplacian_eigenmaps", *OF_WEIGHTS), 0, ["asymmetric-weights", "averaged"]),
    ("a negative distance", embed("negative.csv", "mds", *OF_LENGTHS), 3, ["points 3 and 6 is -1", "positive or zero", "if these are similarities, use --weights"]),
    ("a distance from itself", embed("diagonal.csv", "mds", *OF_LENGTHS), 3, ["points 4 and 4 is 1"]),
    ("an infinite distance", embed("infinite.csv", "isomap", *OF_LENGTHS), 3, ["infinite.csv:3: column 6", "infinite"]),
    ("squared distances", embed("squared.csv", "mds", *OF_LENGTHS), 0, ["not-euclidean", "negative eigenvalues"]),
    ("a kernel that is none", embed("noise.csv", "kernel_pca", "--kernel", "precomputed", "-d", "15"), 0, ["indefinite-kernel", "not positive semidefinite"]),
    ("distances that were not called so", embed("lengths.csv", "isomap", "-k", "5"), 0, ["note:", "use --metric precomputed"]),
    ("fewer distances than neighbours", embed("edges.mtx", "isomap", *OF_LENGTHS, "-k", "3", "-d", "1"), 3, ["3 neighbors per samples are required", "only 1"]),
    ("a sparse matrix for mds", embed("edges.mtx", "mds", *OF_LENGTHS), 2, ["sparse matrix", "needs all its entries"]),
    ("a label column that is not there", (*PCA, "--label-column", "kind"), 2, ["'kind'", "there are: a, b, c"]),
    ("fewer labels than points", ("quality", "x.csv", "map.csv", "--labels", "labels3.txt"), 3, ["40", "3"]),
    # Files and columns: issue 21.
    ("the output over the input", (*PCA, "-o", "x.csv"), 2, ["would overwrite INPUT"]),
    ("the output over the input, through a link", (*PCA, "-o", "link.csv"), 2, ["would overwrite INPUT"]),
    ("the model over the input", (*PCA, "--save", "./x.csv"), 2, ["would overwrite INPUT"]),
    ("two outputs in one file", (*PCA, "-o", "./o.csv", "--save", "o.csv"), 2, ["both name"]),
    ("data and truth in one file", ("datasets", "make", "swiss-roll", "-n", "50", "-o", "a.npy", "--truth", "./a.npy"), 2, ["both name"]),
    ("a folder that is not there", (*PCA, "-o", "nowhere/y.csv"), 1, ["nowhere/y.csv", "No such file", "make the folder first"]),
    ("an output of no format", (*PCA, "-o", "y.doc"), 2, ["use .npy, .csv"]),
    ("a column that counts the rows", embed("counted.csv", "pca"), 0, ["note:", "'n') counts the rows"]),
    ("labels among the features", embed("labelled.csv", "pca"), 0, ["note:", "use --label-column label"]),
    ("a feature in other units", embed("units.csv", "pca"), 0, ["note:", "99 % of the variance", "--scale standardize"]),
    ("samples in columns", embed("genes.csv", "pca"), 0, ["note:", "use --transpose"]),
    ("a column that is not there", (*PCA, "--columns", "a,z"), 2, ["'z': there is no such column", "there are: a, b, c"]),
    ("all columns left out", (*PCA, "--drop", "a,b,c"), 3, ["no column of numbers is left", "fewer than --drop a,b,c"]),
    ("a map of other points", ("quality", "x.csv", "short.csv"), 3, ["has 40 rows but 'short.csv' has 19"]),
    ("a truth that does not vary", ("quality", "x.csv", "map.csv", "--truth", "constant.csv"), 0, ["no-shape", "neither the true points nor those of the map are all the same"]),
    ("quality of too many neighbours", ("quality", "x.csv", "map.csv", "-k", "30"), 2, ["-k 30 should be less than"]),
    ("compare with too many neighbours", ("compare", "x.csv", "-m", "isomap,pca", "-k", "40"), 0, ["isomap failed", "-k 40 must be less"]),
    ("an option that a method of compare lacks", ("compare", "x.csv", "-m", "isomap:kk=3,pca"), 2, ["isomap has no option 'kk'"]),
    ("more clusters than points", ("cluster", "x.csv", "--n-clusters", "50"), 2, ["--n-clusters 50 must be at most the number of points, 40"]),
    ("heat from nowhere", ("graph", "x.csv", "heat"), 2, ["--from is missing"]),
    ("heat from a point that is not there", ("graph", "x.csv", "heat", "--from", "99"), 2, ["the points are 0 to 39"]),
    ("a quantity that is not there", ("graph", "x.csv", "nothing"), 2, ["the quantities are"]),
    ("data that nobody makes", ("datasets", "make", "swissroll2", "-n", "9", "-o", "a.npy"), 2, ["did you mean 'swiss_roll'?"]),
    ("so many neighbours that turns of a roll touch", embed("roll.npy", "isomap", "-k", "60", "-o", "y.csv"), 0, ["short-circuit"]),
]


class Mistakes(CliTest):
    def setUp(self):
        super().setUp()
        prepare(self.folder)

    def test_none_is_silent(self):
        self.assertGreaterEqual(len(MISTAKES), 60)
        self.assertEqual(len({what for what, *_ in MISTAKES}), len(MISTAKES))
        for what, words, code, parts in MISTAKES:
            with self.subTest(what):
                before = self.files()
                done = self.run_here(*words)
                text = done.stderr.decode()
                self.assertEqual(done.returncode, code, text)
                for part in parts:
                    self.assertIn(part, text)
                if code:
                    self.assertRegex(text, r"(?m)^unroll: error: ")
                    self.assertEqual((done.stdout, self.files()), (b"", before))
                else:
                    self.assertRegex(text, r"(?m)^(warning\[|note: |\d+ eigenvalues)")

    def test_the_input_stays_as_it_was(self):
        for what, words, *_ in MISTAKES:
            if "over the input" in what:
                self.run_here(*words)
        self.assertEqual(self.read("x.csv"), FILES["x.csv"])


def prepare(folder):
    """Files of the table above, and models."""
    for name, content in FILES.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(content)
    os.symlink("x.csv", os.path.join(folder, "link.csv"))
    for words in ((*PCA, "--save", "pca.unroll"), (*ISOMAP, "-k", "8", "--save", "isomap.unroll"),
                  (*EIGENMAPS, "--graph", "full", "--sigma", "1", "--save", "heat.unroll"),
                  ("datasets", "make", "swiss-roll", "-n", "1000", "-o", "roll.npy")):
        unroll(*words, *(("-o", "y.csv") if words[0] == "embed" else ()), cwd=folder)
    with open(os.path.join(folder, "pca.unroll"), "rb") as file:
        model = bytearray(file.read())
    with open(os.path.join(folder, "cut.unroll"), "wb") as file:
        file.write(model[:len(model) // 2])
    model[len(model) // 2] ^= 1
    with open(os.path.join(folder, "damaged.unroll"), "wb") as file:
        file.write(model)


if __name__ == "__main__":
    unittest.main()
