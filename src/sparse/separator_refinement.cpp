#include "sparse/separator_refinement.h"

#include <algorithm>
#include <array>
#include <queue>
#include <utility>

namespace unroll {
namespace {

using Vertex = SeparatorGraph::Vertex;

/// One pass moves vertices from the separator to one half, each of which pulls its neighbors in the other half into it:
/// the best move first even where it makes things worse, and in the end what came after the best state is taken back.
/// Passes to both halves at a time find worse separators on graphs of points: they dent the separator here and there,
/// where one that is pushed in one direction can get past a thick place as a whole (factors of a cube's points take a
/// tenth more flops).
class Pass {
 public:
  Pass(const SeparatorGraph& graph, Separation& separation, signed char to)
      : graph_(graph),
        now_(separation),
        to_(to),
        from_(static_cast<signed char>(1 - to)),
        pulled_(graph.weights.size()) {}

  /// Whether the separation is better than before.
  bool run() {
    for (Vertex v = 0; v < graph_.size(); ++v)
      if (now_.where[at(v)] == Separation::kSeparator) enter(v);
    const State start = state();
    State best = start;
    std::size_t best_moves = 0;
    // Hills that take longer to cross are hardly ever worth it. A limit of 300 would do for points of few coordinates,
    // but leaves twice the flops where some have many neighbors.
    const std::size_t patience = std::min<std::size_t>(1000, 2 * queue_.size());
    while (moves_.size() < best_moves + patience && has_move()) {
      move(queue_.top().second);
      if (state() < best) {
        best = state();
        best_moves = moves_.size();
      }
    }
    while (moves_.size() > best_moves) take_back();
    return best < start;
  }

 private:
  /// Smaller is better: halves of more than is allowed, then the separator, then the difference of the halves.
  using State = std::array<double, 3>;
  State state() const {
    const double larger = now_.larger_half();
    return {std::max(0.0, larger - Separation::allowed_half(graph_)), static_cast<double>(now_.separator()), larger};
  }

  struct Move {
    Vertex vertex;
    std::size_t in_its_wake;  // that many vertices had been pulled into the separator before it
  };
  using Entry = std::pair<std::int32_t, Vertex>;  // what the move takes from the separator

  std::int32_t gain(Vertex v) const { return graph_.weights[at(v)] - pulled_[at(v)]; }

  /// A vertex that is in the separator now, with what its move would pull into it.
  void enter(Vertex v) {
    pulled_[at(v)] = 0;
    for (const Vertex u : graph_.around(v))
      if (now_.where[at(u)] == from_) pulled_[at(v)] += graph_.weights[at(u)];
    queue_.push({gain(v), v});
  }

  /// Whether the queue's first is a move that leaves the half small enough, or at least the smaller one. The queue
  /// keeps what was once true; what is not any more is dropped when it comes up.
  bool has_move() {
    for (; !queue_.empty(); queue_.pop()) {
      const auto [value, v] = queue_.top();
      if (now_.where[at(v)] != Separation::kSeparator || value != gain(v)) continue;
      const double after = now_.weights[to_] + graph_.weights[at(v)];
      return after <= Separation::allowed_half(graph_) || now_.weights[to_] < now_.weights[from_];
    }
    return false;
  }

  void put(Vertex v, signed char to) {
    now_.weights[now_.where[at(v)]] -= graph_.weights[at(v)];
    now_.weights[to] += graph_.weights[at(v)];
    now_.where[at(v)] = to;
  }

  void move(Vertex v) {
    moves_.push_back({v, wake_.size()});
    put(v, to_);
    for (const Vertex u : graph_.around(v))
      if (now_.where[at(u)] == from_) pull(u);
  }

  void pull(Vertex u) {
    wake_.push_back(u);
    put(u, Separation::kSeparator);
    for (const Vertex t : graph_.around(u)) {
      if (now_.where[at(t)] != Separation::kSeparator) continue;
      pulled_[at(t)] -= graph_.weights[at(u)];
      queue_.push({gain(t), t});
    }
    enter(u);
  }

  void take_back() {
    const Move last = moves_.back();
    moves_.pop_back();
    put(last.vertex, Separation::kSeparator);
    for (; wake_.size() > last.in_its_wake; wake_.pop_back()) put(wake_.back(), from_);
  }

  const SeparatorGraph& graph_;
  Separation& now_;
  signed char to_, from_;             // halves
  std::vector<std::int32_t> pulled_;  // by a vertex of the separator: the weight of its neighbors in `from`
  std::priority_queue<Entry> queue_;
  std::vector<Move> moves_;
  std::vector<Vertex> wake_;
};

}  // namespace

void refine(const SeparatorGraph& graph, Separation& separation, int passes) {
  signed char to = separation.weights[0] > separation.weights[1] ? 1 : 0;
  for (int pass = 0, in_vain = 0; pass < passes && in_vain < 2; ++pass, to = static_cast<signed char>(1 - to))
    in_vain = Pass(graph, separation, to).run() ? 0 : in_vain + 1;
}

}  // namespace unroll
