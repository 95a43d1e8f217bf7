#include "graph_summary.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>

#include "core/text.h"
#include "help.h"

namespace unroll::cli {
namespace {

std::vector<std::int64_t> largest_sizes(const std::vector<Index>& of, std::size_t count) {
  std::vector<std::int64_t> sizes(of.begin(), of.end());
  std::sort(sizes.begin(), sizes.end(), std::greater<>());
  sizes.resize(std::min(sizes.size(), count));
  return sizes;
}

std::string degree_text(const GraphSummary& found) {
  const GraphDegrees& degrees = found.degrees;
  if (degrees.low == degrees.high) return fmt::format("{} per point", degrees.low);
  return fmt::format("{} to {} per point, {:.1f} on average", degrees.low, degrees.high, degrees.mean(found.points));
}

std::string search_text(const SearchReport& search) {
  if (search.exact) return fmt::format("{}, exact", name_of(search.algorithm));
  return fmt::format("{}, {:.2f} % of the true neighbors found, by a sample of {} points", name_of(search.algorithm),
                     100 * search.recall, search.recall_sample);
}

std::string component_text(const std::vector<Index>& all_sizes) {
  constexpr std::size_t kShown = 8;
  if (all_sizes.size() == 1) return "1: all points hang together";
  std::vector<std::string> sizes;
  for (const auto size : largest_sizes(all_sizes, kShown)) sizes.push_back(fmt::format("{}", size));
  const bool all = sizes.size() == all_sizes.size();
  return fmt::format("{}, of {}{} points", all_sizes.size(), joined(sizes), all ? "" : ", ...");
}

/// The number of components for those k where it changes.
std::string growth_text(const std::vector<Index>& components_for_k) {
  std::vector<std::string> steps;
  for (std::size_t k = 0; k < components_for_k.size(); ++k)
    if (k == 0 || components_for_k[k] != components_for_k[k - 1])
      steps.push_back(fmt::format("{} at k={}", components_for_k[k], k + 1));
  return joined(steps);
}

}  // namespace

GraphDegrees degrees_of(const NeighborGraph& graph) {
  GraphDegrees result{.low = graph.size() == 0 ? 0 : graph.degree(0), .sum = graph.edges()};
  for (Index i = 0; i < graph.size(); ++i) {
    result.low = std::min(result.low, graph.degree(i));
    result.high = std::max(result.high, graph.degree(i));
  }
  return result;
}

OptionValues graph_values(const GraphSummary& found) {
  constexpr std::size_t kMostSizes = 100;
  OptionValue connecting;
  if (found.connectivity.smallest_connecting_k) connecting = std::int64_t{*found.connectivity.smallest_connecting_k};
  return {
      {"points", std::int64_t{found.points}},
      {"edges", std::int64_t{found.degrees.sum}},
      {"degree_min", std::int64_t{found.degrees.low}},
      {"degree_mean", found.degrees.mean(found.points)},
      {"degree_max", std::int64_t{found.degrees.high}},
      {"algorithm", std::string(name_of(found.search.algorithm))},
      {"exact", found.search.exact},
      {"recall", found.search.recall},
      {"recall_sample", std::int64_t{found.search.recall_sample}},
      {"components", std::int64_t{std::ssize(found.component_sizes)}},
      {"component_sizes", largest_sizes(found.component_sizes, kMostSizes)},
      {"components_for_k", std::vector<std::int64_t>(found.connectivity.components_for_k)},
      {"smallest_connecting_k", connecting},
      {"dimension_maximum_likelihood", found.dimension.maximum_likelihood},
      {"dimension_two_nn", found.dimension.two_nn},
      {"dimension_two_nn_likelihood", found.dimension.two_nn_likelihood},
      {"zero_distances", std::int64_t{found.dimension.zero_distances}},
  };
}

std::string graph_text(const GraphSummary& found, std::size_t width) {
  const auto& growth = found.connectivity;
  const std::string connected = growth.smallest_connecting_k
                                    ? fmt::format("k={}", *growth.smallest_connecting_k)
                                    : fmt::format("more than {} neighbors per point", growth.components_for_k.size());
  return definition_list({{"points", fmt::format("{}", found.points)},
                          {"edges", fmt::format("{}, {}", found.degrees.sum, degree_text(found))},
                          {"search", search_text(found.search)},
                          {"components", component_text(found.component_sizes)},
                          {"components by k", growth_text(growth.components_for_k)},
                          {"connected from", connected},
                          {"dimension", fmt::format("{:.2f} by maximum likelihood, {:.2f} by TwoNN",
                                                    found.dimension.maximum_likelihood, found.dimension.two_nn)}},
                         width);
}

}  // namespace unroll::cli
