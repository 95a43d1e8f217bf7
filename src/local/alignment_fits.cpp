#include "local/alignment_fits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "neighbors/disjoint_sets.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

double dot(Index m, const double* x, const double* y) { return std::inner_product(x, x + m, y, 0.0); }

/// `rows` x `cols` zeros at the end of `factors`.
double* append(Index rows, Index cols, std::vector<double>& factors) {
  factors.resize(factors.size() + at(rows * cols));
  return factors.data() + factors.size() - at(rows * cols);
}

/// Subtracts x x' / |x|^2 from the block of side m at `block`, whose rows are `stride` apart.
void subtract_projector(Index m, const double* x, double square, double* block, Index stride) {
  for (Index a = 0; a < m; ++a)
    for (Index b = 0; b < m; ++b) block[a * stride + b] -= x[a] * x[b] / square;
}

/// Takes the components along the `count` orthonormal vectors of length m away from v, twice: what rounding leaves of
/// them the first time is gone the second (Giraud, Langou & Rozloznik 2005). False where nothing is left.
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

/// The columns of the Hessian estimator, as rows of `columns`: 1, the axes, their products. False where they are
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

/// I - Q Q', Q = [1/sqrt(m), axes]: it is its own square.
void append_deviation(const PatchAxes& axes, std::vector<double>& factors) {
  const Index m = axes.members();
  double* f = append(m, m, factors);
  for (Index a = 0; a < m; ++a)
    for (Index b = 0; b < m; ++b) f[a * m + b] = (a == b ? 1 : 0) - 1 / static_cast<double>(m);
  for (Index j = 0; j < axes.count(); ++j) subtract_projector(m, axes.axis(j), 1, f, m);
}

/// The weights of sum 1 that reconstruct the point best, in the limit of no regularisation. Those in the almost-null
/// space reconstruct it exactly as far as that space goes: p / |p|^2 is the shortest of them, p its projection of the
/// constants. False where p = 0: G^+ 1, scaled.
bool weights_without_regularization(const PatchAxes& axes, FitScratch& weights) {
  constexpr double kVanishes = 1e-10;
  const Index m = axes.members();
  weights.assign(at(m), 1);
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

void append_tangent_fit(const PatchAxes& axes, std::vector<double>& factors) {
  const Index m = axes.members(), r = 1 + axes.count();
  double* f = append(m, r, factors);
  const double constant = 1 / std::sqrt(static_cast<double>(m));
  for (Index a = 0; a < m; ++a) {
    f[a * r] = constant;
    for (Index j = 1; j < r; ++j) f[a * r + j] = axes.axis(j - 1)[a];
  }
}

void append_hessian_fit(const PatchAxes& axes, Index d, FitScratch& scratch, std::vector<double>& factors) {
  if (!hessian_columns(axes, d, scratch)) return append_deviation(axes, factors);
  const Index m = axes.members(), r = d * (d + 1) / 2;
  double* f = append(m, r, factors);
  for (Index j = 0; j < r; ++j)
    for (Index a = 0; a < m; ++a) f[a * r + j] = scratch[at((1 + d + j) * m + a)];
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
  for (; count < std::min(axes.rank(), axes.members() - 1) && rest > eta * kept; ++count) {
    kept += values[at(count)];
    rest = std::accumulate(values.begin() + count + 1, values.end(), 0.0);
  }
  return count;
}

void append_modified_fit(const PatchAxes& axes, FitScratch& scratch, std::vector<double>& factors) {
  const Index m = axes.members(), r = m + 1;
  const bool meets = weights_without_regularization(axes, scratch);
  const double* w = scratch.data();
  double* f = append(m + 1, r, factors);
  const double root = std::sqrt(static_cast<double>(m - axes.count()));
  f[0] = -root;
  for (Index a = 0; a < m; ++a) f[(a + 1) * r] = root * w[a];
  double* projector = f + r + 1;
  for (Index a = 0; a < m; ++a) projector[a * r + a] = 1;
  for (Index j = 0; j < axes.count(); ++j) subtract_projector(m, axes.axis(j), 1, projector, r);
  if (meets) subtract_projector(m, w, dot(m, w, w), projector, r);
}

Patches tied_patches(const NeighborGraph& nearest) {
  DisjointSets tied(nearest.size());
  for (Index i = 0; i < nearest.size(); ++i) {
    const auto neighbors = nearest.neighbors_of(i);
    for (const Index j : neighbors) tied.join(neighbors.front(), j);
  }
  Patches patches{.points = nearest.size()};
  patches.offsets.reserve(nearest.offsets.size());
  patches.members.reserve(at(nearest.edges()));
  for (Index i = 0; i < nearest.size(); ++i) {
    const auto neighbors = nearest.neighbors_of(i);
    if (neighbors.empty() || tied.find(i) != tied.find(neighbors.front())) patches.members.push_back(i);
    patches.members.insert(patches.members.end(), neighbors.begin(), neighbors.end());
    patches.offsets.push_back(std::ssize(patches.members));
  }
  return patches;
}

void check_neighborhoods(const NeighborGraph& nearest, Index fewest, std::string_view why, std::string_view who) {
  for (Index i = 0; i < nearest.size(); ++i) {
    const Index count = std::ssize(nearest.neighbors_of(i));
    if (count >= fewest) continue;
    throw Error(ErrorKind::InvalidData,
                fmt::format("{}: point {} has {} neighbors, but at least {} are needed{}; use a larger radius or "
                            "n_neighbors",
                            who, i + 1, count, fewest, why));
  }
}

}  // namespace unroll
