// Diffusion maps: diffusion distances, a dense reference, densities, times, new points.
#include "unroll/methods/diffusion_maps.h"
#include "support/model_warnings.h"

#include <gtest/gtest.h>

#include "linalg/symmetric_eigen.h"
#include "support/distances.h"
#include "support/expect_error.h"
#include "support/matrices.h"
#include "support/point_clouds.h"
#include "support/scratch_folder.h"
#include "support/strips.h"
#include "unroll/data/generators.h"
#include "unroll/registry.h"

namespace unroll {
namespace {

/// The transition matrix by its definition: K / (q q')^alpha, rows divided by their sums; and those sums.
struct Walk {
  Array2<double> p;
  std::vector<double> degrees;
  double volume = 0;
};
Walk walk(const Array2<double>& x, double sigma, double alpha) {
  const Index n = x.rows();
  Array2<double> k = distances_between(x);
  std::vector<double> q(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      k(i, j) = std::exp(-k(i, j) * k(i, j) / (2 * sigma * sigma));
      q[static_cast<std::size_t>(i)] += k(i, j);
    }
  Walk result{.p = k, .degrees = std::vector<double>(static_cast<std::size_t>(n))};
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      result.p(i, j) = k(i, j) / std::pow(q[static_cast<std::size_t>(i)] * q[static_cast<std::size_t>(j)], alpha);
      result.degrees[static_cast<std::size_t>(i)] += result.p(i, j);
    }
  for (Index i = 0; i < n; ++i) {
    result.volume += result.degrees[static_cast<std::size_t>(i)];
    for (Index j = 0; j < n; ++j) result.p(i, j) /= result.degrees[static_cast<std::size_t>(i)];
  }
  return result;
}

TEST(DiffusionMaps, DistancesInTheFullMapAreDiffusionDistances) {
  const Array2<double> x = normal_matrix(40, 3, 1);
  for (const double alpha : {0.0, 0.5, 1.0}) {
    const Walk w = walk(x, 1.5, alpha);
    Array2<double> power = w.p;
    for (const int t : {1, 2, 3}) {
      if (t > 1) power = product(power, w.p);
      const Model model = diffusion_maps(
          x, {.n_components = 39, .graph = GraphKind::Full, .sigma = 1.5, .alpha = alpha, .t = static_cast<double>(t)});
      const Array2<double> d = distances_between(model.coordinates());
      for (Index i = 0; i < 40; ++i)
        for (Index j = 0; j < i; ++j) {
          double sum = 0;  // of (p_t(i, z) - p_t(j, z))^2 / pi(z), pi = degrees / volume
          for (Index z = 0; z < 40; ++z) {
            const double difference = power(i, z) - power(j, z);
            sum += difference * difference * w.volume / w.degrees[static_cast<std::size_t>(z)];
          }
          ASSERT_NEAR(d(i, j), std::sqrt(sum), 1e-8) << alpha << " " << t;
        }
    }
  }
}

TEST(DiffusionMaps, CoordinatesAreEigenfunctionsOfTheWalk) {
  const Array2<double> x = make_dataset("swiss_roll", 250, 1).points;
  const Walk w = walk(x, 4, 1);
  const Model model = diffusion_maps(x, {.n_components = 3, .graph = GraphKind::Full, .sigma = 4.0, .t = 0});
  const Array2<double> moved = product(w.p, model.coordinates());
  for (Index k = 0; k < 3; ++k) {
    double norm = 0;
    for (Index i = 0; i < 250; ++i) {
      ASSERT_NEAR(moved(i, k),
                  model.embedding().spectrum.values[static_cast<std::size_t>(k)] * model.coordinates()(i, k), 1e-8);
      norm += w.degrees[static_cast<std::size_t>(i)] / w.volume * model.coordinates()(i, k) * model.coordinates()(i, k);
    }
    EXPECT_NEAR(norm, 1, 1e-9);
  }
}

TEST(DiffusionMaps, TimeIsAPowerOfTheEigenvalue) {
  const Array2<double> x = make_dataset("s_curve", 400, 2).points;
  const Array2<double> at_zero = diffusion_maps(x, {.t = 0}).coordinates();
  for (const double t : {0.5, 1.0, 2.5, 7.0}) {
    const Model model = diffusion_maps(x, {.t = t});
    for (Index k = 0; k < 2; ++k) {
      const double factor = std::pow(model.embedding().spectrum.values[static_cast<std::size_t>(k)], t);
      for (Index i = 0; i < 400; ++i) ASSERT_NEAR(model.coordinates()(i, k), factor * at_zero(i, k), 1e-9);
    }
    EXPECT_LT(relative_difference(model.transform(x), model.coordinates()), 1e-6);
  }
}

TEST(DiffusionMaps, AlphaOneForgetsTheDensity) {
  // A line, sampled five times as densely on the left: with alpha = 1 the first coordinate is the cosine of the line.
  Array2<double> x(600, 1);
  for (Index i = 0; i < 600; ++i)
    x(i, 0) = i < 500 ? static_cast<double>(i) / 500 : 1 + static_cast<double>(i - 500) / 100;
  const auto correlation = [&](double alpha) {
    const Model model = diffusion_maps(x, {.n_components = 1, .graph = GraphKind::Full, .sigma = 0.05, .alpha = alpha});
    double xx = 0, yy = 0, xy = 0, mx = 0, my = 0;
    for (Index i = 0; i < 600; ++i)
      mx += std::cos(x(i, 0) * 1.5707963267948966) / 600, my += model.coordinates()(i, 0) / 600;
    for (Index i = 0; i < 600; ++i) {
      const double a = std::cos(x(i, 0) * 1.5707963267948966) - mx, b = model.coordinates()(i, 0) - my;
      xx += a * a, yy += b * b, xy += a * b;
    }
    return std::abs(xy) / std::sqrt(xx * yy);
  };
  EXPECT_GT(correlation(1), 0.999);
  EXPECT_LT(correlation(0), 0.99);
}

TEST(DiffusionMaps, NegativeEigenvaluesHaveNoFractionalPower) {
  // A bipartite graph's walk has the eigenvalue -1 ... without its diagonal; here 0/1 weights between two sets.
  Array2<double> w(20, 20);
  for (Index i = 0; i < 20; ++i)
    for (Index j = 0; j < 20; ++j) w(i, j) = (i < 10) != (j < 10) ? 1 + 0.1 * static_cast<double>(i + j) : 0.01;
  const DiffusionMapsOptions given{.n_components = 19, .weights = EdgeWeights::Precomputed, .t = 0.5};
  const Model model = diffusion_maps(w, given);
  EXPECT_TRUE(has_warning(model, "negative-eigenvalues"));
  for (Index i = 0; i < model.coordinates().size(); ++i) ASSERT_TRUE(std::isfinite(model.coordinates().data()[i]));
}

TEST(DiffusionMaps, TheUnitOfGivenWeightsDoesNotMatter) {
  Array2<double> w = distances_between(normal_matrix(30, 2, 1));
  for (Index i = 0; i < w.size(); ++i) w.data()[i] = std::exp(-w.data()[i] * w.data()[i]);
  const DiffusionMapsOptions given{.weights = EdgeWeights::Precomputed};
  const Model plain = diffusion_maps(w, given);
  for (const double unit : {1e-300, 1.7e308}) {
    Array2<double> scaled = w;
    for (Index i = 0; i < w.size(); ++i) scaled.data()[i] *= unit;
    const Model model = diffusion_maps(scaled, given);
    EXPECT_LT(relative_difference(model.coordinates(), plain.coordinates()), 1e-9);
    EXPECT_LT(relative_difference(model.transform(scaled), plain.coordinates()), 1e-6);
  }
}

TEST(DiffusionMaps, IndependentCoordinatesTellTheOtherDirection) {
  for (const double length : {3.0, 7.0}) {
    const Array2<double> strip = even_strip(1500, length);
    EXPECT_TRUE(has_warning(diffusion_maps(strip), "repeated-direction"));
    const Model model = diffusion_maps(strip, {.independent = true});
    EXPECT_GT(correlation(model.coordinates(), 0, strip, 0), 0.9) << length;
    EXPECT_GT(correlation(model.coordinates(), 1, strip, 1), 0.9) << length;
    EXPECT_FALSE(has_warning(model, "repeated-direction"));
  }
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Dataset roll = make_dataset("swiss_roll", 2000, seed);
    EXPECT_GT(share_told(diffusion_maps(roll.points, {.independent = true}).coordinates(), roll.truth, 1), 0.85)
        << seed;
  }
}

// More eigenvectors are asked for where the first ones are not enough: of the kernel that has been divided by
// densities.
TEST(DiffusionMaps, IndependentCoordinatesOfLongStrips) {
  for (std::uint64_t seed = 0; seed < 3; ++seed)
    for (const double alpha : {0.0, 1.0}) {
      const Array2<double> strip = random_strip(3000, 20, seed);
      const Model model = diffusion_maps(strip, {.alpha = alpha, .independent = true});
      EXPECT_GT(share_told(model.coordinates(), strip, 1), 0.5) << seed;
      EXPECT_LT(relative_difference(model.transform(strip), model.coordinates()), 1e-6);
      const Array2<double> all = diffusion_maps(strip, {.n_components = 50, .alpha = alpha}).coordinates();
      double best = 0;
      for (Index k = 0; k < 50; ++k) best = std::max(best, correlation(all, k, model.coordinates(), 1));
      EXPECT_NEAR(best, 1, 1e-6);
    }
  const Array2<double> longest = random_strip(3000, 50, 1);
  const Model model = diffusion_maps(longest, {.independent = true});
  EXPECT_TRUE(has_warning(model, "repeated-direction") || share_told(model.coordinates(), longest, 1) > 0.6);
}

struct DiffusionCase {
  const char* name;
  DiffusionMapsOptions options;
  bool clusters = false;
  friend void PrintTo(const DiffusionCase& tested, std::ostream* out) { *out << tested.name; }
};
class DiffusionVariants : public testing::TestWithParam<DiffusionCase> {};
INSTANTIATE_TEST_SUITE_P(
    DiffusionMaps, DiffusionVariants,
    testing::Values(DiffusionCase{"plain", {}}, DiffusionCase{"full", {.graph = GraphKind::Full}},
                    DiffusionCase{"berry_harlim", {.bandwidth = Bandwidth::BerryHarlim}},
                    DiffusionCase{"self_tuning", {.bandwidth = Bandwidth::SelfTuning}},
                    DiffusionCase{"alpha_half", {.alpha = 0.5, .t = 3}}, DiffusionCase{"apart", {}, true},
                    DiffusionCase{"connected", {.components = ComponentsPolicy::Connect}, true},
                    DiffusionCase{"kept", {.components = ComponentsPolicy::Keep}, true},
                    DiffusionCase{"mutual", {.n_neighbors = 15, .symmetrization = Symmetrization::Mutual}},
                    DiffusionCase{"average", {.symmetrization = Symmetrization::Average}},
                    DiffusionCase{"independent", {.independent = true}},
                    DiffusionCase{"independent_apart", {.independent = true}, true},
                    DiffusionCase{"landmarks", {.n_landmarks = 80}}),
    [](const auto& tested) { return tested.param.name; });

TEST_P(DiffusionVariants, KeepTheContracts) {
  const Array2<double> x =
      GetParam().clusters ? two_clusters(70, 40, 3, 1, 50, 1) : make_dataset("swiss_roll", 180, 1).points;
  const Model model = diffusion_maps(x, GetParam().options, {.threads = 1});
  const Array2<double> batch = model.transform(x);
  EXPECT_LT(relative_difference(batch, model.coordinates()), 1e-6);
  for (const Index i : {0, 7, 100}) EXPECT_EQ(model.transform(rows_of(x, i, 1)), rows_of(batch, i, 1));
  for (const int threads : {2, 3, 8})
    EXPECT_EQ(diffusion_maps(x, GetParam().options, {.threads = threads}).coordinates(), model.coordinates());
  const ScratchFolder folder;
  model.save(folder / "m.unroll");
  EXPECT_EQ(load_model(folder / "m.unroll").transform(x), batch);
}

}  // namespace
}  // namespace unroll
