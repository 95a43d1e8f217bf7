#pragma once
#include <span>
#include <vector>

#include "neighbors/cell_search.h"
#include "neighbors/nearest_list.h"
#include "neighbors/row_distance.h"

namespace unroll {

/// Finds the nearest among the candidates of a point, first by estimates in all coordinates of the sketch, then by the
/// true distances of the best of them.
class CandidateJudge {
 public:
  /// `count` neighbours are wanted.
  CandidateJudge(const SketchFloats& points, const LocalBlocks& blocks, const RowDistance& distance, Index count)
      : points_(points), blocks_(blocks), distance_(distance), count_(count), nearest_({count}) {}

  /// The candidates by ascending estimate, at most `most`.
  std::span<const Near> rank(Index place, std::span<const Near> candidates, Index most);
  /// Those that `rank` returned last by ascending distance, at most `count` of them. The distance of a candidate that
  /// cannot be near enough is not computed. If there are fewer than `count` candidates, all points are.
  std::span<const Candidate> judge(Index place);

 private:
  void scan_all(Index place);

  const SketchFloats& points_;
  const LocalBlocks& blocks_;
  const RowDistance& distance_;
  Index count_;
  NearestList nearest_;
  std::vector<Near> ranked_;
};

}  // namespace unroll
