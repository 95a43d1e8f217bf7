#include "unroll/methods/tsne.h"

#include <algorithm>

#include "affinity/perplexity.h"
#include "frame/frame.h"
#include "frame/layout_options.h"
#include "layout/grid_repulsion.h"
#include "layout/layout_fit.h"
#include "layout/tsne_layout.h"
#include "layout/tsne_placer.h"
#include "neighbors/input_neighbors.h"

namespace unroll {
namespace {

const PerplexityRule& rule_of(const TsneOptions& options) {
  return options.affinity == NeighborAffinity::Uniform ? kUniformRule : kGaussianRule;
}

void resolve(const Input& input, TsneOptions& options) {
  constexpr Index kExactPoints = 2000;
  resolve_perplexity(input.size(), options.perplexity, rule_of(options));
  resolve_layout_start(input, options.init);
  resolve_pair_forces(input.size(), options.n_components, kExactPoints, PairForces::Tree, options.gradient);
  if (options.affinity == NeighborAffinity::Uniform && options.perplexity->size() > 1)
    throw Error(ErrorKind::InvalidOption, {.problem = "affinity=uniform has one perplexity, but several came",
                                           .advice = "give one, or use affinity=gaussian",
                                           .option = "perplexity"});
}

std::unique_ptr<Repulsion> repulsion(const TsneOptions& options) {
  if (options.gradient == PairForces::Fft) return grid_repulsion(options.dof);
  return options.gradient == PairForces::Tree ? tree_repulsion(options.dof) : exact_repulsion(options.dof);
}

DescentSchedule schedule(const TsneOptions& options) {
  return {.early_iterations = options.early_exaggeration_iter,
          .early_exaggeration = options.early_exaggeration,
          .late_exaggeration = options.late_exaggeration,
          .learning_rate = options.learning_rate,
          .tolerance = options.tol};
}

MethodFit map(const Input& input, const TsneOptions& options, const Run& run) {
  constexpr Index kExactDivergence = 20'000;
  constexpr double kPlacingPerplexity = 5;
  const Index k = TsneOptions::needed_neighbors(options, input.size());
  plan_layout(input.size(), k, options.n_components, run);
  // 1. The nearest neighbours of every point: further ones would have affinities near 0.
  const Neighbors near = layout_neighbors(input, k, options, run);
  // 2. p(j|i) ~ exp(-beta_i d_ij^2), with beta_i by the perplexity, or all the same; P = (p(j|i) + p(i|j)) / 2n.
  const AffinityRule affinity{*options.perplexity, options.affinity == NeighborAffinity::Uniform};
  const auto conditional = conditional_probabilities(near.graph, affinity, run);
  const SparseMatrix p = joint_probabilities(near.graph, conditional, run);
  // 3. A small start, or the place that a model has come to.
  StartedMap start = layout_start(input, p, options, run);
  TsneForces forces{Attraction(p), repulsion(options), options.dof, options.gradient == PairForces::Exact};
  const auto layout =
      input.resume == nullptr
          ? std::make_unique<TsneLayout>(std::move(forces), std::move(start.coordinates), schedule(options))
          : std::make_unique<TsneLayout>(std::move(forces), input.resume->coordinates(), resumed_state(*input.resume),
                                         schedule(options));
  // 4. Descend KL(P || Q), q_ij ~ w_ij^((dof + 1) / 2), w_ij = 1 / (1 + |y_i - y_j|^2 / dof).
  const double perplexity = std::min(kPlacingPerplexity, options.perplexity->front());
  MethodFit fit = layout_fit(
      *layout, input,
      {.iterations = options.n_iter,
       .stage = "t-SNE",
       .report = [&](const Array2<double>&) -> Attributes {
         const auto divergence = layout->divergence(kExactDivergence, run);
         return {{"kl_divergence", divergence.first},
                 {"kl_sample", std::int64_t{divergence.second}},
                 {"recall", near.report.recall}};
       },
       .search = placing_search(input.size(), perplexity, options),
       .nearest = &near.graph,
       .placer = [&](auto map) { return std::make_shared<const TsnePlacer>(std::move(map), perplexity, options.dof); }},
      run);
  add_layout_warnings(near, start, *layout, *options.perplexity, fit, rule_of(options));
  return fit;
}

}  // namespace

Index TsneOptions::needed_neighbors(const TsneOptions& options, Index n) {
  return perplexity_neighbors(options.perplexity.value_or(std::vector<double>()), n, rule_of(options));
}

Model tsne(const Input& input, const TsneOptions& options, const Run& run) {
  return run_method<TsneOptions>({.resolve = resolve, .map = map}, input, options, run);
}

}  // namespace unroll
