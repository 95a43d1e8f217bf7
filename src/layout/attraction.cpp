#include "layout/attraction.h"

#include <cmath>
#include <limits>

#include "core/at.h"
#include "core/parallel.h"
#include "simd/kernels.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

constexpr Index kEdgeRows = 512;

}  // namespace

Attraction::Attraction(const SparseMatrix& p) : offsets_(at(p.rows + 1)) {
  if (p.rows > std::numeric_limits<std::int32_t>::max())
    throw Error(ErrorKind::Unsupported, "a map of more than 2^31 - 1 points is not possible", "use fewer points");
  for (Index i = 0; i < p.rows; ++i)
    offsets_[at(i) + 1] =
        offsets_[at(i)] + block_count(p.offsets[at(i) + 1] - p.offsets[at(i)], simd::kEdgeGroup) * simd::kEdgeGroup;
  columns_.resize(at(offsets_.back()));
  values_.resize(at(offsets_.back()));
  for (Index i = 0; i < p.rows; ++i) {
    Index to = offsets_[at(i)];
    for (Index e = p.offsets[at(i)]; e < p.offsets[at(i) + 1]; ++e, ++to) {
      const double value = p.values[at(e)];
      columns_[at(to)] = static_cast<std::int32_t>(p.columns[at(e)]);
      values_[at(to)] = static_cast<float>(value);
      total_ += value;
      if (value > 0) entropy_ += value * std::log(value);
    }
    for (; to < offsets_[at(i) + 1]; ++to) columns_[at(to)] = static_cast<std::int32_t>(i);
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

void Attraction::add(const Array2<float>& map, Index dims, double dof, Index begin, Index end, double* force) const {
  simd::kernels().edges.pull(edges(), map.data(), dims, static_cast<float>(1 / dof), begin, end, force);
}

Array2<float> Attraction::rounded(const Array2<double>& map) {
  Array2<float> result(map.rows(), simd::edge_stride(map.cols()));
  for (Index i = 0; i < map.rows(); ++i)
    for (Index d = 0; d < map.cols(); ++d) result(i, d) = static_cast<float>(map(i, d));
  return result;
}

double Attraction::squares(const Array2<double>& map, const Run& run) const {
  return parallel_reduce(
      run, size(), kEdgeRows, 0.0,
      [&](Index begin, Index end) {
        double part = 0;
        for (Index i = begin; i < end; ++i)
          for (Index e = offsets_[at(i)]; e < offsets_[at(i) + 1]; ++e) {
            double squared = 0;
            for (Index d = 0; d < map.cols(); ++d) {
              const double difference = map(i, d) - map(columns_[at(e)], d);
              squared += difference * difference;
            }
            part += static_cast<double>(values_[at(e)]) * squared;
          }
        return part;
      },
      [](double a, double b) { return a + b; });
}

double Attraction::divergence(const Array2<double>& map, double dof, double z, const Run& run) const {
  const double spread = parallel_reduce(
      run, size(), kEdgeRows, 0.0,
      [&](Index begin, Index end) {
        return simd::kernels().edges.log_tails(edges(), map.data(), map.cols(), 1 / dof, begin, end);
      },
      [](double a, double b) { return a + b; });
  return entropy_ + (dof + 1) / 2 * spread + total_ * std::log(z);
}

}  // namespace unroll
