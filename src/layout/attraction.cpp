#include "layout/attraction.h"

#include <cmath>
#include <limits>

#include "core/at.h"
#include "core/parallel.h"
#include "simd/kernels.h"
#include "unroll/core/error.h"

namespace unroll {

Attraction::Attraction(const SparseMatrix& p) : offsets_(p.offsets) {
  if (p.rows > std::numeric_limits<std::int32_t>::max())
    throw Error(ErrorKind::Unsupported, "a map of more than 2^31 points is not possible", "use fewer points");
  columns_.reserve(p.columns.size());
  values_.reserve(p.values.size());
  for (std::size_t e = 0; e < p.columns.size(); ++e) {
    columns_.push_back(static_cast<std::int32_t>(p.columns[e]));
    values_.push_back(static_cast<float>(p.values[e]));
    total_ += p.values[e];
    if (p.values[e] > 0) entropy_ += p.values[e] * std::log(p.values[e]);
  }
}

void Attraction::add(const Array2<double>& map, double dof, Index begin, Index end, double* force) const {
  const auto& kernels = simd::kernels().layouts;
  for (Index i = begin; i < end; ++i) {
    const Index first = offsets_[at(i)];
    kernels.attract(values_.data() + first, columns_.data() + first, offsets_[at(i) + 1] - first, map.data(),
                    map.cols(), map.row(i), 1 / dof, force + (i - begin) * map.cols());
  }
}

template <class Measure>
double Attraction::sum_over_pairs(const Array2<double>& map, const Run& run, Measure&& measure) const {
  constexpr Index kRows = 512;
  return parallel_reduce(
      run, size(), kRows, 0.0,
      [&](Index begin, Index end) {
        double part = 0;
        for (Index i = begin; i < end; ++i)
          for (Index e = offsets_[at(i)]; e < offsets_[at(i) + 1]; ++e) {
            double squared = 0;
            for (Index d = 0; d < map.cols(); ++d) {
              const double difference = map(i, d) - map(columns_[at(e)], d);
              squared += difference * difference;
            }
            part += static_cast<double>(values_[at(e)]) * measure(squared);
          }
        return part;
      },
      [](double a, double b) { return a + b; });
}

double Attraction::squares(const Array2<double>& map, const Run& run) const {
  return sum_over_pairs(map, run, [](double squared) { return squared; });
}

double Attraction::divergence(const Array2<double>& map, double dof, double z, const Run& run) const {
  const double spread = sum_over_pairs(map, run, [dof](double squared) { return std::log1p(squared / dof); });
  return entropy_ + (dof + 1) / 2 * spread + total_ * std::log(z);
}

}  // namespace unroll
