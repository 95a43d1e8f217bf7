#pragma once
#include <vector>

#include "simd/side_kernels.h"
#include "sparse/elimination.h"
#include "unroll/core/run.h"

namespace unroll {

/// Solves L L^T x = b with a planned factor. Subtrees of the elimination run in parallel: what they have to say to the
/// rows above them, and to hear from these, goes through rows of their own.
class PanelSolver {
 public:
  explicit PanelSolver(const Elimination& plan);

  /// A column per right-hand side.
  void solve(const double* values, const Array2<double>& b, Array2<double>& x, const Run& run);

 private:
  struct Sides;

  simd::Supernode supernode(const double* values, Index s) const;
  void enter_subtree(const Sides& sides, Index tree) const;
  void leave_subtree(const Sides& sides, Index tree) const;
  void enter_top(const Sides& sides) const;
  void leave_top(const Sides& sides) const;
  void solve_top_lower(const std::vector<Sides>& groups, const Run& run) const;
  void solve_top_upper(const std::vector<Sides>& groups, const Run& run) const;

  static constexpr Index kTopColumns = 128;  // of a panel above the subtrees that are taken at a time

  const Elimination& plan_;
  std::vector<Elimination::Row> top_;   // supernodes above all subtrees
  std::vector<Elimination::Row> rows_;  // as in the plan, but those outside of a subtree are its own
  std::vector<Index> own_rows_;         // of every subtree, and the end
  Index most_rows_;                     // of a supernode
  Array2<double> work_;
};

/// Throws Unsupported where the rows of a solution, with those that subtrees have of their own, are 2^31 or more.
void require_countable_rows(const Elimination& plan);

/// Bytes that a PanelSolver takes for this many right-hand sides, at most.
double bytes_to_solve(const Elimination& plan, Index sides, const Run& run);

}  // namespace unroll
