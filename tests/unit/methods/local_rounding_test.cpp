// Local methods at the edge of rounding: eigenvalues that differ by less than a dense solver can tell apart, and large
// neighborhoods of low rank.
#include <gtest/gtest.h>

#include <cmath>

#include "support/matrices.h"
#include "support/model_warnings.h"
#include "unroll/data/generators.h"
#include "unroll/methods/mlle.h"
#include "unroll/quality/quality.h"
#include "unroll/registry.h"

namespace unroll {
namespace {

/// Four pieces of a nearly straight arc, far from each other: functions that are linear on every piece cost next to
/// nothing, and there are many of them.
Array2<double> four_arcs() {
  constexpr Index kPoints = 70;
  constexpr double kCurvature = 0.03;
  Array2<double> x(4 * kPoints, 2);
  for (Index i = 0; i < x.rows(); ++i) {
    const Index piece = i / kPoints, place = i % kPoints;
    const double angle = kCurvature * static_cast<double>(place) / kPoints;
    x(i, 0) = std::cos(angle) / kCurvature + 5 * static_cast<double>(piece);
    x(i, 1) = std::sin(angle) / kCurvature + 0.3 * static_cast<double>(piece);
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

/// The inner products of a neighborhood have a side of 55 or 80, but the rank of the flat space: their eigenvectors are
/// found, and the map is the space itself.
TEST(LocalRounding, ManyNeighborsInAFlatSpace) {
  const Dataset flat = make_dataset("linear_subspace", 300, 1);
  for (const char* name : {"mlle", "hlle", "ltsa"})
    for (const std::int64_t k : {55, 80}) {
      const Model model =
          find_method(name).fit(flat.points, {{"n_components", flat.truth.cols()}, {"n_neighbors", k}}, {});
      for (const double r2 : affine_r2(model.coordinates(), flat.truth)) EXPECT_GT(r2, 0.999) << name << ", " << k;
    }
}

}  // namespace
}  // namespace unroll
