#include "affinity/given_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "affinity/row_print.h"
#include "core/at.h"
#include "core/memory.h"
#include "core/sparse_check.h"
#include "neighbors/asymmetry.h"
#include "neighbors/disjoint_sets.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

/// The largest entries of the matrix.
struct Survey {
  double largest_edge = 0;
  double largest_loop = 0;

  void add(Index i, Index j, double value) {
    if (!std::isfinite(value) || value < 0)
      throw Error(
          ErrorKind::InvalidData,
          Error::Parts{
              .problem = fmt::format(
                  "has the weight {} in column {}, but all weights must be finite and positive or zero", value, j + 1),
              .advice = "a weight says how alike two points are: give 0 to pairs that have nothing in common",
              .row = i});
    double& largest = i == j ? largest_loop : largest_edge;
    largest = std::max(largest, value);
  }

  /// Doubles range from 2^-1074 to 2^1024: for weights around 1 even the fourth powers of sums are in range.
  double unit(const AffinityOptions& options) const {
    constexpr double kPlainLimit = 0x1p100;
    const double largest = options.unit_diagonal ? std::max(largest_edge, largest_loop) : largest_edge;
    if (largest <= kPlainLimit && largest >= 1 / kPlainLimit) return 1;
    return std::ldexp(1.0, std::ilogb(largest));
  }
};

/// Entries far below the largest may be nothing but rounding.
Asymmetry among_weights_up_to(double largest) {
  constexpr double kSmallShare = 1e-7;
  return {.unit = kSmallShare * largest};
}

void warn_of_asymmetry(const Asymmetry& worst, bool is_float, GivenWeights& result) {
  if (worst.is_rounding(is_float)) return;
  result.averaged = true;
  result.warnings.push_back(
      {"asymmetric-weights",
       fmt::format("the weight in row {}, column {} is {}, but {} the other way: the matrix was averaged with its "
                   "transpose",
                   worst.row + 1, worst.col + 1, worst.there, worst.back),
       "make it symmetric: (W + W') / 2, or the larger of both, as you mean it"});
}

[[noreturn]] void throw_not_square(Index rows, Index cols) {
  throw Error(
      ErrorKind::InvalidData,
      fmt::format("a matrix of weights must be square and have 2 or more rows; this one is {} x {}", rows, cols));
}

void check_not_zero(const Survey& survey) {
  if (survey.largest_edge > 0) return;
  throw Error(ErrorKind::InvalidData, "all weights between different points are zero: there is no graph",
              "give weights above zero to the pairs that belong together");
}

void warn_of_components(const Components& components, const GraphPolicy& policy, std::vector<Warning>& warnings) {
  if (components.count() == 1) return;
  const bool may_part = policy.can_separate && policy.components != ComponentsPolicy::Separate;
  warnings.push_back(
      {"graph-disconnected",
       fmt::format("the graph is not fully connected: the number of connected components is {}", components.count()),
       fmt::format("{}give weights between them, if they belong together",
                   may_part ? "use components=separate for a map of each, or " : "")});
}

}  // namespace

GivenWeights given_weights(PointsView matrix, const AffinityOptions& options, const Run& run) {
  const Index n = matrix.rows();
  if (n != matrix.cols() || n < 2) throw_not_square(n, matrix.cols());
  MemoryPlan plan;
  plan.add("the weights of all pairs", static_cast<double>(n), static_cast<double>(n), sizeof(double));
  plan.require(run, "use a sparse matrix of weights");
  Survey survey;
  GivenWeights result;
  Array2<double> w = Array2<double>::uninitialized(n, n);
  DisjointSets sets(n);
  matrix.visit([&](auto x) {
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) survey.add(i, j, static_cast<double>(x(i, j)));
    check_not_zero(survey);
    result.unit = survey.unit(options);
    Asymmetry asymmetry = among_weights_up_to(survey.largest_edge);
    for (Index i = 0; i < n; ++i) {
      if (i % 256 == 0) run.check_cancelled();
      for (Index j = 0; j <= i; ++j) {
        const auto there = static_cast<double>(x(i, j)), back = static_cast<double>(x(j, i));
        asymmetry.compare(i, j, there, back);
        const double a = there / result.unit, b = back / result.unit;
        w(i, j) = w(j, i) = i == j && !options.unit_diagonal ? 0 : a == b ? a : a / 2 + b / 2;
        if (w(i, j) > 0) sets.join(i, j);
      }
    }
    for (Index i = 0; i < n; ++i) {
      RowPrint print;
      for (Index j = 0; j < n; ++j)
        if (x(i, j) > 0) print.add(j, static_cast<double>(x(i, j)));
      result.prints.push_back(print.value());
    }
    warn_of_asymmetry(asymmetry, matrix.is_float(), result);
  });
  result.affinity = {std::move(w), numbered(sets, n)};
  warn_of_components(result.affinity.components, options.policy, result.warnings);
  return result;
}

GivenWeights given_weights(const SparseMatrix& matrix, const AffinityOptions& options) {
  const Index n = matrix.rows;
  check_structure(matrix);
  if (n != matrix.cols || n < 2) throw_not_square(n, matrix.cols);
  const auto for_each_entry = [&](const auto& visit) {
    for (Index i = 0; i < n; ++i)
      for (Index e = matrix.offsets[at(i)]; e < matrix.offsets[at(i + 1)]; ++e)
        visit(i, matrix.columns[at(e)], matrix.values[at(e)]);
  };
  Survey survey;
  for_each_entry([&](Index i, Index j, double value) { survey.add(i, j, value); });
  check_not_zero(survey);
  GivenWeights result{.unit = survey.unit(options)};
  struct Entry {
    Index row, column;
    double value;
    bool turned;  // from the transpose
  };
  // Both triangles, sorted; the two entries of one place are next to each other.
  std::vector<Entry> entries;
  std::vector<RowPrint> prints(at(n));
  for_each_entry([&](Index i, Index j, double value) {
    if (value == 0) return;
    prints[at(i)].add(j, value);
    if (i == j && !options.unit_diagonal) return;
    entries.push_back({i, j, value, false});
    entries.push_back({j, i, value, true});
  });
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.row, a.column, a.turned) < std::tie(b.row, b.column, b.turned);
  });
  SparseMatrix w{.rows = n, .cols = n};
  DisjointSets sets(n);
  Asymmetry asymmetry = among_weights_up_to(survey.largest_edge);
  for (std::size_t e = 0; e < entries.size();) {
    const Entry& first = entries[e];
    while (std::ssize(w.offsets) <= first.row) w.offsets.push_back(std::ssize(w.columns));
    const bool both =
        e + 1 < entries.size() && entries[e + 1].row == first.row && entries[e + 1].column == first.column;
    const double second = both ? entries[e + 1].value : 0;
    asymmetry.compare(first.row, first.column, first.turned ? second : first.value,
                      first.turned ? first.value : second);
    const double weight = first.value / result.unit / 2 + second / result.unit / 2;
    if (weight > 0) {
      w.columns.push_back(first.column);
      w.values.push_back(weight);
      sets.join(first.row, first.column);
    }
    e += both ? 2 : 1;
  }
  while (std::ssize(w.offsets) <= n) w.offsets.push_back(std::ssize(w.columns));
  for (const RowPrint& print : prints) result.prints.push_back(print.value());
  warn_of_asymmetry(asymmetry, false, result);
  result.affinity = {std::move(w), numbered(sets, n)};
  warn_of_components(result.affinity.components, options.policy, result.warnings);
  return result;
}

Components components_of(const Array2<double>& w) {
  DisjointSets sets(w.rows());
  for (Index i = 0; i < w.rows() && sets.count() > 1; ++i)
    for (Index j = 0; j < i; ++j)
      if (w(i, j) > 0) sets.join(i, j);
  return numbered(sets, w.rows());
}

}  // namespace unroll
