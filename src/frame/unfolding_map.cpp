#include "frame/unfolding_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/at.h"
#include "core/memory.h"
#include "neighbors/entry_rule.h"
#include "neighbors/input_neighbors.h"
#include "neighbors/pair_distance.h"
#include "spectral/embedding.h"

namespace unroll {

NeighborPairs unfolding_pairs(const Input& input, const PathGraph& graph, Index rank, const Run& run) {
  constexpr double kPairBytes = 150, kArrays = 20;         // steps within an iteration, a copy for new points
  constexpr double kMostCoupled = 6e5, kFactorBytes = 60;  // a matrix and its factor; see unfolding_curvature.cpp
  std::optional<PairDistance> distances;
  if (const auto values = full_values(input)) distances.emplace(*values, graph.search, run);
  const double factor = distances ? graph.scale / distances->factor() : graph.scale;
  const PairLength length = [&](Index i, Index j) -> std::optional<double> {
    if (distances) return distances->scaled(i, j) * factor;
    const std::optional<double> known = known_distance(input.sparse(), i, j);
    return known ? std::optional(*known * factor) : std::nullopt;
  };
  NeighborPairs pairs = neighbor_pairs(graph.nearest.graph, graph.joined.joining, length, run);
  const auto n = static_cast<double>(input.size()), dims = static_cast<double>(rank);
  const auto steps = static_cast<double>(UnfoldingLayout::steps_kept(input.size() * rank));
  const double entries = n + 2 * static_cast<double>(pairs.size());
  MemoryPlan()
      .add("the constraints", static_cast<double>(pairs.size()), 1, kPairBytes)
      .add("the map", n, (2 * steps + kArrays) * dims, sizeof(double))
      .add("its second derivatives", entries, std::min(dims * dims, kMostCoupled / entries + dims), kFactorBytes)
      .require(run, "use a smaller n_neighbors, or fewer points");
  return pairs;
}

namespace {

/// Columns of a factor that are more than rounding.
Index rank_of(const Array2<double>& factor) {
  constexpr double kRounding = 1e-10;  // of the first column
  std::vector<double> lengths(at(factor.cols()));
  for (Index i = 0; i < factor.rows(); ++i)
    for (Index d = 0; d < factor.cols(); ++d) lengths[at(d)] += factor(i, d) * factor(i, d);
  Index rank = factor.cols();
  while (rank > 0 && lengths[at(rank - 1)] <= kRounding * lengths.front()) --rank;
  return rank;
}

/// The eigenvalues of K = Y Y^T for some of the points, and the residuals of the columns of Y, which are eigenvectors.
ComponentSpectrum spectrum_of(const Array2<double>& factor, Index rank, const std::vector<Index>& points) {
  ComponentSpectrum spectrum{.points = std::ssize(points)};
  Array2<double> gram(rank, rank);
  for (const Index i : points)
    for (Index a = 0; a < rank; ++a)
      for (Index b = 0; b < rank; ++b) gram(a, b) += factor(i, a) * factor(i, b);
  for (Index a = 0; a < rank; ++a) {
    // |K v - lambda v|^2 with v = y_a / sqrt(lambda): what remains of Y^T y_a beside its own entry.
    double squares = 0;
    for (Index b = 0; b < rank; ++b)
      if (b != a && gram(a, a) > 0) squares += gram(a, b) / gram(a, a) * gram(a, b) * gram(b, b);
    spectrum.values.push_back(gram(a, a));
    spectrum.residuals.push_back(gram(0, 0) > 0 ? std::sqrt(squares) / gram(0, 0) : 0);
  }
  return spectrum;
}

/// Returns the unit of the eigenvalues: they belong to the distances times that.
double put_spectra(const Array2<double>& factor, Index rank, const Components& components, double unit,
                   Embedding& embedding) {
  const std::vector<std::vector<Index>> members = ComponentPoints(components).members;
  std::vector<ComponentSpectrum> spectra;
  for (std::size_t c = 0; c < members.size(); ++c) {
    spectra.push_back(spectrum_of(factor, rank, members[c]));
    spectra.back().component = static_cast<Index>(c);
  }
  std::stable_sort(spectra.begin(), spectra.end(), [](const auto& a, const auto& b) { return a.points > b.points; });
  SpectralFit scaled;
  set_spectrum({.values = spectra.front().values, .residuals = spectra.front().residuals, .solver = "dense"}, unit,
               scaled);
  embedding.spectrum = scaled.spectrum;
  embedding.attributes.emplace_back("eigenvalue_unit", scaled.eigenvalue_unit);
  if (members.size() == 1) return scaled.eigenvalue_unit;
  const double rescale = scaled.eigenvalue_unit / unit;
  for (ComponentSpectrum& spectrum : spectra)
    for (double& value : spectrum.values) value *= rescale * rescale;
  embedding.component_spectra = std::move(spectra);
  embedding.warnings.push_back(largest_component("the spectrum is", embedding.component_spectra.front().points));
  return scaled.eigenvalue_unit;
}

std::shared_ptr<const Array2<double>> kernel_factor(const Array2<double>& factor, Index rank, double unit) {
  Array2<double> part(factor.rows(), rank);
  for (Index i = 0; i < part.rows(); ++i)
    for (Index d = 0; d < rank; ++d) part(i, d) = factor(i, d) / unit;
  return std::make_shared<const Array2<double>>(std::move(part));
}

void warn_of_unfolding(const UnfoldingLayout& layout, Embedding& embedding) {
  constexpr double kShrunken = 0.01;
  const bool has_ended_early = std::any_of(embedding.warnings.begin(), embedding.warnings.end(),
                                           [](const Warning& warning) { return warning.code == "finished-early"; });
  if (!layout.is_converged() && !has_ended_early)
    embedding.warnings.push_back({"not-converged",
                                  fmt::format("the map was still moving after {} iterations; squared distances differ "
                                              "by {:.2g} of their size",
                                              layout.iteration(), layout.fit().violation),
                                  "use a larger n_iter, or go on from this model"});
  if (layout.is_converged() && layout.trace() == 0)
    embedding.warnings.push_back({"zero-variance", "there is no direction of positive extent: every coordinate is zero",
                                  "check the input: are all points at the same place?"});
  if (const double fallen = layout.fit().shrinkage; fallen > kShrunken)
    embedding.warnings.push_back(
        {"shrunken-distances",
         fmt::format("squared distances between neighbors fell by {:.2g} of their sum: thin directions of the data may "
                     "have collapsed",
                     fallen),
         "use constraints=equality"});
}

}  // namespace

void report_unfolding(UnfoldingLayout& layout, const PathGraph& graph, const UnfoldingSettings& settings,
                      Embedding& embedding, const Run& run) {
  const auto add = [&](std::string name, Attribute value) {
    embedding.attributes.emplace_back(std::move(name), std::move(value));
  };
  const std::optional<double> gap = layout.gap(run);
  const Index rank = std::max<Index>(rank_of(layout.factor()), 1);
  const double unit =
      settings.unit / put_spectra(layout.factor(), rank, graph.joined.components, settings.unit, embedding);
  // The sum of eigenvalues that are in range may yet be out of it.
  const auto in_units = [&](double squared) {
    return std::min(squared / unit / unit, std::numeric_limits<double>::max());
  };
  add("objective", in_units(layout.trace()));
  add("violation", layout.fit().violation);
  add("largest_violation", layout.fit().largest);
  if (gap) add("dual_bound", in_units(layout.bound(run)->trace));
  if (gap) add("gap", *gap);
  add("certified", gap && std::abs(*gap) < UnfoldingLayout::kCertified &&
                       layout.fit().violation <= settings.rules.slack + settings.tolerance);
  add("rank", std::int64_t{rank_of(layout.factor())});
  add("kernel_factor", kernel_factor(layout.factor(), rank, settings.unit));
  add("constraints", std::int64_t{layout.constraints().size()});
  add("graph_edges", std::int64_t{graph.joined.graph.edges() / 2});
  add("components", std::int64_t{graph.joined.components.count()});
  add("neighbors_algorithm", std::string(name_of(graph.nearest.report.algorithm)));
  add("recall", graph.nearest.report.recall);
  warn_of_unfolding(layout, embedding);
  for (const auto* more : {&graph.joined.warnings, &graph.nearest.report.warnings})
    embedding.warnings.insert(embedding.warnings.begin(), more->begin(), more->end());
}

}  // namespace unroll
