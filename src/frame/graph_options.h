#pragma once
#include <fmt/format.h>

#include "affinity/affinity.h"
#include "frame/shared_options.h"

/// Shared treatment of the options that Laplacian eigenmaps, diffusion maps, spectral clustering and the graph
/// quantities have in common.
namespace unroll {

/// The W that the options ask for.
template <class Options>
AffinityOptions affinity_options(const Options& options) {
  return {.graph = options.graph,
          .weights = options.weights,
          .bandwidth = options.bandwidth,
          .sigma = options.sigma,
          .neighbors = neighbor_options(options),
          .policy = {.components = options.components, .symmetrization = options.symmetrization}};
}

/// The W of methods that classify points: those without edges are parts of the graph like others.
template <class Options>
AffinityOptions label_graph_options(const Options& options) {
  AffinityOptions result = affinity_options(options);
  result.policy.can_separate = false;
  result.may_vanish = true;
  return result;
}

/// An option that would have no effect is an error: the user expects one.
template <class Options>
void check_none_ignored(const Options& options) {
  const bool is_given = options.weights == EdgeWeights::Precomputed, is_full = options.graph == GraphKind::Full;
  const bool is_heat = options.weights == EdgeWeights::Heat;
  const bool has_rule = options.bandwidth != Options{}.bandwidth;
  const auto refuse = [](std::string_view option, std::string_view why, std::string_view advice) {
    throw Error(ErrorKind::InvalidOption, {.problem = fmt::format("{} {}", option, why),
                                           .advice = std::string(advice),
                                           .option = std::string(option.substr(0, option.find('=')))});
  };
  const auto refuse_search = [&](const std::string& option) {
    if (is_given) refuse(option, "is for distances, but weights=precomputed brings all edges", "leave it out");
    if (is_full) refuse(option, "is for graph=neighbors, but graph=full joins all points", "leave out one of them");
  };
  if (options.n_neighbors) refuse_search(fmt::format("n_neighbors={}", *options.n_neighbors));
  if (options.radius) refuse_search(fmt::format("radius={:g}", *options.radius));
  if (options.symmetrization != Symmetrization::Union)
    refuse_search(fmt::format("symmetrization={}", name_of(options.symmetrization)));
  if (is_given && options.metric != Metric::Euclidean)
    refuse(fmt::format("metric={}", name_of(options.metric)),
           "is for points or their distances, but weights=precomputed says that the input is a matrix of weights",
           "leave out one of them");
  if (is_given && options.components == ComponentsPolicy::Connect)
    refuse("components=connect", "adds the shortest edges, but given weights have no lengths",
           "use components=keep or components=error");
  if (is_full && options.weights == EdgeWeights::Binary)
    refuse("weights=binary", "with graph=full joins all points alike, whatever the data",
           "use weights=heat or graph=neighbors");
  const std::string bandwidth = fmt::format("bandwidth={}", name_of(options.bandwidth));
  const std::string not_heat = fmt::format("is for weights=heat, not weights={}", name_of(options.weights));
  if (options.sigma && !is_heat) refuse(fmt::format("sigma={:g}", *options.sigma), not_heat, "leave it out");
  if (has_rule && !is_heat) refuse(bandwidth, not_heat, "leave it out");
  if (has_rule && options.sigma)
    refuse(bandwidth, fmt::format("chooses sigma, but sigma={:g} is given", *options.sigma), "leave out one of them");
}

/// Landmarks of a graph: the graph joins these alone.
template <class Options>
void check_landmark_graph(const Input& input, const Options& options) {
  if (!input.has_points())
    throw Error(ErrorKind::Unsupported,
                {.problem = fmt::format("n_landmarks needs points, but the input is {}", name_of(input.kind())),
                 .advice = "leave it out",
                 .option = "n_landmarks"});
  if (input.neighbors != nullptr)
    throw Error(ErrorKind::Unsupported, {.problem = "with n_landmarks neighbors are looked for among the landmarks, "
                                                    "but neighbors came with the input",
                                         .advice = "leave out one of them",
                                         .option = "n_landmarks"});
  Index least = 1;  // clustering may use as many eigenvectors as landmarks
  if constexpr (!requires { options.n_clusters; }) least = options.n_components;
  check_landmarks(*options.n_landmarks, least, input.size());
  if (options.n_neighbors && *options.n_neighbors >= *options.n_landmarks)
    throw Error(
        ErrorKind::InvalidOption,
        {.problem = fmt::format("n_neighbors={} must be less than n_landmarks={}: neighbors are looked for among "
                                "the landmarks",
                                *options.n_neighbors, *options.n_landmarks),
         .advice = "use a smaller n_neighbors, or a larger n_landmarks",
         .option = "n_neighbors"});
}

/// Replaces "choose for me" by the choice, and refuses options that exclude each other.
template <class Options>
void resolve_graph_options(const Input& input, Options& options) {
  check_none_ignored(options);
  Index joined = input.size();  // points of the graph
  if constexpr (requires { options.n_landmarks; }) {
    if (options.n_landmarks) check_landmark_graph(input, options);
    joined = options.n_landmarks.value_or(joined);
  }
  const bool has_graph = options.graph == GraphKind::Neighbors && options.weights != EdgeWeights::Precomputed;
  if (has_graph) resolve_neighbors(joined, input.is_sparse(), options);
}

}  // namespace unroll
