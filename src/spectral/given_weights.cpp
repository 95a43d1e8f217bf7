#include "spectral/given_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "neighbors/disjoint_sets.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

constexpr double kRounding = 1e-10;

void check_entry(Index i, Index j, double value, std::string_view who) {
  if (std::isfinite(value) && value >= 0) return;
  throw Error(
      ErrorKind::InvalidData,
      fmt::format("{}: the weight of points {} and {} is {}, but all weights must be finite and positive or zero", who,
                  i + 1, j + 1, value));
}

[[noreturn]] void throw_not_square(Index rows, Index cols, std::string_view who) {
  throw Error(ErrorKind::InvalidData,
              fmt::format("{}: a matrix of weights must be square and have 2 or more rows; this one is {} x {}", who,
                          rows, cols));
}

void check_not_zero(double sum, std::string_view who) {
  if (sum > 0) return;
  throw Error(ErrorKind::InvalidData,
              fmt::format("{}: all weights between different points are zero: there is no graph", who));
}

std::vector<Warning> asymmetry_warning(double worst, std::string_view who) {
  if (worst <= kRounding) return {};
  return {{"asymmetric-weights",
           fmt::format("{}: the matrix of weights is not symmetric (by up to {:.1e} of an entry); it was averaged with "
                       "its transpose",
                       who, worst),
           "symmetrize it as you mean it"}};
}

Components numbered(DisjointSets& sets, Index n) {
  Components result;
  std::vector<Index> label_of(static_cast<std::size_t>(n), -1);
  for (Index i = 0; i < n; ++i) {
    Index& label = label_of[static_cast<std::size_t>(sets.find(i))];
    if (label < 0) {
      label = result.count();
      result.sizes.push_back(0);
    }
    result.labels.push_back(label);
    ++result.sizes[static_cast<std::size_t>(label)];
  }
  return result;
}

void warn_of_components(const Components& components, std::vector<Warning>& warnings) {
  if (components.count() == 1) return;
  warnings.push_back(
      {"graph-disconnected",
       fmt::format("the graph is not fully connected: the number of connected components is {}", components.count()),
       "components=separate embeds each on its own, keep leaves them together"});
}

}  // namespace

GivenWeights given_weights(PointsView matrix, bool keep_diagonal, std::string_view who, const Run& run) {
  const Index n = matrix.rows();
  if (n != matrix.cols() || n < 2) throw_not_square(n, matrix.cols(), who);
  Array2<double> w = Array2<double>::uninitialized(n, n);
  double worst = 0, sum = 0;
  DisjointSets sets(n);
  matrix.visit([&](auto x) {
    for (Index i = 0; i < n; ++i) {
      if (i % 256 == 0) run.check_cancelled();
      for (Index j = 0; j <= i; ++j) {
        const auto there = static_cast<double>(x(i, j)), back = static_cast<double>(x(j, i));
        check_entry(i, j, there, who);
        check_entry(j, i, back, who);
        const double weight = i == j && !keep_diagonal ? 0 : there == back ? there : there / 2 + back / 2;
        w(i, j) = w(j, i) = weight;
        if (i == j) continue;
        sum += weight;
        if (weight > 0) sets.join(i, j), worst = std::max(worst, std::abs(there - back) / std::max(there, back));
      }
    }
  });
  check_not_zero(sum, who);
  GivenWeights result{.affinity = {std::move(w), numbered(sets, n)}, .warnings = asymmetry_warning(worst, who)};
  warn_of_components(result.affinity.components, result.warnings);
  return result;
}

GivenWeights given_weights(const SparseMatrix& matrix, bool keep_diagonal, std::string_view who) {
  const Index n = matrix.rows;
  if (n != matrix.cols || n < 2) throw_not_square(n, matrix.cols, who);
  struct Entry {
    Index row, column;
    double value;
  };
  // Both triangles of (A + A') / 2, sorted; entries of one place are next to each other.
  std::vector<Entry> entries;
  for (Index i = 0; i < n; ++i)
    for (Index e = matrix.offsets[static_cast<std::size_t>(i)]; e < matrix.offsets[static_cast<std::size_t>(i) + 1];
         ++e) {
      const Index j = matrix.columns[static_cast<std::size_t>(e)];
      const double value = matrix.values[static_cast<std::size_t>(e)];
      check_entry(i, j, value, who);
      if ((i == j && !keep_diagonal) || value == 0) continue;
      entries.push_back({i, j, value / 2});
      entries.push_back({j, i, value / 2});
    }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.row, a.column, a.value) < std::tie(b.row, b.column, b.value);
  });
  SparseMatrix w{.rows = n, .cols = n};
  DisjointSets sets(n);
  double worst = 0, sum = 0;
  for (std::size_t e = 0; e < entries.size();) {
    const Entry& first = entries[e];
    while (std::ssize(w.offsets) <= first.row) w.offsets.push_back(std::ssize(w.columns));
    const bool both =
        e + 1 < entries.size() && entries[e + 1].row == first.row && entries[e + 1].column == first.column;
    const double second = both ? entries[e + 1].value : 0;
    w.columns.push_back(first.column);
    w.values.push_back(first.value + second);
    worst = std::max(worst, std::abs(first.value - second) / std::max(first.value, second));
    if (first.row != first.column) sum += w.values.back(), sets.join(first.row, first.column);
    e += both ? 2 : 1;
  }
  while (std::ssize(w.offsets) <= n) w.offsets.push_back(std::ssize(w.columns));
  check_not_zero(sum, who);
  GivenWeights result{.affinity = {std::move(w), numbered(sets, n)}, .warnings = asymmetry_warning(worst, who)};
  warn_of_components(result.affinity.components, result.warnings);
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
