#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "unroll/core/input.h"
#include "unroll/core/model.h"
#include "unroll/core/options.h"
#include "unroll/data/scaling.h"
#include "unroll/linalg/eigen_solver_choice.h"
#include "unroll/neighbors/landmark_choice.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {

struct MdsOptions {
  static constexpr std::string_view method_name = "mds";
  static constexpr Index min_points = 2;
  static constexpr std::array input_kinds{InputKind::Points, InputKind::Distances};

  std::int64_t n_components = 2;
  Metric metric = Metric::Euclidean;
  double p = 2;
  bool additive_constant = false;
  std::optional<std::int64_t> n_landmarks = {};
  LandmarkChoice landmarks = LandmarkChoice::MaxMin;
  FullEigenSolver eigen_solver = FullEigenSolver::Auto;
  Scaling scale = Scaling::None;
  std::optional<std::int64_t> pca = {};
  std::int64_t random_state = 0;

  UNROLL_API static OptionFields fields();
};

/// Classical multidimensional scaling (Torgerson 1952, Gower 1966): points whose inner products are as near as possible
/// to those that the given distances imply. New points: transform takes points; with metric = precomputed it takes rows
/// of distances to the training points.
/// Attributes: rank; negative_mass (up to 1000 points, where distances need not be Euclidean): sum |lambda < 0| / sum
/// |lambda|; additive_constant; with landmarks: landmarks, landmark_error (see docs/mds.md).
UNROLL_API Model mds(const Input& input, const MdsOptions& options = {}, const Run& run = {});

}  // namespace unroll
