#pragma once
#include "affinity/similarities.h"
#include "eigen/symmetric_operator.h"

namespace unroll {

/// J W J with J = I - 11'/n, by products with W: B is never formed. Its known eigenvector is the constant one.
class CenteredOperator : public SymmetricOperator {
 public:
  explicit CenteredOperator(Similarities w) : w_(w) {}
  Index size() const override { return w_.size(); }
  void apply(const Array2<double>& x, Array2<double>& y, const Run& run) const override;
  double cost() const override { return product_cost(w_); }

 private:
  Similarities w_;
};

/// Subtracts from every column its mean.
void center_columns(Array2<double>& x);

}  // namespace unroll
