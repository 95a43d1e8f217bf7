#include "frame/layout_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/finite.h"
#include "core/memory.h"
#include "core/text.h"
#include "neighbors/input_neighbors.h"
#include "unroll/core/error.h"

namespace unroll {

void resolve_perplexity(Index n, std::optional<std::vector<double>>& perplexity, const PerplexityRule& rule) {
  const auto others = static_cast<double>(n - 1);
  if (!perplexity) perplexity = {{std::max(1.0, std::min(rule.usual, others / rule.neighbors))}};
  if (perplexity->empty())
    throw Error(
        ErrorKind::InvalidOption,
        {.problem = "perplexity is an empty list", .advice = "give a number, or several", .option = "perplexity"});
  for (const double value : *perplexity)
    if (value >= static_cast<double>(n))
      throw Error(ErrorKind::InvalidOption,
                  {.problem = fmt::format("perplexity={} must be less than the number of points, {}", value, n),
                   .advice = "use a smaller perplexity",
                   .option = "perplexity"});
}

Index perplexity_neighbors(const std::vector<double>& perplexity, Index n, const PerplexityRule& rule) {
  const double largest = perplexity.empty() ? rule.usual : *std::max_element(perplexity.begin(), perplexity.end());
  const double wanted = std::max(1.0, std::floor(rule.neighbors * largest));
  return static_cast<Index>(std::min(wanted, static_cast<double>(n - 1)));
}

void resolve_pair_forces(Index n, Index n_components, Index exact_points, PairForces otherwise, PairForces& forces) {
  constexpr Index kGridDimensions = 2;
  const bool has_grid = n_components <= kGridDimensions;
  if (forces == PairForces::Auto)
    forces = n <= exact_points ? PairForces::Exact : has_grid ? PairForces::Fft : otherwise;
  if (forces == PairForces::Fft && !has_grid)
    throw Error(
        ErrorKind::InvalidOption,
        {.problem = fmt::format("gradient=fft is for one or two dimensions, not for n_components={}", n_components),
         .advice = fmt::format("use gradient={}", name_of(otherwise)),
         .option = "gradient"});
}

void resolve_layout_start(const Input& input, LayoutStart& start) {
  const bool has_points = input.has_points();
  if (start == LayoutStart::Auto) start = has_points ? LayoutStart::Pca : LayoutStart::Spectral;
  if (start == LayoutStart::Pca && !has_points)
    throw Error(ErrorKind::InvalidOption,
                {.problem = fmt::format("init=pca is for points, but the input is {}", name_of(input.kind())),
                 .advice = "use init=spectral",
                 .option = "init"});
}

void plan_layout(Index n, Index k, Index n_components, const Run& run) {
  constexpr double kEntryBytes = 64;  // of P and of what it is made of: two directions
  constexpr double kArrays = 6;       // the map, its gradient and forces, momentum, gains, a copy for new points
  MemoryPlan()
      .add("the affinities", static_cast<double>(n), static_cast<double>(k), kEntryBytes)
      .add("the map", static_cast<double>(n), kArrays * static_cast<double>(n_components), sizeof(double))
      .require(run, "use a smaller perplexity, or fewer points");
}

Neighbors perplexity_neighbors_of(const Input& input, Index k, NeighborOptions search, const Run& run) {
  if (!input.is_sparse()) search.n_neighbors = k;
  if (input.neighbors != nullptr && !input.is_sparse() && input.neighbors->graph.size() == input.size())
    for (Index i = 0; i < input.size(); ++i)
      if (const Index degree = input.neighbors->graph.degree(i); degree >= 0 && degree < k)
        throw Error(ErrorKind::InvalidData,
                    fmt::format("point {} came with {}, but {} are needed for the perplexity", i + 1,
                                counted(degree, "neighbor"), k),
                    "find more of them, or use a smaller perplexity");
  Neighbors found = input_neighbors(input, search, run);
  require_finite(found.graph.distances, "distances");
  return found;
}

StartedMap small_start(const Input& input, const SparseMatrix& p, LayoutStart start, Index n_components,
                       std::uint64_t seed, const Run& run) {
  constexpr double kDeviation = 1e-4;  // so small that the first forces are those of P alone
  if (input.resume != nullptr) return {};
  if (start == LayoutStart::Given) {
    StartedMap given{.coordinates = Array2<double>(input.size(), n_components)};
    input.init->visit([&](auto from) {
      for (Index i = 0; i < from.rows; ++i)
        for (Index d = 0; d < from.cols; ++d) given.coordinates(i, d) = static_cast<double>(from(i, d));
    });
    return given;
  }
  StartedMap small = start == LayoutStart::Pca        ? pca_start(input.full(), n_components, seed, run)
                     : start == LayoutStart::Spectral ? spectral_start(p, n_components, seed, run)
                                                      : StartedMap{random_start(input.size(), n_components, seed)};
  scale_start(small.coordinates, kDeviation);
  return small;
}

void add_layout_warnings(const Neighbors& neighbors, const StartedMap& start, const Descent& descent,
                         const std::vector<double>& perplexity, MethodFit& fit, const PerplexityRule& rule) {
  constexpr double kManyClipped = 0.1;
  std::vector<Warning>& warnings = fit.embedding.warnings;
  warnings.insert(warnings.begin(), start.warnings.begin(), start.warnings.end());
  warnings.insert(warnings.begin(), neighbors.report.warnings.begin(), neighbors.report.warnings.end());
  const double largest = *std::max_element(perplexity.begin(), perplexity.end());
  const auto others = static_cast<double>(neighbors.graph.size() - 1);
  if (rule.neighbors * largest > others && largest > 1)
    warnings.push_back({"large-perplexity",
                        fmt::format("perplexity={:g} looks at {:g} neighbors, but there are {:g} other points: all of "
                                    "them are nearly alike",
                                    largest, rule.neighbors * largest, others),
                        fmt::format("use a perplexity of at most {:g}", others / rule.neighbors)});
  if (descent.clipped_share() > kManyClipped)
    warnings.push_back({"cut-steps",
                        fmt::format("the last step of {:.0f} % of the points was cut to a length of {:g}: the map has "
                                    "not come to rest",
                                    100 * descent.clipped_share(), Descent::kLongestStep),
                        "use a smaller learning_rate"});
}

}  // namespace unroll
