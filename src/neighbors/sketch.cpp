#include "neighbors/sketch.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/parallel.h"
#include "core/random.h"
#include "eigen/principal_axes.h"
#include "linalg/blas.h"

namespace unroll {
namespace {

/// The number of sampled rows for the axes: enough for a basis of some hundred axes, but at most 128 MiB if there are
/// very many features.
Index sample_size(const MetricRows& rows) {
  constexpr Index kMostRows = 4096;
  constexpr Index kFewestRows = 16;
  constexpr Index kEntries = Index{1} << 24;
  return std::min(rows.rows(), std::clamp(kEntries / rows.cols(), kFewestRows, kMostRows));
}

Array2<double> sample_rows(const MetricRows& rows, std::uint64_t seed) {
  const std::vector<Index> chosen = Random(seed, "neighbors.sketch").sample(rows.rows(), sample_size(rows));
  Array2<double> sample(static_cast<Index>(chosen.size()), rows.cols());
  for (Index i = 0; i < sample.rows(); ++i) rows.pack(chosen[static_cast<std::size_t>(i)], sample.row(i));
  return sample;
}

/// Writes the row minus the center, and returns its squared length.
double squared_length(const Sketch& sketch, const MetricRows& rows, Index i, double* row) {
  rows.pack(i, row);
  for (std::size_t j = 0; j < sketch.center.size(); ++j) row[j] -= sketch.center[j];
  return std::inner_product(row, row + rows.cols(), row, 0.0);
}

/// Coordinates of all rows, and the squared lengths of the rows around the center.
void project_rows(const Sketch& sketch, const MetricRows& rows, Array2<double>& out, std::vector<double>& squares,
                  const Run& run) {
  constexpr Index kEntries = Index{1} << 20;
  const Index d = rows.cols();
  const Index rows_at_once = std::clamp<Index>(kEntries / d, 1, 256);
  const SingleThreadedBlas guard;
  parallel_for(
      run, rows.rows(), rows_at_once,
      [&](Index begin, Index end) {
        auto differences = Array2<double>::uninitialized(end - begin, d);
        auto projected = Array2<double>::uninitialized(end - begin, sketch.size);
        for (Index i = begin; i < end; ++i)
          squares[static_cast<std::size_t>(i)] = squared_length(sketch, rows, i, differences.row(i - begin));
        sketch.project(differences.data(), end - begin, projected.data());
        for (Index i = begin; i < end; ++i) std::copy_n(projected.row(i - begin), sketch.size, out.row(i));
      },
      "projecting");
}

/// Writes, after the coordinates of row i, the bounds of the part that they miss.
void add_bounds(const Sketch& sketch, Index features, std::span<const Index> cuts, double threshold,
                const std::vector<double>& squares, Array2<double>& values, Index i) {
  double* row = values.row(i);
  for (std::size_t c = 0; c < cuts.size(); ++c) {
    const Index held = cuts[c];
    const double missed = squares[static_cast<std::size_t>(i)] - std::inner_product(row, row + held, row, 0.0);
    row[sketch.size + static_cast<Index>(c)] =
        held < features ? std::max(0.0, std::sqrt(std::max(0.0, missed)) - threshold) : 0;
  }
}

}  // namespace

void Sketch::project(const double* differences, Index count, double* out) const {
  if (is_identity()) {
    std::copy_n(differences, count * size, out);
    return;
  }
  gemm(true, false, size, count, features(), 1.0, axes.data(), features(), differences, features(), 0.0, out, size);
}

Sketch make_sketch(const MetricRows& rows, Index size, Index few_features, std::uint64_t seed, const Run& run) {
  const Array2<double> sample = sample_rows(rows, seed);
  const CenteredPoints centered_sample = centered(sample, run);
  Sketch sketch{.center = centered_sample.center, .size = rows.cols()};
  for (double& value : sketch.center) value /= centered_sample.scale;
  if (rows.cols() <= few_features) return sketch;

  sketch.size = std::min({size, rows.cols(), sample.rows()});
  PrincipalAxes principal =
      principal_axes(centered_sample, {static_cast<double>(sketch.size)}, AxesSolver::Auto, seed, run);
  sketch.axes = std::move(principal.axes);
  sketch.variances = std::move(principal.values);
  sketch.total_variance = principal.total;
  return sketch;
}

double rest_threshold(const Sketch& sketch, const MetricRows& rows, const Run& run) {
  constexpr Index kRowsPerBlock = 1024;
  const double longest = parallel_reduce(
      run, rows.rows(), kRowsPerBlock, 0.0,
      [&](Index begin, Index end) {
        std::vector<double> row(sketch.center.size());
        double most = 0;
        for (Index i = begin; i < end; ++i) most = std::max(most, squared_length(sketch, rows, i, row.data()));
        return most;
      },
      [](double a, double b) { return std::max(a, b); });
  return 1e-3 * std::sqrt(longest);
}

SketchedRows sketched_rows(const Sketch& sketch, const MetricRows& rows, std::span<const Index> cuts, double threshold,
                           const Run& run) {
  const Index size = sketch.size;
  const auto cut_count = static_cast<Index>(cuts.size());
  SketchedRows result{.values = Array2<double>::uninitialized(rows.rows(), size + cut_count)};
  std::vector<double> squares(static_cast<std::size_t>(rows.rows()));
  project_rows(sketch, rows, result.values, squares, run);
  parallel_for(run, cut_count == 0 ? 0 : rows.rows(), 1024, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) add_bounds(sketch, rows.cols(), cuts, threshold, squares, result.values, i);
  });
  // The square of the longest row R is off by some eps D R^2; roots above the threshold are off by that over the
  // threshold.
  const double longest = *std::max_element(squares.begin(), squares.end());
  result.longest = std::sqrt(longest);
  const double error = 4 * 0x1p-53 * static_cast<double>(rows.cols()) * longest;
  result.slack = threshold > 0 ? error / threshold : std::sqrt(error);
  return result;
}

}  // namespace unroll
