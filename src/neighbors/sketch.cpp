#include "neighbors/sketch.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/parallel.h"
#include "core/random.h"
#include "linalg/blas.h"
#include "linalg/principal_axes.h"

namespace unroll {
namespace {

/// Rows whose axes stand for those of all: enough for a basis of some hundred, in at most 128 MiB.
Index sample_size(const MetricRows& rows) {
  constexpr Index kMost = 4096;
  constexpr Index kFewest = 256;
  constexpr Index kEntries = Index{1} << 24;
  return std::min(rows.rows(), std::clamp(kEntries / rows.cols(), kFewest, kMost));
}

Array2<double> sample_rows(const MetricRows& rows, std::uint64_t seed) {
  const std::vector<Index> chosen = Random(seed, "neighbors.sketch").sample(rows.rows(), sample_size(rows));
  Array2<double> sample(static_cast<Index>(chosen.size()), rows.cols());
  for (Index i = 0; i < sample.rows(); ++i) rows.pack(chosen[static_cast<std::size_t>(i)], sample.row(i));
  return sample;
}

/// Coordinates of all rows, and the squared lengths of the rows around the center.
void project_rows(const Sketch& sketch, const MetricRows& rows, Array2<double>& out, std::vector<double>& squares,
                  const Run& run) {
  constexpr Index kRowsAtOnce = 256;
  const Index d = rows.cols();
  const SingleThreadedBlas guard;
  parallel_for(
      run, rows.rows(), kRowsAtOnce,
      [&](Index begin, Index end) {
        auto differences = Array2<double>::uninitialized(end - begin, d);
        auto projected = Array2<double>::uninitialized(end - begin, sketch.size);
        for (Index i = begin; i < end; ++i) {
          double* row = differences.row(i - begin);
          rows.pack(i, row);
          for (Index j = 0; j < d; ++j) row[j] -= sketch.center[static_cast<std::size_t>(j)];
          squares[static_cast<std::size_t>(i)] = std::inner_product(row, row + d, row, 0.0);
        }
        sketch.project(differences.data(), end - begin, projected.data());
        for (Index i = begin; i < end; ++i) std::copy_n(projected.row(i - begin), sketch.size, out.row(i));
      },
      "projecting");
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
  PrincipalAxes principal = principal_axes(centered_sample, {static_cast<double>(sketch.size)}, AxesSolver::Auto, seed, run);
  sketch.axes = std::move(principal.axes);
  sketch.variances = std::move(principal.values);
  sketch.total_variance = principal.total;
  return sketch;
}

SketchedRows sketched_rows(const Sketch& sketch, const MetricRows& rows, std::span<const Index> cuts,
                           const SketchedRows* like, const Run& run) {
  const Index size = sketch.size;
  const auto cut_count = static_cast<Index>(cuts.size());
  SketchedRows result{.values = Array2<double>::uninitialized(rows.rows(), size + cut_count)};
  std::vector<double> squares(static_cast<std::size_t>(rows.rows()));
  project_rows(sketch, rows, result.values, squares, run);
  const double longest = std::sqrt(*std::max_element(squares.begin(), squares.end()));

  // rho is the root of a difference of squares, good to sqrt(eps) only where it is small against the row.
  // max(0, rho - threshold) is as good a bound and has no such places: its error is below eps D R^2 / threshold for the
  // longest row R.
  result.threshold = like != nullptr ? like->threshold : 1e-3 * longest;
  const double error = 4 * 0x1p-53 * static_cast<double>(rows.cols()) * longest * longest;
  result.slack = result.threshold > 0 ? error / result.threshold : 0;
  for (Index i = 0; i < rows.rows(); ++i) {
    double* row = result.values.row(i);
    for (Index c = 0; c < cut_count; ++c) {
      const Index held = cuts[static_cast<std::size_t>(c)];
      const double covered = std::inner_product(row, row + held, row, 0.0);
      const double rho = held < rows.cols() ? std::sqrt(std::max(0.0, squares[static_cast<std::size_t>(i)] - covered)) : 0;
      row[size + c] = std::max(0.0, rho - result.threshold);
    }
  }
  return result;
}

}  // namespace unroll
