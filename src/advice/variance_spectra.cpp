#include "advice/variance_spectra.h"

#include <algorithm>
#include <numeric>

#include "affinity/local_geometry.h"
#include "affinity/patch_axes.h"
#include "core/at.h"
#include "core/owned_points.h"
#include "core/parallel.h"
#include "core/random.h"
#include "eigen/explained_variance.h"
#include "eigen/principal_axes.h"
#include "linalg/centered_points.h"

namespace unroll {
namespace {

constexpr Index kGlobalSample = 2000, kLocalSample = 1000;
constexpr double kUsualShare = 0.95;  ///< of the variance, that counted axes hold
constexpr double kLastShare = 0.99;   ///< axes after this much of the variance make no gap

using Shares = std::vector<double>;

Shares sum(Shares a, const Shares& b) {
  a.resize(std::max(a.size(), b.size()));
  for (std::size_t j = 0; j < b.size(); ++j) a[j] += b[j];
  return a;
}

}  // namespace

VarianceSpectrum variance_spectrum(const std::vector<double>& variances) {
  VarianceSpectrum result;
  double total = 0, squares = 0;
  for (const double variance : variances) total += std::max(variance, 0.0);
  if (total == 0) return result;
  for (const double variance : variances) {
    result.shares.push_back(std::max(variance, 0.0) / total);
    squares += result.shares.back() * result.shares.back();
  }
  result.participation = 1 / squares;

  double before = 0, widest = kTellableGap;
  for (std::size_t j = 0; j < result.shares.size(); ++j) {
    const double here = result.shares[j];
    if (before < kUsualShare) result.axes_for_95 = static_cast<Index>(j) + 1;
    if (before >= kLastShare) break;
    const double next = j + 1 < result.shares.size() ? result.shares[j + 1] : here;
    // A share of rounding's size counts as that: the ratio to 0 is large, but not infinite.
    const double ratio = here / std::max(next, 1e-12);
    if (ratio >= widest) widest = ratio, result.gap = static_cast<Index>(j) + 1;
    before += here;
  }
  return result;
}

VarianceSpectrum global_spectrum(PointsView points, std::uint64_t seed, const Run& run) {
  const Index n = points.rows();
  OwnedPoints sample;
  if (n > kGlobalSample) {
    sample = copied(points, Random(seed, "dimension.axes").sample(n, kGlobalSample));
    points = view_of(sample);
  }
  // Both of these solvers find all variances.
  const AxesSolver solver = points.cols() <= points.rows() ? AxesSolver::Covariance : AxesSolver::Gram;
  return variance_spectrum(principal_axes(centered(points, run), {1}, solver, seed, run).values);
}

VarianceSpectrum local_spectrum(PointsView points, const NeighborGraph& graph, Index count,
                                const NeighborOptions& search, std::uint64_t seed, const Run& run) {
  constexpr Index kGrain = 16;
  const Index n = graph.size();
  const std::vector<Index> centers = Random(seed, "dimension.patches").sample(n, std::min(n, kLocalSample));
  const LocalGeometry geometry(points, search, run);
  Shares all = parallel_reduce(
      run, std::ssize(centers), kGrain, Shares{},
      [&](Index begin, Index end) {
        Shares part;
        PatchAxes axes;
        for (Index c = begin; c < end; ++c) {
          const auto neighbors = graph.neighbors_of(centers[at(c)]);
          axes.about_mean(geometry, neighbors.first(std::min(neighbors.size(), at(count))));
          const double total = std::accumulate(axes.values().begin(), axes.values().end(), 0.0);
          Shares here(axes.values().begin(), axes.values().end());
          for (double& share : here) share /= total;
          part = sum(std::move(part), here);
        }
        return part;
      },
      sum);
  // Patches list positive variances alone. So many could be: a flat one has zeros after them, and its gap there.
  all.resize(std::max(all.size(), at(std::min(points.cols(), std::min(count, n) - 1))));
  return variance_spectrum(all);
}

}  // namespace unroll
