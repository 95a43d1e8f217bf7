#pragma once
#include <cstdint>
#include <vector>

#include "simd/sparse_pull_kernels.h"
#include "unroll/core/run.h"
#include "unroll/core/sparse.h"
#include "unroll/core/types.h"

namespace unroll {

/// The forces along the edges of a map: P of the neighbours, both directions stored, in half the memory of a
/// SparseMatrix, since reading it is most of the work.
class Attraction {
 public:
  /// Throws Unsupported for more points than 2^31.
  explicit Attraction(const SparseMatrix& p);

  Index size() const { return static_cast<Index>(offsets_.size()) - 1; }
  /// force_i = sum over j of p_ij (y_i - y_j) / (1 + |y_i - y_j|^2 / dof), for the points [begin, end).
  void add(const Array2<double>& map, double dof, Index begin, Index end, double* force) const;
  /// The same in single precision, a third of the work: an error of about 1e-5.
  void add(const Array2<float>& map, Index dims, double dof, Index begin, Index end, double* force) const;
  /// A map as the second one wants it.
  static Array2<float> rounded(const Array2<double>& map);

  /// The sum over pairs of p_ij |y_i - y_j|^2.
  double squares(const Array2<double>& map, const Run& run) const;
  /// KL(P || Q) = sum p log p + e sum p log(1 + r^2 / dof) + log Z, e = (dof + 1) / 2.
  double divergence(const Array2<double>& map, double dof, double z, const Run& run) const;

 private:
  simd::LayoutEdges edges() const { return {offsets_.data(), columns_.data(), values_.data()}; }

  std::vector<Index> offsets_;  ///< padded, see simd::LayoutEdges
  std::vector<std::int32_t> columns_;
  std::vector<float> values_;
  double entropy_ = 0;  ///< sum p log p
  double total_ = 0;    ///< sum p
};

}  // namespace unroll
