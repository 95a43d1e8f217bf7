#pragma once
#include <utility>

#include "affinity/checked_input.h"
#include "core/method_fit.h"
#include "core/reported_as.h"
#include "data/feature_scaler.h"
#include "unroll/core/model.h"

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
  Index min_points = 2;
};

/// A model's options with those that the fit decided.
OptionValues effective_options(OptionValues options, const OptionValues& chosen);

/// validate options -> check input -> resolve -> scale -> work(input, options, scaler). Errors have the method's name.
template <class Options, class Resolve, class Work>
auto in_frame(const Input& given, const Options& asked, Index min_points, Resolve&& resolve, const Run& run,
              Work&& work) {
  return reported_as(Options::method_name, [&] {
    validate_options(asked, Options::method_name);
    Options options = asked;
    Input input = checked_input(given, options, min_points, run);
    resolve(input, options);
    const ScaledPoints scaled(input.is_sparse() ? PointsView() : input.full(), options.scale, run);
    if (options.scale != Scaling::None) input.data = scaled.view();
    return work(input, options, scaled.scaler());
  });
}

/// The frame around a method's steps: its result is a model.
template <class Options>
Model run_method(const MethodSteps<Options>& steps, const Input& given, const Options& asked, const Run& run) {
  return in_frame(given, asked, steps.min_points, steps.resolve, run,
                  [&](const Input& input, const Options& options, const FeatureScaler& scaler) {
                    MethodFit fit = steps.map(input, options, run);
                    return Model({.method = std::string(Options::method_name),
                                  .options = effective_options(option_values(options), fit.chosen),
                                  .n_features = input.columns(),
                                  .embedding = std::move(fit.embedding),
                                  .labels = std::move(fit.labels),
                                  .transformer = with_scaling(scaler, std::move(fit.transformer))});
                  });
}

}  // namespace unroll
