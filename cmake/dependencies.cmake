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

# Sparse Cholesky factorisation, for the smallest eigenpairs of graph matrices: 20 times faster than products alone on
# 10^5 points of a surface. CHOLMOD's supernodal part is GPL-2+ and by far the fastest to be had; without it we take
# Eigen's simplicial one. Its parallel regions are OpenMP's (libgomp), which we keep at one thread
# (src/linalg/sparse_cholesky_cholmod.cpp). It asks for BLAS and LAPACK as libblas.so.3 and liblapack.so.3, which the
# system's alternative may give to another flavour, whose halves do not fit the serial OpenBLAS (undefined symbol:
# sgemv_thread_n). So we name the serial ones ourselves: the loader then has them before it comes to CHOLMOD.
if(UNROLL_GPL)
  find_path(UNROLL_CHOLMOD_INCLUDE cholmod.h PATH_SUFFIXES suitesparse REQUIRED)
  find_library(UNROLL_CHOLMOD_LIBRARY cholmod REQUIRED)
  get_filename_component(openblas_directory ${UNROLL_OPENBLAS_LIBRARY} DIRECTORY)
  set(UNROLL_CHOLMOD_LIBRARIES -Wl,--push-state,--no-as-needed ${openblas_directory}/libblas.so
    ${openblas_directory}/liblapack.so -Wl,--pop-state ${UNROLL_CHOLMOD_LIBRARY} gomp)
else()
  find_package(Eigen3 3.4 REQUIRED NO_MODULE)
endif()

# The command line: CLI11 reads the words, nlohmann-json writes what is meant for programs.
if(UNROLL_BUILD_CLI)
  find_package(CLI11 REQUIRED)
  find_package(nlohmann_json REQUIRED)
endif()
