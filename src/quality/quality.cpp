#include "unroll/quality/quality.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/reported_as.h"
#include "data/feature_scaler.h"
#include "neighbors/input_neighbors.h"
#include "quality/distance_pairs.h"
#include "quality/neighborhoods.h"

namespace unroll {
namespace {

void add_warnings(std::vector<Warning>& all, const SearchReport& report, std::string_view where) {
  for (Warning warning : report.warnings) {
    warning.message = fmt::format("{}: {}", where, warning.message);
    all.push_back(std::move(warning));
  }
}

/// Runs before the first long computation.
void check_truth(const GroundTruth& known, Index n) {
  if (!known.labels.empty()) check_labels(n, known.labels);
  if (known.coordinates.rows() != 0 && known.coordinates.rows() != n)
    throw Error(ErrorKind::InvalidData,
                fmt::format("there are {} points but true coordinates of {}", n, known.coordinates.rows()),
                "give one row per point");
}

bool asked(const QualityOptions& options, QualityMeasure measure) {
  return options.measures.empty() ||
         std::find(options.measures.begin(), options.measures.end(), measure) != options.measures.end();
}

bool needs_neighbors(const QualityOptions& options) {
  constexpr std::array kOfNeighbors{QualityMeasure::Trustworthiness, QualityMeasure::Continuity,
                                    QualityMeasure::NeighborPreservation};
  return std::any_of(kOfNeighbors.begin(), kOfNeighbors.end(),
                     [&](QualityMeasure measure) { return asked(options, measure); });
}

/// Distances of pairs are computed once for all measures.
void add_distances(Quality& quality, PointsView high, PointsView low, const QualityOptions& options, const Run& run) {
  const bool correlated = asked(options, QualityMeasure::DistanceCorrelation);
  if (!correlated && !asked(options, QualityMeasure::Stress)) return;
  DistancePairs pairs = distance_pairs(high, low, options.max_pairs, options, run);
  if (asked(options, QualityMeasure::Stress)) quality.stress = stress(pairs, run);
  if (correlated) quality.distance_correlation = distance_correlation(std::move(pairs), run);
}

/// A map that has collapsed to a point has no shape: that is a warning, not an error.
void add_procrustes(Quality& quality, PointsView truth, PointsView low, const Run& run) {
  try {
    quality.truth->procrustes = procrustes(truth, low, run);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::InvalidData) throw;
    quality.warnings.push_back(
        {"no-shape", error.what(), "see that neither the true points nor those of the map are all the same"});
  }
}

/// The neighbours of every point in both spaces, if a measure needs them.
struct Graphs {
  NeighborOptions in_high, in_low;
  std::optional<Neighbors> high, low;

  Graphs(PointsView high_points, PointsView low_points, const GroundTruth& known, const QualityOptions& options,
         const Run& run)
      : in_high(high_search(options)), in_low(low_search(options)) {
    const bool both = !known.labels.empty() || asked(options, QualityMeasure::NeighborPreservation);
    Input input(high_points);
    input.neighbors = known.neighbors;
    if (both || asked(options, QualityMeasure::Continuity)) high = input_neighbors(input, in_high, run);
    if (both || asked(options, QualityMeasure::Trustworthiness)) low = neighbors(low_points, in_low, run);
  }

  static const NeighborGraph* exact(const std::optional<Neighbors>& found) {
    return found && found->report.exact ? &found->graph : nullptr;
  }
};

NeighborhoodQuality neighborhood_quality(PointsView high, PointsView low, const Graphs& near,
                                         const QualityOptions& options, const Run& run) {
  NeighborhoodQuality result;
  if (asked(options, QualityMeasure::Trustworthiness))
    result.trustworthiness = rank_measure(near.low->graph, high, near.in_high, Graphs::exact(near.high), options, run);
  if (asked(options, QualityMeasure::Continuity))
    result.continuity = rank_measure(near.high->graph, low, near.in_low, Graphs::exact(near.low), options, run);
  if (asked(options, QualityMeasure::NeighborPreservation))
    result.neighbor_preservation = shared_neighbors(near.high->graph, near.low->graph);
  for (const auto* found : {&near.high, &near.low})
    if (*found) result.recall = std::min(result.recall, (*found)->report.recall);
  if (near.high) add_warnings(result.warnings, near.high->report, "neighbors among the points");
  if (near.low) add_warnings(result.warnings, near.low->report, "neighbors in the embedding");
  return result;
}

}  // namespace

NeighborhoodQuality neighborhood_quality(PointsView high, PointsView low, const QualityOptions& options,
                                         const Run& run) {
  return reported_as("quality", [&]() -> NeighborhoodQuality {
    check_pair(high, low, options, run);
    check_half(high.rows(), options);
    const ScaledPoints scaled(high, options.scale, run);
    const PointsView points = scaled.view();
    return neighborhood_quality(points, low, Graphs(points, low, {}, options, run), options, run);
  });
}

Quality quality(PointsView given, PointsView low, const GroundTruth& known, const QualityOptions& asked_for,
                const Run& run) {
  return reported_as("quality", [&]() -> Quality {
    check_rows(given, low, asked_for, run);
    const ScaledPoints scaled(given, asked_for.scale, run);
    const PointsView high = scaled.view();
    QualityOptions options = asked_for;
    options.scale = Scaling::None;
    if (needs_neighbors(options) || !known.labels.empty()) {
      check_neighbors(high.rows(), options);
      check_half(high.rows(), options);
    }
    check_truth(known, high.rows());
    const Graphs near(high, low, known, options, run);
    Quality result{neighborhood_quality(high, low, near, options, run)};
    if (asked(options, QualityMeasure::CoRanking)) result.co_ranking = co_ranking(high, low, options, run);
    add_distances(result, high, low, options, run);
    if (!known.labels.empty())
      result.labels = {vote_accuracy(near.low->graph, known.labels), vote_accuracy(near.high->graph, known.labels)};
    if (known.coordinates.rows() != 0) {
      QualityOptions plain = options;
      plain.metric = Metric::Euclidean;
      result.truth = {.affine_r2 = affine_r2(low, known.coordinates, run),
                      .distance_correlation = distance_correlation(known.coordinates, low, plain, run)};
      add_procrustes(result, known.coordinates, low, run);
    }
    return result;
  });
}

}  // namespace unroll
