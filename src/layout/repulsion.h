#pragma once
#include <memory>

#include "simd/pull_kernels.h"
#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

/// The forces between all pairs of points of a t-SNE map. With w_ij = 1 / (1 + |y_i - y_j|^2 / dof) and e = (dof + 1) /
/// 2: force_i = sum over j of w_ij^(e+1) (y_i - y_j), and Z = sum over pairs i != j of w_ij^e. The result is a function
/// of the map alone: nothing is remembered that a resumed run would lack.
class Repulsion {
 public:
  Repulsion() = default;
  Repulsion(const Repulsion&) = delete;
  Repulsion& operator=(const Repulsion&) = delete;
  virtual ~Repulsion() = default;

  /// Fills `force`, of the shape of the map; returns Z.
  virtual double compute(const Array2<double>& map, Array2<double>& force, const Run& run) = 0;
};

simd::TailKernel tail_kernel(double dof);

/// All pairs in double precision: n^2 work.
std::unique_ptr<Repulsion> exact_repulsion(double dof);

/// A tree of boxes (Barnes & Hut 1986), for any number of dimensions: groups of points act as one where they are far
/// away compared with their size.
std::unique_ptr<Repulsion> tree_repulsion(double dof);

/// Z by all pairs with the points of a sample (all of them if there are no more than `most`), scaled up.
struct SampledZ {
  double z = 0;
  Index sample = 0;
};
SampledZ sampled_normalization(const Array2<double>& map, double dof, Index most, const Run& run);

/// A map coordinate after coordinate, padded, as the kernels want it.
class PackedMap {
 public:
  explicit PackedMap(const Array2<double>& map);
  simd::LayoutPoints view() const { return {coordinates_.data(), coordinates_.cols(), coordinates_.rows()}; }

 private:
  Array2<double> coordinates_;
};

}  // namespace unroll
