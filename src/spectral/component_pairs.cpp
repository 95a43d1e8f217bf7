#include "spectral/component_pairs.h"

#include <algorithm>
#include <cmath>

#include "core/at.h"
#include "linalg/symmetric_eigen.h"
#include "neighbors/components_policy.h"
#include "spectral/component_warnings.h"

namespace unroll {
namespace {

/// Copies the values of a part's points to their places among all points.
void spread(const std::vector<double>& from, const std::vector<Index>& points, Index n, std::vector<double>& to) {
  if (from.empty()) return;
  to.resize(at(n));
  for (std::size_t i = 0; i < points.size(); ++i) to[at(points[i])] = from[i];
}

/// Solves every component by itself and keeps the best `count` pairs of all.
OperatorPairs merged(const Recipe& row, const Source& source, Index count, const SpectralSettings& settings,
                     const Run& run) {
  const Index n = source.size();
  const std::vector<std::vector<Index>> members = ComponentPoints(source.components()).members;
  std::vector<OperatorPairs> parts;
  struct Pair {
    double value;
    std::size_t component;
    Index k;
  };
  std::vector<Pair> pairs;
  OperatorPairs all{.vectors = Array2<double>(count, n)};
  ComponentWarnings warnings;
  for (std::size_t c = 0; c < members.size(); ++c) {
    parts.push_back(source.solve(row, members[c], std::min(count, std::ssize(members[c]) - 1), settings, run));
    OperatorPairs& part = parts.back();
    for (std::size_t k = 0; k < part.values.size(); ++k) pairs.push_back({part.values[k], c, static_cast<Index>(k)});
    spread(part.trivial, members[c], n, all.trivial);
    spread(part.back, members[c], n, all.back);
    spread(part.degrees, members[c], n, all.degrees);
    all.norm = std::max(all.norm, part.norm);
    all.trivial_value = part.trivial_value;
    all.iterations += part.iterations;
    if (all.solver.empty() || part.iterations > 0) all.solver = part.solver;
    all.tried.insert(all.tried.end(), part.tried.begin(), part.tried.end());
    merge_attributes(part.attributes, all.attributes);
    warnings.add(part.warnings, static_cast<Index>(c), std::ssize(members[c]));
    all.parts.push_back({static_cast<Index>(c), std::ssize(members[c]), part.values, part.residuals});
  }
  warnings.write(all.warnings);
  const double sign = row.order == Order::Largest ? -1 : 1;
  std::stable_sort(pairs.begin(), pairs.end(),
                   [sign](const Pair& a, const Pair& b) { return sign * a.value < sign * b.value; });
  for (Index k = 0; k < count; ++k) {
    const Pair& pair = pairs[at(k)];
    const OperatorPairs& from = parts[pair.component];
    all.values.push_back(pair.value);
    all.residuals.push_back(from.residuals[at(pair.k)]);
    const std::vector<Index>& points = members[pair.component];
    for (std::size_t i = 0; i < points.size(); ++i)
      all.vectors(k, points[i]) = from.vectors(pair.k, static_cast<Index>(i));
  }
  // The last eigenvalue may occur again: as the next pair of all, or among those that a component has not computed.
  const auto is_last = [&](double value) {
    return count > 0 && end_of_group({all.values.back(), value, all.norm}, 0) > 1;
  };
  if (std::ssize(pairs) > count) all.last_group_is_cut = is_last(pairs[at(count)].value);
  for (const OperatorPairs& part : parts)
    if (part.last_group_is_cut && is_last(part.values.back())) all.last_group_is_cut = true;
  return all;
}

/// Writes eigenvectors of the trivial eigenvalue to rows of `out`, one per component. If the trivial vector of the
/// whole is skipped, they are orthogonal to it: each component but the first has one, which separates it from those
/// before it (Helmert's contrasts, weighted by the mass of every component).
void put_indicators(const Recipe& row, const OperatorPairs& solution, const Components& components, Index count,
                    Array2<double>& out) {
  const Index n = out.cols();
  if (keeps_trivial(row)) {
    for (Index i = 0; i < n; ++i)
      if (const Index c = components.labels[at(i)]; c < count) out(c, i) = solution.trivial[at(i)];
    return;
  }
  std::vector<double> mass(at(components.count()));  // per component, of the squared trivial vector of the whole
  const bool by_degrees = row.operation != OperatorRule::Laplacian && !solution.degrees.empty();
  for (Index i = 0; i < n; ++i) mass[at(components.labels[at(i)])] += by_degrees ? solution.degrees[at(i)] : 1;
  double before = 0;
  Index k = 0;
  for (Index c = 0; k < count; ++c) {
    const double own = mass[at(c)];
    const bool is_alone = own == 0;  // a point without edges has no mass
    if (before > 0 || is_alone) {
      const double length = std::sqrt(before * own * (before + own));
      for (Index i = 0; i < n; ++i) {
        const Index at_point = components.labels[at(i)];
        const double root = std::sqrt(mass[at(at_point)]);
        if (at_point < c && !is_alone) out(k, i) = solution.trivial[at(i)] * root * own / length;
        if (at_point == c) out(k, i) = solution.trivial[at(i)] * (is_alone ? 1 : -root * before / length);
      }
      ++k;
    }
    before += own;
  }
}

/// Puts `trivial` known pairs before the others.
void prepend_trivial(const Recipe& row, const Components& components, Index trivial, OperatorPairs& solution) {
  if (trivial == 0) return;
  const Index n = std::ssize(components.labels);
  Array2<double> vectors(trivial + solution.vectors.rows(), n);
  put_indicators(row, solution, components, trivial, vectors);
  std::copy_n(solution.vectors.data(), solution.vectors.size(), vectors.row(trivial));
  solution.vectors = std::move(vectors);
  solution.products = {};
  solution.values.insert(solution.values.begin(), at(trivial), solution.trivial_value);
  solution.residuals.insert(solution.residuals.begin(), at(trivial), 0.0);
  if (solution.solver.empty()) solution.solver = "indicators";
}

/// Turns eigenvectors of the symmetric matrix into those of the row's own matrix.
void to_own_matrix(OperatorPairs& solution, bool is_merged) {
  Array2<double>& v = solution.vectors;
  if (!solution.back.empty())
    for (Index k = 0; k < v.rows(); ++k)
      for (Index i = 0; i < v.cols(); ++i) v(k, i) *= solution.back[at(i)];
  if (!solution.back.empty() || is_merged) canonicalize_signs(v);
}

}  // namespace

OperatorPairs pairs_of_all(const Recipe& row, const Source& source, const SpectralSettings& settings, const Run& run) {
  const Components& components = source.components();
  const Index d = settings.n_components, skipped = keeps_trivial(row) ? 0 : 1;
  const Index trivial = std::min(d, components.count() - skipped);
  OperatorPairs solution = components.count() == 1 ? source.solve(row, {}, d - trivial, settings, run)
                                                   : merged(row, source, d - trivial, settings, run);
  if (trivial == d) solution.last_group_is_cut = false;
  prepend_trivial(row, components, trivial, solution);
  to_own_matrix(solution, trivial > 0 || components.count() > 1);
  return solution;
}

OperatorPairs pairs_of_component(const Recipe& row, const Source& source, const std::vector<Index>& points, Index count,
                                 const SpectralSettings& settings, const Run& run) {
  const Index trivial = keeps_trivial(row) ? std::min<Index>(count, 1) : 0;
  OperatorPairs solution = source.solve(row, points, count - trivial, settings, run);
  const Components own{.labels = std::vector<Index>(points.size()), .sizes = {std::ssize(points)}};
  prepend_trivial(row, own, trivial, solution);
  to_own_matrix(solution, trivial > 0);
  return solution;
}

}  // namespace unroll
