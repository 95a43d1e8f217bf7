#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/at.h"
#include "unroll/core/types.h"

namespace unroll {

/// An undirected graph whose vertices and edges may stand for several of a finer one. Every edge is stored at both
/// ends.
struct SeparatorGraph {
  using Vertex = std::int32_t;

  std::vector<Index> offsets = {0};  ///< vertex v has neighbors [offsets[v], offsets[v + 1])
  std::vector<Vertex> neighbors;
  std::vector<std::int32_t> edge_weights;
  std::vector<std::int32_t> weights;  ///< of the vertices
  std::int32_t total = 0;             ///< of these

  Vertex size() const { return static_cast<Vertex>(weights.size()); }
  std::span<const Vertex> around(Vertex v) const {
    return {neighbors.data() + offsets[at(v)], neighbors.data() + offsets[at(v) + 1]};
  }
};

/// Every vertex in one half or the other or in the separator, without which no edge joins the halves.
struct Separation {
  static constexpr signed char kSeparator = 2;

  std::vector<signed char> where;
  std::int32_t weights[3] = {0, 0, 0};  ///< of the halves and of the separator

  std::int32_t separator() const { return weights[kSeparator]; }
  std::int32_t larger_half() const { return weights[0] > weights[1] ? weights[0] : weights[1]; }
  /// A half may be this large: a little more than an equal share, as balance is worth less than a small separator.
  static double allowed_half(const SeparatorGraph& graph) { return 0.6 * graph.total; }
};

}  // namespace unroll
