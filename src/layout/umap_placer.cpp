#include "layout/umap_placer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/archive.h"
#include "core/at.h"
#include "core/random.h"
#include "simd/kernels.h"

namespace unroll {
namespace {

/// How surely the training points are neighbours of the new one. One that is sure of its nearest would lie upon it, so
/// one neighbour fewer is sure than in training.
std::vector<double> placing_weights(std::span<const double> distances, const UmapPlacer::Settings& settings) {
  std::vector<double> weights(distances.begin(), distances.end());
  for (double& distance : weights) distance *= settings.unit;
  const double connectivity = std::max(0.0, settings.local_connectivity - 1);
  const SmoothDistance smooth = smooth_distance(weights, connectivity, settings.mean_distance);
  for (double& weight : weights) weight = membership(smooth, weight);
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (sum > 0) return weights;
  std::fill(weights.begin(), weights.end(), 1.0);  // all of them equally far beyond any doubt
  return weights;
}

}  // namespace

const std::vector<float>& UmapPlacer::narrow_map() const {
  return narrow_.get(
      [&] { return std::make_unique<const std::vector<float>>(map_->data(), map_->data() + map_->size()); });
}

void UmapPlacer::prepare(const Run&) const { narrow_map(); }

void UmapPlacer::place(std::span<const Index> nearest, std::span<const double> distances, double* y) const {
  const Index dims = map_->cols();
  const std::vector<double> weights = placing_weights(distances, settings_);
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  const double largest = *std::max_element(weights.begin(), weights.end());
  std::array<float, simd::kUmapMostDims> place{};
  for (Index k = 0; k < dims; ++k) {
    double mean = 0;
    for (std::size_t e = 0; e < nearest.size(); ++e) mean += weights[e] / sum * (*map_)(nearest[e], k);
    place[at(k)] = static_cast<float>(mean);
  }
  std::vector<std::int32_t> targets, taken(nearest.size());
  std::vector<std::uint32_t> rates;
  for (std::size_t e = 0; e < nearest.size(); ++e)
    if (const std::uint32_t rate = umap_rate(weights[e] / largest, settings_.n_epochs); rate > 0) {
      targets.push_back(static_cast<std::int32_t>(nearest[e]));
      rates.push_back(rate);
    }
  const std::array<Index, 2> offsets{0, std::ssize(targets)};
  std::int32_t count = 0;
  const auto name = static_cast<std::int32_t>(nearest.front());
  const Random random(static_cast<std::uint64_t>(settings_.seed), "umap.placing");
  simd::UmapEpoch epoch = umap_epoch(settings_.curve, settings_.repulsion_strength);
  epoch.points = map_->rows(), epoch.dims = dims, epoch.map = narrow_map().data();
  epoch.offsets = offsets.data(), epoch.targets = targets.data(), epoch.rates = rates.data();
  epoch.taken = taken.data(), epoch.counts = &count;
  epoch.negatives = settings_.negative_sample_rate, epoch.in_map = false;
  for (Index number = 0; number < settings_.n_epochs; ++number) {
    set_epoch(epoch, number, settings_.n_epochs, settings_.learning_rate, random);
    simd::kernels().umap.list_edges(epoch, 0, 1, taken.data(), &count);
    simd::kernels().umap.move(epoch, 0, 1, &name, place.data(), place.data());
  }
  for (Index k = 0; k < dims; ++k) {
    constexpr auto kMost = static_cast<double>(std::numeric_limits<float>::max());
    const auto moved = static_cast<double>(place[at(k)]);
    y[k] = std::isfinite(moved) ? moved : std::copysign(kMost, moved);
  }
}

void UmapPlacer::save(ArchiveWriter& archive) const {
  archive.put("layout.umap.curve", std::vector<double>{settings_.curve.a, settings_.curve.b});
  archive.put("layout.umap.local_connectivity", settings_.local_connectivity);
  archive.put("layout.umap.repulsion_strength", settings_.repulsion_strength);
  archive.put("layout.umap.learning_rate", settings_.learning_rate);
  archive.put("layout.umap.negative_sample_rate", settings_.negative_sample_rate);
  archive.put("layout.umap.n_epochs", settings_.n_epochs);
  archive.put("layout.umap.seed", settings_.seed);
  archive.put("layout.umap.mean_distance", settings_.mean_distance);
  archive.put("layout.umap.unit", settings_.unit);
}

std::shared_ptr<const PointPlacer> UmapPlacer::load(const ArchiveReader& archive,
                                                    std::shared_ptr<const Array2<double>> map) {
  const auto least = [&](const std::string& name, auto value, auto lowest) {
    if (!(value >= lowest)) archive.fail(name, "is too small");
    return value;
  };
  const auto real = [&](const std::string& name) {
    return least("layout.umap." + name, archive.real("layout.umap." + name), 0.0);
  };
  const auto integer = [&](const std::string& name, Index most) {
    const Index value = least("layout.umap." + name, archive.integer("layout.umap." + name), Index{0});
    if (value > most) archive.fail("layout.umap." + name, "is too large");
    return value;
  };
  const std::vector<double> curve = archive.reals("layout.umap.curve");
  if (curve.size() != 2 || !(curve[0] > 0) || !(curve[1] > 0)) archive.fail("layout.umap.curve", "must be two numbers");
  if (map->cols() > simd::kUmapMostDims) archive.fail("coordinates", "have too many columns");
  if (map->rows() > std::numeric_limits<std::int32_t>::max()) archive.fail("coordinates", "have too many rows");
  return std::make_shared<const UmapPlacer>(
      std::move(map), Settings{.curve = {curve[0], curve[1]},
                               .local_connectivity = real("local_connectivity"),
                               .repulsion_strength = real("repulsion_strength"),
                               .learning_rate = real("learning_rate"),
                               .negative_sample_rate = integer("negative_sample_rate", kMostNegatives),
                               .n_epochs = integer("n_epochs", kMostEpochs),
                               .seed = integer("seed", std::numeric_limits<Index>::max()),
                               .mean_distance = real("mean_distance"),
                               .unit = real("unit")});
}

UmapPlacer::Settings umap_placing(const UmapSettings& settings, double local_connectivity,
                                  const SmoothDistances& smooth) {
  return {.curve = settings.curve,
          .local_connectivity = local_connectivity,
          .repulsion_strength = settings.repulsion_strength,
          .learning_rate = settings.learning_rate / 4,
          .negative_sample_rate = settings.negative_sample_rate,
          .n_epochs = std::max<Index>(1, settings.n_epochs / 3),
          .seed = static_cast<Index>(settings.seed),
          .mean_distance = smooth.mean,
          .unit = smooth.unit};
}

}  // namespace unroll
