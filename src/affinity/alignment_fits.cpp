#include "affinity/alignment_fits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/at.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "linalg/small_products.h"
#include "neighbors/concurrent_sets.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

/// `rows` x `cols` zeros at the end of `factors`.
double* append(Index rows, Index cols, std::vector<double>& factors) {
  factors.resize(factors.size() + at(rows * cols));
  return factors.data() + factors.size() - at(rows * cols);
}

/// Makes v orthogonal to the `count` orthonormal vectors of length m, twice: the second time removes what rounding left
/// (Giraud, Langou & Rozloznik 2005). False if nothing of v is left.
bool orthonormalize(Index count, Index m, const double* vectors, double* v) {
  constexpr double kDependent = 1e-10;
  const double before = dot(m, v, v);
  for (int round = 0; round < 2; ++round)
    for (Index j = 0; j < count; ++j) {
      const double along = dot(m, vectors + j * m, v);
      for (Index a = 0; a < m; ++a) v[a] -= along * vectors[j * m + a];
    }
  const double after = dot(m, v, v);
  if (!(after > kDependent * kDependent * before)) return false;
  const double inverse = 1 / std::sqrt(after);
  for (Index a = 0; a < m; ++a) v[a] *= inverse;
  return true;
}

/// The columns of the Hessian estimator, as rows of `columns`: 1, the axes, their products. False if they are
/// dependent.
bool hessian_columns(const PatchAxes& axes, Index d, FitScratch& columns) {
  const Index m = axes.members(), wanted = 1 + d + d * (d + 1) / 2;
  if (axes.count() < d || m < wanted) return false;
  columns.resize(at(wanted * m));
  std::fill_n(columns.data(), m, 1 / std::sqrt(static_cast<double>(m)));
  for (Index j = 0; j < d; ++j) std::copy_n(axes.axis(j), m, columns.data() + (1 + j) * m);
  Index count = 1 + d;
  for (Index i = 0; i < d; ++i)
    for (Index j = i; j < d; ++j, ++count) {
      double* column = columns.data() + count * m;
      for (Index a = 0; a < m; ++a) column[a] = axes.axis(i)[a] * axes.axis(j)[a];
      if (!orthonormalize(count, m, columns.data(), column)) return false;
    }
  return true;
}

/// The weights of sum 1 that reconstruct the point best, in the limit of no regularisation. Weights in the almost-null
/// space reconstruct it exactly, up to that space; the shortest is p / |p|^2, p being the projection of the constants
/// onto it. False if p = 0: the weights are then G^+ 1, scaled.
bool weights_without_regularization(const PatchAxes& axes, FitScratch& weights) {
  constexpr double kVanishes = 1e-10;
  const Index m = axes.members();
  weights.assign(at(m), 1);
  for (int round = 0; round < 2; ++round)  // as in orthonormalize
    for (Index j = 0; j < axes.count(); ++j) {
      const double* u = axes.axis(j);
      const double along = dot(m, u, weights.data());
      for (Index a = 0; a < m; ++a) weights[at(a)] -= along * u[a];
    }
  double sum = dot(m, weights.data(), weights.data());
  const bool meets = sum > kVanishes * static_cast<double>(m);
  if (!meets) {
    std::fill(weights.begin(), weights.end(), 0.0);
    for (Index j = 0; j < axes.count(); ++j) {
      const double* u = axes.axis(j);
      const double factor = std::accumulate(u, u + m, 0.0) / axes.values()[at(j)];
      for (Index a = 0; a < m; ++a) weights[at(a)] += factor * u[a];
    }
    sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  }
  for (double& weight : weights) weight /= sum;
  return meets;
}

}  // namespace

PatchForm append_tangent_fit(const PatchAxes& axes, std::vector<double>& factors) {
  const Index m = axes.members(), r = 1 + axes.count();
  double* f = append(m, r, factors);
  const double constant = 1 / std::sqrt(static_cast<double>(m));
  for (Index a = 0; a < m; ++a) {
    f[a * r] = constant;
    for (Index j = 1; j < r; ++j) f[a * r + j] = axes.axis(j - 1)[a];
  }
  return PatchForm::Rest;
}

PatchForm append_hessian_fit(const PatchAxes& axes, Index d, FitScratch& scratch, std::vector<double>& factors) {
  if (!hessian_columns(axes, d, scratch)) return append_tangent_fit(axes, factors);
  const Index m = axes.members(), r = d * (d + 1) / 2;
  double* f = append(m, r, factors);
  for (Index j = 0; j < r; ++j)
    for (Index a = 0; a < m; ++a) f[a * r + j] = scratch[at((1 + d + j) * m + a)];
  return PatchForm::Columns;
}

std::optional<double> residual_ratio(const PatchAxes& axes, Index d) {
  const auto values = axes.values();
  if (values.empty()) return {};
  const auto split = values.begin() + std::min(d, axes.rank());
  return std::accumulate(split, values.end(), 0.0) / std::accumulate(values.begin(), split, 0.0);
}

Index signal_axes(const PatchAxes& axes, Index d, double eta) {
  const auto values = axes.values();
  Index count = std::min(d, axes.rank());
  double kept = std::accumulate(values.begin(), values.begin() + count, 0.0);
  double rest = std::accumulate(values.begin() + count, values.end(), 0.0);
  // The same division as in residual_ratio: a patch whose ratio is eta gets exactly eta here, not more by rounding.
  for (; count < std::min(axes.rank(), axes.members() - 1) && rest / kept > eta; ++count) {
    kept += values[at(count)];
    rest = std::accumulate(values.begin() + count + 1, values.end(), 0.0);
  }
  return count;
}

PatchForm append_modified_fit(const PatchAxes& axes, FitScratch& scratch, std::vector<double>& factors) {
  const bool meets = weights_without_regularization(axes, scratch);
  const double* w = scratch.data();
  const Index m = axes.members(), l = axes.count(), r = 2 + l + (meets ? 1 : 0);
  double* f = append(m + 1, r, factors);
  const double root = std::sqrt(static_cast<double>(m - l)), length = std::sqrt(dot(m, w, w));
  f[0] = -root;
  f[1] = 1;
  for (Index a = 0; a < m; ++a) {
    double* row = f + (a + 1) * r;
    row[0] = root * w[a];
    for (Index j = 0; j < l; ++j) row[2 + j] = axes.axis(j)[a];
    if (meets) row[2 + l] = w[a] / length;
  }
  return PatchForm::FirstAndRest;
}

Patches tied_patches(const NeighborGraph& nearest, const Run& run) {
  constexpr Index kPoints = 4096;  // at a time
  const Index n = nearest.size();
  ConcurrentSets tied(n);
  parallel_for(run, n, kPoints, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      for (const Index j : nearest.neighbors_of(i)) tied.join(nearest.neighbors_of(i).front(), j);
  });
  Patches patches{.points = n, .offsets = std::vector<Index>(at(n) + 1)};
  parallel_for(run, n, kPoints, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const auto neighbors = nearest.neighbors_of(i);
      const bool is_member = neighbors.empty() || tied.find(i) != tied.find(neighbors.front());
      patches.offsets[at(i) + 1] = std::ssize(neighbors) + (is_member ? 1 : 0);
    }
  });
  std::partial_sum(patches.offsets.begin(), patches.offsets.end(), patches.offsets.begin());
  resize_large(patches.members, at(patches.offsets.back()), run);
  parallel_for(run, n, kPoints, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const auto neighbors = nearest.neighbors_of(i);
      auto to = patches.members.begin() + patches.offsets[at(i)];
      if (std::ssize(patches.members_of(i)) > std::ssize(neighbors)) *to++ = i;
      std::copy(neighbors.begin(), neighbors.end(), to);
    }
  });
  return patches;
}

void check_neighborhoods(const NeighborGraph& nearest, const MinNeighbors& least) {
  for (Index i = 0; i < nearest.size(); ++i) {
    const Index count = std::ssize(nearest.neighbors_of(i));
    if (count >= least.count) continue;
    throw Error(
        ErrorKind::InvalidData,
        fmt::format("point {} has {} neighbors, but at least {} are needed{}", i + 1, count, least.count, least.reason),
        "use a larger radius or n_neighbors");
  }
}

}  // namespace unroll
