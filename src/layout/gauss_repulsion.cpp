#include "layout/gauss_repulsion.h"

#include <cmath>

#include "core/at.h"
#include "core/parallel.h"
#include "layout/grid_potential.h"
#include "simd/kernels.h"

namespace unroll {
namespace {

constexpr Index kGaussPoints = 16;  // per block

/// 1 / 2n of a sum.
double share_of(double sum, Index n) { return 1 / (2 * static_cast<double>(n) * sum); }

class ExactGauss final : public GaussRepulsion {
 public:
  GaussSums sums(const Array2<double>& map, const Run& run) override {
    const PackedMap packed(map);
    GaussSums sums{std::vector<double>(at(map.rows())), std::vector<double>(at(map.rows()))};
    parallel_for(run, map.rows(), kGaussPoints, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i)
        simd::kernels().layouts.gauss_sum(packed.view(), map.row(i), i, &sums.least[at(i)], &sums.sum[at(i)]);
    });
    return sums;
  }

  void forces(const Array2<double>& map, const GaussSums& sums, Array2<double>& force, const Run& run) override {
    const PackedMap packed(map);
    std::vector<double> least(at(packed.view().padded)), share(least.size());
    for (Index i = 0; i < map.rows(); ++i) {
      least[at(i)] = sums.least[at(i)];
      share[at(i)] = share_of(sums.sum[at(i)], map.rows());
    }
    parallel_for(run, map.rows(), kGaussPoints, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i)
        simd::kernels().layouts.gauss_force(packed.view(), least.data(), share.data(), map.row(i),
                                            {least[at(i)], share[at(i)]}, force.row(i));
    });
  }
};

/// With phi the potential of charges 1 and psi that of charges 1 / Z_j, Z_i = phi(y_i) - 1, and since the slope of
/// exp(-r^2) is -2 exp(-r^2) (y - y_j), the force is -(slope of phi / Z_i + slope of psi) / 4n.
class GridGauss final : public GaussRepulsion {
 public:
  GridGauss() : potential_(gauss_kernel()) {}

  GaussSums sums(const Array2<double>& map, const Run& run) override {
    const Index n = map.rows();
    GaussSums sums{std::vector<double>(at(n)), std::vector<double>(at(n))};
    slopes_ = Array2<double>(n, map.cols());
    potential_.lay(map, run);
    potential_.make(map, {}, run);
    potential_.at_points(map, sums.sum, slopes_, run);
    lonely_.clear();
    for (Index i = 0; i < n; ++i) {
      sums.sum[at(i)] -= 1;  // without the point itself
      if (sums.sum[at(i)] < kFewest) lonely_.push_back(i);
    }
    if (lonely_.empty()) return sums;
    packed_ = std::make_unique<const PackedMap>(map);
    parallel_for(run, std::ssize(lonely_), kGaussPoints, [&](Index begin, Index end) {
      for (Index k = begin; k < end; ++k) {
        const Index i = lonely_[at(k)];
        simd::kernels().layouts.gauss_sum(packed_->view(), map.row(i), i, &sums.least[at(i)], &sums.sum[at(i)]);
      }
    });
    return sums;
  }

  void forces(const Array2<double>& map, const GaussSums& sums, Array2<double>& force, const Run& run) override {
    const Index n = map.rows();
    std::vector<float> charges(at(n));
    for (Index i = 0; i < n; ++i) charges[at(i)] = static_cast<float>(1 / sums.sum[at(i)]);
    for (const Index i : lonely_) charges[at(i)] = 0;
    std::vector<double> potential;
    potential_.make(map, charges, run);
    potential_.at_points(map, potential, force, run);
    const double factor = -1 / (4 * static_cast<double>(n));
    for (Index i = 0; i < n; ++i)
      for (Index d = 0; d < map.cols(); ++d)
        force(i, d) = factor * (force(i, d) + static_cast<double>(charges[at(i)]) * slopes_(i, d));
    if (!lonely_.empty()) add_lonely(map, sums, force, run);
  }

 private:
  static constexpr double kFewest = 0.1;  ///< the least sum that is taken from the grid

  /// What is missing: the forces on lonely points by their own shares, and those of their shares on all points.
  void add_lonely(const Array2<double>& map, const GaussSums& sums, Array2<double>& force, const Run& run) const {
    const Index n = map.rows(), dims = map.cols(), count = std::ssize(lonely_);
    Array2<double> places(count, dims);
    for (Index k = 0; k < count; ++k) std::copy_n(map.row(lonely_[at(k)]), dims, places.row(k));
    const PackedMap packed(places);
    std::vector<double> least(at(packed.view().padded)), share(least.size());
    for (Index k = 0; k < count; ++k) {
      least[at(k)] = sums.least[at(lonely_[at(k)])];
      share[at(k)] = share_of(sums.sum[at(lonely_[at(k)])], n);
    }
    const std::vector<double> zeros(at(packed_->view().padded));
    const auto add = [&](Index i, const simd::LayoutPoints& points, const double* all_least, const double* all_shares,
                         simd::GaussPlace own) {
      std::vector<double> found(at(dims));
      simd::kernels().layouts.gauss_force(points, all_least, all_shares, map.row(i), own, found.data());
      for (Index d = 0; d < dims; ++d) force(i, d) += found[at(d)];
    };
    parallel_for(run, count, 1, [&](Index k, Index) {
      add(lonely_[at(k)], packed_->view(), zeros.data(), zeros.data(), {least[at(k)], share[at(k)]});
    });
    parallel_for(run, n, kGaussPoints, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) add(i, packed.view(), least.data(), share.data(), {0, 0});
    });
  }

  GridPotential potential_;
  Array2<double> slopes_;
  std::vector<Index> lonely_;
  std::unique_ptr<const PackedMap> packed_;
};

}  // namespace

std::unique_ptr<GaussRepulsion> exact_gauss_repulsion() { return std::make_unique<ExactGauss>(); }
std::unique_ptr<GaussRepulsion> grid_gauss_repulsion() { return std::make_unique<GridGauss>(); }

GridKernel gauss_kernel() {
  constexpr double kReach = 4;  // exp(-16) is 1e-7
  return {.deficit = [](double squared) { return -std::expm1(-squared); },
          .parts = {{.value = [](double squared) { return std::exp(-squared); }, .reach = kReach}}};
}

}  // namespace unroll
