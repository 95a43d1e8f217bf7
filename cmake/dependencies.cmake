# Every dependency with the reason for it. All come from Debian packages; nothing is vendored or downloaded.

# Threads of our own pool (src/core/parallel.cpp).
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

# Text formatting without iostreams: g++ 12 has no std::format.
find_package(fmt REQUIRED)

# gzip files, and the checksum of model files.
find_package(ZLIB REQUIRED)

# BLAS and LAPACK: the serial OpenBLAS, by its own path and with an rpath, whatever the system's alternative is. The
# default pthread flavour starts a thread when it is loaded and gives other bits at other thread counts; we parallelise
# above it instead (measured on 70000 x 784 covariance: no slower than its own threads).
find_path(UNROLL_OPENBLAS_INCLUDE cblas.h PATH_SUFFIXES openblas-serial
  PATHS /usr/include/${CMAKE_LIBRARY_ARCHITECTURE} /usr/include NO_DEFAULT_PATH REQUIRED)
find_library(UNROLL_OPENBLAS_LIBRARY openblas
  PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-serial /usr/lib/openblas-serial NO_DEFAULT_PATH REQUIRED)

# The order in which sparse matrices are eliminated: approximate minimum degree, of SuiteSparse (BSD). CAMD is AMD that
# can be told what comes last: separators, so that halves are ordered at the same time. The factorisation
# itself is ours (src/linalg/multifrontal.cpp): CHOLMOD's is GPL, brings OpenMP, and for the small panels of graphs of
# surfaces takes three times as long, most of it in calls of BLAS.
find_path(UNROLL_CAMD_INCLUDE camd.h PATH_SUFFIXES suitesparse REQUIRED)
find_library(UNROLL_CAMD_LIBRARY camd REQUIRED)
