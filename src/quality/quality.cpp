#include "unroll/quality/quality.h"

#include <fmt/format.h>

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

}  // namespace

Quality quality(PointsView high, PointsView low, const GroundTruth& known, const QualityOptions& options,
                const Run& run) {
  check_pair("quality", high, low, options, run);
  check_half("quality", high.rows(), options);
  check_truth(known, high.rows());
  const NeighborOptions in_high = high_search(options), in_low = low_search(options);
  const Neighbors near_high = neighbors(high, in_high, run), near_low = neighbors(low, in_low, run);

  Quality result;
  add_warnings(result.warnings, near_high.report, "neighbors among the points");
  add_warnings(result.warnings, near_low.report, "neighbors in the embedding");
  result.trustworthiness = rank_measure(near_low.graph, high, in_high, run);
  result.continuity = rank_measure(near_high.graph, low, in_low, run);
  result.neighbor_preservation = shared_neighbors(near_high.graph, near_low.graph);
  result.distance_correlation = distance_correlation(high, low, options, run);
  if (!known.labels.empty())
    result.labels = {vote_accuracy(near_low.graph, known.labels), vote_accuracy(near_high.graph, known.labels)};
  if (known.coordinates.rows() != 0) {
    QualityOptions plain = options;
    plain.metric = Metric::Euclidean;
    result.truth = {affine_r2(low, known.coordinates, run), procrustes(known.coordinates, low, run),
                    distance_correlation(known.coordinates, low, plain, run)};
  }
  return result;
}

}  // namespace unroll
