#pragma once
#include <variant>
#include <vector>

#include "neighbors/row_distance.h"

namespace unroll {

/// Some rows of a set, copied.
class PickedRows {
 public:
  PickedRows(const MetricRows& from, const std::vector<Index>& chosen);
  PickedRows(const PickedRows&) = delete;
  PickedRows& operator=(const PickedRows&) = delete;

  const MetricRows& rows() const { return rows_; }

 private:
  std::variant<Array2<float>, Array2<double>> values_;
  MetricRows rows_;
};

}  // namespace unroll
