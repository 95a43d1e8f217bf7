#include "sources/kernel_embedding.h"

#include <fmt/format.h>

#include <numeric>

#include "affinity/is_zero_when_centered.h"
#include "core/memory.h"
#include "sources/matrix_source.h"

namespace unroll {
namespace {

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

}  // namespace

KernelFit embed_kernel(const Recipe& row, const KernelInput& input, const SpectralSettings& settings, const Run& run) {
  KernelFit fit;
  Array2<double> own;
  Similarities k{input.matrix};
  if (input.function) {
    MemoryPlan plan;
    plan.add("the kernel matrix", static_cast<double>(input.size), static_cast<double>(input.size), sizeof(double));
    plan_points(input.size, input, plan);
    plan.require(run, "use n_landmarks=1000, or fewer of them");
    fit.kernel.emplace(input.points, *input.function, run);
    own = fit.kernel->matrix(input.points, run);
    k.matrix = own.view();
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
  plan.add("the products of its columns", landmarks, 2 * landmarks, sizeof(double));
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
  fit.dropped = factor.dropped;
  fit.landmarks = std::move(factor.pivots);
  return fit;
}

}  // namespace unroll
