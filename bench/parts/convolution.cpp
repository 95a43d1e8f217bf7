// Convolution of a K x K grid with an even kernel in single precision, 50 times, as every iteration of t-SNE does on a
// grid: transforms of twice the size, or for "short..." of the size and an eighth, which are enough for a kernel of
// short reach. "ours", "short"; FFTW with plans by FFTW_ESTIMATE or FFTW_MEASURE: "estimate", "measure",
// "short_estimate", "short_measure". What a plan takes is told apart.
#include <algorithm>

#include "layout/grid_convolution.h"
#include "parts.h"

#ifdef UNROLL_HAS_FFTW
#include <fftw3.h>
#endif

namespace parts {
namespace {

using unroll::Array2;
using unroll::Index;

constexpr int kTimes = 50;

double kernel(Index a, Index b) { return 1 / (1 + 0.0625 * static_cast<double>(a * a + b * b)); }

double charge(Index i, Index j) { return static_cast<double>((i * 7 + j * 13) % 17) - 8; }

/// The charges, and after the work the potentials, of which one is told.
Array2<float> charges(Index n) {
  Array2<float> grid(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) grid(i, j) = static_cast<float>(charge(i, j));
  return grid;
}

void by_ours(Index n, Index length, int threads, Answer& answer) {
  const unroll::Run run{.threads = threads};
  const Watch planning;
  unroll::GridConvolution convolution(
      {n, length}, {n, length}, kernel, [](double) { return 1.0; }, run);
  answer.tell("plan_s", planning.wall());
  const Array2<float> given = charges(n);
  Array2<float> grid;
  answer.measure("convolutions", [&] {
    for (int i = 0; i < kTimes; ++i) {
      grid = given;
      convolution.apply(grid, run);
    }
  });
  answer.tell("potential", static_cast<double>(grid(n / 2, n / 3)));
}

#ifdef UNROLL_HAS_FFTW
void by_fftw(Index n, Index length, unsigned effort, Answer& answer) {
  const int side = static_cast<int>(length);
  const Index half = length / 2 + 1;
  auto* numbers = fftwf_alloc_real(static_cast<std::size_t>(length * length));
  auto* spectrum = fftwf_alloc_complex(static_cast<std::size_t>(length * half));
  const Watch planning;
  fftwf_plan there = fftwf_plan_dft_r2c_2d(side, side, numbers, spectrum, effort);
  fftwf_plan back = fftwf_plan_dft_c2r_2d(side, side, spectrum, numbers, effort);
  const auto apart = [&](Index i) { return std::min(i, length - i); };
  for (Index i = 0; i < length; ++i)
    for (Index j = 0; j < length; ++j) numbers[i * length + j] = static_cast<float>(kernel(apart(i), apart(j)));
  fftwf_execute(there);
  std::vector<float> factor(static_cast<std::size_t>(length * half));
  for (std::size_t k = 0; k < factor.size(); ++k) factor[k] = spectrum[k][0] / static_cast<float>(length * length);
  answer.tell("plan_s", planning.wall());
  const Array2<float> given = charges(n);
  answer.measure("convolutions", [&] {
    for (int t = 0; t < kTimes; ++t) {
      std::fill_n(numbers, length * length, 0.0F);
      for (Index i = 0; i < n; ++i) std::copy_n(given.row(i), n, numbers + i * length);
      fftwf_execute(there);
      for (std::size_t k = 0; k < factor.size(); ++k) {
        spectrum[k][0] *= factor[k];
        spectrum[k][1] *= factor[k];
      }
      fftwf_execute(back);
    }
  });
  answer.tell("potential", static_cast<double>(numbers[n / 2 * length + n / 3]));
  fftwf_destroy_plan(there);
  fftwf_destroy_plan(back);
  fftwf_free(numbers);
  fftwf_free(spectrum);
}
#endif

}  // namespace

void convolution(const Task& task, Answer& answer) {
  const bool is_short = task.contender.rfind("short", 0) == 0;
  const Index n = task.k, length = is_short ? unroll::Fft<float>::length_for(n + n / 8) : 2 * n;
  if (task.contender == "ours" || task.contender == "short") return by_ours(n, length, task.threads, answer);
#ifdef UNROLL_HAS_FFTW
  if (task.contender.ends_with("estimate")) return by_fftw(n, length, FFTW_ESTIMATE, answer);
  if (task.contender.ends_with("measure")) return by_fftw(n, length, FFTW_MEASURE, answer);
#endif
  refuse(task);
}

}  // namespace parts
