// The contract of every method, with options other than the defaults: each choice of each option by itself, and the
// options that change the way a map is made.
#include <algorithm>
#include <map>

#include "property/methods_under_test.h"

namespace unroll {
namespace {

class Variants : public EveryMethod {
 protected:
  struct Variant {
    std::string name;
    OptionValues options;
    Model model;
  };

  static constexpr Index kSize = 90;

  /// Coordinates of new points; none if they cannot be placed, which must be said in words (where the
  /// eigenvalue leaves nothing to divide by).
  static Array2<double> placed(const Variant& variant, PointsView rows, const unroll::Run& run = {}) {
    try {
      return variant.model.transform(rows, run);
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("cannot be placed"), std::string::npos)
          << variant.name << ": " << error.what();
      return {};
    }
  }

  /// The variants that the method takes, fitted once for all tests.
  const std::vector<Variant>& variants() const {
    static std::map<std::string, std::vector<Variant>> fitted;
    const auto found = fitted.find(GetParam());
    return found != fitted.end() ? found->second : fitted.emplace(GetParam(), fit_variants()).first->second;
  }

 private:
  /// Those that do not fit the method's other defaults are refused by an option's name.
  std::vector<Variant> fit_variants() const {
    std::vector<Variant> result;
    for (const OptionValues& candidate : candidates()) {
      const OptionValues options = with_few_iterations(method(), candidate);
      const std::string name = options.front().name + "=" + to_text(options.front().value);
      try {
        result.push_back({name, options, fit(points(kSize), options)});
      } catch (const Error& error) {
        EXPECT_TRUE(error.kind() == ErrorKind::InvalidOption || error.kind() == ErrorKind::Unsupported)
            << name << ": " << error.what();
      }
    }
    return result;
  }

  std::vector<OptionValues> candidates() const {
    std::vector<OptionValues> result;
    const auto add = [&](const std::string& name, const OptionValue& value) {
      const auto has = [&](const OptionInfo& info) { return info.name == name && info.default_value != value; };
      if (std::any_of(method().options.begin(), method().options.end(), has)) result.push_back({{name, value}});
    };
    for (const OptionInfo& info : method().options) {
      for (const std::string& choice : info.choices)
        if (choice != "precomputed" && choice != "haversine" && choice != "jaccard")  // these are for other data
          add(info.name, choice);
      if (info.type == OptionType::Bool) add(info.name, true);
    }
    for (const std::int64_t count : {1, 3}) add("n_components", count);
    for (const std::int64_t count : {9, 25}) add("n_neighbors", count);
    for (const std::int64_t count : {30, 60}) add("n_landmarks", count);
    add("radius", 1.5);
    add("gamma", 0.3);
    add("sigma", 0.8);
    add("t", 2.0);
    add("alpha", 0.5);
    add("n_clusters", std::int64_t{5});
    add("random_state", std::int64_t{7});
    return result;
  }
};
INSTANTIATE_TEST_SUITE_P(Registry, Variants, testing::ValuesIn(method_names()), test_name);

TEST_P(Variants, ThereAreSome) { EXPECT_GE(variants().size(), 5U); }

TEST_P(Variants, SameBytesAtAnyThreadCount) {
  const Array2<double> x = points(kSize), fresh = points(40, 9);
  for (const Variant& variant : variants())
    for (const int threads : {1, 3}) {
      const Variant again{variant.name, {}, fit(x, variant.options, {.threads = threads})};
      EXPECT_EQ(again.model.coordinates(), variant.model.coordinates()) << variant.name << ", " << threads;
      EXPECT_EQ(placed(again, fresh, {.threads = threads}), placed(variant, fresh)) << variant.name;
    }
}

TEST_P(Variants, TrainingPointsGetTheirCoordinates) {
  for (const Variant& variant : variants())
    EXPECT_LT(relative_difference(variant.model.transform(points(kSize)), variant.model.coordinates()), 1e-6)
        << variant.name;
}

TEST_P(Variants, ARowIsPlacedAloneAsInABatch) {
  const Array2<double> fresh = points(7, 5);
  for (const Variant& variant : variants()) {
    const Array2<double> batch = placed(variant, fresh);
    for (Index i = 0; i < batch.rows(); ++i) {
      const Array2<double> alone = variant.model.transform(PointsView(fresh).slice(i, 1));
      for (Index k = 0; k < batch.cols(); ++k) {
        ASSERT_TRUE(std::isfinite(batch(i, k))) << variant.name;
        EXPECT_EQ(alone(0, k), batch(i, k)) << variant.name;
      }
    }
  }
}

TEST_P(Variants, EffectiveOptionsReproduceTheFit) {
  for (const Variant& variant : variants())
    EXPECT_EQ(fit(points(kSize), variant.model.options()).coordinates(), variant.model.coordinates()) << variant.name;
}

TEST_P(Variants, EigenpairsCarryTheirProof) {
  for (const Variant& variant : variants()) {
    const Spectrum& spectrum = variant.model.embedding().spectrum;
    if (spectrum.solver == "landmarks") continue;  // no eigenvectors of all points: their residual tells how far
    EXPECT_EQ(spectrum.residuals.size(), spectrum.values.size()) << variant.name;
    for (const double residual : spectrum.residuals) EXPECT_LE(residual, 1e-8) << variant.name;
  }
}

}  // namespace
}  // namespace unroll
