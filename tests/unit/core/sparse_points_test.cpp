#include "core/sparse_points.h"

#include <gtest/gtest.h>

#include "core/owned_points.h"
#include "support/expect_error.h"
#include "support/sparse_rows.h"

namespace unroll {
namespace {

const Array2<double>& sample() {
  static const Array2<double> x = sparse_counts(12, 9, 0.3);
  return x;
}

TEST(SparsePoints, CopiesAreTheSameRows) {
  const SparseMatrix entries = entries_of(sample());
  const PointsView rows = SparseRows(entries);
  EXPECT_TRUE(rows.is_sparse());
  const OwnedPoints all = copied(rows), some = copied(rows, {7, 2}), narrow = copied_as(rows, true);
  EXPECT_EQ(std::get<Array2<double>>(dense_copy(view_of(all).sparse())), sample());
  for (Index j = 0; j < 9; ++j)
    EXPECT_EQ(std::get<Array2<double>>(dense_copy(view_of(some).sparse()))(0, j), sample()(7, j));
  EXPECT_TRUE(view_of(narrow).is_float());
  EXPECT_EQ(std::get<Array2<double>>(dense_copy(sparse_copy(sample()).view())), sample());
}

TEST(SparsePoints, SlicesBeginWhereTheyShould) {
  const SparseMatrix entries = entries_of(sample());
  const PointsView some = PointsView(SparseRows(entries)).slice(4, 3);
  const auto dense = std::get<Array2<double>>(dense_copy(some.sparse()));
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 9; ++j) EXPECT_EQ(dense(i, j), sample()(4 + i, j));
  EXPECT_EQ(view_of(copied(some)).rows(), 3);
}

TEST(SparsePoints, AnEntryOfZeroIsNone) {
  const SparseMatrix plain{.rows = 1, .cols = 3, .offsets = {0, 1}, .columns = {1}, .values = {2.0}};
  const SparseMatrix zero{.rows = 1, .cols = 3, .offsets = {0, 2}, .columns = {0, 1}, .values = {0.0, 2.0}};
  const SparseMatrix other{.rows = 1, .cols = 3, .offsets = {0, 1}, .columns = {2}, .values = {2.0}};
  EXPECT_TRUE(equal_rows(SparseRows(plain), 0, SparseRows(zero), 0));
  EXPECT_FALSE(equal_rows(SparseRows(plain), 0, SparseRows(other), 0));
}

TEST(SparsePoints, DenseStepsRefuseThemInWords) {
  const SparseMatrix entries = entries_of(sample());
  expect_error(ErrorKind::Unsupported, "pca=50", [&] { PointsView(SparseRows(entries)).visit([](auto) {}); });
}

TEST(SparsePoints, StructureIsChecked) {
  const auto refused = [](const SparseMatrix& bad, const std::string& part) {
    expect_error(ErrorKind::InvalidData, part, [&] { check_structure(SparseRows(bad), {}); });
  };
  const SparseMatrix good = entries_of(sample());
  check_structure(SparseRows(good), {});
  SparseMatrix bad = good;
  bad.offsets[2] = bad.offsets[1] - 1;
  refused(bad, "offsets of row 2 do not ascend");
  bad = good;
  bad.offsets[0] = -1;
  refused(bad, "first offset is negative");
  bad = good;
  bad.offsets.back() = 1000;
  refused(bad, "an offset points beyond the entries");
  bad = good;
  bad.values.pop_back();
  refused(bad, "not equally many");
  bad = good;
  bad.columns[0] = -1;
  refused(bad, "row 1 has column -1, of 9");
  expect_error(ErrorKind::InvalidData, "null pointer", [] {
    SparseRows(3, 2, static_cast<const std::int64_t*>(nullptr), static_cast<const std::int64_t*>(nullptr),
               static_cast<const double*>(nullptr));
  });
}

}  // namespace
}  // namespace unroll
