#include "linalg/multifrontal.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/parallel.h"
#include "linalg/dense_panel.h"

namespace unroll {
namespace {

using Row = Elimination::Row;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }
Index square(Index side) { return side * side; }

/// Most entries of updates that wait at a time while a subtree is eliminated.
Index most_waiting(const Elimination& plan, const Elimination::Subtree& tree) {
  Index most = 0, size = 0;
  std::vector<Row> waiting;
  for (Row s = tree.first; s <= tree.last; ++s) {
    size += square(plan.below(s));
    most = std::max(most, size);
    for (; !waiting.empty() && plan.parent[at(waiting.back())] == s; waiting.pop_back())
      size -= square(plan.below(waiting.back()));
    waiting.push_back(s);
  }
  return most;
}

/// Where the elimination of a supernode belongs; the update of a root leaves its subtree.
enum class Place : char { Above, Root, Inside };

std::vector<Place> places_in_subtrees(const Elimination& plan) {
  std::vector<Place> result(at(plan.supernodes()), Place::Above);
  for (const Elimination::Subtree& tree : plan.subtrees) {
    std::fill(result.begin() + tree.first, result.begin() + tree.last, Place::Inside);
    result[at(tree.last)] = Place::Root;
  }
  return result;
}

/// The same above the subtrees, whose roots wait from the beginning.
Index most_waiting_above(const Elimination& plan) {
  Index size = 0;
  for (const Elimination::Subtree& tree : plan.subtrees) size += square(plan.below(tree.last));
  Index most = size;
  const std::vector<Place> place = places_in_subtrees(plan);
  std::vector<Row> waiting;
  for (Row s = 0; s < plan.supernodes(); ++s) {
    if (place[at(s)] == Place::Inside) continue;
    if (place[at(s)] == Place::Above) {
      size += square(plan.below(s));
      most = std::max(most, size);
      for (; !waiting.empty() && plan.parent[at(waiting.back())] == s; waiting.pop_back())
        size -= square(plan.below(waiting.back()));
    }
    waiting.push_back(s);
  }
  return most;
}

class Factorization {
 public:
  Factorization(const Elimination& plan, const SparseMatrix& a, double sign, double shift, double* values,
                const Run& run)
      : plan_(plan), a_(a), sign_(sign), shift_(shift), values_(values), run_(run) {}

  bool run() {
    const std::vector<Elimination::Subtree>& subtrees = plan_.subtrees;
    updates_.resize(at(plan_.supernodes()));
    double done = 0;
    const auto report = [&] { run_.report({.stage = "factorization", .fraction = std::min(1.0, done / plan_.work)}); };
    report();
    parallel_for(run_, std::ssize(subtrees), 1, [&](Index k, Index) { eliminate_subtree(subtrees[at(k)]); });
    for (const Elimination::Subtree& tree : subtrees) done += tree.work;
    const std::vector<Place> place = places_in_subtrees(plan_);
    const std::unique_ptr<Places> places = spare_places();
    std::vector<Row> waiting;
    for (Row s = 0; s < plan_.supernodes() && is_definite_; ++s) {
      if (place[at(s)] == Place::Inside) continue;
      if (place[at(s)] == Place::Above) {
        report();
        eliminate_top(s, waiting, *places);
        done += plan_.work_of(s);
      }
      waiting.push_back(s);
    }
    return is_definite_;
  }

 private:
  /// Where a row of the matrix is in the panel at hand; what is not in it is not set.
  class Places {
   public:
    explicit Places(Index n) : places_(Array2<Row>::uninitialized(n, 1)) {}
    void set(const Row* rows, Index count) {
      for (Index i = 0; i < count; ++i) places_.data()[rows[i]] = static_cast<Row>(i);
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

  const Row* rows_of(Index s) const { return plan_.rows.data() + plan_.row_offsets[at(s)]; }
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

  /// Adds what a child leaves of its rows to the panel and the update of its parent.
  void add_child(Index child, const double* from, Index s, double* update, Places& places) const {
    const Index side = plan_.below(child), cols = plan_.cols(s), height = plan_.height(s);
    const Row* rows = rows_of(child) + plan_.cols(child);
    double* panel = panel_of(s);
    for (Index j = 0; j < side; ++j, from += side) {
      const Index place = places[rows[j]];
      const bool is_eliminated = place < cols;
      double* to = is_eliminated ? panel + place * height : update + (place - cols) * (height - cols);
      const Index first = is_eliminated ? 0 : cols;
      for (Index i = j; i < side; ++i) to[places[rows[i]] - first] += from[i];
    }
  }

  bool eliminate_front(Index s, double* update) {
    if (eliminate({panel_of(s), plan_.height(s), plan_.cols(s)}, update, run_)) return true;
    is_definite_ = false;
    return false;
  }

  /// Updates wait on a stack until their parent comes: in postorder the last ones are its children's.
  void eliminate_subtree(const Elimination::Subtree& tree) {
    Array2<double> stack = Array2<double>::uninitialized(most_waiting(plan_, tree), 1);
    std::unique_ptr<Places> kept = spare_places();
    Places& places = *kept;
    std::vector<Row> waiting;
    double* top = stack.data();
    for (Row s = tree.first; s <= tree.last && is_definite_; ++s) {
      run_.check_cancelled();
      places.set(rows_of(s), plan_.height(s));
      put_matrix(s, places);
      const Index size = square(plan_.below(s));
      double *update = top, *bottom = top;
      std::fill_n(update, size, 0.0);
      for (; !waiting.empty() && plan_.parent[at(waiting.back())] == s; waiting.pop_back()) {
        bottom -= square(plan_.below(waiting.back()));
        add_child(waiting.back(), bottom, s, update, places);
      }
      if (!eliminate_front(s, update)) return;
      std::memmove(bottom, update, at(size) * sizeof(double));
      top = bottom + size;
      waiting.push_back(s);
    }
    updates_[at(tree.last)].assign(stack.data(), top);
    keep(std::move(kept));
  }

  void eliminate_top(Row s, std::vector<Row>& waiting, Places& places) {
    run_.check_cancelled();
    places.set(rows_of(s), plan_.height(s));
    put_matrix(s, places);
    std::vector<double> update(at(square(plan_.below(s))));
    for (; !waiting.empty() && plan_.parent[at(waiting.back())] == s; waiting.pop_back()) {
      const std::vector<double> from = std::move(updates_[at(waiting.back())]);  // freed at once
      add_child(waiting.back(), from.data(), s, update.data(), places);
    }
    if (eliminate_front(s, update.data())) updates_[at(s)] = std::move(update);
  }

  const Elimination& plan_;
  const SparseMatrix& a_;
  double sign_, shift_;
  double* values_;
  const Run& run_;
  std::vector<std::vector<double>> updates_;  // of roots of subtrees and the supernodes above, until their parents come
  std::atomic<bool> is_definite_{true};
  std::mutex mutex_;
  std::vector<std::unique_ptr<Places>> spare_places_;
};

}  // namespace

double bytes_to_factorize(const Elimination& plan, const Run& run) {
  const auto n = static_cast<double>(plan.order.size()), supernodes = static_cast<double>(plan.supernodes());
  std::vector<Index> stacks;
  Index below = 0;  // entries while subtrees are eliminated: their stacks, and what they leave
  for (const Elimination::Subtree& tree : plan.subtrees) {
    stacks.push_back(most_waiting(plan, tree));
    below += square(plan.below(tree.last));
  }
  std::sort(stacks.rbegin(), stacks.rend());
  const Index threads = std::min<Index>(thread_count(run), std::ssize(stacks));
  for (Index k = 0; k < threads; ++k) below += stacks[at(k)];
  const auto updates = static_cast<double>(std::max(below, most_waiting_above(plan)));
  return sizeof(double) * updates + sizeof(Row) * n * static_cast<double>(std::max<Index>(threads, 1)) +
         (sizeof(std::vector<double>) + sizeof(Place) + 2 * sizeof(Row)) * supernodes +
         2 * sizeof(double) * static_cast<double>(stacks.size());  // which the allocator adds to small updates
}

bool factorize_panels(const Elimination& plan, const SparseMatrix& a, double sign, double shift, double* values,
                      const Run& run) {
  return Factorization(plan, a, sign, shift, values, run).run();
}

}  // namespace unroll
