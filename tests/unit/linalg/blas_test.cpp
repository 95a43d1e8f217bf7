#include "linalg/blas.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <thread>
#include <vector>

#include "core/parallel.h"
#include "support/expect_error.h"
#include "support/matrices.h"

extern "C" int openblas_get_num_threads();

namespace unroll {
namespace {

TEST(Blas, RunsOnOneThreadInsideGuards) {
  const int before = openblas_get_num_threads();
  {
    const SingleThreadedBlas outer;
    EXPECT_EQ(openblas_get_num_threads(), 1);
    { const SingleThreadedBlas inner; }
    EXPECT_EQ(openblas_get_num_threads(), 1);
  }
  EXPECT_EQ(openblas_get_num_threads(), before);
}

// Without blas_buffers.cpp about one product in a hundred is wrong here.
TEST(Blas, ManyThreadsMayMultiplyAtOnce) {
  EXPECT_TRUE(blas_is_reentrant());
  constexpr Index kSide = 64, kDepth = 300;
  const Array2<double> a = normal_matrix(kDepth, kSide, 1), b = normal_matrix(kDepth, kSide, 2);
  const auto multiply = [&] {
    Array2<double> c(kSide, kSide);
    gemm(false, true, kSide, kSide, kDepth, 1.0, a.data(), kSide, b.data(), kSide, 0.0, c.data(), kSide);
    return c;
  };
  const Array2<double> expected = multiply();
  const Index wrong = parallel_reduce(
      unroll::Run{.threads = 4}, 4000, 100, Index{0},
      [&](Index begin, Index end) {
        Index count = 0;
        for (Index i = begin; i < end; ++i) count += multiply() == expected ? 0 : 1;
        return count;
      },
      [](Index x, Index y) { return x + y; });
  EXPECT_EQ(wrong, 0);
}

// Forks while another thread takes and returns locks all the time.
TEST(Blas, AForkedChildCanMultiply) {
  const std::vector<double> a(4096, 1.0);  // 64 x 64
  const auto multiply = [&] {
    std::array<double, 4096> c{};  // not from the heap: AddressSanitizer's is not safe in a forked child
    const SingleThreadedBlas guard;
    gemm(false, false, 64, 64, 64, 1.0, a.data(), 64, a.data(), 64, 0.0, c.data(), 64);
    return c[0];
  };
  multiply();
  std::atomic<bool> stop = false;
  std::thread other([&] {
    while (!stop) multiply();
  });
  for (int k = 0; k < 300 && !HasFailure(); ++k) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(5);  // ends a child that waits for ever
      _exit(multiply() == 64 ? 0 : 1);
    }
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
  stop = true;
  other.join();
}

TEST(Blas, SizesBeyondItsOwnAreRefused) {
  EXPECT_EQ(blas_size(7), 7);
  expect_error(ErrorKind::Unsupported, "2147483648", [] { blas_size(Index{1} << 31U); });
}

TEST(Blas, ProductsInBothPrecisions) {
  const Array2<double> a = normal_matrix(5, 4, 1), b = normal_matrix(4, 3, 2);
  const Array2<double> expected = product(a, b);
  Array2<double> c(5, 3);  // row-major: the transposed product in column-major terms
  gemm(false, false, 3, 5, 4, 1.0, b.data(), 3, a.data(), 4, 0.0, c.data(), 3);
  EXPECT_LT(relative_difference(c, expected), 1e-15);
  const Array2<float> af = as_float(a), bf = as_float(b);
  Array2<float> cf(5, 3);
  gemm(false, false, 3, 5, 4, 1.0F, bf.data(), 3, af.data(), 4, 0.0F, cf.data(), 3);
  for (Index i = 0; i < 15; ++i) EXPECT_NEAR(cf.data()[i], expected.data()[i], 1e-5);
}

}  // namespace
}  // namespace unroll
