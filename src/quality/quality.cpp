#include "unroll/quality/quality.h"

#include <fmt/format.h>

#include <algorithm>

#include "quality/neighborhoods.h"

namespace unroll {
namespace {

void add_warnings(std::vector<Warning>& all, const SearchReport& report, std::string_view where) {
  for (Warning warning : report.warnings) {
    warning.message = fmt::format("{}: {}", where, warning.message);
    all.push_back(std::move(warning));
  }
}

/// Before the first long computation, not after it.
void check_truth(const GroundTruth& known, Index n) {
  if (!known.labels.empty()) check_labels("quality", n, known.labels);
  if (known.coordinates.rows() != 0 && known.coordinates.rows() != n)
    throw Error(ErrorKind::InvalidData,
                fmt::format("quality: there are {} points but true coordinates of {}; give one row per point", n,
                            known.coordinates.rows()));
}

bool asked(const QualityOptions& options, QualityMeasure measure) {
  return std::find(options.measures.begin(), options.measures.end(), measure) != options.measures.end();
}

/// The neighbours of every point in both spaces, as far as something asks for them.
struct Graphs {
  NeighborOptions in_high, in_low;
  std::optional<Neighbors> high, low;

  Graphs(PointsView high_points, PointsView low_points, const QualityOptions& options, bool for_labels, const Run& run)
      : in_high(high_search(options)), in_low(low_search(options)) {
    const bool both = for_labels || asked(options, QualityMeasure::NeighborPreservation);
    if (both || asked(options, QualityMeasure::Continuity)) high = neighbors(high_points, in_high, run);
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
  if (near.high) add_warnings(result.warnings, near.high->report, "neighbors among the points");
  if (near.low) add_warnings(result.warnings, near.low->report, "neighbors in the embedding");
  return result;
}

}  // namespace

NeighborhoodQuality neighborhood_quality(PointsView high, PointsView low, const QualityOptions& options,
                                         const Run& run) {
  check_pair("quality", high, low, options, run);
  check_half("quality", high.rows(), options);
  return neighborhood_quality(high, low, Graphs(high, low, options, false, run), options, run);
}

Quality quality(PointsView high, PointsView low, const GroundTruth& known, const QualityOptions& options,
                const Run& run) {
  check_pair("quality", high, low, options, run);
  check_half("quality", high.rows(), options);
  check_truth(known, high.rows());
  const Graphs near(high, low, options, !known.labels.empty(), run);
  Quality result{neighborhood_quality(high, low, near, options, run)};
  if (asked(options, QualityMeasure::DistanceCorrelation))
    result.distance_correlation = distance_correlation(high, low, options, run);
  if (!known.labels.empty())
    result.labels = {vote_accuracy(near.low->graph, known.labels), vote_accuracy(near.high->graph, known.labels)};
  if (known.coordinates.rows() != 0) {
    QualityOptions plain = options;
    plain.metric = Metric::Euclidean;
    result.truth = {affine_r2(low, known.coordinates, run), procrustes(known.coordinates, low, run),
                    distance_correlation(known.coordinates, low, plain, run)};
  }
  return result;
}

}  // namespace unroll
