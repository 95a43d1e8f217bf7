#include "unroll/methods/tsne.h"

#include <fmt/format.h>

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

void resolve(const Input& input, TsneOptions& options) {
  resolve_perplexity(input.size(), options.perplexity);
  resolve_layout_start(input, options.init);
  constexpr Index kExactPoints = 2000, kGridDimensions = 2;
  const bool has_grid = options.n_components <= kGridDimensions;
  if (options.gradient == PairForces::Auto)
    options.gradient = input.size() <= kExactPoints ? PairForces::Exact : has_grid ? PairForces::Fft : PairForces::Tree;
  if (options.gradient == PairForces::Fft && !has_grid)
    throw Error(ErrorKind::InvalidOption,
                {.problem = fmt::format("gradient=fft is for one or two dimensions, not for n_components={}",
                                        options.n_components),
                 .advice = "use gradient=tree",
                 .option = "gradient"});
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
  // 2. p(j|i) ~ exp(-beta_i d_ij^2), with beta_i by the perplexity; P = (p(j|i) + p(i|j)) / 2n.
  const auto conditional = conditional_probabilities(near.graph, {.perplexities = *options.perplexity}, run);
  const SparseMatrix p = joint_probabilities(near.graph, conditional, run);
  // 3. A small start, or the place that a model has come to.
  StartedMap start = layout_start(input, p, options, run);
  TsneForces forces{Attraction(p), repulsion(options), options.dof};
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
         return {{"kl_divergence", divergence.first}, {"kl_sample", std::int64_t{divergence.second}}};
       },
       .search = placing_search(input.size(), perplexity, options),
       .nearest = &near.graph,
       .placer = [&](auto map) { return std::make_shared<const TsnePlacer>(std::move(map), perplexity, options.dof); }},
      run);
  add_layout_warnings(near, start, *layout, *options.perplexity, fit);
  return fit;
}

}  // namespace

Index TsneOptions::needed_neighbors(const TsneOptions& options, Index n) {
  return perplexity_neighbors(options.perplexity.value_or(std::vector<double>()), n);
}

Model tsne(const Input& input, const TsneOptions& options, const Run& run) {
  return run_method<TsneOptions>({.resolve = resolve, .map = map}, input, options, run);
}

}  // namespace unroll
