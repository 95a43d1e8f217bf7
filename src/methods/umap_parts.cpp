#include "methods/umap_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/memory.h"
#include "layout/umap_start.h"
#include "neighbors/input_neighbors.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

[[noreturn]] void refuse_option(std::string_view option, std::string problem, std::string_view advice) {
  throw Error(ErrorKind::InvalidOption,
              {.problem = std::move(problem), .advice = std::string(advice), .option = std::string(option)});
}

void check_targets(const Input& input) {
  const auto check = [&](std::size_t count, std::string_view what) {
    if (count == 0 || std::ssize(input.labels) + std::ssize(input.targets) == input.size()) return;
    throw Error(ErrorKind::InvalidData,
                fmt::format("there are {} {}, but {} points", count, what, input.size()), "give one per point");
  };
  check(input.labels.size(), "labels");
  check(input.targets.size(), "targets");
  for (std::size_t i = 0; i < input.targets.size(); ++i)
    if (!std::isfinite(input.targets[i]))
      throw Error(ErrorKind::InvalidData, {.problem = "has a target that is not finite",
                                           .advice = "leave out such points",
                                           .row = static_cast<Index>(i)});
}

NeighborOptions umap_search(const UmapOptions& options) {
  return {.metric = options.metric,
          .p = options.p,
          .algorithm = options.neighbors_algorithm,
          .random_state = options.random_state};
}

}  // namespace

void resolve_umap(const Input& input, UmapOptions& options) {
  constexpr Index kFewPoints = 10'000, kFewPointsEpochs = 500, kEpochs = 200;
  check_targets(input);
  if (options.a.has_value() != options.b.has_value())
    refuse_option(options.a ? "a" : "b", "a and b are given together or not at all", "give both, or min_dist");
  if (options.min_dist > options.spread)
    refuse_option("min_dist",
                  fmt::format("min_dist={:g} must be at most spread={:g}", options.min_dist, options.spread),
                  "use a smaller min_dist or a larger spread");
  if (!options.a) {
    const UmapCurve curve = fit_umap_curve(options.min_dist, options.spread);
    options.a = curve.a, options.b = curve.b;
  }
  if (!input.is_sparse()) options.n_neighbors = UmapOptions::needed_neighbors(options, input.size());
  if (!options.n_epochs) options.n_epochs = input.size() <= kFewPoints ? kFewPointsEpochs : kEpochs;
  if (options.init == LayoutStart::Auto) options.init = LayoutStart::Spectral;
  if (options.init == LayoutStart::Pca && input.kind() != InputKind::Points)
    refuse_option("init", fmt::format("init=pca is for points, but the input is {}", name_of(input.kind())),
                  "use init=spectral");
}

Neighbors umap_neighbors(const Input& input, const UmapOptions& options, const Run& run) {
  constexpr double kEntryBytes = 96;  // of the memberships, their transpose, the graph and the optimiser's edges
  const auto n = static_cast<double>(input.size());
  const double k = input.is_sparse() ? static_cast<double>(input.sparse().values.size()) / std::max(n, 1.0)
                                     : static_cast<double>(*options.n_neighbors);
  MemoryPlan().add("the fuzzy graph", n, k, kEntryBytes).require(run, "use a smaller n_neighbors, or fewer points");
  NeighborOptions search = umap_search(options);
  search.n_neighbors = options.n_neighbors;
  return input_neighbors(input, search, run);
}

StartedMap umap_start(const Input& input, const SparseMatrix& graph, const Components& components,
                      const UmapOptions& options, const Run& run) {
  if (input.resume != nullptr) return {};
  const auto seed = static_cast<std::uint64_t>(options.random_state);
  const Index n = input.size(), dims = options.n_components;
  StartedMap start;
  if (options.init == LayoutStart::Given) {
    start.coordinates = Array2<double>(n, dims);
    input.init->visit([&](auto given) {
      for (Index i = 0; i < n; ++i) std::copy_n(given.row(i), dims, start.coordinates.row(i));
    });
  } else if (options.init == LayoutStart::Random) {
    start.coordinates = random_start(n, dims, seed);
  } else if (options.init == LayoutStart::Pca) {
    start = pca_start(input.full(), dims, seed, run);
  } else {
    const bool has_points = input.kind() == InputKind::Points;
    start = umap_spectral_start(graph, components, has_points ? std::optional(input.full()) : std::nullopt, dims, seed,
                                run);
  }
  scale_umap_start(start.coordinates, seed);
  return start;
}

UmapSettings umap_settings(const UmapOptions& options, std::uint64_t seed) {
  return {.n_epochs = *options.n_epochs,
          .curve = {*options.a, *options.b},
          .repulsion_strength = options.repulsion_strength,
          .learning_rate = options.learning_rate,
          .negative_sample_rate = options.negative_sample_rate,
          .seed = seed};
}

UmapPlacer::Settings umap_placing(const UmapSettings& settings, const UmapOptions& options,
                                  const SmoothDistances& smooth) {
  return {.curve = settings.curve,
          .local_connectivity = options.local_connectivity,
          .repulsion_strength = settings.repulsion_strength,
          .learning_rate = settings.learning_rate / 4,
          .negative_sample_rate = settings.negative_sample_rate,
          .n_epochs = std::max<Index>(1, settings.n_epochs / 3),
          .seed = static_cast<Index>(settings.seed),
          .mean_distance = smooth.mean,
          .unit = smooth.unit};
}

NeighborOptions umap_placing_search(const Input& input, const UmapOptions& options) {
  NeighborOptions search = umap_search(options);
  search.n_neighbors = UmapOptions::needed_neighbors(options, input.size());
  return search;
}

Attributes umap_attributes(const SparseMatrix& graph, const Components& components, const SearchReport& search,
                           double loss) {
  return {{"cross_entropy", loss},
          {"graph_edges", std::ssize(graph.values) / 2},
          {"components", components.count()},
          {"recall", search.recall}};
}

void add_umap_warnings(const SearchReport& search, const StartedMap& start, const Components& components,
                       MethodFit& fit) {
  std::vector<Warning>& warnings = fit.embedding.warnings;
  warnings.insert(warnings.begin(), start.warnings.begin(), start.warnings.end());
  warnings.insert(warnings.begin(), search.warnings.begin(), search.warnings.end());
  if (components.count() > 1)
    warnings.push_back({"several-components",
                        fmt::format("the graph is in {} parts: how they lie to each other means nothing",
                                    components.count()),
                        "use a larger n_neighbors"});
}

}  // namespace unroll
