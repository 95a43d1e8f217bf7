#include "layout/umap_curve.h"

#include <gtest/gtest.h>

namespace unroll {
namespace {

/// What umap-learn 0.5.3 finds with scipy.optimize.curve_fit.
TEST(UmapCurve, IsThatOfUmapLearn) {
  struct Case {
    double min_dist, spread, a, b;
  };
  for (const Case& of : {Case{0.1, 1, 1.5769434, 0.8950609}}) {
    const UmapCurve curve = fit_umap_curve(of.min_dist, of.spread);
    EXPECT_NEAR(curve.a, of.a, 1e-4 * of.a) << of.min_dist << ' ' << of.spread;
    EXPECT_NEAR(curve.b, of.b, 1e-4 * of.b) << of.min_dist << ' ' << of.spread;
  }
}

}  // namespace
}  // namespace unroll
