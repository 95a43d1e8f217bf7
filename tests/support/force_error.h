#pragma once
#include <cmath>

#include "unroll/core/types.h"

namespace unroll {

/// |a - b| / |b|, of all forces of a map together.
inline double force_error(const Array2<double>& a, const Array2<double>& b) {
  double difference = 0, norm = 0;
  for (Index i = 0; i < a.size(); ++i) {
    difference += std::pow(a.data()[i] - b.data()[i], 2);
    norm += std::pow(b.data()[i], 2);
  }
  return std::sqrt(difference / norm);
}

}  // namespace unroll
