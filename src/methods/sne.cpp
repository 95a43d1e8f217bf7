#include "unroll/methods/sne.h"

#include <algorithm>
#include <cmath>

#include "affinity/perplexity.h"
#include "frame/frame.h"
#include "frame/layout_options.h"
#include "layout/layout_fit.h"
#include "layout/sne_layout.h"

namespace unroll {
namespace {

void resolve(const Input& input, SneOptions& options) {
  constexpr Index kExactPoints = 500;
  resolve_perplexity(input.size(), options.perplexity);
  resolve_layout_start(input, options.init);
  resolve_pair_forces(input.size(), options.n_components, kExactPoints, PairForces::Exact, options.gradient);
  if (options.gradient == PairForces::Tree)
    throw Error(ErrorKind::InvalidOption, {.problem = "gradient=tree is not for sne: Gaussians have no far field",
                                           .advice = "use gradient=exact, or fft in one or two dimensions",
                                           .option = "gradient"});
}

/// The mean over the points of the sum of p(j|i) log p(j|i).
double mean_entropy(const std::vector<double>& conditional, Index n) {
  double sum = 0;
  for (const double p : conditional) sum += p > 0 ? p * std::log(p) : 0;
  return sum / static_cast<double>(n);
}

MethodFit map(const Input& input, const SneOptions& options, const Run& run) {
  constexpr double kPlacingPerplexity = 5;
  const Index n = input.size(), k = SneOptions::needed_neighbors(options, n);
  plan_layout(n, k, options.n_components, run);
  // 1. The nearest neighbours of every point: further ones would have affinities near 0.
  const Neighbors near = layout_neighbors(input, k, options, run);
  // 2. p(j|i) ~ exp(-beta_i d_ij^2), with beta_i by the perplexity.
  const auto conditional = conditional_probabilities(near.graph, {.perplexities = *options.perplexity}, run);
  const SparseMatrix p = joint_probabilities(near.graph, conditional, run);
  // 3. A small start, or the place that a model has come to.
  StartedMap start = layout_start(input, p, options, run);
  SneForces forces{Attraction(p), mean_entropy(conditional, n),
                   options.gradient == PairForces::Fft ? grid_gauss_repulsion() : exact_gauss_repulsion()};
  const DescentSchedule schedule{
      .early_iterations = 0, .learning_rate = options.learning_rate, .tolerance = options.tol};
  const auto layout = input.resume == nullptr
                          ? std::make_unique<SneLayout>(std::move(forces), std::move(start.coordinates), schedule)
                          : std::make_unique<SneLayout>(std::move(forces), input.resume->coordinates(),
                                                        resumed_state(*input.resume), schedule);
  // 4. Descend the sum of KL(P_i || Q_i), q(j|i) ~ exp(-|y_i - y_j|^2).
  const double perplexity = std::min(kPlacingPerplexity, options.perplexity->front());
  MethodFit fit =
      layout_fit(*layout, input,
                 {.iterations = options.n_iter,
                  .stage = "SNE",
                  .report = [&](const Array2<double>&) -> Attributes {
                    return {{"kl_divergence", layout->divergence(run)}, {"recall", near.report.recall}};
                  },
                  .search = placing_search(n, perplexity, options),
                  .nearest = &near.graph,
                  .placer = [&](auto map) { return std::make_shared<const SnePlacer>(std::move(map), perplexity); }},
                 run);
  add_layout_warnings(near, start, *layout, *options.perplexity, fit);
  return fit;
}

}  // namespace

Index SneOptions::needed_neighbors(const SneOptions& options, Index n) {
  return perplexity_neighbors(options.perplexity.value_or(std::vector<double>()), n);
}

Model sne(const Input& input, const SneOptions& options, const Run& run) {
  return run_method<SneOptions>({.resolve = resolve, .map = map}, input, options, run);
}

}  // namespace unroll
