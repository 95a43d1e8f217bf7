#include "sparse/nested_dissection.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "core/at.h"
#include "core/parallel.h"
#include "sparse/fill_order.h"
#include "sparse/separator_graph.h"
#include "sparse/vertex_separator.h"

namespace unroll {
namespace {

using Vertex = SeparatorGraph::Vertex;

/// From here on minimum degree is as good: it is on small graphs that nothing is lost by looking one step ahead.
constexpr Vertex kSmallPart = 200;

/// Some unknowns, what joins them, and where they are in the order.
struct Piece {
  SeparatorGraph graph;
  std::vector<Vertex> unknowns;
  std::size_t first = 0;
};

Piece whole(const SparseMatrix& a) {
  Piece piece;
  piece.graph.weights.assign(at(a.rows), 1);
  piece.graph.total = static_cast<std::int32_t>(a.rows);
  piece.graph.offsets.reserve(at(a.rows) + 1);
  piece.graph.neighbors.reserve(a.columns.size());
  for (Index i = 0; i < a.rows; ++i) {
    for (Index e = a.offsets[at(i)]; e < a.offsets[at(i) + 1]; ++e)
      if (a.columns[at(e)] != i) piece.graph.neighbors.push_back(static_cast<Vertex>(a.columns[at(e)]));
    piece.graph.offsets.push_back(std::ssize(piece.graph.neighbors));
  }
  piece.graph.edge_weights.assign(piece.graph.neighbors.size(), 1);
  piece.unknowns.resize(at(a.rows));
  std::iota(piece.unknowns.begin(), piece.unknowns.end(), 0);
  return piece;
}

/// One half of a piece; `place` has the new number of every vertex in its half.
Piece half_of(const Piece& piece, const Separation& cut, const std::vector<Vertex>& place, signed char half) {
  Piece result;
  for (Vertex v = 0; v < piece.graph.size(); ++v) {
    if (cut.where[at(v)] != half) continue;
    result.unknowns.push_back(piece.unknowns[at(v)]);
    for (const Vertex u : piece.graph.around(v))
      if (cut.where[at(u)] == half) result.graph.neighbors.push_back(place[at(u)]);
    result.graph.offsets.push_back(std::ssize(result.graph.neighbors));
  }
  result.graph.edge_weights.assign(result.graph.neighbors.size(), 1);
  result.graph.weights.assign(result.unknowns.size(), 1);
  result.graph.total = static_cast<std::int32_t>(result.unknowns.size());
  return result;
}

void order_by_degree(const Piece& piece, std::vector<Vertex>& order) {
  const auto local = minimum_degree_order(piece.graph.offsets, piece.graph.neighbors);
  for (std::size_t k = 0; k < local.size(); ++k) order[piece.first + k] = piece.unknowns[at(local[k])];
}

/// Orders what it can of a piece and returns the rest, in pieces.
std::vector<Piece> dissected(const Piece& piece, std::vector<Vertex>& order, const Run& run) {
  const Vertex size = piece.graph.size();
  if (size > kSmallPart) {
    const Separation cut = find_separator(piece.graph, run);
    if (cut.weights[0] > 0 && cut.weights[1] > 0) {
      std::vector<Vertex> place(at(size));
      std::array<Vertex, 3> next{};
      const std::size_t separator = piece.first + at(size - cut.separator());
      for (Vertex v = 0; v < size; ++v) {
        const signed char where = cut.where[at(v)];
        place[at(v)] = next[at(where)]++;
        if (where == Separation::kSeparator) order[separator + at(place[at(v)])] = piece.unknowns[at(v)];
      }
      std::vector<Piece> halves;
      halves.push_back(half_of(piece, cut, place, 0));
      halves.push_back(half_of(piece, cut, place, 1));
      halves[0].first = piece.first;
      halves[1].first = piece.first + halves[0].unknowns.size();
      return halves;
    }
  }
  order_by_degree(piece, order);
  return {};
}

}  // namespace

double bytes_to_dissect(const SparseMatrix& a) {
  // The pieces of one level and of the next, and the coarser graphs of all that are cut at the same time: each level
  // has little more than half of the entries of the one before.
  constexpr double kGraphs = 5, kVectors = 16;
  const auto n = static_cast<double>(a.rows), entries = static_cast<double>(a.columns.size());
  return kGraphs * (2 * sizeof(Vertex) * entries + sizeof(Index) * n) + kVectors * sizeof(Vertex) * n;
}

std::vector<std::int32_t> nested_dissection_order(const SparseMatrix& a, const Run& run) {
  std::vector<Vertex> order(at(a.rows));
  std::vector<Piece> pieces;
  if (a.rows > 0) pieces.push_back(whole(a));
  while (!pieces.empty()) {
    std::vector<std::vector<Piece>> next(pieces.size());
    parallel_for(run, std::ssize(pieces), 1, [&](Index k, Index) {
      next[at(k)] = dissected(pieces[at(k)], order, run);
      pieces[at(k)] = {};
    });
    pieces.clear();
    for (auto& halves : next)
      for (auto& half : halves)
        if (!half.unknowns.empty()) pieces.push_back(std::move(half));
  }
  return order;
}

}  // namespace unroll
