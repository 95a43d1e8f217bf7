#include "unroll/data/generators.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "support/expect_error.h"

namespace unroll {
namespace {

bool all_finite(const Array2<double>& array) {
  return std::all_of(array.data(), array.data() + array.size(), [](double x) { return std::isfinite(x); });
}

bool begins_with(const Array2<double>& longer, const Array2<double>& shorter) {
  return longer.cols() == shorter.cols() && std::equal(shorter.data(), shorter.data() + shorter.size(), longer.data());
}

void expect_refusal(std::string_view name, std::int64_t n_samples, const OptionValues& options,
                    const std::string& message) {
  expect_error(ErrorKind::InvalidOption, message, [&] { make_dataset(name, n_samples, 0, options); });
}

class EveryGenerator : public testing::TestWithParam<std::size_t> {
 protected:
  const Generator& generator() const { return generators()[GetParam()]; }
  Dataset make(std::int64_t n_samples, std::uint64_t seed = 0) const { return generator().make(n_samples, seed, {}); }
  /// Graphs are what they are, whatever the seed.
  bool is_graph() const {
    return generator().name == "cycle_graph" || generator().name == "path_graph" || generator().name == "grid";
  }
};

TEST_P(EveryGenerator, HasOneRowPerSampleAndFiniteNumbers) {
  for (const std::int64_t n : {1, 2, 144}) {
    const Dataset data = make(n);
    EXPECT_EQ(data.points.rows(), n);
    EXPECT_GE(data.points.cols(), 1);
    EXPECT_EQ(data.truth.rows(), n);
    EXPECT_EQ(static_cast<std::size_t>(data.truth.cols()), data.truth_names.size());
    EXPECT_TRUE(data.labels.empty() || data.labels.size() == static_cast<std::size_t>(n));
    EXPECT_TRUE(all_finite(data.points));
    EXPECT_TRUE(all_finite(data.truth));
  }
}

TEST_P(EveryGenerator, DependsOnTheSeedAlone) {
  const Dataset a = make(100, 5), b = make(100, 5), c = make(100, 6);
  EXPECT_EQ(a.points, b.points);
  EXPECT_EQ(a.truth, b.truth);
  EXPECT_EQ(a.labels, b.labels);
  EXPECT_EQ(a.points == c.points, is_graph());
}

TEST_P(EveryGenerator, BeginsWithTheShorterDataSet) {
  const bool is_prefix = generator().name != "cycle_graph" && generator().name != "grid";
  const Dataset a = make(100), b = make(200);
  EXPECT_EQ(begins_with(b.points, a.points), is_prefix);
  EXPECT_TRUE(!is_prefix || begins_with(b.truth, a.truth));
  EXPECT_TRUE(std::equal(a.labels.begin(), a.labels.end(), b.labels.begin()));
}

TEST_P(EveryGenerator, DescribesItself) {
  EXPECT_FALSE(generator().title.empty());
  EXPECT_EQ(generator().name.find('-'), std::string_view::npos);
  for (const auto& option : generator().options) EXPECT_FALSE(option.help.empty()) << option.name;
}

TEST_P(EveryGenerator, StaysFiniteAtTheLimitsOfItsOptions) {
  for (const auto& option : generator().options) {
    if (option.type != OptionType::Real) continue;
    for (const double limit : {option.limits.low, option.limits.high}) {
      const bool open = limit == option.limits.low ? option.limits.low_open : option.limits.high_open;
      const double value = open ? std::nextafter(limit, 1.0) : limit;
      try {
        const Dataset data = generator().make(100, 0, {{option.name, value}});
        EXPECT_TRUE(all_finite(data.points) && all_finite(data.truth)) << option.name << "=" << value;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::InvalidOption) << error.what();
      }
    }
  }
}

TEST_P(EveryGenerator, RefusesWhatMakesNoSense) {
  const std::string name(generator().name);
  for (const std::int64_t n : {std::int64_t{0}, std::int64_t{-5}, std::numeric_limits<std::int64_t>::min()})
    expect_refusal(name, n, {}, name + ": n_samples=" + std::to_string(n) + " must be an integer >= 1");
  expect_refusal(name, 10, {{"bogus", 1.0}}, name + ": there is no option 'bogus'");
  expect_error(ErrorKind::OutOfMemory, name + ": needs",
               [&] { make_dataset(name, std::numeric_limits<std::int64_t>::max()); });
}

INSTANTIATE_TEST_SUITE_P(Generators, EveryGenerator, testing::Range(std::size_t{0}, generators().size()),
                         [](const auto& entry) { return std::string(generators()[entry.param].name); });

TEST(Generators, AreTheOnesPromised) {
  std::set<std::string_view> names;
  for (const auto& generator : generators()) EXPECT_TRUE(names.insert(generator.name).second) << generator.name;
  EXPECT_EQ(names,
            (std::set<std::string_view>{"swiss_roll", "s_curve", "punctured_sphere", "twin_peaks", "helix",
                                        "mobius_strip", "torus", "trefoil", "roll_clusters", "circles", "moons",
                                        "linear_subspace", "cycle_graph", "path_graph", "grid", "translated_face"}));
}

TEST(Generators, AreFoundByEitherSpelling) {
  EXPECT_EQ(make_dataset("swiss-roll", 10).points, make_dataset("swiss_roll", 10).points);
}

TEST(Generators, AnUnknownNameGetsTheNearestOneAndTheList) {
  expect_refusal("swiss-rol", 10, {}, "did you mean 'swiss_roll'?; there are: swiss_roll, s_curve, ");
}

TEST(Generators, OptionsAreChecked) {
  expect_refusal("swiss_roll", 10, {{"noise", -1.0}}, "swiss_roll: noise=-1 must be");
  expect_refusal("swiss_roll", 10, {{"density", "even"}}, "one of: uniform, nonuniform");
  expect_refusal("torus", 10, {{"minor_radius", 2.0}}, "minor_radius=2 must be less than major_radius=2");
  expect_refusal("linear_subspace", 10, {{"intrinsic", std::int64_t{51}}},
                 "intrinsic=51 must be at most n_features=50");
  expect_refusal("translated_face", 10, {{"face", std::int64_t{28}}}, "face=28 must be less than size=28");
}

TEST(Generators, LabelsShareTheRowsEqually) {
  for (const auto& [name, n_labels] : {std::pair{"circles", 2}, {"moons", 2}, {"roll_clusters", 6}}) {
    const Dataset data = make_dataset(name, 1001);
    for (std::int64_t label = 0; label < n_labels; ++label) {
      const auto count = std::count(data.labels.begin(), data.labels.end(), label);
      EXPECT_TRUE(count == 1001 / n_labels || count == 1001 / n_labels + 1) << name << " " << label << ": " << count;
    }
    EXPECT_EQ(*std::max_element(data.labels.begin(), data.labels.end()), n_labels - 1);
  }
}

// A right generator fails once in 10^6: five standard errors.
TEST(Generators, NoiseHasTheStatedDeviation) {
  for (const auto* name : {"swiss_roll", "s_curve", "roll_clusters", "punctured_sphere", "twin_peaks", "mobius_strip",
                           "torus", "helix", "trefoil", "circles", "moons", "linear_subspace"}) {
    const Dataset clean = make_dataset(name, 5000, 1, {{"noise", 0.0}});
    const Dataset noisy = make_dataset(name, 5000, 1, {{"noise", 0.3}});
    EXPECT_EQ(clean.truth, noisy.truth) << name;
    const auto m = static_cast<double>(clean.points.size());
    double sum = 0, squares = 0;
    for (Index i = 0; i < clean.points.size(); ++i) {
      const double noise = noisy.points.data()[i] - clean.points.data()[i];
      sum += noise;
      squares += noise * noise;
    }
    EXPECT_NEAR(sum / m, 0, 5 * 0.3 / std::sqrt(m)) << name;
    EXPECT_NEAR(squares / m, 0.09, 5 * 0.09 * std::sqrt(2 / m)) << name;
  }
}

}  // namespace
}  // namespace unroll
