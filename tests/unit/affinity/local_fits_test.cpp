// The matrix of local fits: against its definition, its operator, and to the last bit symmetric; what it takes.
#include "affinity/local_fits.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "affinity/alignment_matrix.h"
#include "affinity/patch_memory.h"
#include "core/random.h"
#include "eigen/operators.h"
#include "support/expect_error.h"
#include "support/matrices.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {
namespace {

/// Patches of neighbours with random factors; the number of columns changes from patch to patch. One whose cost is the
/// rest has orthonormal columns: unit vectors of members.
LocalFits random_fits(Index n, PatchForm form, const Run& run = {}) {
  const NeighborGraph nearest = neighbors(normal_matrix(n, 2, 3), {.n_neighbors = 6}, run).graph;
  const auto make = [form] {
    return [form](Index patch, std::span<const Index> members, std::vector<double>& factors) {
      const Random random(static_cast<std::uint64_t>(patch), "factors");
      const auto columns = static_cast<std::size_t>(patch % 4);  // none, too
      const PatchForm own = form == PatchForm::FirstAndRest && columns == 0 ? PatchForm::Rest : form;
      const std::size_t cost_columns = own == PatchForm::Columns ? columns : own == PatchForm::Rest ? 0 : 1;
      for (std::size_t e = 0; e < members.size() * columns; ++e) {
        const std::size_t row = e / columns, column = e % columns;
        factors.push_back(column < cost_columns ? random.normal(e) : row == column ? 1 : 0);
      }
      return own;
    };
  };
  return fit_patches(patches_of(nearest, true), make, "test", run);
}

constexpr PatchForm kForms[] = {PatchForm::Columns, PatchForm::Rest, PatchForm::FirstAndRest};

/// sum of S' B S, plainly.
Array2<double> plain_matrix(const LocalFits& fits) {
  Array2<double> m(fits.size(), fits.size());
  for (Index p = 0; p < fits.patches.count(); ++p) {
    const auto members = fits.patches.members_of(p);
    const PatchForm form = fits.forms[static_cast<std::size_t>(p)];
    const Index r = fits.columns(p);
    for (std::size_t a = 0; a < members.size(); ++a)
      for (std::size_t b = 0; b < members.size(); ++b) {
        double sum = form != PatchForm::Columns && a == b ? 1 : 0;
        for (Index c = 0; c < r; ++c) {
          const bool plus = form == PatchForm::Columns || (form == PatchForm::FirstAndRest && c == 0);
          const double product =
              fits.factor(p)[static_cast<Index>(a) * r + c] * fits.factor(p)[static_cast<Index>(b) * r + c];
          sum += plus ? product : -product;
        }
        m(members[a], members[b]) += sum;
      }
  }
  return m;
}

TEST(LocalFits, TheAssembledMatrixIsTheSumOverPatches) {
  for (const PatchForm form : kForms) {
    const LocalFits fits = random_fits(150, form);
    const SparseOperator m(assembled(fits, {}));
    const Array2<double> whole = m.dense({});
    EXPECT_LT(relative_difference(whole, plain_matrix(fits)), 1e-14);
    for (Index i = 0; i < whole.rows(); ++i)
      for (Index j = 0; j < i; ++j) ASSERT_EQ(whole(i, j), whole(j, i));
  }
}

TEST(LocalFits, ProductsWithoutTheMatrixAgreeWithIt) {
  for (const PatchForm form : kForms) {
    const LocalFits fits = random_fits(3000, form);
    const SparseOperator m(assembled(fits, {}));
    const LocalFitsOperator products(fits, {});
    const Array2<double> x = normal_matrix(3000, 3, 8);
    Array2<double> a(3000, 3), b(3000, 3);
    m.apply(x, a, {});
    products.apply(x, b, {});
    EXPECT_LT(relative_difference(b, a), 1e-13);
    const std::vector<double> errors = fit_errors(fits, x, {});
    for (Index k = 0; k < 3; ++k) {
      double quotient = 0;
      for (Index i = 0; i < 3000; ++i) quotient += x(i, k) * a(i, k);
      EXPECT_NEAR(errors[static_cast<std::size_t>(k)] / quotient, 1, 1e-12);
    }
  }
}

TEST(LocalFits, SameBytesAtAnyThreadCount) {
  const LocalFits one = random_fits(5000, PatchForm::FirstAndRest, {.threads = 1});
  const SparseMatrix m = assembled(one, {.threads = 1});
  for (const int threads : {2, 3, 8}) {
    const LocalFits fits = random_fits(5000, PatchForm::FirstAndRest, {.threads = threads});
    EXPECT_EQ(fits.factors, one.factors);
    const SparseMatrix other = assembled(fits, {.threads = threads});
    EXPECT_EQ(other.columns, m.columns);
    EXPECT_EQ(other.values, m.values);
  }
}

TEST(LocalFits, APartHasTheBlockOfItsComponent) {
  // Two clouds far apart, their points alternating.
  Array2<double> x = normal_matrix(80, 2, 2);
  for (Index i = 0; i < 80; i += 2) x(i, 0) += 100;
  const NeighborGraph nearest = neighbors(x, {.n_neighbors = 6}).graph;
  const Components components = connected_components(nearest);
  ASSERT_EQ(components.count(), 2);
  const LocalFits fits =
      fit_patches(patches_of(nearest, false),
                  [] {
                    return [](Index patch, std::span<const Index> members, std::vector<double>& factors) {
                      for (std::size_t e = 0; e < members.size(); ++e)
                        factors.push_back(Random(static_cast<std::uint64_t>(patch), "f").normal(e));
                      return PatchForm::Columns;
                    };
                  },
                  "test", {});
  std::vector<Index> odd;
  for (Index i = 1; i < 80; i += 2) odd.push_back(i);
  const Array2<double> whole = plain_matrix(fits), block = plain_matrix(part(fits, odd));
  ASSERT_EQ(block.rows(), 40);
  for (Index i = 0; i < 40; ++i)
    for (Index j = 0; j < 40; ++j) EXPECT_EQ(block(i, j), whole(2 * i + 1, 2 * j + 1));
}

TEST(LocalFits, AnOrderChangesNumbersAlone) {
  const LocalFits fits = random_fits(500, PatchForm::FirstAndRest);
  const std::vector<Index> order = breadth_first_order(fits);
  std::vector<Index> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (Index i = 0; i < 500; ++i) ASSERT_EQ(sorted[static_cast<std::size_t>(i)], i);
  const Array2<double> m = plain_matrix(fits), other = plain_matrix(reordered(fits, order, {}));
  for (Index i = 0; i < 500; ++i)
    for (Index j = 0; j < 500; ++j)
      ASSERT_NEAR(other(i, j), m(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(j)]), 1e-13);
}

TEST(LocalFits, EntriesOfTheMatrixAreKnownBeforeIt) {
  const LocalFits fits = random_fits(2000, PatchForm::Columns);
  const SparseMatrix m = assembled(fits, {});
  const std::vector<Index> entries = row_entries(fits.patches, {});
  for (std::size_t i = 0; i < entries.size(); ++i) ASSERT_EQ(entries[i], m.offsets[i + 1] - m.offsets[i]) << i;
}

/// The least budget in bytes that the plan passes.
std::uint64_t least_budget(const Patches& patches, const Components& components, const PatchMemory& plan) {
  std::uint64_t low = 0, high = std::uint64_t{1} << 40;
  while (low + 1 < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    try {
      plan_fits(patches, components, plan, {.memory_budget = middle});
      high = middle;
    } catch (const Error&) {
      low = middle;
    }
  }
  return high;
}

TEST(PatchMemory, CountsColumnsMembersAndTheMatrix) {
  const LocalFits fits = random_fits(2000, PatchForm::Columns);
  const Components whole{.labels = std::vector<Index>(2000), .sizes = {2000}};
  const PatchMemory plan{.columns = 3};
  const std::uint64_t members = std::uint64_t{2000} * 7, entries = assembled(fits, {}).columns.size();
  // Columns and members twice, where each stands, and the matrix: no more, although patches alone may promise 49 per
  // point.
  EXPECT_EQ(least_budget(fits.patches, whole, plan), members * 3 * 8 * 2 + members * 8 * 3 + entries * 16);
  EXPECT_LT(entries, 2000U * 40);
  // Landmarks need no matrix.
  EXPECT_EQ(least_budget(fits.patches, whole, {.columns = 3, .by_landmarks = true}), members * 3 * 8 * 2 + members * 8);
  expect_error(ErrorKind::OutOfMemory, "n_landmarks=1000",
               [&] { plan_fits(fits.patches, whole, plan, {.memory_budget = 100'000}); });
  // No patch has many more columns than members.
  EXPECT_EQ(least_budget(fits.patches, whole, {.columns = 1000}), least_budget(fits.patches, whole, {.columns = 9}));
}

TEST(PatchMemory, ComponentsApartNeedTheMatrixOfTheLargest) {
  Array2<double> x = normal_matrix(900, 2, 2);
  for (Index i = 0; i < 300; ++i) x(i, 0) += 100;
  const NeighborGraph nearest = neighbors(x, {.n_neighbors = 6}).graph;
  const Components components = connected_components(nearest);
  ASSERT_EQ(components.count(), 2);
  const Patches patches = patches_of(nearest, false);
  const std::vector<Index> rows = row_entries(patches, {});
  std::uint64_t largest = 0;
  for (std::size_t i = 300; i < 900; ++i) largest += static_cast<std::uint64_t>(rows[i]);
  const std::uint64_t each = 6, all = 900 * each, own = 600 * each;
  EXPECT_EQ(least_budget(patches, components, {.columns = 2, .separate = true}),
            (all + 2 * own) * 2 * 8 + (all + 3 * own) * 8 + largest * 16);
}

}  // namespace
}  // namespace unroll
