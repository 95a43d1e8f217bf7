#include "sources/kernel_embedding.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "affinity/is_zero_when_centered.h"
#include "core/memory.h"
#include "sources/landmark_embedding.h"
#include "sources/matrix_source.h"

namespace unroll {
namespace {

/// K of more points is kept in float, where its values are bounded: half of the memory, which is most of the time where
/// memory comes fresh from the system. Coordinates move by 1e-7 of the extent. As for path lengths, the limit is not
/// lower, since double fits for fewer points.
constexpr Index kMostDoubleKernel = 10'000;

bool is_kept_in_float(const KernelInput& input) {
  return input.function && input.function->is_bounded() && input.size > kMostDoubleKernel;
}

/// All coordinates zero.
SpectralFit zero_map(std::vector<double> means, Index d) {
  const auto count = static_cast<std::size_t>(d);
  const Index n = std::ssize(means);
  return {.coordinates = Array2<double>(n, d),
          .spectrum = {.values = std::vector<double>(count), .residuals = std::vector<double>(count), .solver = "none"},
          .placing = {.axes = Array2<double>(n, d), .means = std::move(means)}};
}

/// Plans the points that the model keeps for new points.
void plan_points(Index count, const KernelInput& input, MemoryPlan& plan) {
  if (input.points.is_sparse()) {
    const double entries = static_cast<double>(input.points.sparse().entries()) / static_cast<double>(input.size);
    plan.add("the points", static_cast<double>(count), entries, 2 * sizeof(double));
    return;
  }
  plan.add("the points", static_cast<double>(count), static_cast<double>(input.points.cols()),
           input.points.is_float() ? sizeof(float) : sizeof(double));
}

SpectralFit solved(const Recipe& row, const Similarities& k, bool is_given, const SpectralSettings& settings,
                   const Run& run) {
  if (is_zero_when_centered(k, run)) return zero_map(row_means(k, run), settings.n_components);
  try {
    return embed(row, MatrixSource(k), settings, run);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::NotConverged) throw;
    throw error.with_advice(
        fmt::format("kernel values that hardly differ leave nothing but rounding: {}, or use n_landmarks",
                    is_given ? "subtract a constant from all of them" : "use scale=standardize"));
  }
}

/// How much the map of landmarks may still change. If there is no map, or nothing of K remains, it is exact.
std::optional<double> landmark_error(const FactorSource& source, const KernelFit& fit, const std::vector<Index>& pivots,
                                     const SpectralSettings& settings, const Run& run) {
  constexpr double kRoundingOfTrace = 1e-10;
  if (fit.map.rank == 0 || fit.remaining_ratio <= kRoundingOfTrace) return 0;
  const Index d = settings.n_components;
  Array2<double> at_pivots = Array2<double>::uninitialized(std::ssize(pivots), d);
  for (std::size_t i = 0; i < pivots.size(); ++i)
    std::copy_n(fit.map.coordinates.row(pivots[i]), d, at_pivots.row(static_cast<Index>(i)));
  return half_sample_error(
      pivots, at_pivots, [&](const auto&) { return source.pivots_by_half(d, settings, run); }, run);
}

}  // namespace

KernelFit embed_kernel(const Recipe& row, const KernelInput& input, const SpectralSettings& settings, const Run& run) {
  KernelFit fit{.is_single = is_kept_in_float(input)};
  std::variant<Array2<double>, Array2<float>> own;
  Similarities k{input.matrix};
  if (input.function) {
    const auto n = static_cast<double>(input.size);
    MemoryPlan plan;
    plan.add("the kernel matrix", n, n, fit.is_single ? sizeof(float) : sizeof(double));
    plan_points(input.size, input, plan);
    plan.require(run, "use n_landmarks=1000, or fewer of them");
    fit.kernel.emplace(input.points, *input.function, run);
    if (fit.is_single)
      own = fit.kernel->matrix<float>(input.points, run);
    else
      own = fit.kernel->matrix(input.points, run);
    std::visit([&](const auto& matrix) { k.matrix = matrix.view(); }, own);
  }
  const std::vector<double> diagonal = diagonal_of(k.matrix);
  fit.map = solved(row, k, !input.function, settings, run);
  const std::vector<double>& means = fit.map.placing.means;
  if (fit.map.rank > 0)
    fit.trace =
        std::accumulate(diagonal.begin(), diagonal.end(), 0.0) - std::accumulate(means.begin(), means.end(), 0.0);
  return fit;
}

KernelFit embed_kernel_from(Index n_landmarks, const Factorize& factorize, const Recipe& row, const KernelInput& input,
                            const SpectralSettings& settings, const Run& run) {
  MemoryPlan plan;
  const auto n = static_cast<double>(input.size), landmarks = static_cast<double>(n_landmarks);
  plan.add("the factor of the kernel", n, landmarks + kPivotBlock, sizeof(double));
  plan.add("the products of its columns", landmarks, 4 * landmarks, sizeof(double));
  plan_points(n_landmarks, input, plan);
  plan.require(run, fmt::format("use fewer than n_landmarks={}", n_landmarks));
  KernelFit fit;
  if (input.function) fit.kernel.emplace(input.points, *input.function, run);
  PivotedCholesky factor =
      factorize(fit.kernel ? columns_of(*fit.kernel, input.points, run) : columns_of(input.matrix, run));
  if (factor.pivots.empty()) {  // the kernel is 0: any point can be the pivot
    factor.pivots = {0};
    factor.columns = Array2<double>(input.size, 1);
  }
  const FactorSource source(factor, run);
  fit.map = embed(row, source, settings, run);
  fit.trace = source.trace() + factor.remaining;
  fit.remaining = factor.remaining;
  fit.remaining_ratio = factor.trace > 0 ? factor.remaining / factor.trace : 0;
  fit.landmark_error = landmark_error(source, fit, factor.pivots, settings, run);
  fit.dropped = factor.dropped;
  fit.landmarks = std::move(factor.pivots);
  return fit;
}

}  // namespace unroll
