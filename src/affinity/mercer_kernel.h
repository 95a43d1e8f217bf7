#pragma once
#include <cstdint>
#include <vector>

#include "unroll/affinity/kernel.h"
#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

class ArchiveReader;
class ArchiveWriter;

struct KernelParameters {
  Kernel kernel = Kernel::Rbf;  ///< all but Precomputed
  double gamma = 1;             ///< positive
  std::int64_t degree = 3;      ///< positive
  double coef0 = 1;
  /// Subtracts a constant for callers that centre the kernel: the centred matrix is the same, with more digits. Linear:
  /// products of the points minus the training points' mean. Rbf, laplacian, poly, sigmoid: k minus its value at x = y
  /// or x.y = 0, so that small distances and products do not vanish beside 1.
  bool up_to_centering = false;

  bool depends_on_gamma() const { return kernel != Kernel::Linear && kernel != Kernel::Cosine; }
  /// Whether k(x, x) = 1 and k falls to 0 with the distance.
  bool is_local() const { return kernel == Kernel::Rbf || kernel == Kernel::Laplacian; }
  /// Whether |k| <= 1 for all points.
  bool is_bounded() const { return is_local() || kernel == Kernel::Cosine || kernel == Kernel::Sigmoid; }
};

/// k(x, y) as a function. Points are used as z = scale * x - center, both from the training points: differences neither
/// overflow for data of 1e150 nor lose digits to an offset of 1e8. Distances are sums of squared differences, not |x|^2
/// + |y|^2 - 2 x.y: twice the operations of a matrix product, but without cancellation, so that identical points have k
/// = 1 exactly. Sparse points are not centred, and their distances are |x|^2 + |y|^2 - 2 x.y unless that cancels.
///
/// Every value is computed in one order of operations: k(x, y) has the same bits in matrix() and rows(), whatever the
/// other points, and k(y, x) = k(x, y). Values that pass 1e150 (whose squares leave the range of double) throw
/// InvalidData.
class MercerKernel {
 public:
  MercerKernel(PointsView training, const KernelParameters& parameters, const Run& run);

  const KernelParameters& parameters() const { return parameters_; }

  /// K = (k(x_i, x_j)): both triangles, n x n, each value rounded to T; float is for bounded kernels.
  template <class T = double>
  Array2<T> matrix(PointsView points, const Run& run) const;
  /// k(x_i, y_j): a row per x, a column per y.
  Array2<double> rows(PointsView x, PointsView y, const Run& run) const;
  /// k(x_i, x_i).
  std::vector<double> diagonal(PointsView points, const Run& run) const;

  /// A gamma that fits the median distance of a pair: 1 / (2 median^2) for rbf, 1 / median for laplacian, from up to
  /// 1000 random pairs; 0 when all points of the pairs are identical.
  double suggested_gamma(PointsView points) const;

  void save(ArchiveWriter& archive) const;
  static MercerKernel load(const ArchiveReader& archive, Index n_features);

 private:
  /// Points [first, first + count) of a set.
  struct Range {
    PointsView points;
    Index first;
    Index count;
  };
  explicit MercerKernel(const KernelParameters& parameters) : parameters_(parameters) {}
  void learn_factor();
  void pack(const Range& x, Index first_col, Index col_count, double* out) const;
  void add_sums(const Range& x, const Range& y, Array2<double>& sums) const;
  void add_sparse_sums(const Range& x, const Range& y, Array2<double>& sums) const;
  void to_values(double* sums, Index count) const;
  Array2<double> tile(const Range& x, const Range& y) const;

  KernelParameters parameters_;
  double scale_ = 1;            ///< a power of two
  std::vector<double> center_;  ///< of scale * x
  double factor_ = 1;           ///< converts a sum over z to one over x, times gamma
};

/// Of a kernel that falls with the distance: at the distance that pairs of points usually have (its root mean square),
/// it has fallen to e^-1/2 or e^-1. 1 / number of features fits features of variance 1 only: else the kernel may be
/// zero between all points, or 1. (The median distance of some pairs would depend on the order of the rows.)
double fitting_gamma(PointsView points, Kernel kernel, const Run& run);

}  // namespace unroll
