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

struct SammonOptions {
  static constexpr std::string_view method_name = "sammon";
  static constexpr Index min_points = 2;
  static constexpr std::array input_kinds{InputKind::Points, InputKind::Distances, InputKind::SparseDistances};
  static constexpr std::string_view iterations_option = "n_iter";
  static constexpr bool takes_missing = true;  ///< distances that are NaN are unknown

  std::int64_t n_components = 2;
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

/// Sammon's mapping (Sammon 1969): metric scaling that looks at small distances more than at large ones. Its stress is
/// the sum over pairs of (delta - r)^2 / delta, divided by the sum of delta. Distances of 0 count as much as the
/// smallest other one, and none more than 1e-4 of the root of their mean square. Weights and missing distances are as
/// in metric_mds. New points: transform takes points; with metric = precomputed it takes rows of distances to the
/// training points. A row that equals a training point has its coordinates; others are placed one by one against the
/// fixed map, by their distances to all of its points. Input::init is a start, Input::resume a model to go on from.
/// Attributes: n_iter, the iterations done; stress; with landmarks: landmarks, landmark_error.
UNROLL_API Model sammon(const Input& input, const SammonOptions& options = {}, const Run& run = {});

}  // namespace unroll
