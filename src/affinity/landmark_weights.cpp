#include "affinity/landmark_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "affinity/reconstruction_weights.h"
#include "core/at.h"
#include "core/matrix_copies.h"
#include "core/owned_points.h"
#include "core/parallel.h"
#include "neighbors/landmarks.h"
#include "neighbors/neighbor_lookup.h"
#include "unroll/core/error.h"

namespace unroll {

std::vector<Index> LandmarkSource::choose(const std::vector<Index>& among, Index count, const Run& run) const {
  const bool all = std::ssize(among) == points_.rows();
  const OwnedPoints some = all           ? OwnedPoints{}
                           : is_matrix() ? OwnedPoints(picked(points_, among, among))
                                         : copied(points_, among);
  std::vector<Index> chosen = choose_landmarks(all ? points_ : view_of(some), count, choice_, options_, seed_, run);
  for (Index& landmark : chosen) landmark = among[at(landmark)];
  return chosen;
}

NeighborGraph LandmarkSource::nearest(const std::vector<Index>& rows, const std::vector<Index>& landmarks, Index count,
                                      const Run& run) const {
  const OwnedPoints own = is_matrix() ? OwnedPoints{} : copied(points_, landmarks);
  const NeighborLookup lookup(view_of(own), std::ssize(landmarks), {.metric = options_.metric, .p = options_.p},
                              SearchLimits{std::min<Index>(count, std::ssize(landmarks))}, run);
  NeighborGraph found;
  constexpr Index kRows = 1 << 16;
  for (Index first = 0; first < std::ssize(rows); first += kRows) {
    const Index last = std::min<Index>(first + kRows, std::ssize(rows));
    const std::vector<Index> some(rows.begin() + first, rows.begin() + last);
    const OwnedPoints queries = is_matrix() ? OwnedPoints(picked(points_, some, landmarks)) : copied(points_, some);
    const NeighborGraph part = lookup.nearest(view_of(queries), run);
    for (std::size_t i = 1; i < part.offsets.size(); ++i) found.offsets.push_back(found.edges() + part.offsets[i]);
    found.neighbors.insert(found.neighbors.end(), part.neighbors.begin(), part.neighbors.end());
    found.distances.insert(found.distances.end(), part.distances.begin(), part.distances.end());
  }
  return found;
}

LandmarkWeights LandmarkSource::weights(const std::vector<Index>& rows, const std::vector<Index>& landmarks,
                                        Index n_components, const Run& run) const {
  // Few landmarks, so that Z T is nearly linear between them: with more, a Swiss roll loses half of its height.
  const Index near_count = n_components + 2;
  constexpr Index kRows = 1024;
  constexpr double kReg = 1e-6;
  const NeighborGraph found = nearest(rows, landmarks, near_count, run);
  std::vector<Index> own(at(points_.rows()), -1);  // a landmark is itself, even if another one equals it
  for (std::size_t l = 0; l < landmarks.size(); ++l) own[at(landmarks[l])] = static_cast<Index>(l);
  SparseMatrix z{.rows = std::ssize(rows), .cols = std::ssize(landmarks), .offsets = found.offsets};
  z.columns.resize(found.neighbors.size());
  z.values.resize(found.neighbors.size());
  std::atomic<Index> corrected = 0;
  parallel_for(run, z.rows, kRows, [&](Index begin, Index end) {
    GeometryScratch scratch;
    WeightsScratch solver;
    Array2<double> gram;
    std::vector<double> weights;
    std::vector<std::pair<Index, double>> row;
    std::vector<Index> members;
    for (Index i = begin; i < end; ++i) {
      std::vector<Index> near(found.neighbors_of(i).begin(), found.neighbors_of(i).end());
      const Index self = own[at(rows[at(i)])];
      if (self >= 0 && std::find(near.begin(), near.end(), self) == near.end()) near.back() = self;
      members.clear();
      for (const Index l : near) members.push_back(landmarks[at(l)]);
      weights.assign(near.size(), 0);
      if (self >= 0) {
        weights[at(std::find(near.begin(), near.end(), self) - near.begin())] = 1;
      } else if (found.distances_of(i).front() == 0) {
        weights.front() = 1;
      } else {
        geometry_.gram_about(rows[at(i)], members, gram, scratch);
        const WeightsOutcome outcome = solve_any_weights(gram, {.reg = kReg}, weights, solver);
        if (outcome == WeightsOutcome::Corrected) ++corrected;
        if (outcome == WeightsOutcome::Singular)
          throw Error(ErrorKind::InvalidData,
                      fmt::format("the weights of point {} on its {} nearest landmarks are not determined",
                                  rows[at(i)] + 1, near.size()),
                      "use another n_landmarks");
      }
      row.clear();
      for (std::size_t e = 0; e < near.size(); ++e) row.emplace_back(near[e], weights[e]);
      std::sort(row.begin(), row.end());
      for (std::size_t e = 0; e < row.size(); ++e) {
        z.columns[at(found.offsets[at(i)]) + e] = row[e].first;
        z.values[at(found.offsets[at(i)]) + e] = row[e].second;
      }
    }
  });
  return {std::move(z), corrected};
}

}  // namespace unroll
