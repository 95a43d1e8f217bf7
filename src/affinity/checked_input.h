#pragma once
#include <concepts>
#include <cstdint>
#include <span>

#include "unroll/affinity/graph_weights.h"
#include "unroll/affinity/kernel.h"
#include "unroll/core/input.h"
#include "unroll/core/run.h"
#include "unroll/data/scaling.h"
#include "unroll/neighbors/neighbors.h"

/// Checks for everything that takes an Input: what the numbers mean, and whether they fit the options.
namespace unroll {

/// Throws Unsupported for an input of a kind that the method does not take.
void check_kind(const Input& input, std::span<const InputKind> kinds);
/// Throws InvalidData unless points and distances are finite, there are at least `min_points`, and a matrix of
/// distances is square. Similarities and sparse matrices are checked where W is made of them.
void check_values(const Input& input, Index min_points, const Run& run);
/// Throws InvalidOption if the options scale features and the input has none.
void check_scaling(const Input& input, Scaling scale);
void check_n_neighbors(std::int64_t n_neighbors, Index n);
void check_n_components(std::int64_t n_components, Index n);
/// The input with its meaning as its type. For a plain table an option with the value `precomputed` says it; a typed
/// input sets that option.
template <class Options>
Input typed_input(Input input, Options& options) {
  const bool is_plain = input.kind() == InputKind::Points;
  const bool is_distance = input.kind() == InputKind::Distances || input.kind() == InputKind::SparseDistances;
  if constexpr (requires { options.metric; }) {
    if (is_plain && options.metric == Metric::Precomputed) input.data = DistancesView{input.full()};
    if (!is_plain && is_distance) options.metric = Metric::Precomputed;
  }
  if constexpr (requires { options.weights; }) {
    if (is_plain && options.weights == EdgeWeights::Precomputed) input.data = SimilaritiesView{input.full()};
    if (!is_plain && !is_distance) options.weights = EdgeWeights::Precomputed;
  }
  if constexpr (requires { options.kernel; }) {
    if (is_plain && options.kernel == Kernel::Precomputed) input.data = SimilaritiesView{input.full()};
    if (!is_plain && !is_distance) options.kernel = Kernel::Precomputed;
  }
  return input;
}

/// Checks that are the same for all methods with options of these names.
template <class Options>
void check_shared_options(const Input& input, const Options& options) {
  if constexpr (requires { options.n_neighbors; })
    if (options.n_neighbors) check_n_neighbors(*options.n_neighbors, input.size());
  if constexpr (requires {
                  { options.n_components } -> std::same_as<const std::int64_t&>;
                })
    check_n_components(options.n_components, input.size());
}

/// All of the above: returns the typed input.
template <class Options>
Input checked_input(const Input& given, Options& options, Index min_points, const Run& run) {
  const Input input = typed_input(given, options);
  check_kind(input, Options::input_kinds);
  check_scaling(input, options.scale);
  check_values(input, min_points, run);
  check_shared_options(input, options);
  return input;
}

}  // namespace unroll
