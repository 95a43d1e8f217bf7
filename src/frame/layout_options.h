#pragma once
#include <optional>
#include <vector>

#include "core/method_fit.h"
#include "layout/descent.h"
#include "layout/layout_start.h"
#include "unroll/core/input.h"
#include "unroll/layout/layout_start.h"
#include "unroll/layout/pair_forces.h"
#include "unroll/neighbors/neighbors.h"

/// What t-SNE and its kin do alike with options of the same names.
namespace unroll {

/// What a perplexity means for affinities of one kind.
struct PerplexityRule {
  double usual = 30;
  double neighbors = 3;  ///< looked at, per unit of perplexity
};
inline constexpr PerplexityRule kGaussianRule{}, kUniformRule{.usual = 15, .neighbors = 1};

/// No perplexity becomes one: the usual one, or the largest that the other points have neighbours for, but at least 1.
/// Throws InvalidOption for one that is as large as the number of points.
void resolve_perplexity(Index n, std::optional<std::vector<double>>& perplexity,
                        const PerplexityRule& rule = kGaussianRule);
/// 3 * perplexity, the largest of several, or all other points if these are fewer; of uniform affinities the perplexity
/// itself.
Index perplexity_neighbors(const std::vector<double>& perplexity, Index n, const PerplexityRule& rule = kGaussianRule);

/// `auto` becomes exact for up to `exact_points`, then fft in one or two dimensions, and `otherwise` in more. Throws
/// InvalidOption for fft in more dimensions.
void resolve_pair_forces(Index n, Index n_components, Index exact_points, PairForces otherwise, PairForces& forces);

/// `auto` becomes pca for points and spectral for distances. Throws InvalidOption for pca of distances.
void resolve_layout_start(const Input& input, LayoutStart& start);

/// Throws OutOfMemory if the affinities and the map would not fit.
void plan_layout(Index n, Index k, Index n_components, const Run& run);

/// The k nearest neighbours, as many as the perplexity asks for; of a sparse matrix all entries. Throws InvalidData if
/// fewer came with the input.
Neighbors perplexity_neighbors_of(const Input& input, Index k, NeighborOptions search, const Run& run);

/// A start as `start` says, in a small region. Nothing if there is a model to go on from.
StartedMap small_start(const Input& input, const SparseMatrix& p, LayoutStart start, Index n_components,
                       std::uint64_t seed, const Run& run);

/// Adds the warnings of the neighbours, of the start and of the descent.
void add_layout_warnings(const Neighbors& neighbors, const StartedMap& start, const Descent& descent,
                         const std::vector<double>& perplexity, MethodFit& fit,
                         const PerplexityRule& rule = kGaussianRule);

/// Of more points neighbours are searched approximately: a map by forces does not show the hundredth that is missed.
inline constexpr std::int64_t kExactPoints = 20'000;

template <class Options>
NeighborOptions layout_search(const Options& options) {
  return {.metric = options.metric,
          .p = options.p,
          .algorithm = options.neighbors_algorithm,
          .random_state = options.random_state,
          .exact_points = kExactPoints};
}

template <class Options>
Neighbors layout_neighbors(const Input& input, Index k, const Options& options, const Run& run) {
  return perplexity_neighbors_of(input, k, layout_search(options), run);
}

template <class Options>
StartedMap layout_start(const Input& input, const SparseMatrix& p, const Options& options, const Run& run) {
  return small_start(input, p, options.init, options.n_components, static_cast<std::uint64_t>(options.random_state),
                     run);
}

/// The search of the neighbours by which a new point is placed.
template <class Options>
NeighborOptions placing_search(Index n, double perplexity, const Options& options) {
  NeighborOptions search = layout_search(options);
  search.n_neighbors = perplexity_neighbors({perplexity}, n);
  return search;
}

}  // namespace unroll
