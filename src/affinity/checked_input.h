#pragma once
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

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
/// Throws InvalidData unless there are at least `min_points`, points and distances are finite, and a matrix of
/// distances is square. Entries of similarities and sparse matrices are checked where W is made of them.
void check_values(const Input& input, Index min_points, const Run& run);
/// Throws InvalidOption: "metric=cosine is for points, but the input is distances; leave it out".
[[noreturn]] void refuse_choice(std::string_view name, std::string_view choice, InputKind kind);
/// Throws InvalidOption if the options scale features and the input has none.
void check_scaling(const Input& input, Scaling scale);
/// Throws InvalidOption if neighbours came with points that are scaled: those were found before.
void check_given_neighbors(const Input& input, Scaling scale);
/// Throws InvalidOption: "n_clusters=9 must be at most the number of points, 7; use a smaller n_clusters" + or_else.
void check_at_most(std::string_view name, std::int64_t value, Index most, const std::string& limit,
                   std::string_view or_else = {});
void check_n_neighbors(std::int64_t n_neighbors, Index n);
void check_n_components(std::int64_t n_components, Index n);

/// Sets an option of how W is computed to `precomputed`, since the input holds W or its distances. Throws InvalidOption
/// if the user chose something else.
template <class Choice>
void set_precomputed(std::string_view name, Choice fallback, const Input& input, Choice& choice) {
  if (choice != fallback && choice != Choice::Precomputed) refuse_choice(name, name_of(choice), input.kind());
  choice = Choice::Precomputed;
}

/// The input with its meaning as its type. For a plain table an option with the value `precomputed` says it; a typed
/// input sets that option.
template <class Options>
Input typed_input(Input input, Options& options) {
  const bool is_plain = input.kind() == InputKind::Points;
  const bool is_distance = input.kind() == InputKind::Distances || input.kind() == InputKind::SparseDistances;
  if constexpr (requires { options.metric; }) {
    if (is_plain && options.metric == Metric::Precomputed) input.data = DistancesView{input.full()};
    if (!is_plain && is_distance) set_precomputed("metric", Options{}.metric, input, options.metric);
  }
  if constexpr (requires { options.weights; }) {
    if (is_plain && options.weights == EdgeWeights::Precomputed) input.data = SimilaritiesView{input.full()};
    if (!is_plain && !is_distance) set_precomputed("weights", Options{}.weights, input, options.weights);
  }
  if constexpr (requires { options.kernel; }) {
    if (is_plain && options.kernel == Kernel::Precomputed) input.data = SimilaritiesView{input.full()};
    if (!is_plain && !is_distance) set_precomputed("kernel", Options{}.kernel, input, options.kernel);
  }
  return input;
}

/// Checks that are the same for all methods with options of these names.
template <class Options>
void check_shared_options(const Input& input, const Options& options) {
  if constexpr (requires { options.n_neighbors; }) {
    check_given_neighbors(input, options.scale);
    if (options.n_neighbors) check_n_neighbors(*options.n_neighbors, input.size());
  }
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
