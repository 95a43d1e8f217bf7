#include "frame/unfolding_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/at.h"
#include "core/memory.h"
#include "core/random.h"
#include "neighbors/entry_rule.h"
#include "neighbors/geodesics.h"
#include "neighbors/input_neighbors.h"
#include "neighbors/landmarks.h"
#include "neighbors/pair_distance.h"
#include "sources/landmark_embedding.h"
#include "spectral/embedding.h"

namespace unroll {
namespace {

constexpr Index kMoreColumns = 8;
constexpr Index kUnfoldingLandmarks = 100;

/// Classical scaling of the path lengths from landmarks, for a connected graph.
void put_geodesic_map(const NeighborGraph& part, const std::vector<Index>& points, std::uint64_t seed,
                      Array2<double>& map, const Run& run) {
  const Index n = std::ssize(points), count = std::min(map.cols(), n - 1);
  if (count == 0) return;
  const std::vector<Index> landmarks =
      random_landmarks(n, std::min(n, std::max(kUnfoldingLandmarks, 2 * map.cols())), seed);
  const Array2<double> lengths = geodesic_distances<double>(part, landmarks, run);
  const Array2<double> own =
      embed_by_landmarks(
          recipe(SpectralMethod::Isomap), lengths, 1, landmarks,
          SpectralSettings{.n_components = std::min<Index>(count, std::ssize(landmarks) - 1), .seed = seed}, run)
          .fit.coordinates;
  for (Index i = 0; i < n; ++i) std::copy_n(own.row(i), own.cols(), map.row(points[at(i)]));
}

/// The first columns of the start, and small random numbers in the others, or the map would never use them.
Array2<double> widened(const Array2<double>& first, Index rank, double deviation, std::uint64_t seed) {
  Array2<double> map(first.rows(), rank);
  const Random random(seed, "mvu.columns");
  for (Index i = 0; i < map.rows(); ++i) {
    std::copy_n(first.row(i), std::min(rank, first.cols()), map.row(i));
    for (Index d = first.cols(); d < rank; ++d)
      map(i, d) = deviation * random.normal(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(d));
  }
  return map;
}

/// Scales the map so that its distances are most like those of the pairs.
void fit_size(const NeighborPairs& pairs, Array2<double>& map) {
  double product = 0, squares = 0;
  for (Index e = 0; e < pairs.size(); ++e) {
    const double *a = map.row(pairs.first[at(e)]), *b = map.row(pairs.second[at(e)]);
    double r = 0;
    for (Index d = 0; d < map.cols(); ++d) r += (a[d] - b[d]) * (a[d] - b[d]);
    product += std::sqrt(r) * pairs.distances[at(e)], squares += r;
  }
  const double factor = squares > 0 ? product / squares : 1;
  for (Index i = 0; i < map.size(); ++i) map.data()[i] *= factor;
}

double mean_distance(const NeighborPairs& pairs) {
  double sum = 0;
  for (const double distance : pairs.distances) sum += distance;
  return pairs.size() > 0 ? sum / static_cast<double>(pairs.size()) : 0;
}

}  // namespace

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

Index starting_rank(Index n_components, Index points) {
  return std::max(n_components, std::min(n_components + kMoreColumns, points - 1));
}

StartedMap unfolding_start(const Input& input, const PathGraph& graph, const NeighborPairs& pairs, LayoutStart init,
                           Index n_components, std::uint64_t seed, const Run& run) {
  constexpr double kNudge = 1e-2;  // of the mean distance
  const Index n = input.size(), rank = starting_rank(n_components, n);
  const double deviation = kNudge * mean_distance(pairs);
  StartedMap start;
  if (init == LayoutStart::Given || init == LayoutStart::Pca) {
    if (init == LayoutStart::Given) {
      start.coordinates = Array2<double>(n, n_components);
      input.init->visit([&](auto from) {
        for (Index i = 0; i < n; ++i)
          for (Index d = 0; d < n_components; ++d) start.coordinates(i, d) = static_cast<double>(from(i, d));
      });
    } else {
      start = pca_start(input.full(), rank, seed, run);
    }
    for (Index i = 0; i < start.coordinates.size(); ++i) start.coordinates.data()[i] *= graph.scale;
    start.coordinates = widened(start.coordinates, rank, deviation, seed);
    return start;
  }
  if (init == LayoutStart::Random || init == LayoutStart::Spectral) {
    SparseMatrix weights = to_sparse(graph.joined.graph);
    std::fill(weights.values.begin(), weights.values.end(), 1.0);
    start = init == LayoutStart::Spectral ? spectral_start(weights, rank, seed, run)
                                          : StartedMap{random_start(n, rank, seed)};
    fit_size(pairs, start.coordinates);
    return start;
  }
  start.coordinates = Array2<double>(n, rank);
  const std::vector<std::vector<Index>> members = ComponentPoints(graph.joined.components).members;
  for (const std::vector<Index>& points : members)
    put_geodesic_map(members.size() == 1 ? graph.joined.graph : subgraph(graph.joined.graph, points), points, seed,
                     start.coordinates, run);
  return start;
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

void put_spectra(const Array2<double>& factor, Index rank, const Components& components, double unit,
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
  if (members.size() == 1) return;
  const double rescale = scaled.eigenvalue_unit / unit;
  for (ComponentSpectrum& spectrum : spectra)
    for (double& value : spectrum.values) value *= rescale * rescale;
  embedding.component_spectra = std::move(spectra);
  embedding.warnings.push_back(largest_component("the spectrum is", embedding.component_spectra.front().points));
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
                                              layout.iteration(), layout.objective().violation()),
                                  "use a larger n_iter, or go on from this model"});
  if (layout.is_converged() && layout.trace() == 0)
    embedding.warnings.push_back({"zero-variance", "there is no direction of positive extent: every coordinate is zero",
                                  "check the input: are all points at the same place?"});
  if (const double fallen = layout.objective().shrinkage(); fallen > kShrunken)
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
  const auto in_units = [&](double squared) {
    return std::min(squared / settings.unit / settings.unit, std::numeric_limits<double>::max());
  };
  const std::optional<double> gap = layout.gap(run);
  const Index rank = rank_of(layout.factor());
  add("objective", in_units(layout.trace()));
  add("violation", layout.objective().violation());
  add("largest_violation", layout.objective().largest_violation());
  if (gap) add("dual_bound", in_units(layout.bound(run)->trace));
  if (gap) add("gap", *gap);
  add("certified", gap && std::abs(*gap) < UnfoldingLayout::kCertified);
  add("rank", std::int64_t{rank});
  put_spectra(layout.factor(), std::max<Index>(rank, 1), graph.joined.components, settings.unit, embedding);
  add("kernel_factor", kernel_factor(layout.factor(), std::max<Index>(rank, 1), settings.unit));
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
