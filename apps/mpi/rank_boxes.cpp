#include "rank_boxes.h"

#include <limits>

#include "neighbors/row_distance.h"

namespace unroll::cluster {

bool RankBoxes::can_exclude(Metric metric) { return has_unit(metric); }

RankBoxes::RankBoxes(const Ranks& ranks, const RankPoints& own, Metric metric, double scale)
    : metric_(metric), scale_(scale), cols_(own.view().cols()) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<Side> sides(at(cols_), Side{kInfinity, -kInfinity});
  own.view().visit([&](auto x) {
    for (Index i = 0; i < x.rows; ++i)
      for (Index j = 0; j < x.cols; ++j) {
        const double value = scale * static_cast<double>(x(i, j));
        sides[at(j)] = {std::min(sides[at(j)].low, value), std::max(sides[at(j)].high, value)};
      }
  });
  sides_ = ranks.gather(sides).items;
}

}  // namespace unroll::cluster
