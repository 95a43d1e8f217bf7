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

struct MetricMdsOptions {
  static constexpr std::string_view method_name = "metric_mds";
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

/// Metric multidimensional scaling (Kruskal 1964; SMACOF: de Leeuw 1977): the map whose distances r differ least from
/// the given ones, by the sum over pairs of w (delta - r)^2, the stress. It starts from classical scaling, and the
/// stress falls in every iteration. Weights of pairs come with the input; distances that are NaN, that weigh 0 or that
/// a sparse matrix lacks are unknown, and count nothing. New points: transform takes points; with metric = precomputed
/// it takes rows of distances to the training points. A row that equals a training point has its coordinates; others
/// are placed one by one against the fixed map, by their distances to all of its points. Input::init is a start,
/// Input::resume a model to go on from. Attributes: n_iter, the iterations done; stress, with landmarks that of
/// the landmarks alone; stress_unit, only if stress would have no number: it is then that of the distances times this;
/// normalized_stress, the root of stress / sum of w delta^2; with landmarks: landmarks, landmark_error.
UNROLL_API Model metric_mds(const Input& input, const MetricMdsOptions& options = {}, const Run& run = {});

}  // namespace unroll
