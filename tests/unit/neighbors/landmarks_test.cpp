#include "neighbors/landmarks.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "support/distances.h"
#include "support/expect_error.h"
#include "support/matrices.h"

namespace unroll {
namespace {

constexpr LandmarkChoice kChoices[] = {LandmarkChoice::MaxMin, LandmarkChoice::Random, LandmarkChoice::KMeans};

TEST(Landmarks, AreDifferentPointsAndTheSameAtAnyThreadCount) {
  const Array2<double> x = normal_matrix(3000, 3, 1);
  for (const LandmarkChoice choice : kChoices) {
    const auto chosen = choose_landmarks(x, 40, choice, {}, 0, {.threads = 1});
    EXPECT_EQ(std::set<Index>(chosen.begin(), chosen.end()).size(), 40U);
    EXPECT_GE(*std::min_element(chosen.begin(), chosen.end()), 0);
    EXPECT_LT(*std::max_element(chosen.begin(), chosen.end()), 3000);
    EXPECT_EQ(choose_landmarks(x, 40, choice, {}, 0, {.threads = 3}), chosen);
    EXPECT_NE(choose_landmarks(x, 40, choice, {}, 1, {}), chosen);
  }
}

/// A process that has the candidates alone chooses the same points.
TEST(Landmarks, CandidatesAloneGiveTheSameChoice) {
  Array2<double> x = normal_matrix(3000, 3, 1);
  x(0, 0) = 1e6;  // no candidate: the scale of all points is another one
  for (const LandmarkChoice choice : kChoices) {
    const std::vector<Index> among = landmark_candidates(3000, 40, choice, 7);
    Array2<double> candidates(static_cast<Index>(among.size()), 3);
    for (Index i = 0; i < candidates.rows(); ++i)
      std::copy_n(x.row(among[static_cast<std::size_t>(i)]), 3, candidates.row(i));
    std::vector<Index> chosen;
    for (const Index place : choose_among_candidates(candidates, 40, choice, {}, 7, {}))
      chosen.push_back(among[static_cast<std::size_t>(place)]);
    EXPECT_EQ(chosen, choose_landmarks(x, 40, choice, {}, 7, {}));
  }
}

TEST(Landmarks, AllPointsCanBeLandmarks) {
  Array2<double> copies(30, 2);  // all at one place
  for (const LandmarkChoice choice : kChoices) {
    const auto chosen = choose_landmarks(copies, 30, choice, {}, 0, {});
    EXPECT_EQ(std::set<Index>(chosen.begin(), chosen.end()).size(), 30U);
  }
}

/// Half the distance of the nearest two landmarks from each other, over the largest distance of a point from them: a
/// farthest-first choice is within a factor of two of the best cover (Gonzalez 1985).
TEST(Landmarks, MaxMinCovers) {
  const Array2<double> x = normal_matrix(400, 2, 2);
  const auto chosen = choose_landmarks(x, 20, LandmarkChoice::MaxMin, {}, 0, {});
  const Array2<double> d = distances_between(x);
  double farthest = 0, nearest = std::numeric_limits<double>::infinity();
  for (Index i = 0; i < x.rows(); ++i) {
    double to_landmark = std::numeric_limits<double>::infinity();
    for (const Index l : chosen) to_landmark = std::min(to_landmark, d(i, l));
    farthest = std::max(farthest, to_landmark);
  }
  for (const Index a : chosen)
    for (const Index b : chosen)
      if (a != b) nearest = std::min(nearest, d(a, b));
  EXPECT_LE(farthest, nearest);
}

TEST(Landmarks, OfGivenDistances) {
  const Array2<double> x = normal_matrix(200, 3, 3), d = distances_between(x);
  const NeighborOptions given{.metric = Metric::Precomputed};
  EXPECT_EQ(choose_landmarks(d, 15, LandmarkChoice::MaxMin, given, 0, {}),
            choose_landmarks(x, 15, LandmarkChoice::MaxMin, {}, 0, {}));
  expect_error(ErrorKind::Unsupported, "landmarks=maxmin",
               [&] { choose_landmarks(d, 15, LandmarkChoice::KMeans, given, 0, {}); });
}

TEST(Landmarks, TooManyOrTooFew) {
  expect_error(ErrorKind::InvalidOption, "n_landmarks=11 must be at most the number of points, 10; use a smaller",
               [] { check_landmarks(11, 2, 10); });
  expect_error(ErrorKind::InvalidOption, "n_landmarks=2 must be more than n_components=2",
               [] { check_landmarks(2, 2, 10); });
}

}  // namespace
}  // namespace unroll
