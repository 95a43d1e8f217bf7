#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "unroll/core/input.h"
#include "unroll/core/model.h"
#include "unroll/core/options.h"
#include "unroll/data/scaling.h"
#include "unroll/layout/layout_start.h"
#include "unroll/neighbors/landmark_choice.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {

/// What pairs of the same distance in the data may be in the map.
enum class TieRule {
  Primary,    ///< of different distances (Kruskal's first approach)
  Secondary,  ///< of different distances, but with one disparity
};
constexpr auto enum_names(TieRule) {
  return std::array{Named{TieRule::Primary, "primary"}, Named{TieRule::Secondary, "secondary"}};
}

struct NonmetricMdsOptions {
  static constexpr std::string_view method_name = "nonmetric_mds";
  static constexpr Index min_points = 2;
  static constexpr std::array input_kinds{InputKind::Points, InputKind::Distances};
  static constexpr std::string_view iterations_option = "n_iter";

  std::int64_t n_components = 2;
  TieRule ties = TieRule::Primary;
  std::int64_t n_iter = 300;
  double tol = 1e-5;
  std::int64_t n_init = 1;
  LayoutStart init = LayoutStart::Auto;
  Metric metric = Metric::Euclidean;
  double p = 2;
  std::optional<std::int64_t> n_landmarks = {};
  LandmarkChoice landmarks = LandmarkChoice::MaxMin;
  Scaling scale = Scaling::None;
  std::optional<std::int64_t> pca = {};
  std::int64_t random_state = 0;

  UNROLL_API static OptionFields fields();
};

/// Non-metric multidimensional scaling (Shepard 1962; Kruskal 1964): a map whose distances r are in the order of the
/// given ones. Stress-1 is the root of the sum of (r - d)^2 / sum of r^2, with disparities d that are as near to r as
/// an order without inversions allows (monotone regression). Nothing but the order of the distances counts, also for
/// the start, which is Sammon's mapping of their ranks. The map is centred, with a mean square distance from its
/// centre of 1. New points are placed as in metric_mds, by what the map makes of their distances. Input::init is a
/// start, Input::resume a model to go on from. Attributes: n_iter, the iterations done; stress, which is stress-1; with
/// landmarks: landmarks, landmark_error.
UNROLL_API Model nonmetric_mds(const Input& input, const NonmetricMdsOptions& options = {}, const Run& run = {});

}  // namespace unroll
