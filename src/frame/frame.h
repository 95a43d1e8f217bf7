#pragma once
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/method_fit.h"
#include "core/reported_as.h"
#include "frame/preparation.h"
#include "neighbors/search_limits.h"
#include "unroll/affinity/graph_weights.h"
#include "unroll/affinity/kernel.h"
#include "unroll/core/input.h"
#include "unroll/core/model.h"
#include "unroll/layout/layout_start.h"

/// The frame around every method: what all of them do before and after their own steps, in one order and in one
/// wording.
namespace unroll {

/// What a method adds to the frame.
template <class Options>
struct MethodSteps {
  /// "Choose for me" replaced by the choice, and what does not go together refused. May do nothing.
  void (*resolve)(const Input& input, Options& options) = [](const Input&, Options&) {};
  /// The steps of the slide.
  MethodFit (*map)(const Input& input, const Options& options, const Run& run);
};

/// Throws Unsupported for an input of a kind that the method does not take. Sparse points that are `reduced` become
/// points before the method sees them.
void check_kind(const Input& input, std::span<const InputKind> kinds, bool reduced);
/// Throws InvalidData unless there are at least `min_points`, points and distances are finite, and a matrix of
/// distances is square. Entries of similarities and sparse matrices are checked where W is made of them.
void check_values(const Input& input, Index min_points, const Run& run);
/// The same for methods that take distances of which some are missing, which are NaN. What is left of them is checked
/// where it is taken.
void check_known_values(const Input& input, Index min_points, const Run& run);
/// Throws Unsupported if weights of pairs came with the input: the method does not look at them.
void refuse_pair_weights(const Input& input);
/// Throws InvalidOption: "metric=cosine is for points, but the input is distances; leave it out".
[[noreturn]] void refuse_choice(std::string_view name, std::string_view choice, InputKind kind);
/// Throws InvalidOption: "metric=precomputed is for a matrix of pairs, but the input is sparse points".
[[noreturn]] void refuse_meaning(std::string_view name, InputKind kind);
/// Throws InvalidOption if neighbours came with points that are scaled or reduced: those were found before.
void check_given_neighbors(const Input& input, const PreparationOptions& options);
/// Throws InvalidOption: "n_clusters=9 must be at most the number of points, 7; use a smaller n_clusters" + or_else.
void check_at_most(std::string_view name, std::int64_t value, Index most, const std::string& limit,
                   std::string_view or_else = {});
void check_n_components(std::int64_t n_components, Index n);

/// Of methods that optimise. `start` becomes `given` if a start came with the input. Throws InvalidData unless that has
/// a row per point, a column per component and finite numbers; InvalidOption if options ask for another start, or for
/// one that did not come.
void check_start(const Input& input, Index n_components, LayoutStart& start, const Run& run);
/// Of methods that optimise something else than a map: throws Unsupported if the input has a start.
void refuse_given_start(const Input& input);
/// Of all other methods: throws Unsupported if the input has a start, or a model to go on from.
void refuse_start(const Input& input);
/// Throws Unsupported if labels or targets came with the input: the method does not look at them.
void refuse_targets(const Input& input);
/// Of methods that find the classes of points from those of some: throws InvalidData unless there is a label per point
/// and one is known, Unsupported if targets came instead.
void check_labels(const Input& input);
/// If there is a model to go on from: throws InvalidOption unless it is of the same method and options, of which only
/// `iterations` may differ, and InvalidData unless it is of as many points and features.
void check_resumed(const Input& input, Index features, std::string_view method, const OptionValues& options,
                   std::string_view iterations);

/// Sets an option of how W is computed to `precomputed`, since the input holds W or its distances. Throws InvalidOption
/// if the user chose something else.
template <class Choice>
void set_precomputed(std::string_view name, Choice fallback, const Input& input, Choice& choice) {
  if (choice != fallback && choice != Choice::Precomputed) refuse_choice(name, name_of(choice), input.kind());
  choice = Choice::Precomputed;
}
/// Throws InvalidOption if an option says that a table of sparse points is a matrix of pairs: that has a type of its
/// own.
template <class Choice>
void refuse_precomputed(std::string_view name, const Input& input, Choice choice) {
  if (choice == Choice::Precomputed) refuse_meaning(name, input.kind());
}

/// The input with its meaning as its type. For a plain table an option with the value `precomputed` says it; a typed
/// input sets that option.
template <class Options>
Input typed_input(Input input, Options& options) {
  if (input.kind() == InputKind::SparsePoints) {
    if constexpr (requires { options.metric; }) refuse_precomputed("metric", input, options.metric);
    if constexpr (requires { options.weights; }) refuse_precomputed("weights", input, options.weights);
    if constexpr (requires { options.kernel; }) refuse_precomputed("kernel", input, options.kernel);
    return input;
  }
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

template <class Options>
PreparationOptions preparation_options(const Options& options) {
  PreparationOptions preparation{.scale = options.scale};
  if constexpr (requires { options.pca; }) preparation.pca = options.pca;
  if constexpr (requires { options.random_state; }) preparation.random_state = options.random_state;
  return preparation;
}

/// Checks that are the same for all methods with options of these names.
template <class Options>
void check_shared_options(const Input& input, const Options& options) {
  constexpr bool kSearches = requires { options.n_neighbors; }
  || requires { Options::needed_neighbors(options, 1); };
  if constexpr (kSearches) check_given_neighbors(input, preparation_options(options));
  if constexpr (requires { options.n_neighbors; }) {
    if (options.n_neighbors) check_n_neighbors(*options.n_neighbors, input.size());
  }
  if constexpr (requires {
                  { options.n_components } -> std::same_as<const std::int64_t&>;
                })
    check_n_components(options.n_components, input.size());
}

/// A model's options with those that the fit decided.
OptionValues effective_options(OptionValues options, const OptionValues& chosen);

/// Warns if correlations of the rows would be those of rounding errors, as of collinear features after scaling.
void check_directions(const Input& input, Metric metric, const Run& run, std::vector<Warning>& warnings);

/// validate options -> check input -> resolve -> prepare -> work(input, options, preparation). Options are resolved for
/// the points that the method sees, so those that are reduced are prepared before. Errors have the method's name.
template <class Options, class Resolve, class Work>
auto in_frame(const Input& given, const Options& asked, Resolve&& resolve, const Run& run, Work&& work) {
  return reported_as(Options::method_name, [&] {
    validate_options(asked, Options::method_name);
    Options options = asked;
    Input input = typed_input(given, options);
    const PreparationOptions preparing = preparation_options(options);
    const Index features = input.columns();
    check_kind(input, Options::input_kinds, preparing.pca.has_value());
    check_preparation(input, preparing);
    if constexpr (requires { Options::takes_missing; }) {
      check_known_values(input, Options::min_points, run);
    } else {
      check_values(input, Options::min_points, run);
      refuse_pair_weights(input);
    }
    check_shared_options(input, options);
    if constexpr (requires { Options::needs_labels; }) {
      check_labels(input);
    } else if constexpr (!requires { options.target_weight; }) {
      refuse_targets(input);
    }
    std::optional<Preparation> preparation;
    const auto prepare = [&] { input = preparation.emplace(input, preparing, run).applied(input); };
    if (preparing.pca) prepare();
    if constexpr (requires { options.init; }) {
      check_start(input, options.n_components, options.init, run);
      resolve(input, options);
      check_resumed(input, features, Options::method_name, option_values(options), Options::iterations_option);
    } else if constexpr (requires { Options::iterations_option; }) {
      refuse_given_start(input);
      resolve(input, options);
      check_resumed(input, features, Options::method_name, option_values(options), Options::iterations_option);
    } else {
      refuse_start(input);
      resolve(input, options);
    }
    if (!preparation) prepare();
    return work(input, options, *preparation);
  });
}

/// The frame around a method's steps: its result is a model.
template <class Options>
Model run_method(const MethodSteps<Options>& steps, const Input& given, const Options& asked, const Run& run) {
  return in_frame(given, asked, steps.resolve, run,
                  [&](const Input& input, const Options& options, const Preparation& preparation) {
                    MethodFit fit = steps.map(input, options, run);
                    if constexpr (requires { options.metric; })
                      check_directions(input, options.metric, run, fit.embedding.warnings);
                    return Model({.method = std::string(Options::method_name),
                                  .options = effective_options(option_values(options), fit.chosen),
                                  .n_features = given.columns(),
                                  .embedding = std::move(fit.embedding),
                                  .labels = std::move(fit.labels),
                                  .transformer = preparation.before(std::move(fit.transformer))});
                  });
}

}  // namespace unroll
