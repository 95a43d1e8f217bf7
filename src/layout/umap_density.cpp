#include "layout/umap_density.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "affinity/local_radius.h"
#include "core/at.h"
#include "core/parallel.h"

namespace unroll {
namespace {

struct RadiusMoments {
  double count = 0;
  double mean = 0;
  double variance = 0;
};

/// Of the points that have a radius.
RadiusMoments radius_moments(const std::vector<double>& log_radii) {
  RadiusMoments of;
  for (const double r : log_radii)
    if (r != kNoRadius) of.count += 1, of.mean += r;
  if (of.count == 0) return of;
  of.mean /= of.count;
  for (const double r : log_radii)
    if (r != kNoRadius) of.variance += (r - of.mean) * (r - of.mean) / of.count;
  return of;
}

}  // namespace

UmapDensity::UmapDensity(std::vector<double> log_radii, double strength, double shift)
    : log_radii_(std::move(log_radii)),
      standard_(log_radii_.size()),
      strength_(strength),
      shift_(shift),
      of_map_(log_radii_.size(), kNoRadius),
      weights_(log_radii_.size()),
      factors_(2 * log_radii_.size()) {
  const RadiusMoments of = radius_moments(log_radii_);
  if (!(of.variance > 0)) return;  // equal radii: nothing to be like
  for (std::size_t i = 0; i < standard_.size(); ++i)
    if (log_radii_[i] != kNoRadius) standard_[i] = (log_radii_[i] - of.mean) / std::sqrt(of.variance);
}

void UmapDensity::look_at(const EdgesOfMap& edges, const UmapCurve& curve, const Run& run) {
  constexpr double kLeast = 1e-8;
  constexpr Index kPoints = 512;
  parallel_for(run, std::ssize(log_radii_), kPoints, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      double sum = 0, weight = 0;
      for (Index e = edges.offsets[at(i)]; e < edges.offsets[at(i) + 1]; ++e) {
        double square = 0;
        for (Index k = 0; k < edges.dims; ++k) {
          const double gap = static_cast<double>(edges.map[at(i * edges.dims + k)]) -
                             static_cast<double>(edges.map[at(edges.targets[at(e)] * edges.dims + k)]);
          square += gap * gap;
        }
        const double v = 1 / (1 + curve.a * std::pow(square, curve.b));
        sum += v * square, weight += v;
      }
      of_map_[at(i)] = weight > 0 ? std::log(kLeast + sum / weight) : kNoRadius;
      weights_[at(i)] = weight;
    }
  });
  find_factors(std::accumulate(edges.rates.begin(), edges.rates.end(), 0.0));
}

void UmapDensity::find_factors(double rates) {
  const RadiusMoments of = radius_moments(of_map_);
  const double variance = of.variance + shift_;
  double covariance = 0;
  for (std::size_t i = 0; i < of_map_.size(); ++i)
    if (of_map_[i] != kNoRadius) covariance += of_map_[i] * standard_[i] / std::max(1.0, of.count - 1);
  for (std::size_t i = 0; i < of_map_.size(); ++i) {
    const bool has_radius = of_map_[i] != kNoRadius && variance > 0;
    const double c = has_radius ? standard_[i] - covariance * (of_map_[i] - of.mean) / variance : 0;
    factors_[2 * i] = static_cast<float>(has_radius ? c / (2 * weights_[i] * std::exp(of_map_[i])) : 0);
    factors_[2 * i + 1] = static_cast<float>(has_radius ? c / (2 * weights_[i]) : 0);
  }
  strength_now_ =
      static_cast<float>(of.count > 0 && variance > 0 ? strength_ * rates / (of.count * std::sqrt(variance)) : 0);
}

double UmapDensity::correlation() const { return radius_correlation(log_radii_, of_map_); }

}  // namespace unroll
