#pragma once
#include <vector>

#include "core/owned_points.h"
#include "neighbors/row_distance.h"

namespace unroll {

/// Some rows of a set, copied.
class RowSubset {
 public:
  RowSubset(const MetricRows& from, const std::vector<Index>& chosen);
  RowSubset(const RowSubset&) = delete;
  RowSubset& operator=(const RowSubset&) = delete;

  const MetricRows& rows() const { return rows_; }

 private:
  OwnedPoints values_;
  MetricRows rows_;
};

}  // namespace unroll
