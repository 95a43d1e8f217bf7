#include "sources/component_map.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/at.h"
#include "core/matrix_copies.h"
#include "linalg/symmetric_eigen.h"
#include "unroll/linalg/eigen_solver_choice.h"

namespace unroll {
namespace {

Array2<double> first_rows(const Array2<double>& a, Index count) {
  Array2<double> rows = Array2<double>::uninitialized(count, a.cols());
  std::copy_n(a.data(), rows.size(), rows.data());
  return rows;
}

/// Sorts values, and vectors and residuals with them.
void sort_ascending(ComponentMap& map) {
  std::vector<Index> order(map.spectrum.values.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return map.spectrum.values[at(a)] < map.spectrum.values[at(b)]; });
  if (std::is_sorted(order.begin(), order.end())) return;
  const ComponentMap before = map;
  for (std::size_t k = 0; k < order.size(); ++k) {
    map.spectrum.values[k] = before.spectrum.values[at(order[k])];
    map.spectrum.residuals[k] = before.spectrum.residuals[at(order[k])];
    std::copy_n(before.vectors.row(order[k]), map.vectors.cols(), map.vectors.row(static_cast<Index>(k)));
  }
}

/// Gives the first `count` vectors, whose values vanish, a canonical basis and their mean value.
void make_canonical(const LocalFits& fits, Index count, ComponentMap& map, const Run& run) {
  std::vector<double>& values = map.spectrum.values;
  Array2<double> group = first_rows(map.vectors, count);
  canonicalize(std::vector<double>(at(count)), group);
  std::copy_n(group.data(), group.size(), map.vectors.data());
  const double mean = std::accumulate(values.begin(), values.begin() + count, 0.0) / static_cast<double>(count);
  std::fill_n(values.begin(), count, mean);
  const std::vector<double> residuals = map_residuals(fits, group, std::vector<double>(at(count), mean), map.norm, run);
  std::copy(residuals.begin(), residuals.end(), map.spectrum.residuals.begin());
}

}  // namespace

std::optional<CloseValues> mixed_by_rounding(const ComponentMap& map) {
  constexpr double kDenseRounding = 1e-14;
  if (map.spectrum.solver != name_of(EigenSolver::Dense)) return {};
  std::vector<double> values = map.spectrum.values;
  if (map.next) values.push_back(*map.next);
  for (std::size_t k = 0; k + 1 < values.size(); ++k)
    if (values[k + 1] > kVanishes * map.norm && values[k + 1] - values[k] <= kDenseRounding * map.norm)
      return CloseValues{values[k], values[k + 1]};
  return {};
}

std::vector<double> map_residuals(const LocalFits& fits, const Array2<double>& vectors,
                                  const std::vector<double>& values, double norm, const Run& run) {
  const Array2<double> y = transposed(vectors);
  Array2<double> image = Array2<double>::uninitialized(y.rows(), y.cols());
  LocalFitsOperator(fits, run).apply(y, image, run);
  std::vector<double> residuals;
  for (Index k = 0; k < y.cols(); ++k) {
    double squares = 0;
    for (Index i = 0; i < y.rows(); ++i) {
      const double rest = image(i, k) - values[at(k)] * y(i, k);
      squares += rest * rest;
    }
    residuals.push_back(norm > 0 ? std::sqrt(squares) / norm : 0);
  }
  return residuals;
}

void refine_and_canonicalize(const LocalFits& fits, Index n_components, ComponentMap& map, const Run& run) {
  std::vector<double>& values = map.spectrum.values;
  values = fit_errors(fits, transposed(map.vectors), run);
  sort_ascending(map);
  const auto vanishes = [&](double value) { return value <= kVanishes * map.norm; };
  const Index nothing = std::find_if_not(values.begin(), values.end(), vanishes) - values.begin();
  if (nothing > 1) make_canonical(fits, nothing, map, run);
  if (map.vectors.rows() > n_components) {
    map.next = values[at(n_components)];
    map.vectors = first_rows(map.vectors, n_components);
    values.resize(at(n_components));
    map.spectrum.residuals.resize(at(n_components));
  }
  canonicalize_signs(map.vectors);
}

}  // namespace unroll
