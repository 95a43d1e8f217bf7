// Promises of the methods that can be fitted to a sparse matrix.
#include <algorithm>
#include <cmath>

#include "property/methods_under_test.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

std::vector<std::string> sparse_method_names() {
  std::vector<std::string> names;
  for (const Method& method : methods())
    if (method.takes_sparse()) names.push_back(method.name);
  return names;
}

class SparseInput : public EveryMethod {
 protected:
  bool has(std::string_view option) const {
    const auto& all = method().options;
    return std::any_of(all.begin(), all.end(), [&](const OptionInfo& info) { return info.name == option; });
  }

  /// Distances between points for a method that has a metric, else their inner products.
  Array2<double> matrix(const Array2<double>& x) const {
    Array2<double> a(x.rows(), x.rows());
    for (Index i = 0; i < x.rows(); ++i)
      for (Index j = 0; j < x.rows(); ++j) {
        for (Index k = 0; k < x.cols(); ++k)
          a(i, j) += has("metric") ? (x(i, k) - x(j, k)) * (x(i, k) - x(j, k)) : x(i, k) * x(j, k);
        if (has("metric")) a(i, j) = std::sqrt(a(i, j));
      }
    return a;
  }

  /// All entries but zeros.
  static SparseMatrix sparse(const Array2<double>& a) {
    SparseMatrix result{.rows = a.rows(), .cols = a.cols()};
    for (Index i = 0; i < a.rows(); ++i) {
      for (Index j = 0; j < a.cols(); ++j) {
        if (a(i, j) == 0) continue;
        result.columns.push_back(j);
        result.values.push_back(a(i, j));
      }
      result.offsets.push_back(static_cast<Index>(result.columns.size()));
    }
    return result;
  }

  OptionValues precomputed() const {
    OptionValues options{{has("metric") ? "metric" : "kernel", std::string("precomputed")}};
    if (has("n_neighbors")) options.push_back({"n_neighbors", std::int64_t{6}});
    return options;
  }
};
INSTANTIATE_TEST_SUITE_P(Registry, SparseInput, testing::ValuesIn(sparse_method_names()), test_name);

TEST_P(SparseInput, GivesWhatADenseMatrixGives) {
  const Array2<double> dense = matrix(points(40));
  const Model expected = fit(dense, precomputed()),
              model = fit_given(sparse_input(sparse(dense), precomputed()), precomputed(), {});
  EXPECT_EQ(model.method(), GetParam());
  EXPECT_LT(relative_difference(model.coordinates(), expected.coordinates()), 1e-9);
  EXPECT_LT(relative_difference(model.transform(dense), model.coordinates()), 1e-6);
}

/// A sparse matrix that is made full has zeros for the distances that it lacks, as far points would be copies.
TEST_P(SparseInput, ZerosForMissingDistancesAreRefused) {
  if (!has("metric")) GTEST_SKIP() << "takes no distances";
  constexpr double kFarthest = 2;  // the six nearest and what is between these are much nearer
  const Array2<double> all = matrix(points());
  Array2<double> filled = all;
  for (Index i = 0; i < filled.size(); ++i)
    if (filled.data()[i] > kFarthest) filled.data()[i] = 0;
  const SparseMatrix known = sparse(filled);
  for (const Model& model : {fit_given(sparse_input(known, precomputed()), precomputed(), {}),
                             fit_given(Input(DistancesView{all}), precomputed(), {})}) {
    Index refused = 0;
    for (Index i = 0; i < filled.rows(); ++i) {
      const PointsView row(filled.row(i), 1, filled.cols());
      const bool is_whole = std::count(filled.row(i), filled.row(i) + filled.cols(), 0.0) == 1;
      try {
        const Array2<double> placed = model.transform(row);
        for (Index k = 0; k < placed.cols(); ++k)
          EXPECT_NEAR(placed(0, k), model.coordinates()(i, k), 1e-6 * max_abs(model.coordinates())) << "row " << i;
      } catch (const Error& error) {
        ++refused;
        EXPECT_FALSE(is_whole) << error.what();
        EXPECT_EQ(error.kind(), ErrorKind::InvalidData) << error.what();
        EXPECT_EQ(error.row(), 0) << error.what();
        EXPECT_NE(error.advice().find("use rows of all distances"), std::string::npos) << error.what();
      }
    }
    EXPECT_GT(refused, filled.rows() / 2);
  }
}

TEST_P(SparseInput, SameBytesAtAnyThreadCount) {
  const SparseMatrix a = sparse(matrix(points(300)));
  const OptionValues options = with_few_iterations(method(), precomputed());
  const Model one = fit_given(sparse_input(a, options), options, {.threads = 1});
  for (const int threads : {2, 3, 8})
    EXPECT_EQ(fit_given(sparse_input(a, options), options, {.threads = threads}).coordinates(), one.coordinates())
        << threads;
}

TEST_P(SparseInput, RefusesWhatIsNoSquareOfNumbers) {
  SparseMatrix a = sparse(matrix(points(20)));
  a.values.front() = std::nan("");
  SparseMatrix tall = sparse(matrix(points(20)));
  tall.rows += 1;
  tall.offsets.push_back(tall.offsets.back());
  for (const SparseMatrix& bad : {a, tall}) {
    try {
      fit_given(sparse_input(bad, precomputed()), precomputed(), {});
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::InvalidData) << error.what();
    }
  }
}

}  // namespace
}  // namespace unroll
