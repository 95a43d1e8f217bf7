// The fits of one patch: what LTSA, Hessian LLE and modified LLE let a map pay for, and what not.
#include "affinity/alignment_fits.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "support/matrices.h"
#include "support/point_clouds.h"

namespace unroll {
namespace {

std::vector<Index> all(Index m) {
  std::vector<Index> members(static_cast<std::size_t>(m));
  std::iota(members.begin(), members.end(), Index{0});
  return members;
}

PatchAxes axes_about_mean(const Array2<double>& x, Index count) {
  const LocalGeometry geometry(x, {}, {});
  PatchAxes axes;
  axes.about_mean(geometry, all(x.rows()));
  axes.find_axes(count);
  return axes;
}

PatchAxes axes_about_first(const Array2<double>& x, Index d, double eta) {
  const LocalGeometry geometry(x, {}, {});
  PatchAxes axes;
  axes.about_first(geometry, all(x.rows()));
  axes.find_axes(signal_axes(axes, d, eta));
  return axes;
}

/// B of a patch of m members.
Array2<double> matrix_of(const std::vector<double>& factors, Index m, PatchForm form) {
  Array2<double> f(m, std::ssize(factors) / m), signed_f = f;
  std::copy(factors.begin(), factors.end(), f.data());
  for (Index i = 0; i < m; ++i)
    for (Index c = 0; c < f.cols(); ++c)
      signed_f(i, c) = form == PatchForm::Columns || (form == PatchForm::FirstAndRest && c == 0) ? f(i, c) : -f(i, c);
  Array2<double> b = product(f, transposed(signed_f));
  for (Index i = 0; i < m && form != PatchForm::Columns; ++i) b(i, i) += 1;
  return b;
}

Array2<double> tangent_cost(const Array2<double>& x, Index d) {
  std::vector<double> factors;
  const PatchForm form = append_tangent_fit(axes_about_mean(x, d), factors);
  return matrix_of(factors, x.rows(), form);
}

Array2<double> hessian_cost(const Array2<double>& x, Index d) {
  std::vector<double> factors;
  FitScratch scratch;
  const PatchForm form = append_hessian_fit(axes_about_mean(x, d), d, scratch, factors);
  return matrix_of(factors, x.rows(), form);
}

Array2<double> modified_cost(const Array2<double>& x, Index d, double eta = 0) {
  std::vector<double> factors;
  FitScratch scratch;
  const PatchForm form = append_modified_fit(axes_about_first(x, d, eta), scratch, factors);
  return matrix_of(factors, x.rows(), form);
}

double trace(const Array2<double>& b) {
  double sum = 0;
  for (Index i = 0; i < b.rows(); ++i) sum += b(i, i);
  return sum;
}

/// y' B y of a column of y.
double alignment_cost(const Array2<double>& b, const Array2<double>& y, Index column = 0) {
  double sum = 0;
  for (Index i = 0; i < b.rows(); ++i)
    for (Index j = 0; j < b.rows(); ++j) sum += y(i, column) * b(i, j) * y(j, column);
  return sum;
}

Array2<double> constant(Index m) {
  Array2<double> one(m, 1);
  std::fill_n(one.data(), m, 1.0);
  return one;
}

/// m points of a plane of dimension d in D features.
Array2<double> plane(Index m, Index d, Index features, std::uint64_t seed) {
  return product(normal_matrix(m, d, seed), normal_matrix(d, features, seed + 1));
}

TEST(AlignmentFits, WhatIsLinearIsFree) {
  for (const Index d : {1, 2, 3})
    for (const Index features : {3, 50}) {
      const Index m = 14;
      const Array2<double> x = plane(m, d, features, 4);
      for (const auto& b : {tangent_cost(x, d), hessian_cost(x, d), modified_cost(x, d)}) {
        EXPECT_LT(std::abs(alignment_cost(b, constant(m))), 1e-13);
        for (Index f = 0; f < 3; ++f) EXPECT_LT(std::abs(alignment_cost(b, x, f)), 1e-13 * max_abs(x) * max_abs(x));
        EXPECT_GT(alignment_cost(b, normal_matrix(m, 1, 5)), 0.01);
      }
    }
}

TEST(AlignmentFits, ChargesHaveTheRanksOfThePapers) {
  const Index m = 12, d = 2;
  const Array2<double> x = plane(m, d, 3, 6);
  EXPECT_NEAR(trace(tangent_cost(x, d)), static_cast<double>(m - d - 1), 1e-12);
  EXPECT_NEAR(trace(hessian_cost(x, d)), 3, 1e-12);
  std::vector<double> factors;
  append_tangent_fit(axes_about_mean(x, d), factors);
  EXPECT_EQ(std::ssize(factors), m * (d + 1));
}

TEST(AlignmentFits, CovarianceAndGramAgree) {
  // Three features and twelve members take the covariance; the same points turned into fifty take the Gram matrix.
  const Array2<double> x = anisotropic_points(12, 3, 1);
  Array2<double> wide(12, 50);
  for (Index i = 0; i < 12; ++i) std::copy_n(x.row(i), 3, wide.row(i));
  wide = product(wide, rotation(50, 2));
  EXPECT_LT(relative_difference(tangent_cost(wide, 2), tangent_cost(x, 2)), 1e-12);
  EXPECT_LT(relative_difference(hessian_cost(wide, 2), hessian_cost(x, 2)), 1e-12);
  EXPECT_LT(relative_difference(modified_cost(wide, 2, 0.5), modified_cost(x, 2, 0.5)), 1e-11);
}

TEST(AlignmentFits, DistancesAloneAgree) {
  const Array2<double> x = anisotropic_points(12, 3, 1);
  Array2<double> distances(12, 12);
  for (Index i = 0; i < 12; ++i)
    for (Index j = 0; j < 12; ++j) {
      double square = 0;
      for (Index f = 0; f < 3; ++f) square += (x(i, f) - x(j, f)) * (x(i, f) - x(j, f));
      distances(i, j) = std::sqrt(square);
    }
  const LocalGeometry geometry(distances, {.metric = Metric::Precomputed}, {});
  PatchAxes axes;
  axes.about_mean(geometry, all(12));
  axes.find_axes(2);
  std::vector<double> factors;
  const PatchForm form = append_tangent_fit(axes, factors);
  EXPECT_LT(relative_difference(matrix_of(factors, 12, form), tangent_cost(x, 2)), 1e-11);
}

TEST(AlignmentFits, HessianChargesCurvature) {
  // y = u^2 on a patch of the plane costs more than noise of linear functions; all three second derivatives are seen.
  const Array2<double> x = normal_matrix(14, 2, 9);
  const Array2<double> b = hessian_cost(x, 2);
  for (const auto& [p, q] : {std::pair<Index, Index>{0, 0}, {0, 1}, {1, 1}}) {
    Array2<double> y(14, 1);
    for (Index i = 0; i < 14; ++i) y(i, 0) = x(i, p) * x(i, q);
    EXPECT_GT(alignment_cost(b, y), 0.5);
    // Nothing of a quadratic is beyond the estimator: all that is not linear costs.
    EXPECT_NEAR(alignment_cost(b, y), alignment_cost(tangent_cost(x, 2), y), 1e-12);
  }
}

TEST(AlignmentFits, ModifiedIsThePapersFormula) {
  // W = (1 - alpha) w 1' + V H with V the last s eigenvectors, by the formulas of Zhang & Wang.
  const Index m = 9, d = 2;
  const Array2<double> x = normal_matrix(m + 1, 5, 11);
  const double eta = 0.01;
  const PatchAxes leading = axes_about_first(x, d, eta);
  const Index s = m - leading.count();
  ASSERT_GT(s, 1);
  ASSERT_GT(leading.count(), d);
  // Any orthonormal basis of the complement of the leading axes will do for V.
  Array2<double> basis = normal_matrix(m, m, 12);
  for (Index j = 0; j < leading.count(); ++j) std::copy_n(leading.axis(j), m, basis.row(j));
  for (Index k = leading.count(); k < m; ++k)
    for (int pass = 0; pass < 3; ++pass) {
      for (Index l = 0; l < k; ++l) {
        const double dot = std::inner_product(basis.row(k), basis.row(k) + m, basis.row(l), 0.0);
        for (Index i = 0; i < m; ++i) basis(k, i) -= dot * basis(l, i);
      }
      const double norm = std::sqrt(std::inner_product(basis.row(k), basis.row(k) + m, basis.row(k), 0.0));
      for (Index i = 0; i < m; ++i) basis(k, i) /= norm;
    }
  const double* v = basis.row(leading.count());  // V', s x m
  std::vector<double> sums, h;
  for (Index k = 0; k < s; ++k) sums.push_back(std::accumulate(v + k * m, v + (k + 1) * m, 0.0));
  const double length = std::sqrt(std::inner_product(sums.begin(), sums.end(), sums.begin(), 0.0));
  const double alpha = length / std::sqrt(static_cast<double>(s));
  for (const double sum : sums) h.push_back(alpha - sum);
  const double norm = std::sqrt(std::inner_product(h.begin(), h.end(), h.begin(), 0.0));
  Array2<double> f(m + 1, s);
  for (Index k = 0; k < s; ++k) {
    f(0, k) = -1;
    for (Index i = 0; i < m; ++i) {
      double along = 0, w = 0;
      for (Index l = 0; l < s; ++l) {
        along += v[l * m + i] * h[static_cast<std::size_t>(l)] / norm;
        w += v[l * m + i] * sums[static_cast<std::size_t>(l)] / (length * length);
      }
      f(i + 1, k) = v[k * m + i] - 2 * along * h[static_cast<std::size_t>(k)] / norm + (1 - alpha) * w;
    }
  }
  EXPECT_LT(relative_difference(modified_cost(x, d, eta), product(f, transposed(f))), 1e-12);
}

TEST(AlignmentFits, SignalAxesFollowEta) {
  // Eigenvalues 4, 2, 1, 0.5 of four orthogonal members about the origin, which is the first point.
  Array2<double> x(5, 4);
  for (Index i = 0; i < 4; ++i) x(i + 1, i) = std::sqrt(std::ldexp(4.0, -static_cast<int>(i)));
  PatchAxes axes;
  axes.about_first(LocalGeometry(x, {}, {}), all(5));
  EXPECT_NEAR(residual_ratio(axes, 1).value(), 3.5 / 4, 1e-12);
  EXPECT_NEAR(residual_ratio(axes, 2).value(), 1.5 / 6, 1e-12);
  EXPECT_EQ(signal_axes(axes, 1, 1), 1);
  EXPECT_EQ(signal_axes(axes, 1, 0.8), 2);
  EXPECT_EQ(signal_axes(axes, 2, 0.1), 3);
  EXPECT_EQ(signal_axes(axes, 1, 0), 3);  // one is always left
}

TEST(AlignmentFits, ThePatchThatSetsEtaIsNotMoreThanIt) {
  // Eta is the ratio of one of the patches: how that one is fitted must not be up to a rounding.
  PatchAxes axes;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Array2<double> x = normal_matrix(13, 5, seed);
    axes.about_first(LocalGeometry(x, {}, {}), all(13));
    EXPECT_EQ(signal_axes(axes, 2, residual_ratio(axes, 2).value()), 2) << seed;
  }
}

TEST(AlignmentFits, DegeneratePatches) {
  const Index m = 10;
  const Array2<double> same(m, 3), line = on_a_line(m, 3, 2);
  for (const auto& b : {tangent_cost(same, 2), hessian_cost(same, 2), modified_cost(same, 2)}) {
    EXPECT_LT(std::abs(alignment_cost(b, constant(m))), 1e-13);
    // All that is not constant costs: identical points get equal coordinates.
    const Array2<double> y = normal_matrix(m, 1, 3);
    EXPECT_GT(alignment_cost(b, y), 0.9);
  }
  for (const auto& b : {tangent_cost(line, 2), hessian_cost(line, 2), modified_cost(line, 2)}) {
    EXPECT_LT(std::abs(alignment_cost(b, constant(m))), 1e-13);
    EXPECT_LT(std::abs(alignment_cost(b, line)), 1e-13);
    EXPECT_GT(alignment_cost(b, normal_matrix(m, 1, 30)), 0.1);
    for (Index i = 0; i < b.size(); ++i) EXPECT_TRUE(std::isfinite(b.data()[i]));
  }
}

TEST(AlignmentFits, ColumnsAreFewHoweverManyMembers) {
  const Index m = 60, d = 2;
  const Array2<double> x = plane(m, d, 5, 7), line = on_a_line(m, 5, 2);
  std::vector<double> factors;
  FitScratch scratch;
  append_modified_fit(axes_about_first(x, d, 1e-6), scratch, factors);
  EXPECT_EQ(std::ssize(factors), m * (d + 3));
  factors.clear();
  append_hessian_fit(axes_about_mean(line, d), d, scratch, factors);  // collinear
  EXPECT_EQ(std::ssize(factors), m * 2);
}

TEST(AlignmentFits, ChargesAreProjections) {
  // What is free is orthonormal, so that |(I - F F') y|^2 is the cost.
  const Array2<double> x = normal_matrix(12, 5, 8);
  std::vector<double> factors;
  FitScratch scratch;
  ASSERT_EQ(append_modified_fit(axes_about_first(x, 2, 0.3), scratch, factors), PatchForm::FirstAndRest);
  const Index r = std::ssize(factors) / 12;
  for (Index a = 1; a < r; ++a)
    for (Index b = 1; b < r; ++b) {
      double dot = 0;
      for (Index i = 0; i < 12; ++i)
        dot += factors[static_cast<std::size_t>(i * r + a)] * factors[static_cast<std::size_t>(i * r + b)];
      EXPECT_NEAR(dot, a == b ? 1 : 0, 1e-14);
    }
}

TEST(AlignmentFits, NeighborsThatMissThePointStillWriteIt) {
  // All neighbours are copies of one other place: no weights reconstruct the point, and their mean is the best.
  Array2<double> x(7, 3);
  for (Index i = 1; i < 7; ++i) x(i, 0) = 1;
  const Array2<double> b = modified_cost(x, 2);
  EXPECT_LT(std::abs(alignment_cost(b, constant(7))), 1e-13);
  for (Index i = 1; i < 7; ++i) EXPECT_NEAR(b(0, i) / b(0, 0), -1.0 / 6, 1e-12);
}

TEST(TiedPatches, PointsThatNoPatchTiesJoinTheirOwn) {
  // A line of 8 with two neighbours each, and an outlier that is nobody's neighbour.
  NeighborGraph graph;
  const auto add = [&](std::vector<Index> neighbors) {
    graph.neighbors.insert(graph.neighbors.end(), neighbors.begin(), neighbors.end());
    graph.distances.resize(graph.neighbors.size(), 1);
    graph.offsets.push_back(std::ssize(graph.neighbors));
  };
  add({1, 2, 3});
  add({0, 2, 3});
  add({1, 3, 0});
  add({2, 1, 0});
  add({3, 2, 1});
  const Patches patches = tied_patches(graph, {});
  EXPECT_EQ(patches.points, 5);
  for (Index i = 0; i < 4; ++i) EXPECT_EQ(std::ssize(patches.members_of(i)), 3);
  ASSERT_EQ(std::ssize(patches.members_of(4)), 4);
  EXPECT_EQ(patches.members_of(4).front(), 4);
}

}  // namespace
}  // namespace unroll
