#include "layout/tsne_placer.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "affinity/perplexity.h"
#include "core/archive.h"
#include "core/at.h"
#include "layout/placing_start.h"
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
    std::vector<double>& force = slope;
    const double sum = placer_.repel(y, force);
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

const GridField& TsnePlacer::field(const Run& run) const {
  return field_.get([&] {
    auto made = std::make_unique<GridField>(dof_);
    made->make(*map_, run);
    return made;
  });
}

bool TsnePlacer::has_field() const {
  constexpr Index kExactPoints = 2000;
  return map_->cols() <= 2 && map_->rows() > kExactPoints;
}

void TsnePlacer::prepare(const Run& run) const {
  if (has_field()) {
    field(run);
  } else {
    packed();
  }
}

/// The sum over all points of w^e at a place, and its force; infinite beyond the map, where the grid ends.
double TsnePlacer::repel(const std::vector<double>& y, std::vector<double>& force) const {
  double sum = 0;
  if (!has_field()) {
    simd::kernels().layouts.repel(packed().view(), tail_kernel(dof_), y.data(), 1, force.data(), &sum);
    return sum;
  }
  const GridField& grid = field({.threads = 1});
  if (!grid.contains(y.data(), map_->cols())) return std::numeric_limits<double>::infinity();
  return grid.value_at(y.data(), map_->cols(), force.data());
}

void TsnePlacer::place(std::span<const Index> nearest, std::span<const double> distances, double* y) const {
  std::vector<double> weights(nearest.size());
  perplexity_weights(distances, perplexity_, weights);
  const std::vector<double> found = placed(*map_, nearest, weights, Objective(*this, nearest, weights));
  std::copy(found.begin(), found.end(), y);
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
