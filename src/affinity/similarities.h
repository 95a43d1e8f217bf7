#pragma once
#include <variant>
#include <vector>

#include "unroll/core/run.h"
#include "unroll/core/sparse.h"
#include "unroll/core/types.h"

namespace unroll {

/// A symmetric W that somebody else holds (of a full matrix the upper triangle counts: rounding may make the other one
/// differ in the last bits), as what it is made of: the entries themselves, or distances d of which
/// W = -(scale d)^2 / 2 is taken as they are read. n^2 numbers are the largest thing there is; a second copy of them is
/// never made.
struct Similarities {
  enum class Entries { Values, Distances };

  std::variant<MatrixView<double>, MatrixView<float>, const SparseMatrix*> matrix = {};
  Entries entries = Entries::Values;
  double scale = 1;  ///< of distances: a power of two, so that their squares stay in range

  Index size() const;
};

/// W_ij of what is stored for it.
inline double similarity(Similarities::Entries entries, double scale, double stored) {
  if (entries == Similarities::Entries::Values) return stored;
  const double distance = scale * stored;
  return -0.5 * distance * distance;
}

/// Mean of every row of W. Since W is symmetric, of every column, too.
std::vector<double> row_means(const Similarities& w, const Run& run);

/// y = W x, a row per point and a column per vector; the bits do not depend on the number of threads.
void multiply(const Similarities& w, const Array2<double>& x, Array2<double>& y, const Run& run);

/// Floating-point operations of a product with one vector.
double product_cost(const Similarities& w);

}  // namespace unroll
