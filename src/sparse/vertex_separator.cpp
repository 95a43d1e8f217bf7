#include "sparse/vertex_separator.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sparse/separator_refinement.h"

namespace unroll {
namespace {

using Vertex = SeparatorGraph::Vertex;
constexpr Vertex kNoVertex = -1;
constexpr Vertex kCoarsest = 100;  // vertices, of which a separator is found from scratch

/// All vertices, neighbors in number far apart: steps of about the golden section through them.
class SpreadOrder {
 public:
  explicit SpreadOrder(Vertex size) : size_(size), step_(std::max<Index>(1, static_cast<Index>(0.618034 * size))) {
    while (std::gcd(step_, size_) != 1) ++step_;
  }
  Vertex operator[](Index k) const { return static_cast<Vertex>(k * step_ % size_); }

 private:
  Index size_, step_;
};

/// For every vertex that of the coarser graph in which it is: together with the unmatched neighbor that it has most to
/// do with. No vertex becomes too heavy to be moved about.
std::vector<Vertex> matching(const SeparatorGraph& graph, Vertex& count) {
  const double heaviest = 1.5 * graph.total / kCoarsest;
  const SpreadOrder order(graph.size());
  std::vector<Vertex> result(graph.weights.size(), kNoVertex);
  count = 0;
  for (Index k = 0; k < graph.size(); ++k) {
    const Vertex v = order[k];
    if (result[at(v)] != kNoVertex) continue;
    Vertex partner = v;
    std::int32_t most = 0;
    for (Index e = graph.offsets[at(v)]; e < graph.offsets[at(v) + 1]; ++e) {
      const Vertex u = graph.neighbors[at(e)];
      if (graph.edge_weights[at(e)] > most && result[at(u)] == kNoVertex &&
          static_cast<double>(graph.weights[at(v)]) + graph.weights[at(u)] <= heaviest) {
        most = graph.edge_weights[at(e)];
        partner = u;
      }
    }
    result[at(v)] = result[at(partner)] = count++;
  }
  return result;
}

/// The graph of what is matched: parallel edges are one, with their weights added.
SeparatorGraph contracted(const SeparatorGraph& graph, const std::vector<Vertex>& to, Vertex count) {
  SeparatorGraph coarse;
  coarse.total = graph.total;
  coarse.weights.resize(at(count));
  coarse.offsets.reserve(at(count) + 1);
  std::vector<std::pair<Vertex, Vertex>> members(at(count), {kNoVertex, kNoVertex});
  for (Vertex v = 0; v < graph.size(); ++v) {
    auto& [first, second] = members[at(to[at(v)])];
    (first == kNoVertex ? first : second) = v;
    coarse.weights[at(to[at(v)])] += graph.weights[at(v)];
  }
  std::vector<Index> slot(at(count), kNoVertex);
  for (Vertex c = 0; c < count; ++c) {
    const Index begin = std::ssize(coarse.neighbors);
    for (const Vertex v : {members[at(c)].first, members[at(c)].second}) {
      if (v == kNoVertex) continue;
      for (Index e = graph.offsets[at(v)]; e < graph.offsets[at(v) + 1]; ++e) {
        const Vertex u = to[at(graph.neighbors[at(e)])];
        if (u == c) continue;
        if (slot[at(u)] < begin) {
          slot[at(u)] = std::ssize(coarse.neighbors);
          coarse.neighbors.push_back(u);
          coarse.edge_weights.push_back(0);
        }
        coarse.edge_weights[at(slot[at(u)])] += graph.edge_weights[at(e)];
      }
    }
    coarse.offsets.push_back(std::ssize(coarse.neighbors));
  }
  return coarse;
}

/// One half is what a search from `start` meets until it has half of the weight. Its neighbors are the separator.
Separation grown(const SeparatorGraph& graph, Vertex start) {
  Separation result{.where = std::vector<signed char>(graph.weights.size(), 1)};
  std::vector<char> is_met(graph.weights.size());
  std::vector<Vertex> queue;
  const auto meet = [&](Vertex v) {
    if (std::exchange(is_met[at(v)], char{1}) == 0) queue.push_back(v);
  };
  std::size_t next = 0;
  Vertex elsewhere = 0;  // where the search goes on when it has met all of a component
  for (meet(start); 2 * result.weights[0] < graph.total; ++next) {
    while (next == queue.size()) meet(elsewhere++);
    const Vertex v = queue[next];
    result.where[at(v)] = 0;
    result.weights[0] += graph.weights[at(v)];
    for (const Vertex u : graph.around(v)) meet(u);
  }
  for (Vertex v = 0; v < graph.size(); ++v) {
    if (result.where[at(v)] == 0) continue;
    const auto around = graph.around(v);
    if (std::any_of(around.begin(), around.end(), [&](Vertex u) { return result.where[at(u)] == 0; }))
      result.where[at(v)] = Separation::kSeparator;
    result.weights[result.where[at(v)]] += graph.weights[at(v)];
  }
  return result;
}

/// The best of searches from a few places.
Separation from_scratch(const SeparatorGraph& graph) {
  constexpr Vertex kStarts = 4;
  constexpr int kPasses = 10;
  const SpreadOrder order(graph.size());
  Separation best;
  for (Vertex k = 0; k < std::min(kStarts, graph.size()); ++k) {
    Separation found = grown(graph, order[k]);
    refine(graph, found, kPasses);
    const double allowed = Separation::allowed_half(graph);
    const auto badness = [&](const Separation& s) {
      return std::pair(std::max(0.0, s.larger_half() - allowed), s.separator());
    };
    if (best.where.empty() || badness(found) < badness(best)) best = std::move(found);
  }
  return best;
}

}  // namespace

Separation find_separator(const SeparatorGraph& graph, const Run& run) {
  constexpr int kPasses = 6;
  run.check_cancelled();
  Vertex count = 0;
  std::vector<Vertex> to;
  if (graph.size() > kCoarsest) to = matching(graph, count);
  // Stars and complete graphs have few pairs to match; another level would cost more than it helps.
  if (graph.size() <= kCoarsest || count > 0.95 * graph.size()) return from_scratch(graph);
  Separation coarse;
  {
    const SeparatorGraph smaller = contracted(graph, to, count);
    coarse = find_separator(smaller, run);
  }
  Separation result{.where = std::vector<signed char>(graph.weights.size())};
  for (Vertex v = 0; v < graph.size(); ++v) result.where[at(v)] = coarse.where[at(to[at(v)])];
  std::copy(std::begin(coarse.weights), std::end(coarse.weights), std::begin(result.weights));
  refine(graph, result, kPasses);
  return result;
}

}  // namespace unroll
