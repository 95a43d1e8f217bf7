#include <algorithm>
#include <vector>

#include "core/at.h"
#include "core/parallel.h"
#include "core/random.h"
#include "layout/repulsion.h"
#include "simd/kernels.h"

namespace unroll {
namespace {

/// Points per block: about a million pairs.
Index repulsion_grain(Index n) {
  return std::clamp<Index>((Index{1} << 20) / std::max<Index>(n, 1), 4, 256) & ~Index{3};
}

class ExactRepulsion final : public Repulsion {
 public:
  explicit ExactRepulsion(double dof) : kernel_(tail_kernel(dof)) {}

  double compute(const Array2<double>& map, Array2<double>& force, const Run& run) override {
    const PackedMap packed(map);
    const double sum = parallel_reduce(
        run, map.rows(), repulsion_grain(map.rows()), 0.0,
        [&](Index begin, Index end) {
          std::vector<double> sums(at(end - begin));
          simd::kernels().layouts.repel(packed.view(), kernel_, map.row(begin), end - begin, force.row(begin),
                                        sums.data());
          double part = 0;
          for (const double own : sums) part += own - 1;  // without the point itself
          return part;
        },
        [](double a, double b) { return a + b; });
    return sum;
  }

 private:
  simd::TailKernel kernel_;
};

}  // namespace

simd::TailKernel tail_kernel(double dof) { return {.inverse_dof = 1 / dof, .exponent = (dof + 1) / 2}; }

PackedMap::PackedMap(const Array2<double>& map) {
  const Index padded = (map.rows() + simd::kLayoutPad - 1) / simd::kLayoutPad * simd::kLayoutPad;
  coordinates_ = Array2<double>::uninitialized(map.cols(), padded);
  for (Index d = 0; d < map.cols(); ++d) {
    for (Index i = 0; i < map.rows(); ++i) coordinates_(d, i) = map(i, d);
    std::fill(coordinates_.row(d) + map.rows(), coordinates_.row(d) + padded, simd::kFarAway);
  }
}

std::unique_ptr<Repulsion> exact_repulsion(double dof) { return std::make_unique<ExactRepulsion>(dof); }

SampledZ sampled_normalization(const Array2<double>& map, double dof, Index most, const Run& run) {
  const Index n = map.rows(), count = std::min(n, most);
  const std::vector<Index> sample = Random(0, "layout.normalization").sample(n, count);
  const PackedMap packed(map);
  const double sum = parallel_reduce(
      run, count, repulsion_grain(n), 0.0,
      [&](Index begin, Index end) {
        Array2<double> places(end - begin, map.cols()), force(end - begin, map.cols());
        for (Index i = begin; i < end; ++i) std::copy_n(map.row(sample[at(i)]), map.cols(), places.row(i - begin));
        std::vector<double> sums(at(end - begin));
        simd::kernels().layouts.repel(packed.view(), tail_kernel(dof), places.data(), end - begin, force.data(),
                                      sums.data());
        double part = 0;
        for (const double own : sums) part += own - 1;
        return part;
      },
      [](double a, double b) { return a + b; });
  return {sum * (static_cast<double>(n) / static_cast<double>(count)), count};
}

}  // namespace unroll
