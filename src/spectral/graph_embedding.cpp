#include "spectral/graph_embedding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/at.h"
#include "core/memory.h"
#include "core/text.h"
#include "eigen/eigen_problem.h"
#include "linalg/symmetric_eigen.h"
#include "neighbors/components_policy.h"
#include "spectral/bottleneck.h"
#include "spectral/graph_operator.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

bool keeps_trivial(const Recipe& row) { return row.skip == Skip::None; }

EigenProblem question(const Recipe& row, const GraphOperator& problem, const GraphSettings& settings, Index count) {
  const bool is_markov = row.operation == OperatorRule::Markov, is_plain = row.operation == OperatorRule::Laplacian;
  EigenProblem ask{.end = row.order == Order::Largest ? SpectrumEnd::Largest : SpectrumEnd::Smallest,
                   .count = count,
                   .known = problem.known(),
                   .norm = problem.norm,
                   .lowest = is_markov ? -1.0 : 0.0,
                   .dimension = settings.dimension,
                   .solver = settings.solver,
                   .seed = settings.seed,
                   .who = settings.who};
  if (!is_plain) ask.highest = is_markov ? 1.0 : 2.0;
  return ask;
}

/// Eigenpairs of several components, the best `count` of all: an eigenvector of one is 0 on the others.
EigenSolution merged(const Recipe& row, const Affinity& affinity, const GraphSettings& settings, Index count,
                     const Run& run) {
  const ComponentPoints split(affinity.components);
  EigenSolution all{.vectors = Array2<double>(count, affinity.size())};
  std::vector<EigenSolution> parts;
  struct Pair {
    double value;
    std::size_t component;
    Index k;
  };
  std::vector<Pair> pairs;
  for (std::size_t c = 0; count > 0 && c < split.members.size(); ++c) {
    const Index own = std::min(count, std::ssize(split.members[c]) - 1);
    parts.emplace_back();
    if (own == 0) continue;
    const Affinity piece = part(affinity, split.members[c], split.number);
    const GraphOperator problem = graph_operator(row.operation, piece, run);
    parts.back() = solve_eigenproblem(*problem.a, question(row, problem, settings, own), run);
    for (Index k = 0; k < own; ++k) pairs.push_back({parts.back().values[at(k)], c, k});
  }
  const double sign = row.order == Order::Largest ? -1 : 1;
  std::stable_sort(pairs.begin(), pairs.end(),
                   [sign](const Pair& a, const Pair& b) { return sign * a.value < sign * b.value; });
  for (Index k = 0; k < count; ++k) {
    const Pair& pair = pairs[at(k)];
    const EigenSolution& from = parts[pair.component];
    all.values.push_back(pair.value);
    all.residuals.push_back(from.residuals[at(pair.k)]);
    const std::vector<Index>& points = split.members[pair.component];
    for (std::size_t i = 0; i < points.size(); ++i)
      all.vectors(k, points[i]) = from.vectors(pair.k, static_cast<Index>(i));
  }
  // Beyond these: the next of all, or one that a component has more of.
  for (const EigenSolution& solved : parts) all.norm = std::max(all.norm, solved.norm);
  const auto is_last = [&](double value) {
    return count > 0 && end_of_group({all.values.back(), value, all.norm}, 0) > 1;
  };
  if (std::ssize(pairs) > count) all.goes_on = is_last(pairs[at(count)].value);
  for (const EigenSolution& solved : parts) {
    if (solved.goes_on && is_last(solved.values.back())) all.goes_on = true;
    all.iterations += solved.iterations;
    if (solved.iterations > 0) all.solver = solved.solver;
    all.tried.insert(all.tried.end(), solved.tried.begin(), solved.tried.end());
  }
  return all;
}

/// Eigenvectors of the trivial eigenvalue, in rows of `out`: of every component its own. Where the trivial vector of
/// the whole graph is skipped, those that are orthogonal to it: all components but the first have one, which tells it
/// from those before it (as Helmert's contrasts do, weighed by what the whole has of every component).
void put_indicators(const Recipe& row, const GraphOperator& problem, const Components& components, Index count,
                    Array2<double>& out) {
  const Index n = out.cols();
  if (keeps_trivial(row)) {
    for (Index i = 0; i < n; ++i)
      if (const Index c = components.labels[at(i)]; c < count) out(c, i) = problem.trivial[at(i)];
    return;
  }
  std::vector<double> mass(at(components.count()));  // of the whole graph's trivial vector, squared
  const bool is_plain = row.operation == OperatorRule::Laplacian;
  for (Index i = 0; i < n; ++i) mass[at(components.labels[at(i)])] += is_plain ? 1 : problem.degrees[at(i)];
  double before = 0;
  Index k = 0;
  for (Index c = 0; k < count; ++c) {
    const double own = mass[at(c)];
    const bool is_alone = own == 0;  // a point without edges: the whole has nothing of it
    if (before > 0 || is_alone) {
      const double length = std::sqrt(before * own * (before + own));
      for (Index i = 0; i < n; ++i) {
        const Index at_point = components.labels[at(i)];
        const double root = std::sqrt(mass[at(at_point)]);
        if (at_point < c && !is_alone) out(k, i) = problem.trivial[at(i)] * root * own / length;
        if (at_point == c) out(k, i) = problem.trivial[at(i)] * (is_alone ? 1 : -root * before / length);
      }
      ++k;
    }
    before += own;
  }
}

/// Step 4: eigenpairs in the order in which the row reads them, the trivial ones, which are known, first.
EigenSolution decomposed(const Recipe& row, const GraphOperator& problem, const Affinity& affinity,
                         const GraphSettings& settings, const Run& run) {
  const Components& components = affinity.components;
  const Index n = affinity.size(), d = settings.n_components;
  const Index trivial = std::min(d, components.count() - (keeps_trivial(row) ? 0 : 1));
  EigenSolution found = components.count() == 1
                            ? solve_eigenproblem(*problem.a, question(row, problem, settings, d - trivial), run)
                            : merged(row, affinity, settings, d - trivial, run);
  if (trivial == d) found.goes_on = false;
  if (trivial == 0) return found;
  Array2<double> vectors(d, n);
  put_indicators(row, problem, components, trivial, vectors);
  std::copy_n(found.vectors.data(), found.vectors.size(), vectors.row(trivial));
  found.vectors = std::move(vectors);
  found.values.insert(found.values.begin(), at(trivial), problem.trivial_value);
  found.residuals.insert(found.residuals.begin(), at(trivial), 0.0);
  return found;
}

constexpr std::string_view kRepeated = "repeated-eigenvalue";

/// The place among the kept columns of the first of an eigenvalue that occurs more often than it was kept; none if
/// there is none.
std::optional<Index> cut_group(const double* values, const MapEnd& end, double trivial,
                               const std::vector<Index>& columns) {
  std::vector<double> all(values, values + end.count);
  all.push_back(all.empty() || all.front() <= all.back() ? end.norm : -end.norm);  // as the eigensolver judges
  const auto place = [&](Index k) { return std::find(columns.begin(), columns.end(), k) - columns.begin(); };
  for (Index first = 0; first < end.count;) {
    const Index last = std::min(end.count, end_of_group(all, first));
    Index kept = 0, shown = std::ssize(columns);
    for (Index k = first; k < last; ++k) {
      kept += place(k) < std::ssize(columns) ? 1 : 0;
      shown = std::min<Index>(shown, place(k));
    }
    const bool is_whole = kept == last - first && !(last == end.count && end.goes_on);
    // That there are more components, or nearly, than coordinates is told elsewhere.
    const bool is_trivial = std::abs(all[at(first)] - trivial) <= kTrivialRounding * end.norm;
    if (kept > 0 && !is_whole && !is_trivial) return shown;
    first = last;
  }
  return {};
}

/// Some directions of a space in which all are equal, as among points that all weigh the same for each other, are no
/// finding: they came from rounding.
void warn_of_cut_groups(const std::vector<Index>& columns, GraphEmbedding& map) {
  std::erase_if(map.warnings, [](const Warning& warning) { return warning.code == kRepeated; });
  const double trivial = map.placing.rule == NewPointRule::Markov ? 1 : 0;
  for (std::size_t c = 0; c < map.ends.size(); ++c) {
    const double* values = map.placing.values.row(static_cast<Index>(c));
    const std::optional<Index> first = cut_group(values, map.ends[c], trivial, columns);
    if (!first) continue;
    const auto value = [&](Index k) { return values[columns[at(k)]]; };
    const bool is_all = *first == 0 || value(*first - 1) == trivial;
    map.warnings.push_back(
        {std::string(kRepeated),
         fmt::format("the eigenvalue {:.6g} of coordinate {} occurs more often than coordinates are kept: which of its "
                     "directions are shown is arbitrary, and says nothing of the data",
                     value(*first), *first + 1),
         is_all ? std::string("use weights that differ more, such as those of a smaller sigma or fewer neighbors, or "
                              "more n_components")
                : fmt::format("use n_components={}, or more of them", *first)});
    return;
  }
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
    // Of diffusion: psi = sqrt(sum of degrees) D^-1/2 u, times lambda^t.
    const double scale = row.coordinates == CoordinateRule::Diffusion
                             ? std::sqrt(volume) * power(solution.values[at(k)], settings.time)
                             : 1;
    for (Index i = 0; i < n; ++i) {
      const double degree = problem.degrees[at(i)];
      const double root = row.new_point == NewPointRule::Symmetric && degree > 0 ? 1 / std::sqrt(degree) : 1;
      out.coordinates(i, k) = scale * v(k, i);
      out.placing.axes(i, k) = scale * v(k, i) * root;
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
                      fmt::format("{} negative: lambda^t is not a real number for t={}, and {} zero",
                                  negative == 1 ? "1 eigenvalue is" : fmt::format("{} eigenvalues are", negative), time,
                                  negative == 1 ? "its coordinate is" : "their coordinates are"),
                      "use a whole t, or graph=full, whose kernel is positive"});
}

/// A kernel that is the same for all pairs has one eigenvalue that is not 0, the trivial one.
void warn_of_rounding(const Recipe& row, const std::vector<double>& values, std::vector<Warning>& warnings) {
  constexpr double kRounding = 1e-12;
  const auto is_rounding = [](double value) { return std::abs(value) <= kRounding; };
  if (row.coordinates != CoordinateRule::Diffusion || !std::all_of(values.begin(), values.end(), is_rounding)) return;
  warnings.push_back({"vanishing-eigenvalues",
                      "all eigenvalues but the trivial one are 0 to rounding: the kernel hardly differs from pair to "
                      "pair, and the map is rounding",
                      "use a smaller sigma"});
}

GraphEmbedding embed_whole(const Recipe& row, Affinity& affinity, const GraphSettings& settings, const Run& run) {
  GraphEmbedding out;
  if (row.density == Density::Divide && settings.alpha > 0) {
    out.placing.density = density_of(affinity, settings.alpha, run);
    out.placing.alpha = settings.alpha;
    divide_by_density(affinity, out.placing.density, run);
  }
  const GraphOperator problem = graph_operator(row.operation, affinity, run);
  EigenSolution solution = decomposed(row, problem, affinity, settings, run);
  out.spectrum = {.values = solution.values,
                  .residuals = solution.residuals,
                  .iterations = solution.iterations,
                  .solver = std::string(name_of(solution.solver))};
  out.tried = solution.tried;
  out.ends = {{.count = std::ssize(solution.values),
               .norm = std::max(problem.norm, solution.norm),
               .goes_on = solution.goes_on}};
  warn_of_rounding(row, solution.values, out.warnings);
  warn_of_negative(row, solution.values, settings.time, out.warnings);
  if (auto warning = bottleneck_warning(
          problem, affinity.components.count(), keeps_trivial(row) ? 0 : 1, solution.values,
          settings.given_weights ? "give more weight to the edges between the parts, or take each part by itself"
                                 : "use a larger sigma or more neighbors"))
    out.warnings.push_back(std::move(*warning));
  set_coordinates(row, problem, std::move(solution), settings, out);
  return out;
}

/// What is worth telling of a component's map, once.
void add_warnings(std::vector<Warning> from, std::vector<Warning>& to) {
  for (Warning& warning : from)
    if (std::none_of(to.begin(), to.end(), [&](const Warning& known) { return known.code == warning.code; }))
      to.push_back(std::move(warning));
}

/// Every component has a map of its own, of as many dimensions as it has.
GraphEmbedding embed_apart(const Recipe& row, const Affinity& affinity, const GraphSettings& settings, const Run& run) {
  const Components& components = affinity.components;
  const ComponentPoints split(components);
  const Index n = affinity.size(), d = settings.n_components;
  GraphEmbedding whole{.coordinates = Array2<double>(n, d)};
  whole.placing.axes = Array2<double>(n, d);
  whole.placing.rule = row.new_point;
  whole.placing.components = components.labels;
  whole.placing.values = Array2<double>(components.count(), d);
  whole.ends.resize(at(components.count()));
  if (row.density == Density::Divide && settings.alpha > 0) {
    whole.placing.density.assign(at(n), 1);
    whole.placing.alpha = settings.alpha;
  }
  const auto largest = std::max_element(components.sizes.begin(), components.sizes.end()) - components.sizes.begin();
  for (Index c = 0; c < components.count(); ++c) {
    const std::vector<Index>& points = split.members[at(c)];
    GraphSettings own = settings;
    own.n_components = std::min(d, std::ssize(points) - (keeps_trivial(row) ? 0 : 1));
    if (own.n_components == 0) continue;
    Affinity own_part = part(affinity, points, split.number);
    GraphEmbedding map = embed_whole(row, own_part, own, run);
    std::copy_n(map.placing.values.data(), own.n_components, whole.placing.values.row(c));
    whole.ends[at(c)] = map.ends.front();
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (!map.placing.density.empty()) whole.placing.density[at(points[i])] = map.placing.density[i];
      std::copy_n(map.coordinates.row(static_cast<Index>(i)), own.n_components, whole.coordinates.row(points[i]));
      std::copy_n(map.placing.axes.row(static_cast<Index>(i)), own.n_components, whole.placing.axes.row(points[i]));
    }
    add_warnings(std::move(map.warnings), whole.warnings);
    whole.tried.insert(whole.tried.end(), map.tried.begin(), map.tried.end());
    if (c == largest) whole.spectrum = std::move(map.spectrum);
  }
  whole.warnings.push_back(largest_component("the spectrum is", components.sizes[at(largest)]));
  whole.placing.offsets = side_by_side(whole.coordinates, components);
  for (Index i = 0; i < n; ++i) whole.coordinates(i, 0) += whole.placing.offsets[at(components.labels[at(i)])];
  return whole;
}

/// A full W is held beside the part of it that is embedded.
void plan_parts(const Affinity& affinity, std::string_view who, const Run& run) {
  if (!std::holds_alternative<Array2<double>>(affinity.w)) return;
  const std::vector<Index>& sizes = affinity.components.sizes;
  const auto n = static_cast<double>(affinity.size());
  const auto largest = static_cast<double>(*std::max_element(sizes.begin(), sizes.end()));
  MemoryPlan plan;
  plan.add("the weights of all pairs", n, n, sizeof(double));
  plan.add("those of the largest component", largest, largest, sizeof(double));
  plan.require(run, who, "use graph=neighbors, or a sparse matrix");
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

Index most_coordinates(const Recipe& row, const Components& components, bool separate) {
  const Index n = std::ssize(components.labels);
  const Index connected = separate ? *std::max_element(components.sizes.begin(), components.sizes.end()) : n;
  return keeps_trivial(row) ? connected : connected - 1;
}

GraphEmbedding embed_graph(const Recipe& row, Affinity& affinity, const GraphSettings& settings, const Run& run) {
  const Index n = affinity.size(), parts = affinity.components.count();
  const bool apart = settings.separate && parts > 1;
  const Index most = most_coordinates(row, affinity.components, apart);
  if (settings.n_components > most)
    throw Error(
        ErrorKind::InvalidOption,
        fmt::format("{}: n_components={} must be at most {}: {} in {} have no more eigenvectors; use a smaller "
                    "n_components",
                    settings.who, settings.n_components, most, counted(n, "point"), counted(parts, "component")));
  if (parts > 1) plan_parts(affinity, settings.who, run);
  GraphEmbedding map = apart ? embed_apart(row, affinity, settings, run) : embed_whole(row, affinity, settings, run);
  std::vector<Index> all(at(settings.n_components));
  std::iota(all.begin(), all.end(), Index{0});
  warn_of_cut_groups(all, map);
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
  warn_of_cut_groups(columns, map);
  map.coordinates = picked(map.coordinates);
  map.placing.axes = picked(map.placing.axes);
  map.placing.values = picked(map.placing.values);
  for (Index i = 0; i < map.coordinates.rows() && map.placing.unit_rows; ++i)
    scale_to_length_one(map.coordinates.row(i), map.coordinates.cols());
}

}  // namespace unroll
