#include "linalg/blas.h"

#include <cblas.h>
#include <fmt/format.h>

#include <limits>
#include <mutex>

#include "unroll/core/error.h"

namespace unroll {
namespace {

struct Guarded {
  std::mutex mutex;
  int guards = 0;
  int threads_before = 1;
};

Guarded& guarded() {
  static Guarded state;
  return state;
}

CBLAS_TRANSPOSE transposed(bool yes) { return yes ? CblasTrans : CblasNoTrans; }

}  // namespace

SingleThreadedBlas::SingleThreadedBlas() {
  Guarded& state = guarded();
  const std::lock_guard lock(state.mutex);
  if (state.guards++ > 0) return;
  state.threads_before = openblas_get_num_threads();
  if (state.threads_before > 1) openblas_set_num_threads(1);
}

SingleThreadedBlas::~SingleThreadedBlas() {
  Guarded& state = guarded();
  const std::lock_guard lock(state.mutex);
  if (--state.guards == 0 && state.threads_before > 1) openblas_set_num_threads(state.threads_before);
}

int blas_size(Index size) {
  if (size > std::numeric_limits<int>::max())
    throw Error(ErrorKind::Unsupported, fmt::format("a dense matrix side of {} is more than BLAS can count", size));
  return static_cast<int>(size);
}

void gemm(bool transpose_a, bool transpose_b, Index m, Index n, Index k, double alpha, const double* a, Index lda,
          const double* b, Index ldb, double beta, double* c, Index ldc) {
  if (m == 0 || n == 0) return;
  cblas_dgemm(CblasColMajor, transposed(transpose_a), transposed(transpose_b), blas_size(m), blas_size(n), blas_size(k),
              alpha, a, blas_size(lda), b, blas_size(ldb), beta, c, blas_size(ldc));
}

void gemm(bool transpose_a, bool transpose_b, Index m, Index n, Index k, float alpha, const float* a, Index lda,
          const float* b, Index ldb, float beta, float* c, Index ldc) {
  if (m == 0 || n == 0) return;
  cblas_sgemm(CblasColMajor, transposed(transpose_a), transposed(transpose_b), blas_size(m), blas_size(n), blas_size(k),
              alpha, a, blas_size(lda), b, blas_size(ldb), beta, c, blas_size(ldc));
}

void syrk_upper(Index n, Index k, double alpha, const double* a, Index lda, double beta, double* c, Index ldc) {
  cblas_dsyrk(CblasColMajor, CblasUpper, CblasNoTrans, blas_size(n), blas_size(k), alpha, a, blas_size(lda), beta, c,
              blas_size(ldc));
}

void syrk_upper(Index n, Index k, float alpha, const float* a, Index lda, float beta, float* c, Index ldc) {
  cblas_ssyrk(CblasColMajor, CblasUpper, CblasNoTrans, blas_size(n), blas_size(k), alpha, a, blas_size(lda), beta, c,
              blas_size(ldc));
}

}  // namespace unroll
