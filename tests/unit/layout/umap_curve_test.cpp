#include "layout/umap_curve.h"

#include <gtest/gtest.h>

#include <cmath>

namespace unroll {
namespace {

/// What umap-learn 0.5.3 finds with scipy.optimize.curve_fit.
TEST(UmapCurve, IsThatOfUmapLearn) {
  struct Case {
    double min_dist, spread, a, b;
  };
  for (const Case& of :
       {Case{0.1, 1, 1.576943, 0.8950609}, Case{0, 1, 1.932808, 0.790495}, Case{0.01, 1, 1.895606, 0.8006378},
        Case{0.5, 1, 0.58303, 1.334167}, Case{0.99, 1, 0.1193053, 1.91639}, Case{1, 1, 0.1149757, 1.929237},
        Case{0.1, 2, 0.5446605, 0.8420554}, Case{0.25, 0.5, 3.70629, 1.334167}, Case{1, 5, 0.04999631, 1.003005}}) {
    const UmapCurve curve = fit_umap_curve(of.min_dist, of.spread);
    EXPECT_NEAR(curve.a, of.a, 1e-4 * of.a) << of.min_dist << ' ' << of.spread;
    EXPECT_NEAR(curve.b, of.b, 1e-4 * of.b) << of.min_dist << ' ' << of.spread;
  }
}

/// curve_fit ends at a = -36.8 there.
TEST(UmapCurve, HasAnswersForAnyUnit) {
  const UmapCurve one = fit_umap_curve(0.01, 1);
  for (const double unit : {1e-3, 0.1, 1e4}) {
    const UmapCurve curve = fit_umap_curve(0.01 * unit, unit);
    EXPECT_NEAR(curve.b, one.b, 1e-9);
    EXPECT_NEAR(curve.a * std::pow(unit, 2 * curve.b), one.a, 1e-9);
  }
}

}  // namespace
}  // namespace unroll
