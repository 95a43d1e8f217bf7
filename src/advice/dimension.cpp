#include "unroll/advice/dimension.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "advice/dimension_verdict.h"
#include "advice/variance_spectra.h"
#include "core/at.h"
#include "core/owned_points.h"
#include "core/random.h"
#include "frame/frame.h"
#include "neighbors/first_neighbors.h"
#include "neighbors/graph_findings.h"
#include "neighbors/input_neighbors.h"
#include "unroll/methods/isomap.h"

namespace unroll {
namespace {

constexpr std::array kKinds{InputKind::Points, InputKind::SparsePoints, InputKind::Distances,
                            InputKind::SparseDistances};

/// As many neighbours as every point has: all others, or the entries of its row of a sparse matrix.
Index most_neighbors(const Input& input) {
  Index most = input.size() - 1;
  if (!input.is_sparse()) return most;
  const SparseMatrix& distances = input.sparse();
  for (Index i = 0; i < distances.rows; ++i) {
    const auto first = distances.columns.begin() + distances.offsets[at(i)];
    const auto last = distances.columns.begin() + distances.offsets[at(i) + 1];
    most = std::min<Index>(most, last - first - std::count(first, last, i));
  }
  return most;
}

NeighborOptions search_options(const DimensionOptions& options, Index n_neighbors) {
  return {.n_neighbors = n_neighbors,
          .metric = options.metric,
          .p = options.p,
          .algorithm = options.neighbors_algorithm,
          .random_state = options.random_state};
}

/// Some rows of the points.
class Sample {
 public:
  static constexpr Index kMost = 5000;

  Sample(const Input& input, std::uint64_t seed) : input_(input) {
    if (!input.has_points() || input.size() <= kMost) return;
    rows_ = copied(input.full(), Random(seed, "dimension.isomap").sample(input.size(), kMost));
    input_ = Input(view_of(rows_));
  }
  Sample(const Sample&) = delete;
  Sample& operator=(const Sample&) = delete;

  const Input& input() const { return input_; }

 private:
  OwnedPoints rows_ = {};
  Input input_;
};

/// Isomap's residual variance and its elbow; a warning where there is no map.
void add_residual_variance(const Input& input, const DimensionOptions& options, const Run& run,
                           DimensionReport& report) {
  constexpr Index kMostComponents = 10, kLandmarks = 500, kMostWithout = 1000;
  const Sample sample(input, static_cast<std::uint64_t>(options.random_state));
  const Index n = sample.input().size();
  IsomapOptions isomap_options{.n_components = std::min(kMostComponents, n - 1),
                               .n_neighbors = options.n_neighbors,
                               .metric = options.metric,
                               .p = options.p,
                               .neighbors_algorithm = options.neighbors_algorithm,
                               .random_state = options.random_state};
  if (n > kMostWithout) isomap_options.n_landmarks = kLandmarks;
  if (sample.input().is_sparse()) isomap_options.landmarks = LandmarkChoice::Random;  // the others compare points
  try {
    const Model model = isomap(sample.input(), isomap_options, run);
    const Embedding& map = model.embedding();
    for (const auto& [name, value] : map.attributes) {
      if (name == "residual_variance") report.residual_variance = std::get<std::vector<double>>(value);
      if (name == "suggested_components") report.elbow = std::get<std::int64_t>(value);
    }
    report.warnings.insert(report.warnings.end(), map.warnings.begin(), map.warnings.end());
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Cancelled) throw;
    report.warnings.push_back(
        {"no-elbow", fmt::format("there is no residual variance of paths: {}", error.problem()), error.advice()});
  }
}

DimensionReport report_of(const Input& input, const DimensionOptions& options, const Run& run) {
  const Index n = input.size(), k = *options.n_neighbors;
  const Index widest = std::max(k, std::min(4 * k, most_neighbors(input)));
  const auto seed = static_cast<std::uint64_t>(options.random_state);
  DimensionReport report{.n_points = n};
  Neighbors found = input_neighbors(input, search_options(options, widest), run);
  report.warnings = std::move(found.report.warnings);
  report.nearest = intrinsic_dimension(first_neighbors(found.graph, k), run);
  report.warnings.insert(report.warnings.end(), report.nearest.warnings.begin(), report.nearest.warnings.end());
  for (const Index count : {std::max<Index>(k / 2, 2), k, std::min(2 * k, widest), widest})
    if (report.scales.empty() || count > report.scales.back().n_neighbors)
      report.scales.push_back({count, likely_dimension(first_neighbors(found.graph, count), run)});

  if (const auto values = full_values(input))
    report.correlation = correlation_dimension(*values, search_options(options, k), run);
  if (input.has_points()) {
    report.global = global_spectrum(input.full(), seed, run);
    report.local = local_spectrum(input.full(), found.graph, 3 * k, search_options(options, k), seed, run);
  }
  add_residual_variance(input, options, run, report);
  judge(report);
  return report;
}

}  // namespace

DimensionReport estimate_dimension(const Input& given, const DimensionOptions& given_options, const Run& run) {
  constexpr Index kMinPoints = 4, kUsualNeighbors = 10;
  return reported_as_if_unnamed(DimensionOptions::method_name, [&] {
    validate_options(given_options, DimensionOptions::method_name);
    DimensionOptions options = given_options;
    const Input input = typed_input(given, options);
    check_kind(input, kKinds, false);
    check_values(input, kMinPoints, run);
    check_shared_options(input, options);
    if (!options.n_neighbors) options.n_neighbors = std::min(kUsualNeighbors, input.size() - 1);
    const PreparationOptions preparation{.scale = options.scale};
    check_preparation(input, preparation);
    const Preparation prepared(input, preparation, run);
    return report_of(prepared.applied(input), options, run);
  });
}

}  // namespace unroll
