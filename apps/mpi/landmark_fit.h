#pragma once
#include <optional>
#include <vector>

#include "rank_points.h"
#include "ranks.h"
#include "shared_npy.h"
#include "unroll/neighbors/landmark_choice.h"
#include "unroll/neighbors/neighbors.h"
#include "unroll/registry.h"

namespace unroll::cluster {

/// Which points a map is fitted to.
struct LandmarkRule {
  Index count = 0;
  LandmarkChoice choice = LandmarkChoice::MaxMin;
  NeighborOptions distance = {};  ///< its metric and p
  std::uint64_t seed = 0;
};

/// The landmarks of all rows, as one process chooses them: every rank reads the candidates of its slice, and the root
/// chooses. Collective; the root alone gets them.
struct Landmarks {
  Table table = {};
  std::vector<Index> rows = {};
};
Landmarks find_landmarks(const Ranks& ranks, const SharedNpy& input, const LandmarkRule& rule, const Run& run);

/// A map of the landmarks. Half of them are fitted, too: how far that map of all landmarks differs is the error.
struct LandmarkModel {
  Model model;
  std::optional<double> error = {};
};
LandmarkModel fit_landmarks(const Method& method, const Table& landmarks, const OptionValues& options, const Run& run);

}  // namespace unroll::cluster
