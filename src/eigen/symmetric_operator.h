#pragma once
#include "unroll/core/run.h"
#include "unroll/core/sparse.h"
#include "unroll/core/types.h"

namespace unroll {

/// A symmetric matrix for eigensolvers: explicit, or given by its products alone. Thread-safe and immutable.
class SymmetricOperator {
 public:
  SymmetricOperator() = default;
  SymmetricOperator(const SymmetricOperator&) = delete;
  SymmetricOperator& operator=(const SymmetricOperator&) = delete;
  virtual ~SymmetricOperator() = default;

  virtual Index size() const = 0;
  /// y = A x for several vectors at once: both have a row per point and a column per vector. The bits of a product do
  /// not depend on the number of threads.
  virtual void apply(const Array2<double>& x, Array2<double>& y, const Run& run) const = 0;
  /// The whole matrix, both triangles, if it is sparse and explicit: it can then be factorised. Otherwise nullptr.
  virtual const SparseMatrix* sparse() const { return nullptr; }
  /// The whole matrix, both triangles, for small sizes; by default from the products with all unit vectors.
  virtual Array2<double> dense(const Run& run) const;
  /// Floating-point operations of one product with one vector, for predictions.
  virtual double cost() const = 0;
};

}  // namespace unroll
