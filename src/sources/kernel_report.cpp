#include "sources/kernel_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/owned_points.h"
#include "core/random.h"
#include "sources/landmark_embedding.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

/// The number of points whose kernel with all others together is less than `least`. A row of K (or column, for
/// landmarks) sums to that and the diagonal, 1.
Index points_below(double least, const KernelFit& fit, Index n) {
  const double rest = fit.kernel->parameters().up_to_centering ? static_cast<double>(n) - 1 : -1;  // k - 1 was summed
  return std::count_if(fit.map.placing.means.begin(), fit.map.placing.means.end(),
                       [&](double mean) { return static_cast<double>(n) * mean + rest < least; });
}

/// What a narrow kernel does to the map; empty: nothing worth a warning. A point whose kernel with all others together
/// is less than with itself lies nearly where all such points lie. Where most are so, the leading eigenvectors are
/// those of a few close pairs: of the digits (d^2 is the median squared distance between points) trustworthiness is
/// 0.81 at gamma d^2 = 3, without such points; 0.70 at 10, with 7 %; 0.62 at 20, with 87 %; 0.58 at 40, with all.
std::string harm_of_gamma(const KernelFit& fit, Index n) {
  constexpr double kItself = 1, kZeroKernel = 1e-6, kSome = 0.1, kMost = 0.5;
  const Index lonely = points_below(kItself, fit, n), count = std::ssize(fit.map.placing.means);
  const double share = static_cast<double>(lonely) / static_cast<double>(count);
  const std::string points = fmt::format("of {} {}", count, fit.landmarks.empty() ? "points" : "landmarks");
  const std::string finding = fmt::format(
      "is so large that {} {} have less kernel with all others together than with themselves", lonely, points);
  if (share > kMost) return finding + ": the map shows a few close pairs and is worthless";
  if (share > kSome) return finding + ": they lie nearly at one place of the map";
  const Index zero = points_below(kZeroKernel, fit, n);
  return zero == 0 ? "" : fmt::format("makes the kernel of {} {} with every other point zero", zero, points);
}

void warn_of_gamma(const KernelFit& fit, const KernelInput& input, Embedding& embedding) {
  if (!fit.kernel || !fit.kernel->parameters().is_local()) return;
  const std::string harm = fit.map.rank == 0 ? "" : harm_of_gamma(fit, input.size);
  if (fit.map.rank > 0 && harm.empty()) return;
  const double gamma = fit.kernel->suggested_gamma(input.points);
  const std::string hint = std::isnormal(gamma) ? fmt::format("try gamma={:.2g}", gamma) : "check the input";
  if (fit.map.rank == 0) {
    embedding.warnings.front().hint = hint;
    return;
  }
  embedding.warnings.push_back(
      {"vanishing-kernel", fmt::format("gamma={:g} {}", fit.kernel->parameters().gamma, harm), hint});
}

void warn_of_negative_eigenvalues(const Spectrum& spectrum, bool is_single, Embedding& embedding) {
  double largest = 0;
  for (const double value : spectrum.values) largest = std::max(largest, std::abs(value));
  const double rounding = (is_single ? 1e-7 : 1e-10) * largest;
  const auto negative =
      std::count_if(spectrum.values.begin(), spectrum.values.end(), [&](double value) { return value < -rounding; });
  if (negative == 0) return;
  embedding.warnings.push_back(
      {"indefinite-kernel",
       fmt::format("the kernel is not positive semidefinite: {} of the {} largest eigenvalues are negative (down to "
                   "{:.2g}), and their coordinates are zero",
                   negative, spectrum.values.size(), spectrum.values.back()),
       fmt::format("ask for n_components={}, or use another kernel", std::ssize(spectrum.values) - negative)});
}

void report_factor(const KernelFit& fit, bool landmarks_asked, Index n, Embedding& embedding) {
  if (fit.landmarks.empty()) return;
  const bool has_gamma = fit.kernel && fit.kernel->parameters().is_local();
  report_landmarks(fit.landmarks, fit.landmark_error, embedding,
                   has_gamma ? "use a larger n_landmarks, or a smaller gamma" : "use a larger n_landmarks");
  embedding.attributes.emplace_back("remaining_trace", fit.remaining);
  embedding.attributes.emplace_back("remaining_ratio", fit.remaining_ratio);
  if (!landmarks_asked)
    embedding.warnings.push_back({"landmarks-chosen",
                                  fmt::format("of {} points, {} landmarks leave {:.2g} % of the kernel's trace", n,
                                              fit.landmarks.size(), 100 * fit.remaining_ratio),
                                  "set n_landmarks to choose for yourself"});
  if (fit.dropped > 0)
    embedding.warnings.push_back({"landmarks-dropped",
                                  fmt::format("{} landmarks depend on others and are left out", fit.dropped),
                                  "use landmarks=pivots, which does not choose such ones"});
}

}  // namespace

void check_gamma(const KernelInput& input, const Run& run) {
  constexpr Index kSample = 200;
  constexpr double kZeroKernel = 1e-6, kLonelyShare = 0.5;
  KernelParameters plain = *input.function;
  plain.up_to_centering = false;
  const MercerKernel kernel(input.points, plain, run);
  const std::vector<Index> chosen = Random(0, "kernel.gamma").sample(input.size, std::min(kSample, input.size));
  const Array2<double> rows = kernel.rows(view_of(copied(input.points, chosen)), input.points, run);
  Index lonely = 0;
  for (Index i = 0; i < rows.rows(); ++i)
    if (std::accumulate(rows.row(i), rows.row(i) + rows.cols(), -1.0) < kZeroKernel) ++lonely;
  if (static_cast<double>(lonely) <= kLonelyShare * static_cast<double>(rows.rows())) return;
  const double gamma = kernel.suggested_gamma(input.points);
  throw Error(
      ErrorKind::InvalidOption,
      {.problem = fmt::format("gamma={:g} makes the kernel of {} of {} points with every other point zero: there "
                              "would be nothing to map",
                              plain.gamma, lonely, rows.rows()),
       .advice = std::isnormal(gamma) ? fmt::format("use gamma={:.2g}, or leave it out", gamma) : "leave it out",
       .option = "gamma"});
}

Embedding report_kernel(const KernelFit& fit, const KernelInput& input, bool landmarks_asked) {
  std::vector<double> explained;
  for (const double value : fit.map.spectrum.values)
    explained.push_back(fit.trace > 0 ? std::max(0.0, value) / fit.trace : 0);
  Embedding embedding = embedding_of(fit.map);
  embedding.attributes = {{"rank", std::int64_t{fit.map.rank}}, {"trace", fit.trace}, {"explained_ratio", explained}};
  if (fit.kernel && fit.kernel->parameters().depends_on_gamma())
    embedding.attributes.emplace_back("gamma", fit.kernel->parameters().gamma);
  if (fit.kernel && fit.landmarks.empty())
    embedding.attributes.emplace_back("precision", std::string(fit.is_single ? "float32" : "float64"));
  warn_of_gamma(fit, input, embedding);
  warn_of_negative_eigenvalues(embedding.spectrum, fit.is_single, embedding);
  report_factor(fit, landmarks_asked, input.size, embedding);
  return embedding;
}

}  // namespace unroll
