// Metric scaling, Sammon's mapping and non-metric scaling as methods: known results, weights, missing distances, new
// points, odd data.
#include <gtest/gtest.h>

#include <cmath>

#include "support/distances.h"
#include "support/expect_error.h"
#include "support/matrices.h"
#include "support/model_warnings.h"
#include "unroll/methods/metric_mds.h"
#include "unroll/methods/nonmetric_mds.h"
#include "unroll/methods/sammon.h"
#include "unroll/registry.h"

namespace unroll {
namespace {

Array2<double> matrix_of(Index rows, Index cols, const std::vector<double>& values) {
  Array2<double> result(rows, cols);
  std::copy(values.begin(), values.end(), result.data());
  return result;
}

double between(const Array2<double>& y, Index i, Index j) {
  double squared = 0;
  for (Index d = 0; d < y.cols(); ++d) squared += (y(i, d) - y(j, d)) * (y(i, d) - y(j, d));
  return std::sqrt(squared);
}

/// Sum over pairs of w (delta - r)^2; a weight of 0 is a distance that does not count.
double raw_stress(const Array2<double>& delta, const Array2<double>& weights, const Array2<double>& y) {
  double sum = 0;
  for (Index i = 0; i < y.rows(); ++i)
    for (Index j = i + 1; j < y.rows(); ++j)
      if (weights(i, j) > 0) sum += weights(i, j) * std::pow(delta(i, j) - between(y, i, j), 2);
  return sum;
}

/// The stress that plain gradient descent with tiny steps reaches from there.
double directly_minimized(const Array2<double>& delta, const Array2<double>& weights, Array2<double> y) {
  for (int step = 0; step < 20'000; ++step) {
    const Array2<double> old = y;
    for (Index i = 0; i < y.rows(); ++i)
      for (Index j = 0; j < y.rows(); ++j)
        for (Index d = 0; d < y.cols() && i != j && weights(i, j) > 0; ++d)
          y(i, d) -= 0.02 * weights(i, j) * (1 - delta(i, j) / between(old, i, j)) * (old(i, d) - old(j, d));
  }
  return raw_stress(delta, weights, y);
}

Array2<double> moved(const Array2<double>& y, double by) {
  const Array2<double> noise = normal_matrix(y.rows(), y.cols(), 77);
  Array2<double> result = y;
  for (Index i = 0; i < y.size(); ++i) result.data()[i] += by * noise.data()[i];
  return result;
}

Array2<double> times(const Array2<double>& a, double factor) {
  Array2<double> result = a;
  for (Index i = 0; i < a.size(); ++i) result.data()[i] *= factor;
  return result;
}

Array2<double> symmetric_weights_of(Index n, std::uint64_t seed, double zeros) {
  const Random random(seed, "pair weights");
  Array2<double> w(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < i; ++j) {
      const auto at = static_cast<std::uint64_t>(i * n + j);
      w(i, j) = w(j, i) = random.uniform(at, 0) < zeros ? 0 : 0.2 + random.uniform(at, 1);
    }
  return w;
}

// Borg & Groenen, Modern Multidimensional Scaling (2005), section 8.6. The start is printed with three decimals, and
// the step multiplies their rounding.
TEST(MetricMds, OneStepIsThatOfTheTextbook) {
  const Array2<double> delta = matrix_of(4, 4, {0, 5, 3, 4, 5, 0, 2, 2, 3, 2, 0, 1, 4, 2, 1, 0});
  const Array2<double> start = matrix_of(4, 2, {-.266, -.539, .451, .252, .016, -.238, -.200, .524});
  const Array2<double> expected = matrix_of(4, 2, {-1.415, -2.471, 1.633, 1.107, .249, -.067, -.468, 1.431});
  Input input(DistancesView{delta});
  input.init = PointsView(start);
  const Model model = metric_mds(input, {.n_iter = 1});
  for (Index i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(model.coordinates().data()[i], expected.data()[i], 0.001) << i;
  EXPECT_EQ(model.attribute<std::int64_t>("n_iter"), 1);
  EXPECT_NEAR(model.attribute<double>("stress"), 0.584, 0.002);
}

TEST(MetricMds, FindsPointsThatHaveTheDistances) {
  const Array2<double> delta = distances_between(normal_matrix(40, 2, 1));
  const Input input(DistancesView{delta});
  const Model model = metric_mds(input, {.init = LayoutStart::Random, .random_state = 3});
  EXPECT_LT(metric_mds(input).attribute<double>("normalized_stress"), 1e-6);
  const Model several = metric_mds(input, {.n_init = 5, .init = LayoutStart::Random, .random_state = 3});
  EXPECT_LE(several.attribute<double>("stress"), model.attribute<double>("stress"));
}

TEST(MetricMds, WeightsAndMissingDistancesAreThoseOfADirectMinimizer) {
  const Array2<double> x = normal_matrix(10, 4, 4), delta = distances_between(x), start = normal_matrix(10, 2, 5);
  for (const double zeros : {0.0, 0.3}) {
    const Array2<double> weights = symmetric_weights_of(10, 6, zeros);
    Input input(DistancesView{delta});
    input.init = PointsView(start);
    input.pair_weights = PointsView(weights);
    const Model model = metric_mds(input, {.n_iter = 3000, .tol = 0});
    const double found = raw_stress(delta, weights, model.coordinates());
    EXPECT_NEAR(found, directly_minimized(delta, weights, model.coordinates()), 1e-8 * found);
    EXPECT_NEAR(found, directly_minimized(delta, weights, moved(model.coordinates(), 0.02)), 1e-6 * found);
    // Of several starts, a minimum that is as good as any that it finds.
    double lowest = found;
    for (std::uint64_t seed = 50; seed < 54; ++seed)
      lowest = std::min(lowest, directly_minimized(delta, weights, normal_matrix(10, 2, seed)));
    input.init.reset();
    const Model best = metric_mds(input, {.n_iter = 3000, .tol = 0, .n_init = 20});
    EXPECT_LT(raw_stress(delta, weights, best.coordinates()), 1.0001 * lowest);
  }
  // NaN, a weight of 0 and an entry that a sparse matrix lacks are one.
  Array2<double> weights(10, 10), holes = delta;
  for (Index i = 0; i < weights.size(); ++i) weights.data()[i] = 1;
  for (const auto& [i, j] : {std::pair<Index, Index>{0, 3}, {4, 7}, {2, 9}}) {
    weights(i, j) = weights(j, i) = 0;
    holes(i, j) = holes(j, i) = std::nan("");
  }
  SparseMatrix sparse{.rows = 10, .cols = 10};
  for (Index i = 0; i < 10; ++i) {
    for (Index j = 0; j < 10; ++j)
      if (i != j && weights(i, j) > 0) sparse.columns.push_back(j), sparse.values.push_back(delta(i, j));
    sparse.offsets.push_back(std::ssize(sparse.columns));
  }
  Input weighted(DistancesView{delta});
  weighted.pair_weights = PointsView(weights);
  const Array2<double> y = metric_mds(weighted).coordinates();
  EXPECT_EQ(metric_mds(DistancesView{holes}).coordinates(), y);
  EXPECT_EQ(metric_mds(SparseDistances(sparse)).coordinates(), y);
  EXPECT_NE(metric_mds(DistancesView{delta}).coordinates(), y);
  EXPECT_EQ(sammon(DistancesView{holes}).coordinates(), sammon(SparseDistances(sparse)).coordinates());
}

TEST(MetricMds, WeightsOfOneChangeNothing) {
  const Array2<double> x = normal_matrix(60, 4, 7);
  Array2<double> ones(60, 60);
  for (Index i = 0; i < ones.size(); ++i) ones.data()[i] = 3;
  Input input(x);
  input.pair_weights = PointsView(ones);
  const auto with = metric_mds(input).attribute<double>("normalized_stress"),
             without = metric_mds(x).attribute<double>("normalized_stress");
  EXPECT_NEAR(with, without, 1e-3 * without);
}

TEST(MetricMds, WeightsThatAreNoneAreRefused) {
  const Array2<double> x = normal_matrix(8, 3, 8), delta = distances_between(x);
  const auto refused = [&](const Array2<double>& weights, const std::string& why) {
    Input input(DistancesView{delta});
    input.pair_weights = PointsView(weights);
    expect_error(ErrorKind::InvalidData, why, [&] { metric_mds(input); });
  };
  refused(Array2<double>(7, 8), "the weights of pairs have 7 rows and 8 columns, but there are 8 points");
  Array2<double> bad = symmetric_weights_of(8, 1, 0);
  bad(2, 1) = bad(1, 2) = -1;
  refused(bad, "the weight of points 2 and 3 is -1, below 0");
  bad(2, 1) = 1, bad(1, 2) = 2;
  refused(bad, "the array must be symmetric");
  Input input(DistancesView{delta});
  input.pair_weights = PointsView(delta);
  expect_error(ErrorKind::Unsupported, "weights of pairs came with the input",
               [&] { find_method("mds").fit(input, {}, {}); });
  Array2<double> apart = delta;
  for (Index i = 0; i < 4; ++i)
    for (Index j = 4; j < 8; ++j) apart(i, j) = apart(j, i) = std::nan("");
  expect_error(ErrorKind::Disconnected, "", [&] { metric_mds(DistancesView{apart}); });
}

TEST(MetricMds, TheUnitDoesNotMatter) {
  const Array2<double> x = normal_matrix(60, 5, 9);
  for (const char* name : {"metric_mds", "sammon", "nonmetric_mds"}) {
    const Model usual = find_method(name).fit(x, {}, {});
    for (const double unit : {1e-150, 1e150, 1e-8}) {
      const Model model = find_method(name).fit(times(x, unit), {}, {});
      EXPECT_EQ(model.attribute<std::int64_t>("n_iter"), usual.attribute<std::int64_t>("n_iter")) << name << unit;
    }
    // A power of two changes no bit.
    const bool has_unit = std::string_view(name) != "nonmetric_mds";
    for (const int power : {-500, 500, -27})
      EXPECT_EQ(find_method(name).fit(times(x, std::ldexp(1, power)), {}, {}).coordinates(),
                times(usual.coordinates(), has_unit ? std::ldexp(1, power) : 1))
          << name << power;
  }
}

TEST(MetricMds, GoesOnFromAModel) {
  const Array2<double> x = normal_matrix(80, 5, 10);
  for (const char* name : {"metric_mds", "sammon", "nonmetric_mds"}) {
    const Method& method = find_method(name);
    const auto fit = [&](const Model* from, std::int64_t iterations) {
      Input input(x);
      input.resume = from;
      return method.fit(input, {{"n_iter", iterations}, {"tol", 0.0}}, {});
    };
    const Model half = load_model(fit(nullptr, 11).bytes(), "half");
    EXPECT_TRUE(fit(&half, 40).bytes() == fit(nullptr, 40).bytes()) << name;
  }
}

TEST(MetricMds, SeveralStartsAreNotGoneOnFrom) {
  const Array2<double> x = normal_matrix(80, 5, 10);
  const Model several = metric_mds(x, {.n_iter = 5, .n_init = 2});
  Input input(x);
  input.resume = &several;
  for (const std::int64_t n_init : {1, 2})
    expect_error(ErrorKind::InvalidOption, "give its coordinates as the start of a new map, with n_init=1",
                 [&] { metric_mds(input, {.n_init = n_init}); });
  // The advice can be followed.
  input.resume = nullptr;
  input.init = PointsView(several.coordinates());
  EXPECT_LT(metric_mds(input, {.n_init = 1}).attribute<double>("stress"), several.attribute<double>("stress"));
}

TEST(MetricMds, OtherDataAreNotGoneOnWith) {
  const Array2<double> x = normal_matrix(40, 5, 40), other = normal_matrix(40, 5, 41), delta = distances_between(x);
  for (const char* name : {"metric_mds", "sammon", "nonmetric_mds"})
    for (const std::int64_t done : {5, 300}) {
      const Method& method = find_method(name);
      const Model half = method.fit(x, {{"n_iter", done}}, {});
      Input input(other);
      input.resume = &half;
      expect_error(ErrorKind::InvalidData, "was fitted to other distances or weights", [&] {
        method.fit(input, {{"n_iter", std::int64_t{400}}}, {});
      });
    }
  const Array2<double> weights = symmetric_weights_of(40, 2, 0.1);
  const Model plain = metric_mds(DistancesView{delta}, {.n_iter = 5});
  Input input(DistancesView{delta});
  input.pair_weights = PointsView(weights);
  input.resume = &plain;
  expect_error(ErrorKind::InvalidData, "was fitted to other distances or weights", [&] { metric_mds(input); });
}

TEST(MetricMds, StressIsThePlainSumWhateverTheWeights) {
  const Array2<double> x = normal_matrix(12, 4, 30), delta = distances_between(x);
  for (const double weight : {3.0, 0.3, 1e200}) {
    const Array2<double> weights = times(symmetric_weights_of(12, 5, 0.2), weight);
    Input input(DistancesView{delta});
    input.pair_weights = PointsView(weights);
    const Model model = metric_mds(input);
    const double expected = raw_stress(delta, weights, model.coordinates());
    EXPECT_NEAR(model.attribute<double>("stress"), expected, 1e-10 * expected) << weight;
  }
}

TEST(MetricMds, StressBeyondAllNumbersHasAUnit) {
  const Array2<double> x = normal_matrix(30, 4, 31);
  const auto usual = metric_mds(x).attribute<double>("stress");
  for (const double unit : {std::ldexp(1, 530), std::ldexp(1, -560)}) {
    const Model model = metric_mds(times(x, unit));
    const double factor = model.attribute<double>("stress_unit") * unit;
    EXPECT_EQ(model.attribute<double>("stress"), usual * factor * factor) << unit;
  }
}

// The unit of a start is anybody's guess: the map that comes of it is the same.
TEST(MetricMds, AGivenStartMayHaveAnyUnit) {
  const Array2<double> x = normal_matrix(30, 4, 32), start = normal_matrix(30, 2, 33);
  for (const char* name : {"metric_mds", "sammon", "nonmetric_mds"}) {
    const Method& method = find_method(name);
    const auto fit = [&](double data_unit, double start_unit) {
      const Array2<double> data = times(x, data_unit), from = times(start, start_unit);
      Input input(data);
      input.init = PointsView(from);
      return method.fit(input, {}, {});
    };
    const char* attribute = std::string_view(name) == "metric_mds" ? "normalized_stress" : "stress";
    const auto usual = fit(1, 1).attribute<double>(attribute);
    EXPECT_LT(usual, 0.5) << name;
    for (const auto& [data_unit, start_unit] :
         {std::pair{std::ldexp(1, 500), 1.0}, {1.0, std::ldexp(1, 600)}, {1.0, std::ldexp(1, -600)}})
      EXPECT_EQ(fit(data_unit, start_unit).attribute<double>(attribute), usual) << name << data_unit << start_unit;
  }
}

TEST(MetricMds, AGivenStartWithoutExtentIsLeft) {
  const Array2<double> x = normal_matrix(30, 2, 34), random = normal_matrix(30, 2, 35);
  for (const char* name : {"metric_mds", "sammon", "nonmetric_mds"})
    for (int kind = 0; kind < 5; ++kind) {
      Array2<double> start = kind < 2 ? Array2<double>(30, 2) : random;
      for (Index i = 0; i < 30; ++i) {
        if (kind == 1) start(i, 0) = 0.1, start(i, 1) = 1e8;  // one place
        if (kind == 2 || kind == 3) start(i, kind - 2) = 0;   // a line
        if (kind == 4 && i < 10) std::copy_n(random.row(0), 2, start.row(i));
      }
      Input input(x);
      input.init = PointsView(start);
      const Model model = find_method(name).fit(input, {}, {});
      const Array2<double>& y = model.coordinates();
      EXPECT_GT(correlation_of_distances(y, x), 0.5) << name << kind;
      for (Index i = 0; i < 30; ++i)
        for (Index j = 0; j < i; ++j) EXPECT_GT(between(y, i, j), 1e-6) << name << kind;
    }
}

TEST(MetricMds, CopiesThatStartOnAnotherPointStayTogether) {
  Array2<double> x = normal_matrix(20, 3, 36), start = normal_matrix(20, 2, 37), known = distances_between(x);
  std::copy_n(x.row(5), 3, x.row(9));  // 5 and 9 are copies, which start where 2 does
  std::copy_n(start.row(2), 2, start.row(5));
  std::copy_n(start.row(2), 2, start.row(9));
  known = distances_between(x);
  known(0, 1) = known(1, 0) = std::nan("");
  for (const char* name : {"metric_mds", "sammon"})
    for (const bool is_whole : {true, false}) {
      Input input = is_whole ? Input(x) : Input(DistancesView{known});
      input.init = PointsView(start);
      const Array2<double> y = find_method(name).fit(input, {{"n_iter", std::int64_t{3}}}, {}).coordinates();
      EXPECT_LT(between(y, 5, 9), 1e-12) << name << is_whole;
      EXPECT_GT(between(y, 2, 5), 1e-4) << name << is_whole;
    }
}

TEST(MetricMds, FinishesHereOnRequest) {
  const Array2<double> x = normal_matrix(80, 5, 11);
  for (const std::int64_t starts : {1, 3}) {
    int reports = 0;
    const unroll::Run interrupted{.progress = [&](const Progress& progress) -> Answer {
      if (!progress.loss) return Answer::Continue;
      EXPECT_GT(*progress.loss, 0);
      EXPECT_NE(progress.frame, nullptr);
      return ++reports == 7 ? Answer::FinishHere : Answer::Continue;
    }};
    const Model model = metric_mds(x, {.tol = 0, .n_init = starts}, interrupted);
    EXPECT_TRUE(has_warning(model, "finished-early"));
    EXPECT_LT(model.attribute<std::int64_t>("n_iter"), 30);
    EXPECT_EQ(reports, 7);
  }
}

TEST(MetricMds, NewPointsAreWhereTheirStressIsLeast) {
  const Array2<double> x = normal_matrix(80, 3, 12), fresh = normal_matrix(5, 3, 13);
  const Model model = metric_mds(x, {.n_components = 2});
  const Array2<double> placed = model.transform(fresh), delta = distances_from(fresh, x);
  const auto stress_at = [&](Index i, double u, double v) {
    double sum = 0;
    for (Index j = 0; j < 80; ++j)
      sum += std::pow(delta(i, j) - std::hypot(u - model.coordinates()(j, 0), v - model.coordinates()(j, 1)), 2);
    return sum;
  };
  for (Index i = 0; i < 5; ++i) {
    const double here = stress_at(i, placed(i, 0), placed(i, 1));
    for (double u = -4; u <= 4; u += 0.1)
      for (double v = -4; v <= 4; v += 0.1) EXPECT_LE(here, stress_at(i, u, v) * (1 + 1e-9)) << i;
  }
  // Of points in the plane new ones are exact.
  const Array2<double> plane = normal_matrix(30, 2, 14), more = normal_matrix(4, 2, 15);
  for (const char* name : {"metric_mds", "sammon"}) {
    const Model exact = find_method(name).fit(plane, {}, {});
    const Array2<double> y = exact.transform(more), expected = distances_from(more, plane);
    for (Index i = 0; i < 4; ++i)
      for (Index j = 0; j < 30; ++j)
        EXPECT_NEAR(std::hypot(y(i, 0) - exact.coordinates()(j, 0), y(i, 1) - exact.coordinates()(j, 1)),
                    expected(i, j), 1e-4)
            << name;
  }
}

TEST(MetricMds, LandmarksGiveNearlyTheMap) {
  const Array2<double> x = normal_matrix(300, 3, 16);
  for (const char* name : {"metric_mds", "sammon", "nonmetric_mds"}) {
    const Method& method = find_method(name);
    const Model all = method.fit(x, {}, {}), some = method.fit(x, {{"n_landmarks", std::int64_t{100}}}, {});
    EXPECT_GT(correlation_of_distances(some.coordinates(), x), correlation_of_distances(all.coordinates(), x) - 0.05)
        << name;
    EXPECT_LT(some.attribute<double>("landmark_error"), 0.9) << name;
    const Model loaded = load_model(some.bytes(), "file");
    EXPECT_EQ(loaded.transform(x), some.coordinates()) << name;
  }
  const Array2<double> delta = distances_between(normal_matrix(50, 3, 17));
  expect_error(ErrorKind::Unsupported, "n_landmarks is for points",
               [&] { metric_mds(DistancesView{delta}, {.n_landmarks = 20}); });
}

TEST(Sammon, StressIsThatOfItsDefinition) {
  const Array2<double> x = normal_matrix(25, 5, 18), delta = distances_between(x);
  Array2<double> inverse = delta;
  double total = 0;
  for (Index i = 0; i < 25; ++i)
    for (Index j = 0; j < 25; ++j) {
      inverse(i, j) = i == j ? 0 : 1 / delta(i, j);
      if (i < j) total += delta(i, j);
    }
  const Model model = sammon(x, {.n_iter = 2000, .tol = 1e-9}), metric = metric_mds(x);
  EXPECT_NEAR(model.attribute<double>("stress"), raw_stress(delta, inverse, model.coordinates()) / total, 1e-10);
  EXPECT_LT(model.attribute<double>("stress"), raw_stress(delta, inverse, metric.coordinates()) / total);
  const double found = raw_stress(delta, inverse, model.coordinates());
  EXPECT_NEAR(found, directly_minimized(delta, inverse, model.coordinates()), 1e-5 * found);
}

TEST(Sammon, CopiesStayTogether) {
  Array2<double> x = normal_matrix(40, 4, 19);
  std::copy_n(x.row(3), 4, x.row(31));
  const Model model = sammon(x);
  EXPECT_LT(between(model.coordinates(), 3, 31), 1e-9);
}

TEST(Sammon, AVanishingDistanceHoldsNothing) {
  Array2<double> triangle = matrix_of(3, 3, {0, 1e-310, 1, 1e-310, 0, 1, 1, 1, 0});
  const Model three = sammon(DistancesView{triangle});
  EXPECT_LT(three.attribute<double>("stress"), 1e-6);
  EXPECT_LT(between(three.coordinates(), 0, 1), 1e-3);
  EXPECT_NEAR(between(three.coordinates(), 0, 2), 1, 1e-3);
  // Copies of others may go where they like, although two points are nearly at one place.
  Array2<double> x = normal_matrix(60, 4, 39);
  for (Index i = 20; i < 40; ++i) std::copy_n(x.row(i - 20), 4, x.row(i));
  const auto usual = sammon(x).attribute<double>("stress");
  for (Index d = 0; d < 4; ++d) x(50, d) = x(51, d) + 1e-9;
  EXPECT_LT(sammon(x).attribute<double>("stress"), 1.1 * usual);
}

TEST(NonmetricMds, OnlyTheOrderCounts) {
  Array2<double> x = normal_matrix(50, 4, 20);
  std::copy_n(x.row(3), 4, x.row(31));
  std::copy_n(x.row(3), 4, x.row(32));
  const Array2<double> delta = distances_between(x);
  for (const TieRule ties : {TieRule::Primary, TieRule::Secondary}) {
    const Model usual = nonmetric_mds(DistancesView{delta}, {.ties = ties});
    for (int kind = 0; kind < 3; ++kind) {
      Array2<double> changed = delta;
      for (Index i = 0; i < 50; ++i)
        for (Index j = 0; j < 50; ++j)
          if (i != j)
            changed(i, j) = kind == 0   ? std::pow(delta(i, j), 3)
                            : kind == 1 ? std::exp(delta(i, j)) + 100
                                        : std::log1p(delta(i, j));
      EXPECT_EQ(nonmetric_mds(DistancesView{changed}, {.ties = ties}).coordinates(), usual.coordinates()) << kind;
    }
  }
}

TEST(NonmetricMds, FindsTheShapeBehindACurvedScale) {
  const Array2<double> x = normal_matrix(60, 2, 21);
  Array2<double> delta = distances_between(x);
  for (Index i = 0; i < delta.size(); ++i) delta.data()[i] = std::pow(delta.data()[i], 3);
  const Model model = nonmetric_mds(DistancesView{delta}, {.n_iter = 1000});
  EXPECT_LT(model.attribute<double>("stress"), 0.01);
  EXPECT_GT(correlation_of_distances(model.coordinates(), x), 0.999);
  double squares = 0;
  for (Index i = 0; i < model.coordinates().size(); ++i) squares += std::pow(model.coordinates().data()[i], 2);
  EXPECT_NEAR(squares / 60, 1, 1e-12);
}

TEST(NonmetricMds, PrimaryTiesHaveLessStress) {
  Array2<double> delta = distances_between(normal_matrix(40, 4, 22));
  for (Index i = 0; i < delta.size(); ++i) delta.data()[i] = std::round(2 * delta.data()[i]);
  for (Index i = 0; i < 40; ++i)
    for (Index j = 0; j < 40; ++j) delta(i, j) = i == j ? 0 : std::max(delta(i, j), 1.0);
  EXPECT_LT(nonmetric_mds(DistancesView{delta}).attribute<double>("stress"),
            nonmetric_mds(DistancesView{delta}, {.ties = TieRule::Secondary}).attribute<double>("stress"));
}

TEST(StressMaps, PairsAreMadeInStepsThatCanBeStopped) {
  Array2<double> known = distances_between(normal_matrix(300, 3, 61)), weights = known;
  known(0, 1) = known(1, 0) = std::nan("");
  Input weighted(DistancesView{weights});
  weighted.pair_weights = PointsView(weights);
  const unroll::Run stopped{.progress = [](const Progress& progress) {
    return progress.stage == "distances" ? Answer::Cancel : Answer::Continue;
  }};
  for (const Input& input : {weighted, Input(DistancesView{known})})
    expect_error(ErrorKind::Cancelled, "", [&] { metric_mds(input, {}, stopped); });
  const unroll::Run unsorted{.progress = [](const Progress& progress) {
    return progress.stage == "sorting distances" ? Answer::Cancel : Answer::Continue;
  }};
  expect_error(ErrorKind::Cancelled, "", [&] { nonmetric_mds(DistancesView{weights}, {}, unsorted); });
}

// Sums over known pairs are cut into blocks, as those over all pairs are.
TEST(StressMaps, ThreadsDoNotChangeBitsOfWeightedMaps) {
  const Array2<double> x = normal_matrix(300, 4, 65), weights = symmetric_weights_of(300, 66, 0.3);
  Input input(x);
  input.pair_weights = PointsView(weights);
  for (const char* name : {"metric_mds", "sammon"}) {
    const auto fit = [&](int threads) {
      return find_method(name).fit(input, {{"n_iter", std::int64_t{20}}}, {.threads = threads}).coordinates();
    };
    const Array2<double> one = fit(1);
    for (const int threads : {2, 3, 8}) EXPECT_EQ(fit(threads), one) << name << threads;
  }
}

TEST(StressMaps, WhatIsBesideAMatrixIsNotLookedAt) {
  const Array2<double> delta = distances_between(normal_matrix(40, 3, 64));
  Array2<double> wide(40, 42);
  for (Index i = 0; i < 40; ++i) {
    std::copy_n(delta.row(i), 40, wide.row(i));
    wide(i, 40) = std::nan(""), wide(i, 41) = 1e9;
  }
  const MatrixView<double> part{wide.data(), 40, 40, 42};
  for (const char* name : {"metric_mds", "sammon", "nonmetric_mds"})
    EXPECT_EQ(find_method(name).fit(Input(DistancesView{PointsView(part)}), {}, {}).coordinates(),
              find_method(name).fit(Input(DistancesView{delta}), {}, {}).coordinates())
        << name;
}

TEST(StressMaps, AdviceOfMemoryCanBeFollowed) {
  const Array2<double> x = normal_matrix(1001, 2, 62), delta = distances_between(x);
  const unroll::Run little{.memory_budget = 1 << 20};
  Input weighted(x), distances(DistancesView{delta});
  weighted.pair_weights = PointsView(delta);
  expect_error(ErrorKind::OutOfMemory, "; use n_landmarks=1000, or fewer points", [&] { metric_mds(x, {}, little); });
  expect_error(ErrorKind::OutOfMemory, "; use fewer points, or n_landmarks=1000 without the weights",
               [&] { metric_mds(weighted, {}, little); });
  expect_error(ErrorKind::OutOfMemory, "; use fewer points", [&] { sammon(distances, {}, little); });
}

/// The stress of the map is the sum over its pairs, and less than that of a map of the first two of three columns.
void expect_stress_of_pairs(const Array2<double>& x, const Model& model) {
  double stress = 0, of_columns = 0;
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < i; ++j) {
      const double delta = between(x, i, j);
      stress += std::pow(delta - between(model.coordinates(), i, j), 2);
      of_columns += std::pow(delta - std::hypot(x(i, 0) - x(j, 0), x(i, 1) - x(j, 1)), 2);
    }
  EXPECT_NEAR(model.attribute<double>("stress"), stress, 1e-6 * stress) << x.rows();
  EXPECT_LT(stress, 0.9 * of_columns) << x.rows();
}

// Beyond 2000 points the start is by landmarks, beyond 4000 distances are kept in float, beyond 20 000 not at all.
TEST(StressMapsSlow, ManyPointsHaveTheStressThatIsTold) {
  for (const Index n : {2100, 4100, 20'100}) {
    const Array2<double> x = normal_matrix(n, 3, 60);
    expect_stress_of_pairs(x, metric_mds(x, {.n_iter = 2}));
  }
}

TEST(StressMapsSlow, ManyDistancesHaveALandmarkStart) {
  for (const Index n : {2100, 4100}) {
    const Array2<double> x = normal_matrix(n, 3, 63), delta = distances_between(x);
    expect_stress_of_pairs(x, metric_mds(DistancesView{delta}, {.n_iter = 4}));
    if (n > 4000) break;
    for (const char* name : {"sammon", "nonmetric_mds"}) {
      const Model given = find_method(name).fit(Input(DistancesView{delta}), {{"n_iter", std::int64_t{4}}}, {});
      EXPECT_GT(correlation_of_distances(given.coordinates(), x), 0.8) << name;
    }
  }
}

TEST(StressMaps, OddDistancesAreRefusedOrDefined) {
  const Array2<double> delta = distances_between(normal_matrix(12, 3, 23));
  for (const char* name : {"metric_mds", "sammon", "nonmetric_mds"}) {
    const Method& method = find_method(name);
    const auto refused = [&](const std::string& why, auto&& spoil) {
      Array2<double> bad = delta;
      spoil(bad);
      expect_error(ErrorKind::InvalidData, why, [&] { method.fit(Input(DistancesView{bad}), {}, {}); });
    };
    refused("all distances must be positive or zero", [](auto& d) { d(2, 5) = d(5, 2) = -1; });
    refused("a point has no distance from itself", [](auto& d) { d(4, 4) = 1; });
    refused("the array must be symmetric", [](auto& d) { d(2, 5) += 0.1; });
    refused("", [](auto& d) { d(2, 5) = d(5, 2) = HUGE_VAL; });
    // All equal: no direction is better than another, yet points part.
    Array2<double> simplex(12, 12);
    for (Index i = 0; i < 12; ++i)
      for (Index j = 0; j < 12; ++j) simplex(i, j) = i == j ? 0 : 1;
    const Array2<double> y = method.fit(Input(DistancesView{simplex}), {}, {}).coordinates();
    for (Index i = 0; i < 12; ++i)
      for (Index j = 0; j < i; ++j) EXPECT_GT(between(y, i, j), 1e-6) << name << i << j;
    const Model equal = method.fit(Array2<double>(20, 3), {}, {});
    EXPECT_EQ(max_abs(equal.coordinates()), 0) << name;
    for (const Index n : {2, 3, 4}) {
      const Model few = method.fit(normal_matrix(n, 3, 24), {{"n_components", std::int64_t{1}}}, {});
      EXPECT_TRUE(std::isfinite(max_abs(few.coordinates()))) << name;
    }
  }
}

}  // namespace
}  // namespace unroll
