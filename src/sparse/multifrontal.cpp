#include "sparse/multifrontal.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "core/at.h"
#include "core/parallel.h"
#include "core/work_meter.h"
#include "sparse/dense_panel.h"

namespace unroll {
namespace {

using Row = Elimination::Row;

/// A dense square, of which the lower triangle is used, that waits for a supernode.
struct Update {
  Row parent;
  std::span<const Row> rows;

  Index side() const { return std::ssize(rows); }
  Index size() const { return side() * side(); }
  double entries() const { return static_cast<double>(side()) * static_cast<double>(side()); }
};

/// What a supernode leaves.
Update left_by(const Elimination& plan, Row s) { return {plan.parent[at(s)], plan.rows_below(s)}; }
/// What a subtree leaves.
Update left_by(const Elimination& plan, const Elimination::Subtree& tree) {
  return {plan.parent[at(tree.last)], plan.rows_left_by(tree)};
}
/// The one into which the updates of a supernode's children are added up.
Update gathered_for(const Elimination& plan, Row s) { return {s, plan.rows_gathered_for(s)}; }

bool is_gathered(const Elimination& plan, const Elimination::Subtree& tree, Row s) {
  const Row up = plan.parent[at(s)];
  return up == -1 || up > tree.last ? tree.is_gathered : plan.gathers[at(up)] != 0;
}

/// Updates on a stack until their parent comes: in postorder the last ones are its children's.
class Waiting {
 public:
  bool has_for(Row parent) const { return !updates_.empty() && updates_.back().parent == parent; }
  /// Whether the last one is this.
  bool has(const Update& update) const {
    return has_for(update.parent) && updates_.back().rows.data() == update.rows.data() &&
           updates_.back().side() == update.side();
  }
  void push(const Update& update) {
    updates_.push_back(update);
    entries_ += update.entries();
  }
  Update pop() {
    const Update last = updates_.back();
    updates_.pop_back();
    entries_ -= last.entries();
    return last;
  }
  double entries() const { return entries_; }

 private:
  std::vector<Update> updates_;
  double entries_ = 0;
};

/// Most entries of updates that wait at a time while a subtree is eliminated.
double most_waiting(const Elimination& plan, const Elimination::Subtree& tree) {
  double most = 0;
  Waiting waiting;
  for (Row s = tree.first; s <= tree.last; ++s) {
    const Update own = left_by(plan, s);
    most = std::max(most, waiting.entries() + own.entries());
    while (waiting.has_for(s)) waiting.pop();
    if (is_gathered(plan, tree, s)) {
      const Update sum = gathered_for(plan, own.parent);
      if (!waiting.has(sum)) waiting.push(sum);
      most = std::max(most, waiting.entries() + own.entries());
    } else {
      waiting.push(own);
    }
  }
  return most;
}

/// Where the elimination of a supernode belongs; with the last one of a subtree an update leaves it.
enum class Place : char { Above, Last, LastGathered, Inside };

std::vector<Place> places_in_subtrees(const Elimination& plan) {
  std::vector<Place> result(at(plan.supernodes()), Place::Above);
  for (const Elimination::Subtree& tree : plan.subtrees) {
    std::fill(result.begin() + tree.first, result.begin() + tree.last, Place::Inside);
    result[at(tree.last)] = tree.is_gathered ? Place::LastGathered : Place::Last;
  }
  return result;
}

/// What a supernode that is not inside leaves, or the subtree that ends with it.
Update left_at(const Elimination& plan, const std::vector<Place>& place, Row s) {
  return place[at(s)] == Place::LastGathered ? gathered_for(plan, plan.parent[at(s)]) : left_by(plan, s);
}

/// Entries that the subtrees [begin, end) take while they are eliminated: their stacks, and what they leave.
double taken_by_subtrees(const Elimination& plan, Index begin, Index end, Index threads) {
  double sum = 0;
  std::vector<double> stacks;
  for (Index k = begin; k < end; ++k) {
    stacks.push_back(most_waiting(plan, plan.subtrees[at(k)]));
    sum += left_by(plan, plan.subtrees[at(k)]).entries();
  }
  std::sort(stacks.rbegin(), stacks.rend());
  return std::accumulate(stacks.begin(), stacks.begin() + std::min(threads, end - begin), sum);
}

/// Most entries of updates that wait at a time, in all rounds.
double most_waiting(const Elimination& plan, Index threads) {
  const std::vector<Place> place = places_in_subtrees(plan);
  double most = 0;
  Waiting waiting;
  Index tree = 0;
  Row s = 0;
  for (const auto [end_of_subtrees, end] : plan.rounds) {
    most = std::max(most, waiting.entries() + taken_by_subtrees(plan, tree, end_of_subtrees, threads));
    double to_come = 0;  // of subtrees' updates, which have waited from the beginning of the round
    for (; tree < end_of_subtrees; ++tree) to_come += left_by(plan, plan.subtrees[at(tree)]).entries();
    for (; s < end; ++s) {
      if (place[at(s)] == Place::Inside) continue;
      const Update own = left_at(plan, place, s);
      if (place[at(s)] == Place::Above) {
        most = std::max(most, waiting.entries() + to_come + own.entries());
        while (waiting.has_for(s)) waiting.pop();
      } else {
        to_come -= own.entries();
      }
      waiting.push(own);
    }
  }
  return most;
}

class Factorization {
 public:
  Factorization(const Elimination& plan, const SparseMatrix& a, double sign, double shift, double* values,
                const Run& run)
      : plan_(plan),
        place_(places_in_subtrees(plan)),
        a_(a),
        sign_(sign),
        shift_(shift),
        values_(values),
        run_(run),
        meter_(run, "factorization", plan.work) {}

  bool run() {
    updates_.resize(at(plan_.supernodes()));
    std::vector<Row> waiting;
    Index tree = 0;
    Row s = 0;
    for (const auto [end_of_subtrees, end] : plan_.rounds) {
      parallel_for(run_, end_of_subtrees - tree, 1,
                   [&](Index k, Index) { eliminate_subtree(plan_.subtrees[at(tree + k)]); });
      tree = end_of_subtrees;
      std::unique_ptr<Places> places = spare_places();
      for (; s < end && goes_on_; ++s) {
        if (place_[at(s)] == Place::Inside) continue;
        if (place_[at(s)] == Place::Above) eliminate_top(s, waiting, *places);
        waiting.push_back(s);
      }
      keep(std::move(places));
    }
    if (goes_on_) meter_.finish();
    return goes_on_;
  }

 private:
  /// Where a row of the matrix is in the panel at hand; what is not in it is not set.
  class Places {
   public:
    explicit Places(Index n) : places_(Array2<Row>::uninitialized(n, 1)) {}
    void set(std::span<const Row> rows) {
      for (std::size_t i = 0; i < rows.size(); ++i) places_.data()[rows[i]] = static_cast<Row>(i);
    }
    Row operator[](Row row) const { return places_.data()[row]; }

   private:
    Array2<Row> places_;
  };

  /// Subtrees may be as many as points: they share what has an entry for every point, one for each thread.
  std::unique_ptr<Places> spare_places() {
    {
      const std::lock_guard lock(mutex_);
      if (!spare_places_.empty()) {
        std::unique_ptr<Places> result = std::move(spare_places_.back());
        spare_places_.pop_back();
        return result;
      }
    }
    return std::make_unique<Places>(std::ssize(plan_.order));
  }
  void keep(std::unique_ptr<Places> places) {
    const std::lock_guard lock(mutex_);
    spare_places_.push_back(std::move(places));
  }

  double* panel_of(Index s) const { return values_ + plan_.value_offsets[at(s)]; }

  /// The columns of sign A + shift I, at and below the diagonal.
  void put_matrix(Index s, const Places& places) const {
    double* panel = panel_of(s);
    const Index height = plan_.height(s);
    std::fill_n(panel, plan_.cols(s) * height, 0.0);
    for (Row k = plan_.first[at(s)]; k < plan_.first[at(s) + 1]; ++k, panel += height) {
      const auto row = at(plan_.order[at(k)]);
      panel[places[k]] = shift_;
      for (Index e = a_.offsets[row]; e < a_.offsets[row + 1]; ++e)
        if (const Row i = plan_.place[at(a_.columns[at(e)])]; i >= k) panel[places[i]] += sign_ * a_.values[at(e)];
    }
  }

  /// Adds what children leave of their rows to the panel and the update of their parent.
  void add_children(const Update& children, const double* from, Index s, double* update, const Places& places) const {
    const Index side = children.side(), cols = plan_.cols(s), height = plan_.height(s);
    const Row* rows = children.rows.data();
    double* panel = panel_of(s);
    for (Index j = 0; j < side; ++j, from += side) {
      const Index place = places[rows[j]];
      const bool is_eliminated = place < cols;
      double* to = is_eliminated ? panel + place * height : update + (place - cols) * (height - cols);
      const Index first = is_eliminated ? 0 : cols;
      for (Index i = j; i < side; ++i) to[places[rows[i]] - first] += from[i];
    }
  }

  /// Adds an update to one whose rows are a superset.
  static void add_to(const Update& sum, double* to, const Update& update, const double* from,
                     std::vector<Index>& places) {
    places.clear();
    auto place = sum.rows.begin();
    for (const Row row : update.rows) {
      place = std::lower_bound(place, sum.rows.end(), row);
      places.push_back(place - sum.rows.begin());
    }
    const Index side = update.side();
    for (Index j = 0; j < side; ++j, from += side) {
      double* column = to + places[at(j)] * sum.side();
      for (Index i = j; i < side; ++i) column[places[at(i)]] += from[i];
    }
  }

  /// `done` is work of small panels that has not been reported.
  bool eliminate_front(Index s, double* update, double& done) {
    const DensePanel panel{panel_of(s), plan_.height(s), plan_.cols(s)};
    const double work = plan_.work_of(s);
    bool is_definite = true;
    if (is_large(panel)) {
      is_definite = eliminate_large(
          panel, update, [&](double share) { add_work(share * work); }, run_);
    } else {
      is_definite = eliminate_small(panel, update);
      done += work;
      if (done > WorkMeter::kStep / 2 * plan_.work) add_work(std::exchange(done, 0));
    }
    if (!is_definite) goes_on_ = false;
    return is_definite;
  }

  void add_work(double work) {
    try {
      meter_.add(work);
    } catch (...) {
      goes_on_ = false;  // nor do the other threads
      throw;
    }
  }

  /// What waits within a subtree.
  struct Stack {
    explicit Stack(double entries) : values(Array2<double>::uninitialized(static_cast<Index>(entries), 1)) {}

    /// Adds an update at `from`, at or above the top, to the one into which its parent's children are added up.
    void gather(const Update& sum, const Update& update, const double* from) {
      if (!waiting.has(sum)) {
        std::memmove(top + sum.size(), from, at(update.size()) * sizeof(double));
        from = top + sum.size();
        std::fill_n(top, sum.size(), 0.0);
        top += sum.size();
        waiting.push(sum);
      }
      add_to(sum, top - sum.size(), update, from, places);
    }
    void push(const Update& update, const double* from) {
      std::memmove(top, from, at(update.size()) * sizeof(double));
      top += update.size();
      waiting.push(update);
    }

    Array2<double> values;
    double* top = values.data();
    Waiting waiting;
    std::vector<Index> places;
  };

  void eliminate_subtree(const Elimination::Subtree& tree) {
    Stack stack(most_waiting(plan_, tree));
    std::unique_ptr<Places> places = spare_places();
    double done = 0;
    for (Row s = tree.first; s <= tree.last && goes_on_; ++s) {
      run_.check_cancelled();
      places->set(plan_.rows_of(s));
      put_matrix(s, *places);
      const Update own = left_by(plan_, s);
      double* update = stack.top;
      std::fill_n(update, own.size(), 0.0);
      while (stack.waiting.has_for(s)) {
        const Update children = stack.waiting.pop();
        stack.top -= children.size();
        add_children(children, stack.top, s, update, *places);
      }
      if (!eliminate_front(s, update, done)) return;
      if (is_gathered(plan_, tree, s)) {
        stack.gather(gathered_for(plan_, own.parent), own, update);
      } else {
        stack.push(own, update);
      }
    }
    updates_[at(tree.last)].assign(stack.values.data(), stack.top);
    keep(std::move(places));
    add_work(done);
  }

  /// The last updates on the stack are the children's.
  void eliminate_top(Row s, std::vector<Row>& waiting, Places& places) {
    run_.check_cancelled();
    places.set(plan_.rows_of(s));
    put_matrix(s, places);
    std::vector<double> update(at(left_by(plan_, s).size()));
    for (; !waiting.empty() && plan_.parent[at(waiting.back())] == s; waiting.pop_back()) {
      const std::vector<double> from = std::move(updates_[at(waiting.back())]);  // freed at once
      add_children(left_at(plan_, place_, waiting.back()), from.data(), s, update.data(), places);
    }
    if (eliminate_front(s, update.data(), done_above_)) updates_[at(s)] = std::move(update);
  }

  const Elimination& plan_;
  const std::vector<Place> place_;  // of every supernode
  const SparseMatrix& a_;
  double sign_, shift_;
  double* values_;
  const Run& run_;
  std::vector<std::vector<double>> updates_;  // of subtrees and the supernodes above, until their parents come
  WorkMeter meter_;
  double done_above_ = 0;
  std::atomic<bool> goes_on_{true};  // until the matrix is seen not to be definite
  std::mutex mutex_;
  std::vector<std::unique_ptr<Places>> spare_places_;
};

}  // namespace

double bytes_to_factorize(const Elimination& plan, const Run& run) {
  const auto n = static_cast<double>(plan.order.size()), supernodes = static_cast<double>(plan.supernodes());
  const auto threads = static_cast<double>(std::clamp<Index>(std::ssize(plan.subtrees), 1, thread_count(run)));
  return sizeof(double) * most_waiting(plan, thread_count(run)) + sizeof(Row) * n * threads +
         (sizeof(std::vector<double>) + sizeof(Place) + 2 * sizeof(Row)) * supernodes +
         2 * sizeof(double) * static_cast<double>(plan.subtrees.size());  // which the allocator adds to small updates
}

bool factorize_panels(const Elimination& plan, const SparseMatrix& a, double sign, double shift, double* values,
                      const Run& run) {
  return Factorization(plan, a, sign, shift, values, run).run();
}

}  // namespace unroll
