// Promises of the methods that take sparse points, and of the projection on principal axes before any method.
#include <algorithm>

#include "property/methods_under_test.h"
#include "unroll/methods/isomap.h"
#include "unroll/methods/pca.h"

namespace unroll {
namespace {

bool takes(const Method& method, InputKind kind) {
  return std::find(method.inputs.begin(), method.inputs.end(), kind) != method.inputs.end();
}

std::vector<std::string> names_of_takers(bool sparse) {
  std::vector<std::string> names;
  for (const Method& method : methods())
    if (takes(method, InputKind::SparsePoints) == sparse) names.push_back(method.name);
  return names;
}

/// Counts along a curve: every feature is a bump, so most are 0. Whole numbers have distances without rounding.
Array2<double> counts(Index n, std::uint64_t seed = 0) {
  constexpr Index kFeatures = 24;
  const Random random(seed, "sparse points");
  Array2<double> x(n, kFeatures);
  for (Index i = 0; i < n; ++i) {
    const double at = 20 * random.uniform(static_cast<std::uint64_t>(i), 0), width = 4;
    for (Index j = 0; j < kFeatures; ++j) {
      const double off = (at - static_cast<double>(j)) / width;
      x(i, j) = std::floor(std::max(0.0, 30 * (1 - off * off)) +
                           random.uniform(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(1 + j)));
    }
  }
  return x;
}

SparseMatrix sparse(const Array2<double>& a) {
  SparseMatrix result{.rows = a.rows(), .cols = a.cols()};
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index j = 0; j < a.cols(); ++j) {
      if (a(i, j) == 0) continue;
      result.columns.push_back(j);
      result.values.push_back(a(i, j));
    }
    result.offsets.push_back(std::ssize(result.columns));
  }
  return result;
}

class SparsePointsOf : public EveryMethod {
 protected:
  bool has(std::string_view option) const {
    const auto& all = method().options;
    return std::any_of(all.begin(), all.end(), [&](const OptionInfo& info) { return info.name == option; });
  }
  /// Few iterations, or rounding would grow; and no start that has other rounding.
  OptionValues options() const {
    OptionValues options;
    if (has("n_iter")) options.push_back({"n_iter", std::int64_t{20}});
    if (has("n_epochs")) options.push_back({"n_epochs", std::int64_t{20}});
    if (method().is_optimized && has("init")) options.push_back({"init", std::string("random")});
    if (has("kernel")) options.push_back({"kernel", std::string("rbf")});
    return options;
  }
  Model fit_sparse(const SparseMatrix& x, const OptionValues& with, const unroll::Run& run = {}) const {
    return fit_given(SparseRows(x), with, run);
  }
};
INSTANTIATE_TEST_SUITE_P(Registry, SparsePointsOf, testing::ValuesIn(names_of_takers(true)), test_name);

TEST_P(SparsePointsOf, GiveWhatDenseOnesGive) {
  const Array2<double> dense = counts(60);
  const Model of_dense = fit(dense, options()), of_sparse = fit_sparse(sparse(dense), options());
  EXPECT_LT(difference_up_to_sign(of_sparse.coordinates(), of_dense.coordinates()), 1e-7);
  EXPECT_EQ(of_sparse.n_features(), dense.cols());
  EXPECT_EQ(of_sparse.labels(), of_dense.labels());
}

TEST_P(SparsePointsOf, NewRowsMayBeSparseOrDense) {
  const Array2<double> dense = counts(60), fresh = counts(7, 1);
  const SparseMatrix few = sparse(fresh);
  const Model of_dense = fit(dense, options()), of_sparse = fit_sparse(sparse(dense), options());
  const Array2<double> expected = of_dense.transform(fresh);
  EXPECT_LT(difference_up_to_sign(of_dense.transform(SparseRows(few)), expected), 1e-9);
  EXPECT_LT(difference_up_to_sign(of_sparse.transform(fresh), expected), 1e-6);
  EXPECT_LT(difference_up_to_sign(of_sparse.transform(SparseRows(few)), expected), 1e-6);
  if (method().kind != MethodKind::Clusters) return;
  EXPECT_EQ(of_sparse.predict(SparseRows(few)), of_dense.predict(fresh));
}

TEST_P(SparsePointsOf, ARowDoesNotDependOnTheRowsBesideIt) {
  const SparseMatrix x = sparse(counts(60)), few = sparse(counts(9, 2));
  const Model model = fit_sparse(x, options());
  const Array2<double> all = model.transform(SparseRows(few));
  for (Index i = 0; i < few.rows; ++i) {
    const Array2<double> one = model.transform(PointsView(SparseRows(few)).slice(i, 1));
    EXPECT_TRUE(std::equal(one.data(), one.data() + one.size(), all.row(i))) << "row " << i;
  }
}

TEST_P(SparsePointsOf, GiveTheSameBitsAtAnyNumberOfThreads) {
  const SparseMatrix x = sparse(counts(80)), few = sparse(counts(9, 2));
  const Model one = fit_sparse(x, options(), {.threads = 1});
  for (const int threads : {2, 3, 8}) {
    const Model several = fit_sparse(x, options(), {.threads = threads});
    EXPECT_EQ(several.coordinates(), one.coordinates()) << threads << " threads";
    EXPECT_EQ(several.transform(SparseRows(few), {.threads = threads}), one.transform(SparseRows(few), {.threads = 1}));
  }
}

TEST_P(SparsePointsOf, AreKeptInTheModelFile) {
  const SparseMatrix x = sparse(counts(60)), few = sparse(counts(5, 2));
  const Model model = fit_sparse(x, options());
  const Model loaded = load_model(model.bytes(), "the model");
  EXPECT_EQ(loaded.transform(SparseRows(few)), model.transform(SparseRows(few)));
}

TEST_P(SparsePointsOf, TypesOfValuesAndIndicesDoNotMatter) {
  const SparseMatrix x = sparse(counts(60));
  const std::vector<std::int32_t> offsets(x.offsets.begin(), x.offsets.end()),
      columns(x.columns.begin(), x.columns.end());
  const std::vector<float> values(x.values.begin(), x.values.end());
  const SparseRows narrow(x.rows, x.cols, offsets.data(), columns.data(), values.data());
  const Model wide = fit_sparse(x, options()), model = fit_given(narrow, options(), {});
  EXPECT_LT(difference_up_to_sign(model.coordinates(), wide.coordinates()), 1e-7);
}

TEST_P(SparsePointsOf, BrokenMatricesAreRefused) {
  const auto refused = [&](const SparseMatrix& x, std::string_view word) {
    try {
      fit_sparse(x, options());
      ADD_FAILURE() << "not refused: " << word;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::InvalidData);
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  };
  const SparseMatrix good = sparse(counts(60));
  SparseMatrix bad = good;
  std::swap(bad.columns[0], bad.columns[1]);
  refused(bad, "do not ascend");
  bad = good;
  bad.columns[1] = bad.columns[0];
  refused(bad, "do not ascend");
  bad = good;
  bad.columns.back() = bad.cols;
  refused(bad, "has column");
  bad = good;
  bad.values[3] = std::numeric_limits<double>::quiet_NaN();
  refused(bad, "NaN");
}

TEST_P(SparsePointsOf, ScalingThatFillsInZerosIsRefused) {
  OptionValues with = options();
  with.push_back({"scale", std::string("standardize")});
  try {
    fit_sparse(sparse(counts(60)), with);
    ADD_FAILURE() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::InvalidOption);
    EXPECT_EQ(error.option(), "scale");
  }
  const Array2<double> dense = counts(60);
  with.back().value = std::string("unit_rows");
  EXPECT_LT(difference_up_to_sign(fit_sparse(sparse(dense), with).coordinates(), fit(dense, with).coordinates()), 1e-6);
}

class DensePointsOnly : public EveryMethod {};
INSTANTIATE_TEST_SUITE_P(Registry, DensePointsOnly, testing::ValuesIn(names_of_takers(false)), test_name);

TEST_P(DensePointsOnly, RefuseSparseOnesAndSayWhatHelps) {
  const SparseMatrix x = sparse(counts(60));
  try {
    fit_given(SparseRows(x), {}, {});
    ADD_FAILURE() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Unsupported);
    EXPECT_NE(error.advice().find("pca"), std::string::npos);
  }
}

class ReducedPoints : public EveryMethod {
 protected:
  static constexpr std::int64_t kAxes = 5;
  bool has_pca() const {
    const auto& all = method().options;
    return std::any_of(all.begin(), all.end(), [](const OptionInfo& info) { return info.name == "pca"; });
  }
  static OptionValues options() { return {{"pca", kAxes}}; }
};
INSTANTIATE_TEST_SUITE_P(Registry, ReducedPoints, testing::ValuesIn(method_names()), test_name);

TEST_P(ReducedPoints, AreOfAllMethodsButPca) { EXPECT_EQ(has_pca(), GetParam() != "pca"); }

TEST_P(ReducedPoints, AreThoseThatPcaMakes) {
  if (!has_pca()) return;
  const Array2<double> x = counts(60), fresh = counts(7, 1);
  const Model axes = pca(x, {.n_components = kAxes});
  const Model model = fit(x, options()), by_hand = fit(axes.coordinates(), {});
  EXPECT_EQ(model.coordinates(), by_hand.coordinates());
  EXPECT_EQ(model.transform(fresh), by_hand.transform(axes.transform(fresh)));
  EXPECT_EQ(model.n_features(), x.cols());
}

TEST_P(ReducedPoints, AreKeptInTheModelFile) {
  if (!has_pca()) return;
  const Array2<double> x = counts(60), fresh = counts(7, 1);
  const Model model = fit(x, options()), loaded = load_model(model.bytes(), "the model");
  EXPECT_EQ(loaded.transform(fresh), model.transform(fresh));
  EXPECT_EQ(loaded.n_features(), x.cols());
}

TEST_P(ReducedPoints, OfSparseOnesAreTaken) {
  if (!has_pca()) return;
  const SparseMatrix x = sparse(counts(60)), fresh = sparse(counts(7, 1));
  const Model model = fit_given(SparseRows(x), options(), {});
  EXPECT_EQ(model.coordinates().rows(), x.rows);
  EXPECT_EQ(load_model(model.bytes(), "the model").transform(SparseRows(fresh)), model.transform(SparseRows(fresh)));
}

TEST_P(ReducedPoints, HaveNoMoreAxesThanThereAre) {
  if (!has_pca()) return;
  try {
    fit(counts(60), {{"pca", std::int64_t{25}}});
    ADD_FAILURE() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::InvalidOption);
    EXPECT_EQ(error.option(), "pca");
  }
}

TEST(ReducedPointsOf, DistancesAreRefused) {
  const Array2<double> d = counts(24);
  try {
    isomap(DistancesView{d}, {.pca = 3});
    ADD_FAILURE() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.option(), "pca");
  }
}

}  // namespace
}  // namespace unroll
