#include "quality/neighborhoods.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/random.h"
#include "core/reported_as.h"
#include "data/feature_scaler.h"
#include "data/validate.h"
#include "neighbors/ranks.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

/// The most frequent label, the smallest of equally frequent ones.
std::int64_t majority(std::vector<std::int64_t>& votes) {
  std::sort(votes.begin(), votes.end());
  std::int64_t winner = 0;
  std::ptrdiff_t most = 0;
  for (auto first = votes.begin(); first != votes.end();) {
    const auto last = std::upper_bound(first, votes.end(), *first);
    if (last - first > most) {
      most = last - first;
      winner = *first;
    }
    first = last;
  }
  return winner;
}

/// The edges from sampled points that do not lead to one of the k nearest: only their ranks count.
NeighborGraph edges_to_rank(const NeighborGraph& graph, const NeighborGraph* nearest,
                            const std::vector<Index>& sample) {
  NeighborGraph result;
  result.offsets.assign(static_cast<std::size_t>(graph.size()) + 1, 0);
  std::vector<Index> seen(static_cast<std::size_t>(graph.size()), -1);
  for (const Index i : sample) {
    if (nearest != nullptr)
      for (const Index j : nearest->neighbors_of(i)) seen[static_cast<std::size_t>(j)] = i;
    for (std::size_t e = 0; e < graph.neighbors_of(i).size(); ++e) {
      const Index j = graph.neighbors_of(i)[e];
      if (seen[static_cast<std::size_t>(j)] == i) continue;
      result.neighbors.push_back(j);
      result.distances.push_back(graph.distances_of(i)[e]);
    }
    result.offsets[static_cast<std::size_t>(i) + 1] = static_cast<Index>(result.neighbors.size());
  }
  for (std::size_t i = 1; i < result.offsets.size(); ++i)
    result.offsets[i] = std::max(result.offsets[i], result.offsets[i - 1]);
  return result;
}

}  // namespace

std::vector<Index> sampled_points(Index n, Index count, const QualityOptions& options) {
  if (n > count) return Random(static_cast<std::uint64_t>(options.random_state), "quality.points").sample(n, count);
  std::vector<Index> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

NeighborOptions high_search(const QualityOptions& options) {
  return {.n_neighbors = options.n_neighbors, .metric = options.metric, .p = options.p};
}

NeighborOptions low_search(const QualityOptions& options) { return {.n_neighbors = options.n_neighbors}; }

void check_neighbors(Index n, const QualityOptions& options) {
  if (options.n_neighbors < n) return;
  throw Error(ErrorKind::InvalidOption,
              fmt::format("n_neighbors={} must be less than the number of points, {}", options.n_neighbors, n),
              "use a smaller n_neighbors");
}

void check_rows(PointsView high, PointsView low, const QualityOptions& options, const Run& run) {
  validate_options(options, QualityOptions::method_name);
  if (high.rows() != low.rows())
    throw Error(ErrorKind::InvalidData,
                fmt::format("there are {} points but coordinates of {}", high.rows(), low.rows()),
                "give one row of coordinates per point");
  check_scaling(options.metric == Metric::Precomputed ? InputKind::Distances : InputKind::Points, options.scale);
  check_points(high, 2, run);
  check_points(low, 2, run);
}

void check_pair(PointsView high, PointsView low, const QualityOptions& options, const Run& run) {
  check_rows(high, low, options, run);
  check_neighbors(high.rows(), options);
}

void check_half(Index n, const QualityOptions& options) {
  if (2 * options.n_neighbors < n) return;
  throw Error(ErrorKind::InvalidOption,
              fmt::format("n_neighbors={} should be less than n_samples / 2 = {}", options.n_neighbors,
                          static_cast<double>(n) / 2),
              "use a smaller n_neighbors");
}

void check_labels(Index n, const std::vector<std::int64_t>& labels) {
  if (static_cast<Index>(labels.size()) == n) return;
  throw Error(ErrorKind::InvalidData, fmt::format("there are {} points but {} labels", n, labels.size()),
              "give one label per point");
}

NeighborhoodMeasure rank_measure(const NeighborGraph& graph, PointsView points, const NeighborOptions& search,
                                 const NeighborGraph* nearest, const QualityOptions& options, const Run& run) {
  const Index n = graph.size(), k = *search.n_neighbors;
  const std::vector<Index> sample = sampled_points(n, options.max_points, options);
  const NeighborGraph strangers = edges_to_rank(graph, nearest, sample);
  const std::vector<Index> ranks = neighbor_ranks(points, strangers, search, run);
  const double worst = static_cast<double>(k) * static_cast<double>(2 * n - 3 * k - 1) / 2;
  NeighborhoodMeasure result{.sample = static_cast<Index>(sample.size())};
  Index total = 0;  // exact, so that the mean does not depend on an order of summation
  double squares = 0;
  for (const Index i : sample) {
    Index penalty = 0;
    for (Index e = strangers.offsets[static_cast<std::size_t>(i)];
         e < strangers.offsets[static_cast<std::size_t>(i + 1)]; ++e)
      penalty += std::max<Index>(0, ranks[static_cast<std::size_t>(e)] - k);
    const double share = static_cast<double>(penalty) / worst;
    if (result.sample == n) result.per_point.push_back(1 - share);
    total += penalty;
    squares += share * share;
  }
  const auto m = static_cast<double>(sample.size());
  const double mean = static_cast<double>(total) / (m * worst);
  // The mean of a sample without replacement has the variance s^2 / m (1 - m / n).
  const double variance =
      m > 1 ? std::max(0.0, squares - m * mean * mean) / (m - 1) / m * (1 - m / static_cast<double>(n)) : 0;
  const double half = kNormal95 * std::sqrt(variance);
  result.value = 1 - mean;
  result.low = std::max(0.0, result.value - half);
  result.high = std::min(1.0, result.value + half);
  return result;
}

NeighborhoodMeasure shared_neighbors(const NeighborGraph& high, const NeighborGraph& low) {
  NeighborhoodMeasure result{.sample = high.size()};
  std::vector<Index> seen(static_cast<std::size_t>(high.size()), -1);
  Index total = 0;
  for (Index i = 0; i < high.size(); ++i) {
    for (const Index j : high.neighbors_of(i)) seen[static_cast<std::size_t>(j)] = i;
    const auto near = low.neighbors_of(i);
    const auto kept =
        std::count_if(near.begin(), near.end(), [&](Index j) { return seen[static_cast<std::size_t>(j)] == i; });
    result.per_point.push_back(static_cast<double>(kept) / static_cast<double>(high.degree(i)));
    total += kept;
  }
  result.value = static_cast<double>(total) / static_cast<double>(high.edges());
  result.low = result.high = result.value;
  return result;
}

double vote_accuracy(const NeighborGraph& graph, const std::vector<std::int64_t>& labels) {
  Index right = 0, known = 0;
  std::vector<std::int64_t> votes;
  for (Index i = 0; i < graph.size(); ++i) {
    const std::int64_t own = labels[static_cast<std::size_t>(i)];
    if (own == kNoLabel) continue;
    ++known;
    votes.clear();
    for (const Index j : graph.neighbors_of(i))
      if (const std::int64_t vote = labels[static_cast<std::size_t>(j)]; vote != kNoLabel) votes.push_back(vote);
    right += !votes.empty() && majority(votes) == own ? 1 : 0;
  }
  return static_cast<double>(right) / static_cast<double>(known);  // NaN where none is known
}

NeighborhoodMeasure trustworthiness(PointsView high, PointsView low, const QualityOptions& options, const Run& run) {
  return reported_as("trustworthiness", [&]() -> NeighborhoodMeasure {
    check_pair(high, low, options, run);
    check_half(high.rows(), options);
    const ScaledPoints scaled(high, options.scale, run);
    return rank_measure(neighbors(low, low_search(options), run).graph, scaled.view(), high_search(options), nullptr,
                        options, run);
  });
}

NeighborhoodMeasure continuity(PointsView high, PointsView low, const QualityOptions& options, const Run& run) {
  return reported_as("continuity", [&]() -> NeighborhoodMeasure {
    check_pair(high, low, options, run);
    check_half(high.rows(), options);
    const ScaledPoints scaled(high, options.scale, run);
    return rank_measure(neighbors(scaled.view(), high_search(options), run).graph, low, low_search(options), nullptr,
                        options, run);
  });
}

NeighborhoodMeasure neighbor_preservation(PointsView high, PointsView low, const QualityOptions& options,
                                          const Run& run) {
  return reported_as("neighbor_preservation", [&]() -> NeighborhoodMeasure {
    check_pair(high, low, options, run);
    const ScaledPoints scaled(high, options.scale, run);
    return shared_neighbors(neighbors(scaled.view(), high_search(options), run).graph,
                            neighbors(low, low_search(options), run).graph);
  });
}

double label_accuracy(PointsView points, const std::vector<std::int64_t>& labels, const QualityOptions& options,
                      const Run& run) {
  return reported_as("label_accuracy", [&]() -> double {
    validate_options(options, "label_accuracy");
    check_points(points, 2, run);
    check_neighbors(points.rows(), options);
    check_labels(points.rows(), labels);
    const ScaledPoints scaled(points, options.scale, run);
    return vote_accuracy(neighbors(scaled.view(), high_search(options), run).graph, labels);
  });
}

}  // namespace unroll
