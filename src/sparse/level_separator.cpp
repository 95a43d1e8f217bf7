#include "sparse/level_separator.h"

#include <algorithm>

#include "sparse/separator_refinement.h"

namespace unroll {
namespace {

using Vertex = SeparatorGraph::Vertex;

/// The distance of every vertex from the last one, in edges. Each further component starts one level above.
std::vector<Vertex> levels_of(const SeparatorGraph& graph) {
  constexpr Vertex kNone = -1;
  std::vector<Vertex> levels(at(graph.size()), kNone), queue;
  queue.reserve(levels.size());
  Vertex unmet = graph.size();  // all from here on have been met
  const auto meet = [&](Vertex v, Vertex level) {
    levels[at(v)] = level;
    queue.push_back(v);
  };
  for (std::size_t next = 0; next < levels.size(); ++next) {
    if (next == queue.size()) {
      do --unmet;
      while (levels[at(unmet)] != kNone);
      meet(unmet, queue.empty() ? 0 : levels[at(queue.back())] + 1);
    }
    const Vertex v = queue[next];
    for (const Vertex u : graph.around(v))
      if (levels[at(u)] == kNone) meet(u, levels[at(v)] + 1);
  }
  return levels;
}

/// The smallest level among those with about half of the vertices below them.
Vertex middle_level(const std::vector<Vertex>& levels) {
  constexpr double kToleratedShare = 0.02;
  std::vector<Vertex> sizes;
  for (const Vertex level : levels) {
    if (at(level) >= sizes.size()) sizes.resize(at(level) + 1);
    ++sizes[at(level)];
  }
  const auto n = static_cast<double>(levels.size());
  double below = 0;
  std::size_t best = sizes.size();
  for (std::size_t level = 0; below <= (0.5 + kToleratedShare) * n && level < sizes.size(); below += sizes[level++])
    if (below + sizes[level] >= (0.5 - kToleratedShare) * n && (best == sizes.size() || sizes[level] < sizes[best]))
      best = level;
  return static_cast<Vertex>(best);
}

}  // namespace

Separation separate_by_levels(const SeparatorGraph& graph) {
  constexpr int kPasses = 4;
  const std::vector<Vertex> levels = levels_of(graph);
  const Vertex middle = middle_level(levels);
  Separation result{.where = std::vector<signed char>(levels.size())};
  for (Vertex v = 0; v < graph.size(); ++v) {
    const auto around = graph.around(v);
    const auto is_beyond = [&](Vertex u) { return levels[at(u)] > middle; };
    signed char where = is_beyond(v) ? 1 : 0;
    if (levels[at(v)] == middle && std::any_of(around.begin(), around.end(), is_beyond)) where = Separation::kSeparator;
    result.where[at(v)] = where;
    result.weights[where] += graph.weights[at(v)];
  }
  refine(graph, result, kPasses);
  return result;
}

}  // namespace unroll
