#pragma once
#include <mutex>

#include "unroll/core/types.h"

/// BLAS and LAPACK as this library calls them: column-major unless said otherwise, on one thread, with 64-bit sizes
/// checked against the library's 32-bit ones.
namespace unroll {

/// Keeps BLAS on one thread while it lives. The OpenBLAS we link is serial. But if a process has loaded a threaded one
/// under the same name (NumPy's), our calls go there, and bits would depend on its thread count. Guards are counted, so
/// that nested and concurrent ones restore the caller's setting once.
class SingleThreadedBlas {
 public:
  SingleThreadedBlas();
  ~SingleThreadedBlas();
  SingleThreadedBlas(const SingleThreadedBlas&) = delete;
  SingleThreadedBlas& operator=(const SingleThreadedBlas&) = delete;
};

/// Hold one around calls of BLAS and LAPACK. It costs nothing if several threads may call the library at once (they
/// may, with linalg/blas_buffers.h); calls of a serial OpenBLAS that does not use our buffers take turns.
class BlasCall {
 public:
  BlasCall();

 private:
  std::unique_lock<std::recursive_mutex> turn_;
};

/// Whether several threads may call BLAS at once.
bool blas_is_reentrant();

/// C = alpha op(A) op(B) + beta C; op(A) is m x k.
void gemm(bool transpose_a, bool transpose_b, Index m, Index n, Index k, double alpha, const double* a, Index lda,
          const double* b, Index ldb, double beta, double* c, Index ldc);
void gemm(bool transpose_a, bool transpose_b, Index m, Index n, Index k, float alpha, const float* a, Index lda,
          const float* b, Index ldb, float beta, float* c, Index ldc);

/// The upper triangle of C = alpha A A^T + beta C, A n x k.
void syrk_upper(Index n, Index k, double alpha, const double* a, Index lda, double beta, double* c, Index ldc);
void syrk_upper(Index n, Index k, float alpha, const float* a, Index lda, float beta, float* c, Index ldc);

/// B = op(U)^-1 B for an upper triangle U of side m; B has n columns.
void solve_upper(bool transpose, Index m, Index n, const double* u, Index ldu, double* b, Index ldb);

/// Solves B = A^-1 B, B with `columns` columns; the upper triangle of A becomes U with A = U^T U. False if A is not
/// positive definite.
bool solve_definite(Index n, double* a, Index lda, Index columns, double* b, Index ldb);

/// A size in the integer type of BLAS; throws Unsupported above 2^31 - 1.
int blas_size(Index size);

}  // namespace unroll
