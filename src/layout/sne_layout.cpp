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

constexpr Index kSnePoints = 16;  // per block
constexpr double kNoTails = std::numeric_limits<double>::infinity();

/// Of every point: the nearest squared distance and the sum of exp(least - r^2), padded as the packed map is.
struct GaussSums {
  std::vector<double> least, sum;
};

GaussSums gauss_sums(const Array2<double>& map, const PackedMap& packed, const Run& run) {
  GaussSums sums{std::vector<double>(at(packed.view().padded)), std::vector<double>(at(packed.view().padded))};
  parallel_for(run, map.rows(), kSnePoints, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      simd::kernels().layouts.gauss_sum(packed.view(), map.row(i), i, &sums.least[at(i)], &sums.sum[at(i)]);
  });
  return sums;
}

/// entropy + sum P r^2 + mean of log of the sums of exp(-r^2).
double sne_divergence(const SneForces& forces, const Array2<double>& map, const GaussSums& sums, const Run& run) {
  double logs = 0;
  for (Index i = 0; i < map.rows(); ++i) logs += std::log(sums.sum[at(i)]) - sums.least[at(i)];
  return forces.entropy + forces.attraction.squares(map, run) + logs / static_cast<double>(map.rows());
}

}  // namespace

std::optional<double> sne_gradient(const SneForces& forces, const Array2<double>& map, double exaggeration,
                                   bool wants_loss, Array2<double>& result, const Run& run) {
  const PackedMap packed(map);
  const GaussSums sums = gauss_sums(map, packed, run);
  std::vector<double> share(sums.sum.size());
  for (Index i = 0; i < map.rows(); ++i) share[at(i)] = 1 / (2 * static_cast<double>(map.rows()) * sums.sum[at(i)]);
  const Index dims = map.cols();
  parallel_for(run, map.rows(), kSnePoints, [&](Index begin, Index end) {
    std::vector<double> attraction(at((end - begin) * dims));
    forces.attraction.add(map, kNoTails, begin, end, attraction.data());
    for (Index i = begin; i < end; ++i) {
      simd::kernels().layouts.gauss_force(packed.view(), sums.least.data(), share.data(), map.row(i),
                                          {sums.least[at(i)], share[at(i)]}, result.row(i));
      for (Index d = 0; d < dims; ++d)
        result(i, d) = exaggeration * attraction[at((i - begin) * dims + d)] - result(i, d);
    }
  });
  if (!wants_loss) return std::nullopt;
  return sne_divergence(forces, map, sums, run);
}

double SneLayout::divergence(const Run& run) const {
  const PackedMap packed(coordinates());
  return sne_divergence(forces_, coordinates(), gauss_sums(coordinates(), packed, run), run);
}

void SnePlacer::place(std::span<const Index> nearest, std::span<const double> distances, double* y) const {
  std::vector<double> weights(nearest.size());
  perplexity_weights(distances, perplexity_, weights);
  const PackedMap& packed = packed_.get([&] { return std::make_unique<const PackedMap>(*map_); });
  const std::vector<double> zeros(at(packed.view().padded));
  // sum p r^2 + log of the sum of exp(-r^2)
  const auto objective = [&](const std::vector<double>& place, std::vector<double>& slope) {
    double least = 0, sum = 0;
    simd::kernels().layouts.gauss_sum(packed.view(), place.data(), -1, &least, &sum);
    simd::kernels().layouts.gauss_force(packed.view(), zeros.data(), zeros.data(), place.data(), {least, -1 / sum},
                                        slope.data());
    double value = std::log(sum) - least;
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
