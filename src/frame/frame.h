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

/// validate options -> check input -> resolve -> scale -> the method's steps -> model. Errors have the method's name.
template <class Options>
Model run_method(const MethodSteps<Options>& steps, const Input& given, const Options& asked, const Run& run) {
  return reported_as(Options::method_name, [&] {
    validate_options(asked, Options::method_name);
    Options options = asked;
    Input input = checked_input(given, options, steps.min_points, run);
    steps.resolve(input, options);
    const Index columns = input.columns();
    const ScaledPoints scaled(input.is_sparse() ? PointsView() : input.full(), options.scale, run);
    if (options.scale != Scaling::None) input.data = scaled.view();
    MethodFit fit = steps.map(input, options, run);
    return Model({.method = std::string(Options::method_name),
                  .options = effective_options(option_values(options), fit.chosen),
                  .n_features = columns,
                  .embedding = std::move(fit.embedding),
                  .labels = std::move(fit.labels),
                  .transformer = with_scaling(scaled.scaler(), std::move(fit.transformer))});
  });
}

}  // namespace unroll
