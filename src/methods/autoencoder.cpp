#include "unroll/methods/autoencoder.h"

#include <algorithm>

#include "frame/frame.h"
#include "layout/layout_fit.h"
#include "network/network_fit.h"

namespace unroll {
namespace {

/// Whether all values lie between 0 and 1 after scaling. Points that are reduced have been scaled before.
bool is_probability(const Input& input, Scaling asked, bool is_reduced) {
  const Scaling scale = is_reduced ? Scaling::None : asked;
  if (scale == Scaling::MinMax) return true;
  if (scale == Scaling::Center || scale == Scaling::Standardize) return false;
  return input.full().visit([&](auto x) {
    for (Index i = 0; i < x.rows; ++i)
      for (Index j = 0; j < x.cols; ++j)
        if (!(x(i, j) >= 0 && (x(i, j) <= 1 || scale == Scaling::UnitRows))) return false;
    return true;
  });
}

void resolve(const Input& input, AutoencoderOptions& options) {
  constexpr std::int64_t kFewestUnits = 64, kMostUnits = 500, kFewestRows = 10, kMostRows = 100;
  const std::int64_t first = std::clamp<std::int64_t>(input.columns(), kFewestUnits, kMostUnits);
  if (!options.layers) options.layers = {first, first / 2};
  if (options.layers->empty())
    throw Error(ErrorKind::InvalidOption,
                {.problem = "layers is an empty list", .advice = "give at least one hidden layer", .option = "layers"});
  if (options.visible == VisibleUnits::Auto)
    options.visible =
        is_probability(input, options.scale, options.pca.has_value()) ? VisibleUnits::Binary : VisibleUnits::Gaussian;
  if (!options.batch_size) options.batch_size = std::clamp<std::int64_t>(input.size() / 10, kFewestRows, kMostRows);
  // In wider layers a step of the same length changes sums by more.
  const auto widest = static_cast<double>(*std::max_element(options.layers->begin(), options.layers->end()));
  if (!options.learning_rate) options.learning_rate = std::min(0.01, 0.64 / widest);
  // Few points make few updates per epoch.
  const std::int64_t updates = std::max<std::int64_t>(1, input.size() / *options.batch_size);
  if (!options.epochs) options.epochs = std::clamp<std::int64_t>(5000 / updates, 50, 500);
  if (!options.pretrain_epochs) options.pretrain_epochs = std::clamp<std::int64_t>(400 / updates, 10, 30);
}

MethodFit map(const Input& input, const AutoencoderOptions& options, const Run& run) {
  std::vector<Index> sizes{input.columns()};
  sizes.insert(sizes.end(), options.layers->begin(), options.layers->end());
  sizes.push_back(options.n_components);
  const NetworkShape shape(sizes, options.visible == VisibleUnits::Binary);
  const TrainingPlan plan{.batch = std::min<Index>(*options.batch_size, input.size()),
                          .pretrain_epochs = *options.pretrain_epochs,
                          .pretrain_rate = options.pretrain_rate,
                          .learning_rate = *options.learning_rate,
                          .weight_decay = options.weight_decay,
                          .held_out = options.held_out,
                          .seed = static_cast<std::uint64_t>(options.random_state)};
  plan_network(shape, input.size(), plan, run);
  // 1. The features become visible units, by one scaling for all of them.
  const CenteredPoints z = centered(input.full(), run);
  const UnitMap units = unit_map(z, options.visible, run);
  const Array2<float> visible = visible_units(z, units, run);
  // 2. Each layer of the encoder is trained as a restricted Boltzmann machine on the outputs of the layer before.
  // 3. The encoder is unrolled: the decoder is its mirror image. Back-propagation tunes both.
  NetworkTraining training(shape, visible.view(), units.total, plan,
                           input.resume == nullptr ? nullptr : &resumed_state(*input.resume));
  const auto early = run_layout(training, training.pretraining() + *options.epochs, "autoencoder", run);
  // 4. Coordinates are the codes.
  MethodFit fit = network_fit(training, shape, z, units, plan.seed, run);
  fit.embedding.coordinates = fit.transformer->transform(input.full(), run);
  if (early) fit.embedding.warnings.push_back(*early);
  return fit;
}

}  // namespace

Model autoencoder(const Input& input, const AutoencoderOptions& options, const Run& run) {
  return run_method<AutoencoderOptions>({.resolve = resolve, .map = map}, input, options, run);
}

}  // namespace unroll
