// Eigenvalues of local methods that differ by less than the rounding of a dense solver.
#include <gtest/gtest.h>

#include <cmath>

#include "support/matrices.h"
#include "support/model_warnings.h"
#include "unroll/methods/mlle.h"

namespace unroll {
namespace {

/// Four pieces of a nearly straight arc, far from each other: functions that are linear on every piece cost next to
/// nothing, and there are many of them.
Array2<double> four_arcs() {
  constexpr Index kPoints = 70;
  constexpr double kCurvature = 0.03;
  Array2<double> x(4 * kPoints, 2);
  for (Index i = 0; i < x.rows(); ++i) {
    const double angle = kCurvature * static_cast<double>(i % kPoints) / kPoints;
    const auto piece = static_cast<double>(i / kPoints);
    x(i, 0) = std::cos(angle) / kCurvature + 5 * piece;
    x(i, 1) = std::sin(angle) / kCurvature + 0.3 * piece;
  }
  return x;
}

Model map_of_arcs(EigenSolver solver) {
  return mlle(four_arcs(),
              {.n_components = 1, .n_neighbors = 4, .components = ComponentsPolicy::Connect, .eigen_solver = solver});
}

TEST(LocalRounding, ADenseSolverTellsThatItsMapIsNoise) {
  const Model exact = map_of_arcs(EigenSolver::ShiftInvert), dense = map_of_arcs(EigenSolver::Dense);
  EXPECT_FALSE(has_warning(exact, "mixed-by-rounding"));
  EXPECT_GT(difference_up_to_sign(dense.coordinates(), exact.coordinates()), 0.1);
  EXPECT_TRUE(has_warning(dense, "mixed-by-rounding"));
}

TEST(LocalRounding, AutoTakesTheSolverThatTellsThemApart) {
  const Model chosen = map_of_arcs(EigenSolver::Auto);
  EXPECT_EQ(chosen.embedding().spectrum.solver, "shift_invert");
  EXPECT_EQ(chosen.coordinates(), map_of_arcs(EigenSolver::ShiftInvert).coordinates());
  EXPECT_FALSE(has_warning(chosen, "mixed-by-rounding"));
}

}  // namespace
}  // namespace unroll
