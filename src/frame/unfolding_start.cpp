#include "frame/unfolding_start.h"

#include <algorithm>
#include <cmath>

#include "core/at.h"
#include "core/random.h"
#include "neighbors/geodesics.h"
#include "neighbors/landmarks.h"
#include "sources/landmark_embedding.h"
#include "spectral/embedding.h"

namespace unroll {
namespace {

constexpr Index kMoreColumns = 8;
constexpr Index kUnfoldingLandmarks = 100;

/// Classical scaling of the path lengths from landmarks, for a connected graph.
void put_geodesic_map(const NeighborGraph& part, const std::vector<Index>& points, std::uint64_t seed,
                      Array2<double>& map, const Run& run) {
  const Index n = std::ssize(points), count = std::min(map.cols(), n - 1);
  if (count == 0) return;
  const std::vector<Index> landmarks =
      random_landmarks(n, std::min(n, std::max(kUnfoldingLandmarks, 2 * map.cols())), seed);
  const Array2<double> lengths = geodesic_distances<double>(part, landmarks, run);
  const Array2<double> own =
      embed_by_landmarks(
          recipe(SpectralMethod::Isomap), lengths, 1, landmarks,
          SpectralSettings{.n_components = std::min<Index>(count, std::ssize(landmarks) - 1), .seed = seed}, run)
          .fit.coordinates;
  for (Index i = 0; i < n; ++i) std::copy_n(own.row(i), own.cols(), map.row(points[at(i)]));
}

/// The columns of the start, as many as the factor has; further ones are 0.
Array2<double> widened(const Array2<double>& first, Index rank) {
  Array2<double> map(first.rows(), rank);
  for (Index i = 0; i < map.rows(); ++i) std::copy_n(first.row(i), std::min(rank, first.cols()), map.row(i));
  return map;
}

/// Scales the map so that its distances are most like those of the pairs. False if the map has no extent.
bool fit_size(const NeighborPairs& pairs, Array2<double>& map) {
  double largest = 0;
  for (Index i = 0; i < map.size(); ++i) largest = std::max(largest, std::abs(map.data()[i]));
  if (!(largest > 0)) return false;
  for (Index i = 0; i < map.size(); ++i) map.data()[i] /= largest;  // any unit: squares must be in range
  double product = 0, squares = 0;
  for (Index e = 0; e < pairs.size(); ++e) {
    const double *a = map.row(pairs.first[at(e)]), *b = map.row(pairs.second[at(e)]);
    double r = 0;
    for (Index d = 0; d < map.cols(); ++d) r += (a[d] - b[d]) * (a[d] - b[d]);
    product += std::sqrt(r) * pairs.distances[at(e)], squares += r;
  }
  const double factor = product > 0 && squares > 0 ? product / squares : 1;
  for (Index i = 0; i < map.size(); ++i) map.data()[i] *= factor;
  return squares > 0;
}

/// Gives columns without extent small random numbers, or the map would never use them.
void spread_flat_columns(double deviation, std::uint64_t seed, Array2<double>& map) {
  constexpr double kFlat = 1e-6;  // of the deviation
  const Random random(seed, "mvu.columns");
  for (Index d = 0; d < map.cols(); ++d) {
    double least = map(0, d), most = least;
    for (Index i = 0; i < map.rows(); ++i) least = std::min(least, map(i, d)), most = std::max(most, map(i, d));
    if (most - least > kFlat * deviation) continue;
    for (Index i = 0; i < map.rows(); ++i)
      map(i, d) = deviation * random.normal(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(d));
  }
}

/// A start that the caller gave.
Array2<double> map_given(const Input& input, Index n_components) {
  Array2<double> map(input.size(), n_components);
  input.init->visit([&](auto from) {
    for (Index i = 0; i < map.rows(); ++i)
      for (Index d = 0; d < n_components; ++d) map(i, d) = static_cast<double>(from(i, d));
  });
  return map;
}

/// Of any unit: only its shape counts.
void fit_start(const NeighborPairs& pairs, Index rank, double deviation, std::uint64_t seed, StartedMap& start) {
  start.coordinates = widened(start.coordinates, rank);
  if (!fit_size(pairs, start.coordinates)) {
    start.coordinates = random_start(start.coordinates.rows(), rank, seed);
    fit_size(pairs, start.coordinates);
    start.warnings.push_back({"random-start",
                              "neighbors lie at the same place in the start, so the map starts at random",
                              "give another start"});
  }
  spread_flat_columns(deviation, seed, start.coordinates);
}

double mean_distance(const NeighborPairs& pairs) {
  double sum = 0;
  for (const double distance : pairs.distances) sum += distance;
  return pairs.size() > 0 ? sum / static_cast<double>(pairs.size()) : 0;
}

}  // namespace

Index starting_rank(Index n_components, Index points) {
  return std::max(n_components, std::min(n_components + kMoreColumns, points - 1));
}

StartedMap unfolding_start(const Input& input, const PathGraph& graph, const NeighborPairs& pairs, LayoutStart init,
                           Index n_components, std::uint64_t seed, const Run& run) {
  constexpr double kNudge = 1e-2;  // of the mean distance
  const Index n = input.size(), rank = starting_rank(n_components, n);
  const double deviation = kNudge * mean_distance(pairs);
  StartedMap start;
  if (init == LayoutStart::Given || init == LayoutStart::Pca) {
    start = init == LayoutStart::Pca ? pca_start(input.full(), rank, seed, run)
                                     : StartedMap{map_given(input, n_components)};
    fit_start(pairs, rank, deviation, seed, start);
    return start;
  }
  if (init == LayoutStart::Random || init == LayoutStart::Spectral) {
    SparseMatrix weights = to_sparse(graph.joined.graph);
    std::fill(weights.values.begin(), weights.values.end(), 1.0);
    start = init == LayoutStart::Spectral ? spectral_start(weights, rank, seed, run)
                                          : StartedMap{random_start(n, rank, seed)};
    fit_size(pairs, start.coordinates);
    return start;
  }
  start.coordinates = Array2<double>(n, rank);
  const std::vector<std::vector<Index>> members = ComponentPoints(graph.joined.components).members;
  for (const std::vector<Index>& points : members)
    put_geodesic_map(members.size() == 1 ? graph.joined.graph : subgraph(graph.joined.graph, points), points, seed,
                     start.coordinates, run);
  return start;
}

}  // namespace unroll
