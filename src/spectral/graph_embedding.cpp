#include "spectral/graph_embedding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/memory.h"
#include "linalg/eigen_problem.h"
#include "linalg/symmetric_eigen.h"
#include "spectral/components_policy.h"
#include "spectral/graph_operator.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

bool keeps_trivial(const Recipe& row) { return row.skip == Skip::None; }

/// How many coordinates a graph of n points in `parts` components has.
Index most_components(const Recipe& row, Index n, Index parts) { return keeps_trivial(row) ? n : n - parts; }

/// Step 4: eigenpairs in the order in which the row reads them, the trivial ones, which are known, first.
EigenSolution decomposed(const Recipe& row, const GraphOperator& problem, const GraphSettings& settings,
                         const Run& run) {
  const Index n = problem.a->size(), d = settings.n_components;
  const Index trivial = keeps_trivial(row) ? std::min(d, problem.trivial.rows()) : 0;
  const bool is_markov = row.operation == OperatorRule::Markov, is_plain = row.operation == OperatorRule::Laplacian;
  EigenProblem ask{.end = row.order == Order::Largest ? SpectrumEnd::Largest : SpectrumEnd::Smallest,
                   .count = d - trivial,
                   .known = problem.trivial,
                   .lowest = is_markov ? -1.0 : 0.0,
                   .dimension = settings.dimension,
                   .solver = settings.solver,
                   .seed = settings.seed};
  if (!is_plain) ask.highest = is_markov ? 1.0 : 2.0;
  EigenSolution found = solve_eigenproblem(*problem.a, ask, run);
  if (trivial == 0) return found;
  Array2<double> vectors = Array2<double>::uninitialized(d, n);
  std::copy_n(problem.trivial.data(), trivial * n, vectors.data());
  std::copy_n(found.vectors.data(), found.vectors.size(), vectors.row(trivial));
  found.vectors = std::move(vectors);
  found.values.insert(found.values.begin(), at(trivial), problem.trivial_value);
  found.residuals.insert(found.residuals.begin(), at(trivial), 0.0);
  return found;
}

/// lambda^t, where that is a real number.
double power(double value, double time) { return value >= 0 || time == std::floor(time) ? std::pow(value, time) : 0; }

/// Step 5, and the axes that place new points.
void set_coordinates(const Recipe& row, const GraphOperator& problem, EigenSolution solution,
                     const GraphSettings& settings, GraphEmbedding& out) {
  Array2<double>& v = solution.vectors;
  const Index n = v.cols(), d = v.rows();
  if (!problem.back.empty())
    for (Index k = 0; k < d; ++k)
      for (Index i = 0; i < n; ++i) v(k, i) *= problem.back[at(i)];
  canonicalize_signs(v);
  double volume = 0;
  for (const double degree : problem.degrees) volume += degree;
  out.coordinates = Array2<double>::uninitialized(n, d);
  out.placing.axes = Array2<double>::uninitialized(n, d);
  out.placing.rule = row.new_point;
  out.placing.values = Array2<double>(1, d);
  std::copy(solution.values.begin(), solution.values.end(), out.placing.values.data());
  out.placing.unit_rows = row.coordinates == CoordinateRule::UnitRows;
  for (Index k = 0; k < d; ++k) {
    const double value = solution.values[at(k)];
    // Of diffusion: psi = sqrt(sum of degrees) D^-1/2 u, times lambda^t; new points divide by lambda.
    const bool is_diffusion = row.coordinates == CoordinateRule::Diffusion;
    const double scale = is_diffusion ? std::sqrt(volume) * power(value, settings.time) : 1;
    const double extension = is_diffusion                                  ? (value == 0 ? 0 : 1 / value)
                             : row.new_point == NewPointRule::Unnormalized ? 1
                                                                           : 1 / (1 - value);
    for (Index i = 0; i < n; ++i) {
      const double degree = problem.degrees[at(i)];
      const double root = row.new_point == NewPointRule::Symmetric && degree > 0 ? 1 / std::sqrt(degree) : 1;
      out.coordinates(i, k) = scale * v(k, i);
      out.placing.axes(i, k) = std::isfinite(extension) ? scale * v(k, i) * root * extension : 0;
    }
  }
  for (Index i = 0; i < n && out.placing.unit_rows; ++i) scale_to_length_one(out.coordinates.row(i), d);
}

/// Fractional powers of negative numbers are not real.
void warn_of_negative(const Recipe& row, const std::vector<double>& values, double time,
                      std::vector<Warning>& warnings) {
  if (row.coordinates != CoordinateRule::Diffusion || time == std::floor(time)) return;
  const auto negative = std::count_if(values.begin(), values.end(), [](double value) { return value < 0; });
  if (negative == 0) return;
  warnings.push_back({"negative-eigenvalues",
                      fmt::format("{} eigenvalues are negative: lambda^t is not a real number for t={}, and these "
                                  "coordinates are zero",
                                  negative, time),
                      "use a whole t, or graph=full, whose kernel is positive"});
}

GraphEmbedding embed_whole(const Recipe& row, Affinity& affinity, const GraphSettings& settings, const Run& run) {
  GraphEmbedding out;
  if (row.density == Density::Divide && settings.alpha > 0) {
    out.placing.density = density_of(affinity, settings.alpha, run);
    out.placing.alpha = settings.alpha;
    divide_by_density(affinity, out.placing.density, run);
  }
  const GraphOperator problem = graph_operator(row.operation, affinity, run);
  EigenSolution solution = decomposed(row, problem, settings, run);
  out.spectrum = {.values = solution.values,
                  .residuals = solution.residuals,
                  .iterations = solution.iterations,
                  .solver = std::string(name_of(solution.solver))};
  out.tried = solution.tried;
  warn_of_negative(row, solution.values, settings.time, out.warnings);
  set_coordinates(row, problem, std::move(solution), settings, out);
  return out;
}

/// A full W is held beside the part of it that is embedded.
void plan_parts(const Affinity& affinity, double largest, std::string_view who, const Run& run) {
  if (!std::holds_alternative<Array2<double>>(affinity.w)) return;
  const auto n = static_cast<double>(affinity.size());
  MemoryPlan()
      .add("the weights of all pairs", n, n, sizeof(double))
      .add("those of the largest component", largest, largest, sizeof(double))
      .require(run, who, "use components=keep, or a sparse matrix");
}

/// Every component has a map of its own, of as many dimensions as it has.
GraphEmbedding embed_apart(const Recipe& row, const Affinity& affinity, const GraphSettings& settings, const Run& run) {
  const Components& parts = affinity.components;
  const Index n = affinity.size(), d = settings.n_components;
  GraphEmbedding whole{.coordinates = Array2<double>(n, d)};
  whole.placing.axes = Array2<double>(n, d);
  whole.placing.rule = row.new_point;
  whole.placing.components = parts.labels;
  whole.placing.values = Array2<double>(parts.count(), d);
  if (row.density == Density::Divide && settings.alpha > 0) {
    whole.placing.density.assign(at(n), 1);
    whole.placing.alpha = settings.alpha;
  }
  const Index largest = std::max_element(parts.sizes.begin(), parts.sizes.end()) - parts.sizes.begin();
  plan_parts(affinity, static_cast<double>(parts.sizes[at(largest)]), settings.who, run);
  for (Index c = 0; c < parts.count(); ++c) {
    const std::vector<Index> points = members(parts, c);
    GraphSettings own = settings;
    own.n_components = std::min(d, most_components(row, std::ssize(points), 1));
    if (own.n_components == 0) continue;
    Affinity own_part = part(affinity, c);
    GraphEmbedding map = embed_whole(row, own_part, own, run);
    std::copy_n(map.placing.values.data(), own.n_components, whole.placing.values.row(c));
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (!map.placing.density.empty()) whole.placing.density[at(points[i])] = map.placing.density[i];
      for (Index k = 0; k < own.n_components; ++k) {
        whole.coordinates(points[i], k) = map.coordinates(static_cast<Index>(i), k);
        whole.placing.axes(points[i], k) = map.placing.axes(static_cast<Index>(i), k);
      }
    }
    if (c != largest) continue;
    whole.spectrum = std::move(map.spectrum);
    whole.tried = std::move(map.tried);
    whole.warnings = std::move(map.warnings);
  }
  whole.placing.offsets = side_by_side(whole.coordinates, parts);
  for (Index i = 0; i < n; ++i) whole.coordinates(i, 0) += whole.placing.offsets[at(parts.labels[at(i)])];
  return whole;
}

/// The eigenvalues of D - W are in its unit.
void scale_back(const GraphSettings& settings, std::vector<double>& values) {
  for (double& value : values)
    if (!std::isfinite(value *= settings.unit))
      throw Error(ErrorKind::InvalidData, fmt::format("{}: eigenvalues of D - W pass the largest double, 1.8e308; use "
                                                      "another laplacian, or divide the weights by 1024 or more",
                                                      settings.who));
}

}  // namespace

GraphEmbedding embed_graph(const Recipe& row, Affinity& affinity, const GraphSettings& settings, const Run& run) {
  const Index n = affinity.size(), parts = affinity.components.count();
  const bool apart = settings.separate && parts > 1;
  const Index most =
      apart ? most_components(row,
                              *std::max_element(affinity.components.sizes.begin(), affinity.components.sizes.end()), 1)
            : most_components(row, n, parts);
  if (settings.n_components > most)
    throw Error(ErrorKind::InvalidOption,
                fmt::format("{}: n_components={} must be at most {}: {} points in {} components have no more "
                            "eigenvectors; use a smaller n_components",
                            settings.who, settings.n_components, most, n, parts));
  GraphEmbedding map =
      apart ? embed_apart(row, affinity, settings, run) : embed_whole(row, affinity, settings, run);
  if (row.operation == OperatorRule::Laplacian) scale_back(settings, map.spectrum.values);
  return map;
}

void keep_coordinates(const std::vector<Index>& columns, GraphEmbedding& map) {
  const auto picked = [&](const Array2<double>& from) {
    Array2<double> to = Array2<double>::uninitialized(from.rows(), std::ssize(columns));
    for (Index i = 0; i < from.rows(); ++i)
      for (Index k = 0; k < to.cols(); ++k) to(i, k) = from(i, columns[at(k)]);
    return to;
  };
  map.coordinates = picked(map.coordinates);
  map.placing.axes = picked(map.placing.axes);
  map.placing.values = picked(map.placing.values);
  for (Index i = 0; i < map.coordinates.rows() && map.placing.unit_rows; ++i)
    scale_to_length_one(map.coordinates.row(i), map.coordinates.cols());
}

}  // namespace unroll
