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

if(UNROLL_SPARSE STREQUAL "own")
  # The order in which sparse matrices are eliminated: approximate minimum degree, of SuiteSparse (BSD). CAMD is AMD
  # that can be given what comes last: a separator, so that two halves are ordered at the same time. The factorisation
  # itself is ours (src/sparse/README.md): CHOLMOD's is GPL and brings OpenMP; docs/decisions.md has the measurements.
  find_path(UNROLL_CAMD_INCLUDE camd.h PATH_SUFFIXES suitesparse REQUIRED)
  find_library(UNROLL_CAMD_LIBRARY camd REQUIRED)
elseif(UNROLL_SPARSE STREQUAL "eigen")
  # The same from Eigen (MPL 2, headers only; 3.4 is the first whose sparse Cholesky is under that license), for those who
  # would rather not have a factorisation of ours.
  find_package(Eigen3 3.4 REQUIRED NO_MODULE)
else()
  message(FATAL_ERROR "UNROLL_SPARSE is own or eigen, not ${UNROLL_SPARSE}")
endif()

# The page of 'unroll compare' is written in modules of TypeScript (web/), which esbuild makes one script of, while we are
# built and never later. It is a single program: no Node, no downloads. Any version will do that knows es2020.
find_program(UNROLL_ESBUILD esbuild)
if(NOT UNROLL_ESBUILD)
  message(FATAL_ERROR "esbuild is missing, which bundles the page of 'unroll compare' (web/); on Debian: apt-get install "
    "esbuild. Another copy of it: -DUNROLL_ESBUILD=FILE")
endif()

if(UNROLL_MPI)
  # unroll-mpi alone: messages between machines, and one file that all of them write.
  find_package(MPI REQUIRED COMPONENTS CXX)
endif()
