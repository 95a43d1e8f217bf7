#pragma once
#include "eigen/symmetric_operator.h"

namespace unroll {

/// A sparse matrix that is symmetric to the last bit, with both triangles.
class SparseOperator : public SymmetricOperator {
 public:
  explicit SparseOperator(SparseMatrix matrix);

  Index size() const override { return matrix_.rows; }
  void apply(const Array2<double>& x, Array2<double>& y, const Run& run) const override;
  const SparseMatrix* sparse() const override { return &matrix_; }
  Array2<double> dense(const Run& run) const override;
  double cost() const override { return 2 * static_cast<double>(matrix_.values.size()); }

 private:
  SparseMatrix matrix_;
};

/// A full symmetric matrix.
class DenseOperator : public SymmetricOperator {
 public:
  explicit DenseOperator(Array2<double> matrix);

  Index size() const override { return matrix_.rows(); }
  void apply(const Array2<double>& x, Array2<double>& y, const Run& run) const override;
  Array2<double> dense(const Run&) const override { return matrix_; }
  double cost() const override { return 2 * static_cast<double>(matrix_.size()); }

 private:
  Array2<double> matrix_;
};

}  // namespace unroll
