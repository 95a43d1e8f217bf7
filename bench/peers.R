# The worker of the peers that have R; see peers.py.   Rscript peers.R PEER DATA.npy OUT.npy THREADS K SEED
arguments <- commandArgs(trailingOnly = TRUE)
threads <- as.integer(arguments[4])
k <- as.integer(arguments[5])

# A C-ordered matrix of little-endian floats or doubles, format version 1.
read_npy <- function(path) {
  file <- file(path, "rb")
  on.exit(close(file))
  readBin(file, "raw", 8)
  header <- rawToChar(readBin(file, "raw", readBin(file, "integer", 1, size = 2, endian = "little")))
  stopifnot(grepl("'fortran_order': False", header), grepl("'<f[48]'", header))
  bytes <- if (grepl("'<f4'", header)) 4 else 8
  shape <- as.integer(regmatches(header, regexec("\\(([0-9]+), ([0-9]+)\\)", header))[[1]][2:3])
  matrix(readBin(file, "numeric", prod(shape), size = bytes, endian = "little"), shape[1], shape[2], byrow = TRUE)
}

write_npy <- function(values, path) {
  header <- sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }", nrow(values), ncol(values))
  header <- paste0(header, strrep(" ", (64 - (nchar(header) + 11) %% 64) %% 64), "\n")
  file <- file(path, "wb")
  on.exit(close(file))
  writeBin(c(as.raw(0x93), charToRaw("NUMPY"), as.raw(c(1, 0))), file)
  writeBin(nchar(header), file, size = 2, endian = "little")
  writeBin(charToRaw(header), file)
  writeBin(as.vector(t(values)), file, endian = "little")
}

# By the package that has them, and the function where there are several.
peers <- list(
  stats = function(points) stats::cmdscale(stats::dist(points), k = 2),
  # Of each as many iterations as of ours.
  "MASS::isoMDS" = function(points) MASS::isoMDS(stats::dist(points), k = 2, maxit = 300, tol = 1e-5, trace = FALSE)$points,
  "MASS::sammon" = function(points) MASS::sammon(stats::dist(points), k = 2, niter = 300, tol = 1e-5, trace = FALSE)$points,
  "vegan::monoMDS" = function(points) vegan::monoMDS(stats::dist(points), k = 2, maxit = 300)$points,
  # It counts the point itself among its neighbours.
  uwot = function(points) uwot::umap(points, n_neighbors = k + 1, n_threads = threads, n_sgd_threads = threads),
  Rtsne = function(points) {
    Rtsne::Rtsne(points, pca = FALSE, check_duplicates = FALSE, num_threads = threads)$Y
  }
)

name <- arguments[1]
package <- sub("::.*", "", name)
if (!requireNamespace(package, quietly = TRUE)) {
  cat(sprintf('{"missing": "%s"}\n', package))
  quit()
}
points <- read_npy(arguments[2])
set.seed(as.integer(arguments[6]))
seconds <- system.time(map <- peers[[name]](points))[["elapsed"]]
write_npy(map, arguments[3])
cat(sprintf('{"fit_s": %.6f, "details": {}}\n', seconds))
