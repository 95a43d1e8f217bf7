#pragma once
#include <variant>
#include <vector>

#include "unroll/core/run.h"
#include "unroll/core/sparse.h"
#include "unroll/core/types.h"

namespace unroll {

/// A symmetric W that the caller owns: its entries, or distances d that become W = -(scale d)^2 / 2 when they are read.
/// n^2 numbers are the largest object there is; they are never copied. Only the upper triangle of a full matrix counts:
/// rounding may make the other one differ in the last bits.
struct Similarities {
  enum class Entries { Values, Distances };

  std::variant<MatrixView<double>, MatrixView<float>, const SparseMatrix*> matrix = {};
  Entries entries = Entries::Values;
  double scale = 1;  ///< of distances: a power of two, so that their squares stay in range

  Index size() const;
};

/// W_ij from the stored number.
inline double similarity(Similarities::Entries entries, double scale, double stored) {
  if (entries == Similarities::Entries::Values) return stored;
  const double distance = scale * stored;
  return -0.5 * distance * distance;
}

/// The mean of every row of W, which is also that of every column.
std::vector<double> row_means(const Similarities& w, const Run& run);

/// y = W x, a row per point and a column per vector; the bits do not depend on the number of threads.
void multiply(const Similarities& w, const Array2<double>& x, Array2<double>& y, const Run& run);

/// Floating-point operations of a product with one vector.
double product_cost(const Similarities& w);

}  // namespace unroll
