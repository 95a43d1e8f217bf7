#include "layout/tsne_placer.h"

#include <algorithm>
#include <cmath>

#include "affinity/perplexity.h"
#include "core/archive.h"
#include "core/at.h"
#include "layout/small_descent.h"
#include "simd/kernels.h"

namespace unroll {

/// e sum over neighbours of p_j log(1 + r_j^2 / dof) + log of the sum over all points of w^e, and its gradient.
class TsnePlacer::Objective {
 public:
  Objective(const TsnePlacer& placer, std::span<const Index> nearest, std::span<const double> weights)
      : placer_(placer), nearest_(nearest), weights_(weights) {}

  double operator()(const std::vector<double>& y, std::vector<double>& slope) const {
    const Array2<double>& map = *placer_.map_;
    const double dof = placer_.dof_, exponent = (dof + 1) / 2;
    double sum = 0;
    std::vector<double>& force = slope;
    simd::kernels().layouts.repel(placer_.packed().view(), tail_kernel(dof), y.data(), 1, force.data(), &sum);
    for (double& f : force) f /= -sum;
    double value = std::log(sum);
    for (std::size_t e = 0; e < nearest_.size(); ++e) {
      const double* there = map.row(nearest_[e]);
      double squared = 0;
      for (std::size_t d = 0; d < y.size(); ++d) squared += (y[d] - there[d]) * (y[d] - there[d]);
      value += exponent * weights_[e] * std::log1p(squared / dof);
      for (std::size_t d = 0; d < y.size(); ++d) force[d] += weights_[e] * (y[d] - there[d]) / (1 + squared / dof);
    }
    for (double& s : slope) s *= 2 * exponent / dof;
    return value;
  }

 private:
  const TsnePlacer& placer_;
  std::span<const Index> nearest_;
  std::span<const double> weights_;
};

const PackedMap& TsnePlacer::packed() const {
  return packed_.get([&] { return std::make_unique<const PackedMap>(*map_); });
}

void TsnePlacer::prepare(const Run&) const { packed(); }

void TsnePlacer::place(std::span<const Index> nearest, std::span<const double> distances, double* y) const {
  constexpr int kMostSteps = 100;
  constexpr double kTolerance = 1e-6;
  std::vector<double> weights(nearest.size());
  perplexity_weights(distances, perplexity_, weights);
  const auto dims = at(map_->cols());
  std::vector<double> mean(dims), slope(dims);
  for (std::size_t e = 0; e < nearest.size(); ++e)
    for (std::size_t d = 0; d < dims; ++d) mean[d] += weights[e] * (*map_)(nearest[e], static_cast<Index>(d));
  std::vector<double> first(map_->row(nearest.front()), map_->row(nearest.front()) + dims);
  const Objective objective(*this, nearest, weights);
  std::vector<double>& best = objective(mean, slope) <= objective(first, slope) ? mean : first;
  descend(objective, best, kMostSteps, kTolerance);
  std::copy(best.begin(), best.end(), y);
}

void TsnePlacer::save(ArchiveWriter& archive) const {
  archive.put("layout.perplexity", perplexity_);
  archive.put("layout.dof", dof_);
}

std::shared_ptr<const PointPlacer> TsnePlacer::load(const ArchiveReader& archive,
                                                    std::shared_ptr<const Array2<double>> map) {
  const double perplexity = archive.real("layout.perplexity"), dof = archive.real("layout.dof");
  if (!(perplexity > 0)) archive.fail("layout.perplexity", "must be above 0");
  if (!(dof > 0)) archive.fail("layout.dof", "must be above 0");
  return std::make_shared<const TsnePlacer>(std::move(map), perplexity, dof);
}

}  // namespace unroll
