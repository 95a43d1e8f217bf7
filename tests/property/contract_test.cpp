// Promises that hold for every method: same bits, transform, finite results or typed errors.
#include <atomic>
#include <limits>

#include "property/methods_under_test.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

class Contract : public EveryMethod {
 protected:
  void expect_error(ErrorKind kind, PointsView x, const OptionValues& options, const std::string& word) const {
    try {
      fit(x, options);
      ADD_FAILURE() << "accepted: " << word;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind) << error.what();
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  }

  /// By each eigensolver: a result with one finite row per point, or an error that blames the data or an option.
  void expect_finite_or_typed_error(const std::string& what, PointsView x) const {
    for (const OptionValues& options : with_each_solver()) {
      const std::string name = options.empty() ? what : what + ", " + to_text(options.front().value);
      try {
        const Model model = fit(x, options);
        EXPECT_EQ(model.coordinates().rows(), x.rows()) << name;
        for (Index i = 0; i < model.coordinates().size(); ++i)
          ASSERT_TRUE(std::isfinite(model.coordinates().data()[i])) << name;
      } catch (const Error& error) {
        const bool is_ours = error.kind() == ErrorKind::Internal || error.kind() == ErrorKind::NotConverged;
        EXPECT_FALSE(is_ours) << name << ": " << error.what();
      }
    }
  }

  std::vector<OptionValues> with_each_solver() const {
    std::vector<OptionValues> result;
    for (const OptionInfo& info : method().options)
      if (info.name == "eigen_solver" || info.name == "solver")
        for (const std::string& choice : info.choices) result.push_back({{info.name, choice}});
    if (result.empty()) result.emplace_back();
    return result;
  }
};
INSTANTIATE_TEST_SUITE_P(Registry, Contract, testing::ValuesIn(method_names()), test_name);

TEST_P(Contract, SameBytesAtAnyThreadCount) {
  const Array2<double> x = points(500), fresh = points(300, 9);
  const OptionValues options = with_few_iterations(method(), {});
  const Model one = fit(x, options, {.threads = 1});
  for (const int threads : {1, 2, 3, 8}) {
    const unroll::Run run{.threads = threads};
    const Model model = fit(x, options, run);
    EXPECT_EQ(model.coordinates(), one.coordinates()) << threads;
    EXPECT_EQ(model.transform(fresh, run), one.transform(fresh, {.threads = 1})) << threads;
  }
}

TEST_P(Contract, TrainingPointsGetTheirCoordinates) {
  const Array2<double> x = points();
  const Model model = fit(x);
  EXPECT_LT(relative_difference(model.transform(x), model.coordinates()), 1e-6);
}

TEST_P(Contract, ARowIsPlacedAloneAsInABatch) {
  const Model model = fit(points());
  const Array2<double> fresh = points(37, 5);
  const Array2<double> batch = model.transform(fresh);
  for (Index i = 0; i < fresh.rows(); ++i) {
    const Array2<double> alone = model.transform(PointsView(fresh).slice(i, 1));
    for (Index k = 0; k < batch.cols(); ++k) EXPECT_EQ(alone(0, k), batch(i, k));
  }
  EXPECT_EQ(model.transform(PointsView(fresh).slice(0, 0)).rows(), 0);
}

TEST_P(Contract, EveryOptionIsChecked) {
  const Array2<double> x = points();
  for (const OptionInfo& info : method().options) {
    const std::string& name = info.name;
    EXPECT_FALSE(info.help.empty()) << name;
    const bool number = info.type == OptionType::Integer || info.type == OptionType::Real;
    if (number && std::isfinite(info.limits.low))
      expect_error(ErrorKind::InvalidOption, x, {{name, static_cast<std::int64_t>(info.limits.low) - 1}}, name);
    if (info.type == OptionType::Real) {
      expect_error(ErrorKind::InvalidOption, x, {{name, std::nan("")}}, name);
      expect_error(ErrorKind::InvalidOption, x, {{name, INFINITY}}, name);
    }
    if (info.type != OptionType::Text)
      expect_error(ErrorKind::InvalidOption, x, {{name, std::string("no such")}}, name);
    if (info.type == OptionType::Choice) expect_error(ErrorKind::InvalidOption, x, {{name, std::int64_t{1}}}, name);
  }
  const bool is_map = method().kind != MethodKind::Labels;
  const std::string count = is_map ? "n_components" : "n_neighbors", wrong = is_map ? "n_componets" : "n_neihgbors";
  expect_error(ErrorKind::InvalidOption, x, {{wrong, std::int64_t{2}}}, "did you mean '" + count + "'?");
  expect_error(ErrorKind::InvalidOption, x, {{count, std::int64_t{1000}}}, "1000");
}

TEST_P(Contract, DefaultsSurviveTheirText) {
  for (const OptionInfo& info : method().options) {
    EXPECT_EQ(parse_option(info, to_text(info.default_value), GetParam()), info.default_value) << info.name;
    EXPECT_NO_THROW(validate_option(info, info.default_value, GetParam())) << info.name;
  }
}

TEST_P(Contract, BadDataAreRefusedWithTheirPlace) {
  expect_error(ErrorKind::InvalidData, Array2<double>(0, 3), {}, "0 sample(s)");
  expect_error(ErrorKind::InvalidData, Array2<double>(5, 0), {}, "0 feature(s)");
  Array2<double> x = points();
  x(7, 2) = std::nan("");
  expect_error(ErrorKind::InvalidData, x, {}, "row 8 contains NaN in column 3");
  x(7, 2) = -std::numeric_limits<double>::infinity();
  expect_error(ErrorKind::InvalidData, x, {}, "row 8 contains infinity or a value too large in column 3");
  Array2<float> narrow = as_float(points());
  narrow(0, 0) = INFINITY;
  expect_error(ErrorKind::InvalidData, narrow, {}, "row 1 contains infinity or a value too large in column 1");
}

TEST_P(Contract, TransformChecksItsInput) {
  const Model model = fit(points());
  const auto refusal = [&](PointsView x) -> std::string {
    try {
      model.transform(x);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::InvalidData) << error.what();
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(refusal(Array2<double>(2, 3)).find("X has 3 features"), std::string::npos);
  Array2<double> x = points(5);
  x(1, 1) = std::nan("");
  EXPECT_NE(refusal(x).find("row 2 contains NaN in column 2"), std::string::npos);
}

/// Under these metrics a row is at distance 0 from its multiples, and is still itself.
TEST_P(Contract, TrainingPointsAreNotTheirMultiples) {
  const bool is_local = std::string_view("lle mlle hlle ltsa").find(GetParam()) != std::string_view::npos;
  if (!is_local) return;
  Array2<double> x = normal_matrix(60, 4, 3);
  for (Index j = 0; j < 4; ++j) x(40, j) = 2 * x(9, j);
  for (const char* metric : {"cosine", "correlation"}) {
    const Model model = fit(x, {{"metric", std::string(metric)}, {"n_neighbors", std::int64_t{12}}});
    EXPECT_LT(relative_difference(model.transform(x), model.coordinates()), 1e-6) << metric;
  }
}

TEST_P(Contract, DegenerateShapesAreDefined) {
  const auto filled = [](Index n, Index d, auto value) {
    Array2<double> x(n, d);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < d; ++j) x(i, j) = value(static_cast<double>(i), static_cast<double>(j));
    return x;
  };
  expect_finite_or_typed_error("all identical", filled(30, 3, [](double, double) { return 4.2; }));
  expect_finite_or_typed_error("all zero", Array2<double>(30, 3));
  expect_finite_or_typed_error("collinear", filled(30, 3, [](double i, double j) { return i * (j + 1); }));
  expect_finite_or_typed_error(
      "a lattice", filled(49, 2, [](double i, double j) { return j == 0 ? std::fmod(i, 7) : std::floor(i / 7); }));
  expect_finite_or_typed_error("two stacks of copies",
                               filled(40, 2, [](double i, double j) { return i < 20 ? j : 5; }));
  expect_finite_or_typed_error("one feature", filled(30, 1, [](double i, double) { return i * i; }));
  expect_finite_or_typed_error("an outlier",
                               filled(30, 3, [](double i, double j) { return i == 3 ? 1e12 : std::sin(i + j); }));
  expect_finite_or_typed_error("mixed units", filled(30, 3, [](double i, double j) {
                                 return std::sin(3 * i + j) * (j == 0 ? 1e-150 : j == 1 ? 1 : 1e150);
                               }));
  expect_finite_or_typed_error("near the largest double",
                               filled(30, 3, [](double i, double j) { return 1.7e308 * std::sin(3 * i + j); }));
  expect_finite_or_typed_error("denormal", filled(30, 3, [](double i, double j) { return 5e-324 * (i + j); }));
  for (const Index n : {1, 2, 3, 4, 5}) expect_finite_or_typed_error("few points", points(n));
  expect_finite_or_typed_error("more features than points", normal_matrix(5, 40, 2));
}

TEST_P(Contract, AsFewPointsAsDeclared) {
  const bool clusters = method().kind == MethodKind::Clusters;
  OptionValues one{{clusters ? "n_clusters" : "n_components", std::int64_t{1}}};
  if (method().kind == MethodKind::Labels) one.clear();
  const Index least = method().properties.min_points;
  EXPECT_EQ(fit(points(least), one).coordinates().rows(), least);
  expect_error(ErrorKind::InvalidData, points(least - 1), one, "while a minimum of");
}

TEST_P(Contract, FittingTwiceGivesTheSameBits) {
  const Array2<double> x = points();
  EXPECT_EQ(fit(x).coordinates(), fit(x).coordinates());
}

TEST_P(Contract, CanBeCancelledAndWatched) {
  const Array2<double> x = points(method().is_optimized ? 300 : 2000);  // iterations report often enough
  std::atomic<bool> cancel = true;
  try {
    fit(x, {}, {.cancel = &cancel});
    ADD_FAILURE() << "not cancelled";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Cancelled);
  }
  int calls = 0;
  fit(x, with_few_iterations(method(), {}), {.progress = [&](const Progress& progress) {
        EXPECT_GE(progress.fraction, 0);
        EXPECT_LE(progress.fraction, 1);
        EXPECT_FALSE(progress.stage.empty());
        ++calls;
        return true;
      }});
  EXPECT_GT(calls, 0);
  EXPECT_THROW(fit(x, {}, {.progress = [](const Progress&) { return false; }}), Error);
}

TEST_P(Contract, ATinyBudgetIsRefusedNotExceeded) {
  try {
    fit(points(2000), {}, {.memory_budget = 10});
    ADD_FAILURE() << "no memory was planned";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::OutOfMemory) << error.what();
  }
}

TEST_P(Contract, EffectiveOptionsReproduceTheFit) {
  const Array2<double> x = points();
  const Model model = fit(x);
  EXPECT_EQ(fit(x, model.options()).coordinates(), model.coordinates());
}

TEST_P(Contract, EigenpairsCarryTheirProof) {
  const Spectrum spectrum = fit(points()).embedding().spectrum;
  EXPECT_EQ(spectrum.residuals.size(), spectrum.values.size());
  for (const double residual : spectrum.residuals) EXPECT_LE(residual, 1e-8);
}

TEST_P(Contract, InverseWhereDeclared) {
  const Model model = fit(points());
  if (method().has_inverse) {
    const Array2<double> back = model.inverse_transform(model.coordinates());
    EXPECT_EQ(back.rows(), 60);
    EXPECT_EQ(back.cols(), 4);
    for (Index i = 0; i < back.size(); ++i) ASSERT_TRUE(std::isfinite(back.data()[i]));
    EXPECT_THROW(model.inverse_transform(Array2<double>(1, 17)), Error);
  } else {
    EXPECT_THROW(model.inverse_transform(model.coordinates()), Error);
  }
  EXPECT_EQ(model.transform_kind(), method().transform);
}

}  // namespace
}  // namespace unroll
