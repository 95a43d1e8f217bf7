#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/random.h"
#include "eigen/operators.h"
#include "sparse/sparse_cholesky.h"
#include "support/graphs.h"
#include "support/matrices.h"

/// Sparse systems of equations, and how well they are solved.
namespace unroll {

/// |(sign A + shift) x - b| / |b| for the solution x.
inline double error_of_solution(const SparseMatrix& a, double sign, double shift, Index sides) {
  SparseCholesky factor(a, sign, {});
  if (!factor.factorize(shift, {})) return INFINITY;
  const Array2<double> b = normal_matrix(a.rows, sides, 1);
  Array2<double> x(a.rows, sides), ax(a.rows, sides);
  factor.solve(b, x, {});
  SparseOperator(a).apply(x, ax, {});
  for (Index i = 0; i < b.size(); ++i) ax.data()[i] = sign * ax.data()[i] + shift * x.data()[i];
  return relative_difference(ax, b);
}

/// `many` points with one of every ten of a few others as neighbours each: documents and their words.
inline Graph two_sided_graph(Index few, Index many) {
  const Random random(1, "test");
  Graph graph{few + many};
  for (Index i = 0; i < many; ++i)
    for (Index word = 0; word < few; word += 10) {
      const double u = random.uniform(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(word));
      graph.edges.push_back({word + static_cast<Index>(u * u * 10), few + i});
    }
  return graph;
}

/// Points that come one after another and choose three neighbours, the well-known ones more often (Barabasi & Albert
/// 1999): one large panel with thousands of subtrees.
inline Graph attachment_graph(Index n) {
  const Random random(2, "test");
  Graph graph{n};
  std::vector<Index> ends{0};
  for (Index i = 1; i < n; ++i) {
    std::set<Index> chosen;
    for (std::uint64_t k = 0; k < 3; ++k)
      chosen.insert(ends[static_cast<std::size_t>(random.uniform(static_cast<std::uint64_t>(i), k) *
                                                  static_cast<double>(ends.size()))]);
    for (const Index j : chosen) {
      graph.edges.push_back({j, i});
      ends.insert(ends.end(), {i, j});
    }
  }
  return graph;
}

/// A sum of v v^T, one for every unknown, with v normal at that unknown and at `others` random ones: semidefinite, with
/// entries of both signs. No others: it is diagonal.
inline SparseMatrix random_semidefinite_matrix(Index n, Index others, std::uint64_t seed) {
  const Random random(seed, "test");
  std::vector<std::map<Index, double>> rows(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) {
    const auto key = static_cast<std::uint64_t>(i);
    std::map<Index, double> v{{i, 1 + random.uniform(key)}};
    for (Index k = 1; k <= others; ++k) {
      const auto place = static_cast<std::uint64_t>(k);
      v[static_cast<Index>(random.uniform(key, place) * static_cast<double>(n))] = random.normal(key, place);
    }
    for (const auto& [a, x] : v)
      for (const auto& [b, y] : v) rows[static_cast<std::size_t>(a)][b] += x * y;
  }
  SparseMatrix matrix{.rows = n, .cols = n};
  for (const auto& row : rows) {
    for (const auto& [column, value] : row) {
      matrix.columns.push_back(column);
      matrix.values.push_back(value);
    }
    matrix.offsets.push_back(std::ssize(matrix.columns));
  }
  return matrix;
}

}  // namespace unroll
