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
    throw Error(ErrorKind::Unsupported, fmt::format("a sparse solution of {} rows, above 2^31 - 1", rows),
                "use n_landmarks or fewer points");
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
          .values = values + plan_.value_offsets[at(s)],
          .stride = plan_.height(s)};
}

namespace {

void get_below(const simd::Supernode& node, const double* y, double* below) {
  for (Index i = node.cols; i < node.rows; ++i, below += simd::kSides)
    std::copy_n(y + node.row[i] * Index{simd::kSides}, simd::kSides, below);
}

/// Columns [begin, end) of a supernode, as one of its own.
simd::Supernode some_columns(simd::Supernode node, Index begin, Index end) {
  node.first += begin;
  node.cols = end - begin;
  node.rows -= begin;
  node.row += begin;
  node.values += begin * (node.stride + 1);
  return node;
}

}  // namespace

/// y = L^-1 b within a subtree, and what it takes from the rows above.
void PanelSolver::enter_subtree(const Sides& sides, Index tree) const {
  const auto [first, last, work, is_gathered] = plan_.subtrees[at(tree)];
  const simd::SideKernels& kernels = simd::kernels().sides;
  Array2<double> sums = Array2<double>::uninitialized(most_rows_, simd::kSides);
  sides.get(plan_, plan_.first[at(first)], plan_.first[at(last) + 1]);
  std::fill(sides.y + own_rows_[at(tree)] * simd::kSides, sides.y + own_rows_[at(tree) + 1] * simd::kSides, 0.0);
  for (Index s = first; s <= last; ++s) {
    const simd::Supernode node = supernode(sides.values, s);
    kernels.solve_lower(node, sides.y);
    kernels.subtract_lower(node, node.cols, node.rows, sides.y, sums.data());
  }
}

/// x = L^-T y within a subtree.
void PanelSolver::leave_subtree(const Sides& sides, Index tree) const {
  const auto [first, last, work, is_gathered] = plan_.subtrees[at(tree)];
  const simd::SideKernels& kernels = simd::kernels().sides;
  Array2<double> below = Array2<double>::uninitialized(most_rows_, simd::kSides);
  for (Index s = last; s >= first; --s) {
    const simd::Supernode node = supernode(sides.values, s);
    get_below(node, sides.y, below.data());
    kernels.subtract_upper(node, 0, node.cols, sides.y, below.data());
    kernels.solve_upper(node, sides.y);
  }
  sides.put(plan_, plan_.first[at(first)], plan_.first[at(last) + 1]);
}

/// What the rows above take from subtrees.
void PanelSolver::enter_top(const Sides& sides) const {
  for (const Row s : top_) sides.get(plan_, plan_.first[at(s)], plan_.first[at(s) + 1]);
  for (Index tree = 0; tree < std::ssize(plan_.subtrees); ++tree) {
    const double* own = sides.y + own_rows_[at(tree)] * simd::kSides;
    for (const Row row : plan_.rows_left_by(plan_.subtrees[at(tree)])) {
      double* above = sides.y + row * Index{simd::kSides};
      for (Index j = 0; j < simd::kSides; ++j) above[j] += *own++;
    }
  }
}

/// Copies solved rows above to each subtree.
void PanelSolver::leave_top(const Sides& sides) const {
  for (Index tree = 0; tree < std::ssize(plan_.subtrees); ++tree) {
    double* own = sides.y + own_rows_[at(tree)] * simd::kSides;
    for (const Row row : plan_.rows_left_by(plan_.subtrees[at(tree)]))
      own = std::copy_n(sides.y + row * Index{simd::kSides}, simd::kSides, own);
  }
  for (const Row s : top_) sides.put(plan_, plan_.first[at(s)], plan_.first[at(s) + 1]);
}

/// y = L^-1 y above the subtrees, where panels are large: all threads work on one, some columns after the other.
void PanelSolver::solve_top_lower(const std::vector<Sides>& groups, const Run& run) const {
  constexpr Index kRows = 512;  // at a time
  const simd::SideKernels& kernels = simd::kernels().sides;
  for (const Row s : top_)
    for (Index begin = 0; begin < plan_.cols(s); begin += kTopColumns) {
      const Index end = std::min(begin + kTopColumns, plan_.cols(s));
      const simd::Supernode node = some_columns(supernode(groups.front().values, s), begin, end);
      const Index below = node.rows - node.cols, pieces = block_count(below, kRows);
      for (const Sides& sides : groups) kernels.solve_lower(node, sides.y);
      parallel_for(run, pieces * std::ssize(groups), 1, [&](Index k, Index) {
        double sums[kRows * simd::kSides];
        const Index first = node.cols + k % pieces * kRows;
        kernels.subtract_lower(node, first, std::min(first + kRows, node.rows), groups[at(k / pieces)].y, sums);
      });
    }
}

/// x = L^-T y there.
void PanelSolver::solve_top_upper(const std::vector<Sides>& groups, const Run& run) const {
  constexpr Index kColumns = 32;  // at a time
  const simd::SideKernels& kernels = simd::kernels().sides;
  Array2<double> below = Array2<double>::uninitialized(most_rows_ * std::ssize(groups), simd::kSides);
  for (auto s = top_.rbegin(); s != top_.rend(); ++s)
    for (Index slabs = block_count(plan_.cols(*s), kTopColumns), slab = slabs - 1; slab >= 0; --slab) {
      const Index begin = slab * kTopColumns, end = std::min(begin + kTopColumns, plan_.cols(*s));
      const simd::Supernode node = some_columns(supernode(groups.front().values, *s), begin, end);
      const Index pieces = block_count(node.cols, kColumns);
      for (Index g = 0; g < std::ssize(groups); ++g) get_below(node, groups[at(g)].y, below.row(g * most_rows_));
      parallel_for(run, pieces * std::ssize(groups), 1, [&](Index k, Index) {
        const Index first = k % pieces * kColumns, g = k / pieces;
        kernels.subtract_upper(node, first, std::min(first + kColumns, node.cols), groups[at(g)].y,
                               below.row(g * most_rows_));
      });
      for (const Sides& sides : groups) kernels.solve_upper(node, sides.y);
    }
}

void PanelSolver::solve(const double* values, const Array2<double>& b, Array2<double>& x, const Run& run) {
  const Index count = block_count(b.cols(), simd::kSides), trees = std::ssize(plan_.subtrees), rows = own_rows_.back();
  if (count == 0) return;
  if (work_.rows() != count * rows) work_ = Array2<double>::uninitialized(count * rows, simd::kSides);
  std::vector<Sides> groups;
  for (Index g = 0; g < count; ++g) {
    const Index first = g * simd::kSides;
    groups.push_back({values, b, x, first, std::min(simd::kSides, b.cols() - first), work_.row(g * rows)});
  }
  parallel_for(run, trees * count, 1, [&](Index k, Index) { enter_subtree(groups[at(k % count)], k / count); });
  parallel_for(run, count, 1, [&](Index g, Index) { enter_top(groups[at(g)]); });
  solve_top_lower(groups, run);
  solve_top_upper(groups, run);
  parallel_for(run, count, 1, [&](Index g, Index) { leave_top(groups[at(g)]); });
  parallel_for(run, trees * count, 1, [&](Index k, Index) { leave_subtree(groups[at(k % count)], k / count); });
}

}  // namespace unroll
