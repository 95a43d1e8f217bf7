#include "layout/sne_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "affinity/perplexity.h"
#include "core/archive.h"
#include "core/at.h"
#include "core/parallel.h"
#include "layout/placing_start.h"
#include "simd/kernels.h"

namespace unroll {
namespace {

constexpr Index kSneRows = 256;  // per block
constexpr double kNoTails = std::numeric_limits<double>::infinity();

/// entropy + sum P r^2 + mean of log of the sums of exp(-r^2).
double sne_divergence(const SneForces& forces, const Array2<double>& map, const GaussSums& sums, const Run& run) {
  double logs = 0;
  for (Index i = 0; i < map.rows(); ++i) logs += std::log(sums.sum[at(i)]) - sums.least[at(i)];
  return forces.entropy + forces.attraction.squares(map, run) + logs / static_cast<double>(map.rows());
}

}  // namespace

std::optional<double> sne_gradient(const SneForces& forces, const Array2<double>& map, double exaggeration,
                                   bool wants_loss, Array2<double>& result, const Run& run) {
  const GaussSums sums = forces.repulsion->sums(map, run);
  forces.repulsion->forces(map, sums, result, run);
  parallel_for(run, map.rows(), kSneRows, [&](Index begin, Index end) {
    std::vector<double> attraction(at((end - begin) * map.cols()));
    forces.attraction.add(map, kNoTails, begin, end, attraction.data());
    double* own = result.row(begin);
    for (std::size_t k = 0; k < attraction.size(); ++k) own[k] = exaggeration * attraction[k] - own[k];
  });
  if (!wants_loss) return std::nullopt;
  return sne_divergence(forces, map, sums, run);
}

double SneLayout::divergence(const Run& run) const {
  return sne_divergence(forces_, coordinates(), forces_.repulsion->sums(coordinates(), run), run);
}

const PackedMap& SnePlacer::packed() const {
  return packed_.get([&] { return std::make_unique<const PackedMap>(*map_); });
}

const GridPotential& SnePlacer::field(const Run& run) const {
  return field_.get([&] {
    auto made = std::make_unique<GridPotential>(gauss_kernel());
    made->lay(*map_, run);
    made->make(*map_, {}, run);
    return made;
  });
}

bool SnePlacer::has_field() const {
  constexpr Index kExactPoints = 2000;
  return map_->cols() <= 2 && map_->rows() > kExactPoints;
}

void SnePlacer::prepare(const Run& run) const {
  packed();
  if (has_field()) field(run);
}

/// log of the sum over all points of exp(-r^2) at a place, and half of its gradient. By the grid, unless that ends
/// before the place, or has too little there to tell.
double SnePlacer::repel(const std::vector<double>& y, std::vector<double>& slope) const {
  constexpr double kFewest = 1;
  const Index dims = map_->cols();
  if (has_field() && field({.threads = 1}).contains(y.data(), dims)) {
    const GridPotential::Value found = field({.threads = 1}).value_at(y.data(), dims);
    if (found.potential > kFewest) {
      for (std::size_t d = 0; d < y.size(); ++d) slope[d] = found.slope[d] / (2 * found.potential);
      return std::log(found.potential);
    }
  }
  double least = 0, sum = 0;
  simd::kernels().layouts.gauss_sum(packed().view(), y.data(), -1, &least, &sum);
  const std::vector<double> zeros(at(packed().view().padded));
  simd::kernels().layouts.gauss_force(packed().view(), zeros.data(), zeros.data(), y.data(), {least, -1 / sum},
                                      slope.data());
  return std::log(sum) - least;
}

void SnePlacer::place(std::span<const Index> nearest, std::span<const double> distances, double* y) const {
  std::vector<double> weights(nearest.size());
  perplexity_weights(distances, perplexity_, weights);
  // sum p r^2 + log of the sum of exp(-r^2)
  const auto objective = [&](const std::vector<double>& place, std::vector<double>& slope) {
    double value = repel(place, slope);
    for (std::size_t e = 0; e < nearest.size(); ++e) {
      const double* there = map_->row(nearest[e]);
      for (std::size_t d = 0; d < place.size(); ++d) {
        value += weights[e] * (place[d] - there[d]) * (place[d] - there[d]);
        slope[d] += weights[e] * (place[d] - there[d]);
      }
    }
    for (double& s : slope) s *= 2;
    return value;
  };
  const std::vector<double> found = placed(*map_, nearest, weights, objective);
  std::copy(found.begin(), found.end(), y);
}

void SnePlacer::save(ArchiveWriter& archive) const { archive.put("layout.perplexity", perplexity_); }

std::shared_ptr<const PointPlacer> SnePlacer::load(const ArchiveReader& archive,
                                                   std::shared_ptr<const Array2<double>> map) {
  const double perplexity = archive.real("layout.perplexity");
  if (!(perplexity > 0)) archive.fail("layout.perplexity", "must be above 0");
  return std::make_shared<const SnePlacer>(std::move(map), perplexity);
}

}  // namespace unroll
