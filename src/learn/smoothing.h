#pragma once
#include <optional>
#include <vector>

#include "affinity/affinity.h"
#include "unroll/learn/label_solver.h"

/// The linear systems of label propagation and label spreading.
namespace unroll {

/// (I - theta S) G = B among some points of a graph, S = D^-1/2 W D^-1/2. The matrix is positive definite if theta is
/// below 1, or if every component has a point that is not among them. No entry of its inverse is negative.
struct SmoothingProblem {
  const Affinity& affinity;
  const std::vector<double>& scales;  ///< 1 / sqrt(degree) of every point of the graph; 0: it has no edges
  double theta = 1;
  std::optional<double> dimension = {};  ///< intrinsic dimension of the points, for the choice of the solver
};

struct SmoothingSettings {
  LabelSolver solver = LabelSolver::Auto;
  double tol = 1e-13;
  Index max_iter = 10'000;
};

struct Smoothed {
  /// A row per point of the graph, 0 for those that are not asked for. Every row has a scale of its own: rows far from
  /// all labels would be rounding beside the others, or too small for a double.
  Array2<double> values = {};
  Index iterations = 0;  ///< of conjugate gradients, the most of all columns; 0: by a factor
  double residual = 0;   ///< the largest |B - A G| / (|B| + |G|) of a column
  LabelSolver solver = LabelSolver::Iterate;
  bool converged = true;
};

/// `points` are ascending; `b` has a row for each of them. Rows of small magnitude are not left at the accuracy of the
/// large ones: once these are known, the others are solved for again with them on the right side.
Smoothed solve_smoothing(const SmoothingProblem& problem, std::vector<Index> points, Array2<double> b,
                         const SmoothingSettings& settings, const Run& run);

/// 1 / sqrt(degree). Throws InvalidData if one is not finite.
std::vector<double> smoothing_scales(const Affinity& affinity, const Run& run);

}  // namespace unroll
