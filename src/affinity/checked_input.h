#pragma once
#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>

#include "unroll/affinity/graph_weights.h"
#include "unroll/affinity/kernel.h"
#include "unroll/core/input.h"
#include "unroll/core/run.h"
#include "unroll/data/scaling.h"
#include "unroll/neighbors/neighbors.h"

/// The way in of everything that takes an Input: what the numbers are, and whether they and the options fit each other.
namespace unroll {

/// Throws Unsupported for an input of a kind that the method does not take.
void check_kind(const Input& input, std::span<const InputKind> kinds);
/// Throws InvalidData unless points and distances are finite, at least `min_points`, and a square of distances. What
/// similarities and sparse matrices must be depends on what W becomes of them, and is checked there.
void check_values(const Input& input, Index min_points, const Run& run);
/// Throws InvalidOption: "metric=cosine is for points, but the input is distances; leave it out".
[[noreturn]] void refuse_choice(std::string_view name, std::string_view choice, InputKind kind);
/// Throws InvalidOption where features are to be scaled of an input that has none.
void check_scaling(const Input& input, Scaling scale);
void check_n_neighbors(std::int64_t n_neighbors, Index n);
void check_n_components(std::int64_t n_components, Index n);
/// An option of how W is computed, beside an input that holds W or its distances: refused where it says another thing
/// than its default, else set to `precomputed`.
template <class Choice>
void set_precomputed(std::string_view name, Choice fallback, const Input& input, Choice& choice) {
  if (choice != fallback && choice != Choice::Precomputed) refuse_choice(name, name_of(choice), input.kind());
  choice = Choice::Precomputed;
}

/// What the numbers are. An option with the value `precomputed` says so of a plain table, and a typed input sets it.
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

/// What methods with options of the same names refuse alike.
template <class Options>
void check_shared_options(const Input& input, const Options& options) {
  if constexpr (requires { options.n_neighbors; })
    if (options.n_neighbors) check_n_neighbors(*options.n_neighbors, input.size());
  if constexpr (requires {
                  { options.n_components } -> std::same_as<const std::int64_t&>;
                })
    check_n_components(options.n_components, input.size());
}

/// The input as the method takes it, with all of the above.
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
