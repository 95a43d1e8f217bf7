#include "linalg/blas.h"

#include <cblas.h>
#include <fmt/format.h>
#include <pthread.h>

#include <limits>
#include <mutex>
#include <new>
#include <vector>

#include "linalg/blas_buffers.h"
#include "unroll/core/error.h"

// LAPACK's Fortran interface; every argument is a pointer. The hidden string lengths are omitted, as is usual.
extern "C" void dposv_(const char* uplo, const int* n, const int* nrhs, double* a, const int* lda, double* b,
                       const int* ldb, int* info);

namespace unroll {
namespace {

struct Guarded {
  std::mutex mutex;
  int guards = 0;
  int threads_before = 1;
};

/// In a forked child the lock is released, whichever thread held it. The child keeps the guards of threads that it does
/// not have: its BLAS stays on one thread.
Guarded& guarded() {
  // NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): for threads that outlive main
  static auto& state = *new Guarded;
  static const int registered =
      pthread_atfork([] { state.mutex.lock(); }, [] { state.mutex.unlock(); }, [] { state.mutex.unlock(); });
  static_cast<void>(registered);
  return state;
}

/// Tests one product: a threaded OpenBLAS has its own locks, and a serial one is safe if it takes its buffer from us.
bool try_reentrancy() {
  constexpr int kSide = 128;  // large enough to need a buffer
  if (openblas_get_parallel() != OPENBLAS_SEQUENTIAL) return true;
  const std::vector<double> a(std::size_t{kSide} * kSide, 1.0);
  std::vector<double> c(a.size());
  const std::uint64_t before = blas_buffers_taken();
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, kSide, kSide, kSide, 1.0, a.data(), kSide, a.data(), kSide,
              0.0, c.data(), kSide);
  return blas_buffers_taken() > before;
}

/// The same for a recursive lock. It stores the number of its owner, which differs in the child, so it is created anew
/// there.
std::recursive_mutex& turns() {
  // NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): for threads that outlive main
  static auto& mutex = *new std::recursive_mutex;
  static const int registered =
      pthread_atfork([] { mutex.lock(); }, [] { mutex.unlock(); }, [] { new (&mutex) std::recursive_mutex; });
  static_cast<void>(registered);
  return mutex;
}

CBLAS_TRANSPOSE transposed(bool yes) { return yes ? CblasTrans : CblasNoTrans; }

}  // namespace

bool blas_is_reentrant() {
  static const bool reentrant = try_reentrancy();
  return reentrant;
}

BlasCall::BlasCall() {
  if (!blas_is_reentrant()) turn_ = std::unique_lock(turns());
}

SingleThreadedBlas::SingleThreadedBlas() {
  reserve_blas_buffer();
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
  const BlasCall call;
  cblas_dgemm(CblasColMajor, transposed(transpose_a), transposed(transpose_b), blas_size(m), blas_size(n), blas_size(k),
              alpha, a, blas_size(lda), b, blas_size(ldb), beta, c, blas_size(ldc));
}

void gemm(bool transpose_a, bool transpose_b, Index m, Index n, Index k, float alpha, const float* a, Index lda,
          const float* b, Index ldb, float beta, float* c, Index ldc) {
  if (m == 0 || n == 0) return;
  const BlasCall call;
  cblas_sgemm(CblasColMajor, transposed(transpose_a), transposed(transpose_b), blas_size(m), blas_size(n), blas_size(k),
              alpha, a, blas_size(lda), b, blas_size(ldb), beta, c, blas_size(ldc));
}

void syrk_upper(Index n, Index k, double alpha, const double* a, Index lda, double beta, double* c, Index ldc) {
  const BlasCall call;
  cblas_dsyrk(CblasColMajor, CblasUpper, CblasNoTrans, blas_size(n), blas_size(k), alpha, a, blas_size(lda), beta, c,
              blas_size(ldc));
}

void syrk_upper(Index n, Index k, float alpha, const float* a, Index lda, float beta, float* c, Index ldc) {
  const BlasCall call;
  cblas_ssyrk(CblasColMajor, CblasUpper, CblasNoTrans, blas_size(n), blas_size(k), alpha, a, blas_size(lda), beta, c,
              blas_size(ldc));
}

void solve_upper(bool transpose, Index m, Index n, const double* u, Index ldu, double* b, Index ldb) {
  const BlasCall call;
  cblas_dtrsm(CblasColMajor, CblasLeft, CblasUpper, transposed(transpose), CblasNonUnit, blas_size(m), blas_size(n),
              1.0, u, blas_size(ldu), b, blas_size(ldb));
}

bool solve_definite(Index n, double* a, Index lda, Index columns, double* b, Index ldb) {
  const BlasCall call;
  const int size = blas_size(n), count = blas_size(columns), a_stride = blas_size(lda), b_stride = blas_size(ldb);
  int info = 0;
  dposv_("U", &size, &count, a, &a_stride, b, &b_stride, &info);
  return info == 0;
}

}  // namespace unroll
