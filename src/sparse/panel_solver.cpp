#include "sparse/panel_solver.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/at.h"
#include "core/parallel.h"
#include "simd/kernels.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

using Row = Elimination::Row;

/// Rows that the subtrees have of their own.
Index rows_of_subtrees(const Elimination& plan) {
  Index rows = 0;
  for (const Elimination::Subtree& tree : plan.subtrees) rows += std::ssize(plan.rows_left_by(tree));
  return rows;
}

Index most_rows(const Elimination& plan) {
  Index most = 0;
  for (Index s = 0; s < plan.supernodes(); ++s) most = std::max(most, plan.height(s));
  return most;
}

}  // namespace

double bytes_to_solve(const Elimination& plan, Index sides, const Run& run) {
  const auto size = [](auto count) { return static_cast<double>(count); };
  const Index n = std::ssize(plan.order), wide = block_count(sides, simd::kSides) * simd::kSides;
  return sizeof(double) * (size(wide) * size(n + rows_of_subtrees(plan)) +
                           size(simd::kSides) * size(thread_count(run)) * size(most_rows(plan))) +
         sizeof(Row) * (size(plan.rows.size()) + size(n)) + (2 * sizeof(Row) + 1) * size(plan.supernodes()) +
         2 * sizeof(Index) * size(plan.subtrees.size());
}

void require_countable_rows(const Elimination& plan) {
  if (const Index rows = std::ssize(plan.order) + rows_of_subtrees(plan); rows > std::numeric_limits<Row>::max())
    throw Error(ErrorKind::NotConverged, fmt::format("a sparse solution of {} rows, above 2^31 - 1", rows));
}

/// Up to kSides right-hand sides, the rest zero, side by side in the order of elimination.
struct PanelSolver::Sides {
  const double* values;
  const Array2<double>& b;
  Array2<double>& x;
  Index first, count;
  double* y;

  void get(const Elimination& plan, Index begin, Index end) const {
    for (Index k = begin; k < end; ++k) {
      const double* from = b.row(plan.order[at(k)]) + first;
      double* to = y + k * simd::kSides;
      for (Index j = 0; j < simd::kSides; ++j) to[j] = j < count ? from[j] : 0;
    }
  }
  void put(const Elimination& plan, Index begin, Index end) const {
    for (Index k = begin; k < end; ++k) {
      double* to = x.row(plan.order[at(k)]) + first;
      const double* from = y + k * simd::kSides;
      for (Index j = 0; j < simd::kSides; ++j)
        if (j < count) to[j] = from[j];
    }
  }
};

PanelSolver::PanelSolver(const Elimination& plan)
    : plan_(plan), rows_(plan.rows), own_rows_{std::ssize(plan.order)}, most_rows_(most_rows(plan)) {
  std::vector<char> is_below(at(plan.supernodes()));
  std::vector<Row> own(plan.order.size());
  for (const Elimination::Subtree& tree : plan.subtrees) {
    const Row end = plan.first[at(tree.last) + 1];
    Index next = own_rows_.back();
    for (const Row row : plan.rows_left_by(tree)) own[at(row)] = static_cast<Row>(next++);
    for (Index e = plan.row_offsets[at(tree.first)]; e < plan.row_offsets[at(tree.last) + 1]; ++e)
      if (plan.rows[at(e)] >= end) rows_[at(e)] = own[at(plan.rows[at(e)])];
    own_rows_.push_back(next);
    std::fill(is_below.begin() + tree.first, is_below.begin() + tree.last + 1, char{1});
  }
  for (Row s = 0; s < plan.supernodes(); ++s)
    if (is_below[at(s)] == 0) top_.push_back(s);
}

simd::Supernode PanelSolver::supernode(const double* values, Index s) const {
  return {.first = plan_.first[at(s)],
          .cols = plan_.cols(s),
          .rows = plan_.height(s),
          .row = rows_.data() + plan_.row_offsets[at(s)],
          .values = values + plan_.value_offsets[at(s)]};
}

/// y = L^-1 b within a subtree, and what it takes from the rows above.
void PanelSolver::enter_subtree(const Sides& sides, Index tree) const {
  const auto [first, last, work, is_gathered] = plan_.subtrees[at(tree)];
  sides.get(plan_, plan_.first[at(first)], plan_.first[at(last) + 1]);
  std::fill(sides.y + own_rows_[at(tree)] * simd::kSides, sides.y + own_rows_[at(tree) + 1] * simd::kSides, 0.0);
  for (Index s = first; s <= last; ++s) simd::kernels().sides.solve_lower(supernode(sides.values, s), sides.y);
}

/// Everything above the subtrees: y = L^-1 b, then x = L^-T y.
void PanelSolver::solve_top(const Sides& sides) const {
  const simd::SideKernels& kernels = simd::kernels().sides;
  for (const Row s : top_) sides.get(plan_, plan_.first[at(s)], plan_.first[at(s) + 1]);
  const auto exchange = [&](bool down) {
    for (Index tree = 0; tree < std::ssize(plan_.subtrees); ++tree) {
      double* own = sides.y + own_rows_[at(tree)] * simd::kSides;
      for (const Row row : plan_.rows_left_by(plan_.subtrees[at(tree)])) {
        double* above = sides.y + row * Index{simd::kSides};
        for (Index j = 0; j < simd::kSides; ++j) {
          if (down) {
            own[j] = above[j];
          } else {
            above[j] += own[j];
          }
        }
        own += simd::kSides;
      }
    }
  };
  Array2<double> below = Array2<double>::uninitialized(most_rows_, simd::kSides);
  exchange(false);
  for (const Row s : top_) kernels.solve_lower(supernode(sides.values, s), sides.y);
  for (auto s = top_.rbegin(); s != top_.rend(); ++s)
    kernels.solve_upper(supernode(sides.values, *s), sides.y, below.data());
  exchange(true);
  for (const Row s : top_) sides.put(plan_, plan_.first[at(s)], plan_.first[at(s) + 1]);
}

/// x = L^-T y within a subtree.
void PanelSolver::leave_subtree(const Sides& sides, Index tree) const {
  const auto [first, last, work, is_gathered] = plan_.subtrees[at(tree)];
  Array2<double> below = Array2<double>::uninitialized(most_rows_, simd::kSides);
  for (Index s = last; s >= first; --s)
    simd::kernels().sides.solve_upper(supernode(sides.values, s), sides.y, below.data());
  sides.put(plan_, plan_.first[at(first)], plan_.first[at(last) + 1]);
}

void PanelSolver::solve(const double* values, const Array2<double>& b, Array2<double>& x, const Run& run) {
  const Index groups = block_count(b.cols(), simd::kSides), trees = std::ssize(plan_.subtrees), rows = own_rows_.back();
  if (work_.rows() != groups * rows) work_ = Array2<double>::uninitialized(groups * rows, simd::kSides);
  const auto sides = [&](Index group) {
    const Index first = group * simd::kSides;
    return Sides{values, b, x, first, std::min(simd::kSides, b.cols() - first), work_.row(group * rows)};
  };
  parallel_for(run, trees * groups, 1, [&](Index k, Index) { enter_subtree(sides(k % groups), k / groups); });
  parallel_for(run, groups, 1, [&](Index group, Index) { solve_top(sides(group)); });
  parallel_for(run, trees * groups, 1, [&](Index k, Index) { leave_subtree(sides(k % groups), k / groups); });
}

}  // namespace unroll
