#pragma once
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/random.h"
#include "unroll/core/sparse.h"
#include "unroll/core/types.h"

/// Graphs whose spectra have closed forms, and their Laplacians.
namespace unroll {

struct Edge {
  Index a, b;
  double weight = 1;
};
struct Graph {
  Index size = 0;
  std::vector<Edge> edges = {};
};

inline Graph path_graph(Index n) {
  Graph g{n};
  for (Index i = 0; i + 1 < n; ++i) g.edges.push_back({i, i + 1});
  return g;
}
inline Graph cycle_graph(Index n) {
  Graph g = path_graph(n);
  g.edges.push_back({0, n - 1});
  return g;
}
inline Graph grid_graph(Index a, Index b) {
  Graph g{a * b};
  for (Index i = 0; i < a; ++i)
    for (Index j = 0; j < b; ++j) {
      if (i + 1 < a) g.edges.push_back({i * b + j, (i + 1) * b + j});
      if (j + 1 < b) g.edges.push_back({i * b + j, i * b + j + 1});
    }
  return g;
}
inline Graph bipartite_graph(Index p, Index q) {
  Graph g{p + q};
  for (Index i = 0; i < p; ++i)
    for (Index j = 0; j < q; ++j) g.edges.push_back({i, p + j});
  return g;
}
inline Graph star_graph(Index n) { return bipartite_graph(1, n - 1); }
inline Graph complete_graph(Index n) {
  Graph g{n};
  for (Index i = 0; i < n; ++i)
    for (Index j = i + 1; j < n; ++j) g.edges.push_back({i, j});
  return g;
}
inline Graph cube_graph(Index d) {
  Graph g{Index{1} << d};
  for (Index i = 0; i < g.size; ++i)
    for (Index bit = 0; bit < d; ++bit)
      if (const Index j = i ^ (Index{1} << bit); i < j) g.edges.push_back({i, j});
  return g;
}
inline Graph copies(const Graph& one, Index count) {
  Graph g{one.size * count};
  for (Index c = 0; c < count; ++c)
    for (const auto& [a, b, weight] : one.edges) g.edges.push_back({a + c * one.size, b + c * one.size, weight});
  return g;
}
inline Graph random_graph(Index n, double density, std::uint64_t seed) {
  const Random random(seed, "graph");
  Graph g = path_graph(n);  // connected
  std::uint64_t at = 0;
  for (Index i = 0; i < n; ++i)
    for (Index j = i + 2; j < n; ++j, ++at)
      if (random.uniform(at) < density) g.edges.push_back({i, j, 0.5 + random.uniform(at, 1)});
  return g;
}

inline std::vector<double> degrees(const Graph& g) {
  std::vector<double> d(static_cast<std::size_t>(g.size));
  for (const auto& [a, b, weight] : g.edges) {
    d[static_cast<std::size_t>(a)] += weight;
    d[static_cast<std::size_t>(b)] += weight;
  }
  return d;
}

/// D - W, or I - D^-1/2 W D^-1/2.
inline SparseMatrix laplacian(const Graph& g, bool normalized) {
  const std::vector<double> d = degrees(g);
  const auto n = static_cast<std::size_t>(g.size);
  std::vector<std::vector<std::pair<Index, double>>> rows(n);
  for (std::size_t i = 0; i < n; ++i) rows[i].emplace_back(static_cast<Index>(i), normalized ? 1 : d[i]);
  for (const auto& [a, b, weight] : g.edges) {
    const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
    const double value = normalized ? -weight / std::sqrt(d[i] * d[j]) : -weight;
    rows[i].emplace_back(b, value);
    rows[j].emplace_back(a, value);
  }
  SparseMatrix matrix{.rows = g.size, .cols = g.size};
  for (auto& row : rows) {
    std::sort(row.begin(), row.end());
    for (const auto& [column, value] : row) {
      matrix.columns.push_back(column);
      matrix.values.push_back(value);
    }
    matrix.offsets.push_back(std::ssize(matrix.columns));
  }
  return matrix;
}

/// The null space of the Laplacian of `count` connected copies: an indicator per copy, scaled by the roots of the
/// degrees where it is normalised.
inline Array2<double> null_vectors(const Graph& g, Index count, bool normalized) {
  const std::vector<double> d = degrees(g);
  Array2<double> known(count, g.size);
  const Index each = g.size / count;
  for (Index c = 0; c < count; ++c) {
    double sum = 0;
    for (Index i = c * each; i < (c + 1) * each; ++i) sum += normalized ? d[static_cast<std::size_t>(i)] : 1;
    for (Index i = c * each; i < (c + 1) * each; ++i)
      known(c, i) = std::sqrt((normalized ? d[static_cast<std::size_t>(i)] : 1) / sum);
  }
  return known;
}

}  // namespace unroll
