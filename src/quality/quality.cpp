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

/// The neighbours of every point in both spaces.
struct Graphs {
  NeighborOptions in_high, in_low;
  Neighbors high, low;

  Graphs(PointsView high_points, PointsView low_points, const QualityOptions& options, const Run& run)
      : in_high(high_search(options)),
        in_low(low_search(options)),
        high(neighbors(high_points, in_high, run)),
        low(neighbors(low_points, in_low, run)) {}
};

NeighborhoodQuality neighborhood_quality(PointsView high, PointsView low, const Graphs& near, const Run& run) {
  NeighborhoodQuality result{rank_measure(near.low.graph, high, near.in_high, run),
                             rank_measure(near.high.graph, low, near.in_low, run),
                             shared_neighbors(near.high.graph, near.low.graph)};
  add_warnings(result.warnings, near.high.report, "neighbors among the points");
  add_warnings(result.warnings, near.low.report, "neighbors in the embedding");
  return result;
}

}  // namespace

NeighborhoodQuality neighborhood_quality(PointsView high, PointsView low, const QualityOptions& options,
                                         const Run& run) {
  check_pair("quality", high, low, options, run);
  check_half("quality", high.rows(), options);
  return neighborhood_quality(high, low, Graphs(high, low, options, run), run);
}

Quality quality(PointsView high, PointsView low, const GroundTruth& known, const QualityOptions& options,
                const Run& run) {
  check_pair("quality", high, low, options, run);
  check_half("quality", high.rows(), options);
  check_truth(known, high.rows());
  const Graphs near(high, low, options, run);
  Quality result{neighborhood_quality(high, low, near, run), distance_correlation(high, low, options, run)};
  if (!known.labels.empty())
    result.labels = {vote_accuracy(near.low.graph, known.labels), vote_accuracy(near.high.graph, known.labels)};
  if (known.coordinates.rows() != 0) {
    QualityOptions plain = options;
    plain.metric = Metric::Euclidean;
    result.truth = {affine_r2(low, known.coordinates, run), procrustes(known.coordinates, low, run),
                    distance_correlation(known.coordinates, low, plain, run)};
  }
  return result;
}

}  // namespace unroll
