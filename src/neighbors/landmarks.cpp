#include "neighbors/landmarks.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/random.h"
#include "neighbors/farthest_first.h"
#include "neighbors/pair_distance.h"
#include "unroll/core/error.h"
#include "unroll/neighbors/kmeans.h"

namespace unroll {
namespace {

/// Comparing all points with each landmark costs too much, and the farthest of all points are outliers.
constexpr Index kCandidatesPerLandmark = 50;

std::vector<Index> candidates(Index n, Index count, const Random& random) {
  return random.sample(n, std::min(n, kCandidatesPerLandmark * count));
}

/// Copies some rows of the points.
Array2<double> picked(PointsView points, const std::vector<Index>& rows) {
  Array2<double> result = Array2<double>::uninitialized(std::ssize(rows), points.cols());
  points.visit([&](auto x) {
    for (Index i = 0; i < result.rows(); ++i)
      std::transform(x.row(rows[static_cast<std::size_t>(i)]), x.row(rows[static_cast<std::size_t>(i)]) + x.cols,
                     result.row(i), [](auto value) { return static_cast<double>(value); });
  });
  return result;
}

/// The candidate nearest to every center. If two centers share one, another candidate fills the place.
std::vector<Index> nearest_to_centers(PointsView points, const std::vector<Index>& among, Index count,
                                      std::uint64_t seed, const Run& run) {
  const Array2<double> x = picked(points, among);
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

}  // namespace

std::vector<Index> random_landmarks(Index n, Index count, std::uint64_t seed) {
  return Random(seed, "landmarks.random").sample(n, count);
}

std::vector<Index> choose_landmarks(PointsView points, Index count, LandmarkChoice choice,
                                    const NeighborOptions& options, std::uint64_t seed, const Run& run) {
  const Random random(seed, "landmarks");
  if (choice == LandmarkChoice::Random) return random_landmarks(points.rows(), count, seed);
  const std::vector<Index> among = candidates(points.rows(), count, random);
  if (choice == LandmarkChoice::MaxMin) {
    const auto first = static_cast<Index>(random.below(static_cast<std::uint64_t>(among.size()), 0));
    return farthest_first(among, count, first, PairDistance(points, options, run), run);
  }
  if (options.metric == Metric::Precomputed)
    throw Error(ErrorKind::Unsupported, "landmarks=kmeans needs points, not distances",
                "use landmarks=maxmin or landmarks=random");
  return nearest_to_centers(points, among, count, seed, run);
}

void check_landmarks(Index n_landmarks, Index n_components, Index n) {
  if (n_landmarks > n)
    throw Error(ErrorKind::InvalidOption,
                fmt::format("n_landmarks={} must be at most the number of points, {}", n_landmarks, n),
                "use a smaller n_landmarks");
  if (n_landmarks <= n_components)
    throw Error(ErrorKind::InvalidOption,
                fmt::format("n_landmarks={} must be more than n_components={}", n_landmarks, n_components),
                "use a larger n_landmarks");
}

}  // namespace unroll
