#include "neighbors/landmarks.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/matrix_copies.h"
#include "core/random.h"
#include "neighbors/farthest_first.h"
#include "neighbors/pair_distance.h"
#include "unroll/core/error.h"
#include "unroll/neighbors/kmeans.h"

namespace unroll {
namespace {

/// Comparing all points with each landmark costs too much, and the farthest of all points are outliers.
constexpr Index kCandidatesPerLandmark = 50;

Random landmark_random(std::uint64_t seed) { return {seed, "landmarks"}; }

/// The candidate nearest to every center. If two centers share one, another candidate fills the place.
std::vector<Index> nearest_to_centers(PointsView points, const std::vector<Index>& among, Index count,
                                      std::uint64_t seed, const Run& run) {
  const Array2<double> x = picked(points, among, {});
  const KMeans clusters = kmeans(
      x, {.n_clusters = count, .n_init = 1, .max_iter = 20, .random_state = static_cast<std::int64_t>(seed)}, run);
  const std::vector<Index> places = nearest_centers(clusters.centers, x, run);
  std::vector<bool> taken(among.size());
  std::vector<Index> chosen;
  const auto take = [&](Index place) {
    if (taken[static_cast<std::size_t>(place)]) return;
    taken[static_cast<std::size_t>(place)] = true;
    chosen.push_back(among[static_cast<std::size_t>(place)]);
  };
  for (const Index place : places) take(place);
  for (Index place = 0; std::ssize(chosen) < count; ++place) take(place);
  return chosen;
}

/// `choice` is not Random.
std::vector<Index> chosen_among(PointsView points, const std::vector<Index>& among, Index count, LandmarkChoice choice,
                                const NeighborOptions& options, std::uint64_t seed, const Run& run) {
  if (choice == LandmarkChoice::MaxMin) {
    const auto first = static_cast<Index>(landmark_random(seed).below(static_cast<std::uint64_t>(among.size()), 0));
    return farthest_first(among, count, first, PairDistance(points, options, run), run);
  }
  if (options.metric == Metric::Precomputed || points.is_sparse())
    throw Error(ErrorKind::Unsupported, {.problem = fmt::format("landmarks=kmeans needs points, not {}",
                                                                points.is_sparse() ? "sparse ones" : "distances"),
                                         .advice = "use landmarks=maxmin or landmarks=random",
                                         .option = "landmarks"});
  return nearest_to_centers(points, among, count, seed, run);
}

}  // namespace

std::vector<Index> random_landmarks(Index n, Index count, std::uint64_t seed) {
  return Random(seed, "landmarks.random").sample(n, count);
}

std::vector<Index> landmark_candidates(Index n, Index count, LandmarkChoice choice, std::uint64_t seed) {
  if (choice == LandmarkChoice::Random) return random_landmarks(n, count, seed);
  return landmark_random(seed).sample(n, std::min(n, kCandidatesPerLandmark * count));
}

std::vector<Index> choose_among_candidates(PointsView candidates, Index count, LandmarkChoice choice,
                                           const NeighborOptions& options, std::uint64_t seed, const Run& run) {
  std::vector<Index> all(static_cast<std::size_t>(candidates.rows()));
  std::iota(all.begin(), all.end(), Index{0});
  return choice == LandmarkChoice::Random ? all : chosen_among(candidates, all, count, choice, options, seed, run);
}

std::vector<Index> choose_landmarks(PointsView points, Index count, LandmarkChoice choice,
                                    const NeighborOptions& options, std::uint64_t seed, const Run& run) {
  const std::vector<Index> among = landmark_candidates(points.rows(), count, choice, seed);
  return choice == LandmarkChoice::Random ? among : chosen_among(points, among, count, choice, options, seed, run);
}

void check_landmarks(Index n_landmarks, Index n_components, Index n) {
  const auto refuse = [&](std::string must_be, std::string advice) {
    throw Error(ErrorKind::InvalidOption, {.problem = fmt::format("n_landmarks={} must be {}", n_landmarks, must_be),
                                           .advice = std::move(advice),
                                           .option = "n_landmarks"});
  };
  if (n_landmarks > n) refuse(fmt::format("at most the number of points, {}", n), "use a smaller n_landmarks");
  if (n_landmarks <= n_components)
    refuse(fmt::format("more than n_components={}", n_components), "use a larger n_landmarks");
}

}  // namespace unroll
