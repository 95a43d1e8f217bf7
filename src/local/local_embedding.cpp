#include "local/local_embedding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "linalg/eigen_problem.h"
#include "linalg/eigen_solvers.h"
#include "linalg/operators.h"
#include "linalg/sparse_cholesky.h"
#include "linalg/symmetric_eigen.h"
#include "local/landmark_map.h"
#include "spectral/components_policy.h"
#include "spectral/spectral_embedding.h"
#include "unroll/core/error.h"
#include "unroll/quality/quality.h"

namespace unroll {
namespace {

constexpr Index kSmall = 800;          // below, LAPACK is at least as fast as anything
constexpr Index kLargestDense = 5000;  // as a last resort
constexpr Index kLandmarks = 1000;     // where they take over
constexpr double kGib = 1 << 30;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// One problem: all points, or those of one component.
struct Part {
  const LocalFits& fits;
  const std::vector<Index>& points;  ///< which they are, ascending
  Array2<double> known;              ///< the constant of every component, one per row
};

struct PartMap {
  Array2<double> vectors = {};  ///< one per row
  Spectrum spectrum = {};
  double norm = 0;
  std::vector<std::string> tried = {};
  std::vector<Index> landmarks = {};
  std::optional<double> landmark_error = {};
  std::optional<double> factor_gib = {};
};

/// The landmarks' map, and how much it differs from the one that every second of them gives.
PartMap by_landmarks(const Part& part, Index count, const LocalSettings& settings, const Run& run) {
  const Index d = settings.n_components;
  if (part.known.rows() > 1)
    throw Error(ErrorKind::Unsupported,
                fmt::format("{}: {} components cannot be kept in one map by landmarks; use components=separate or "
                            "connect",
                            settings.who, part.known.rows()));
  const auto map_of = [&](const std::vector<Index>& landmarks) {
    return map_by_landmarks(part.fits, settings.landmarks->weights(part.points, landmarks, d, run), d, run);
  };
  const std::vector<Index> chosen = settings.landmarks->choose(part.points, count, run);
  LandmarkMap map = map_of(chosen);
  PartMap result{.landmarks = chosen};
  std::vector<Index> half;
  for (std::size_t i = 0; i < chosen.size(); i += 2) half.push_back(chosen[i]);
  if (std::ssize(half) > d + 2) {
    const Array2<double> other = map_of(half).vectors;
    Array2<double> a(std::ssize(chosen), d), b(std::ssize(chosen), d);
    for (Index l = 0; l < a.rows(); ++l) {
      const Index i = std::lower_bound(part.points.begin(), part.points.end(), chosen[at(l)]) - part.points.begin();
      for (Index k = 0; k < d; ++k) a(l, k) = map.vectors(k, i), b(l, k) = other(k, i);
    }
    result.landmark_error = procrustes(a, b, run);
  }
  result.vectors = std::move(map.vectors);
  result.spectrum = {.values = std::move(map.values), .residuals = std::move(map.residuals), .solver = "landmarks"};
  return result;
}

/// Predicted: values and indices.
double factor_gib(const SparseCholesky& factor) { return 16 * factor.entries() / kGib; }

/// Solvers in the order in which they are tried. Products alone do not get to the small end: its gaps are those of a
/// squared Laplacian.
std::vector<EigenSolver> solvers_for(Index n, EigenSolver asked) {
  if (asked != EigenSolver::Auto) return {asked};
  if (n <= kSmall) return {EigenSolver::Dense, EigenSolver::ShiftInvert};
  if (n <= kLargestDense) return {EigenSolver::ShiftInvert, EigenSolver::Dense};
  return {EigenSolver::ShiftInvert};
}

/// `m` and `known` have the points in an order of their own.
PartMap by_eigenvectors(const SparseOperator& m, SparseCholesky* factor, Array2<double> known,
                        const LocalSettings& settings, const Run& run) {
  const Index n = m.size();
  EigenProblem problem{.end = SpectrumEnd::Smallest,
                       .count = settings.n_components,
                       .known = std::move(known),
                       .lowest = 0.0,
                       .dimension = settings.dimension,
                       .tiny = true,
                       .factor = factor,
                       .seed = settings.seed};
  PartMap map;
  for (const EigenSolver solver : solvers_for(n, settings.solver)) {
    problem.solver = solver;
    try {
      EigenSolution found = solve_eigenproblem(m, problem, run);
      map.vectors = std::move(found.vectors);
      map.norm = found.norm;
      map.spectrum = {.values = std::move(found.values),
                      .residuals = std::move(found.residuals),
                      .iterations = found.iterations,
                      .solver = std::string(name_of(found.solver))};
      return map;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::NotConverged) throw;
      map.tried.push_back(fmt::format("{}: {}", name_of(solver), error.what()));
    }
  }
  throw Error(ErrorKind::NotConverged,
              fmt::format("{}: {}; use n_landmarks, or another n_neighbors", settings.who, fmt::join(map.tried, "; ")));
}

Array2<double> picked_columns(const Array2<double>& a, const std::vector<Index>& order) {
  Array2<double> result = Array2<double>::uninitialized(a.rows(), a.cols());
  for (Index k = 0; k < a.rows(); ++k)
    for (Index j = 0; j < a.cols(); ++j) result(k, j) = a(k, order[at(j)]);
  return result;
}

/// The route is decided by n and the pattern of M alone.
PartMap map_of(const Part& part, const LocalSettings& settings, const Run& run) {
  const Index n = part.fits.size();
  if (settings.n_landmarks) return by_landmarks(part, std::min(*settings.n_landmarks, n), settings, run);
  const std::vector<Index> order = breadth_first_order(part.fits);
  const SparseOperator m(assembled(reordered(part.fits, order, run), run));
  const auto solved = [&](SparseCholesky* factor) {
    PartMap map = by_eigenvectors(m, factor, picked_columns(part.known, order), settings, run);
    Array2<double> vectors = Array2<double>::uninitialized(map.vectors.rows(), n);
    for (Index k = 0; k < vectors.rows(); ++k)
      for (Index j = 0; j < n; ++j) vectors(k, order[at(j)]) = map.vectors(k, j);
    canonicalize_signs(vectors);
    map.vectors = std::move(vectors);
    return map;
  };
  const bool factorizes =
      settings.solver == EigenSolver::ShiftInvert || (settings.solver == EigenSolver::Auto && n > kSmall);
  if (!factorizes) return solved(nullptr);
  SparseCholesky factor(*m.sparse(), factor_sign(SpectrumEnd::Smallest), run);
  const double gib = factor_gib(factor);
  const bool is_too_large = gib > settings.max_factor_gib;
  if (is_too_large && (settings.solver != EigenSolver::Auto || settings.landmarks == nullptr))
    throw Error(ErrorKind::InvalidOption,
                fmt::format("{}: the factor would take {:.3g} GiB, more than max_factor_gib={:g}; use a larger "
                            "max_factor_gib, a smaller n_neighbors{}",
                            settings.who, gib, settings.max_factor_gib,
                            settings.landmarks == nullptr ? "" : " or n_landmarks"));
  PartMap map = is_too_large ? by_landmarks(part, std::min(kLandmarks, n), settings, run) : solved(&factor);
  map.factor_gib = gib;
  return map;
}

/// sqrt(n) v: Y'Y = n I.
void set_coordinates(const PartMap& map, const std::vector<Index>& points, Array2<double>& out) {
  const double length = std::sqrt(static_cast<double>(points.size()));
  for (Index k = 0; k < map.vectors.rows(); ++k)
    for (std::size_t i = 0; i < points.size(); ++i) out(points[i], k) = length * map.vectors(k, static_cast<Index>(i));
}

/// Per component a constant, of length one.
Array2<double> indicators(const Components& components) {
  Array2<double> known(components.count(), std::ssize(components.labels));
  for (Index i = 0; i < known.cols(); ++i) {
    const Index c = components.labels[at(i)];
    known(c, i) = 1 / std::sqrt(static_cast<double>(components.sizes[at(c)]));
  }
  return known;
}

/// What the constants of the components span beside the constant of all, orthonormal.
Array2<double> contrasts(const Components& components) {
  const Index n = std::ssize(components.labels);
  Array2<double> vectors = indicators(components);
  std::fill_n(vectors.row(components.count() - 1), n, 1.0);
  std::rotate(vectors.data(), vectors.row(components.count() - 1), vectors.data() + vectors.size());
  orthonormalize_rows(vectors, components.count());
  std::rotate(vectors.data(), vectors.row(1), vectors.data() + vectors.size());
  return vectors;
}

/// Where eigenvalues vanish: is it for the reason that there are several groups without a tie to others?
void warn_of_groups(const PartMap& map, const Part& part, Embedding& embedding) {
  constexpr double kZero = 1e-13;
  const auto& values = map.spectrum.values;
  if (std::none_of(values.begin(), values.end(), [&](double value) { return value <= kZero * map.norm; })) return;
  const Index groups = closed_groups(part.fits.patches);
  if (groups <= part.known.rows()) return;
  embedding.warnings.push_back(
      {"null-space",
       fmt::format("{} groups of points are fitted to themselves alone, as copies of one point are: so many functions "
                   "cost nothing, and what the map does between the groups is arbitrary",
                   groups),
       "use a larger n_neighbors, or remove duplicates"});
}

void describe(const PartMap& map, const Part& part, const LocalSettings& settings, Embedding& embedding) {
  report_solvers(map.tried, map.spectrum.solver, embedding);
  if (map.factor_gib) embedding.diagnostics.emplace_back("factor_gib", *map.factor_gib);
  if (!map.landmarks.empty()) {
    report_landmarks(map.landmarks, map.landmark_error, embedding);
    if (!settings.n_landmarks)
      embedding.warnings.push_back(
          {"landmarks-took-over",
           fmt::format("the factor would take {:.3g} GiB, more than max_factor_gib={:g}: {} landmarks span the map, "
                       "whose residual is {:.1e}",
                       *map.factor_gib, settings.max_factor_gib, map.landmarks.size(),
                       *std::max_element(map.spectrum.residuals.begin(), map.spectrum.residuals.end())),
           "use a larger max_factor_gib for eigenvectors, or n_landmarks to choose their number"});
    return;
  }
  warn_of_groups(map, part, embedding);
}

/// All points in one problem. Of several components that are kept together the constants of each span the null space:
/// their combinations that are not constant come first, and are the coordinates of no geometry.
void embed_whole(const LocalFits& fits, const Components& components, LocalSettings settings, Embedding& out,
                 const Run& run) {
  std::vector<Index> all(at(fits.size()));
  std::iota(all.begin(), all.end(), Index{0});
  const Index d = settings.n_components, trivial = std::min(d, components.count() - 1);
  const Part part{fits, all, indicators(components)};
  settings.n_components = d - trivial;
  PartMap map;
  if (settings.n_components > 0) map = map_of(part, settings, run);
  describe(map, part, settings, out);
  if (trivial > 0) {
    Array2<double> vectors = Array2<double>::uninitialized(d, fits.size());
    std::copy_n(contrasts(components).data(), trivial * fits.size(), vectors.data());
    std::copy_n(map.vectors.data(), map.vectors.size(), vectors.row(trivial));
    map.vectors = std::move(vectors);
    map.spectrum.values.insert(map.spectrum.values.begin(), at(trivial), 0.0);
    map.spectrum.residuals.insert(map.spectrum.residuals.begin(), at(trivial), 0.0);
    canonicalize_signs(map.vectors);
  }
  set_coordinates(map, all, out.coordinates);
  out.spectrum = std::move(map.spectrum);
}

/// Every component has a map of its own, of as many dimensions as it has; one of identical points is a point.
void embed_apart(const LocalFits& fits, const Components& components, const LocalSettings& settings, Embedding& out,
                 const Run& run) {
  const Index largest = std::max_element(components.sizes.begin(), components.sizes.end()) - components.sizes.begin();
  for (Index c = 0; c < components.count(); ++c) {
    const std::vector<Index> points = members(components, c);
    LocalSettings own = settings;
    own.n_components = std::min<Index>(settings.n_components, std::ssize(points) - 1);
    const bool is_point = own.n_components == 0 || (!settings.collapsed.empty() && settings.collapsed[at(c)]);
    if (is_point) continue;
    if (settings.n_landmarks) {
      const double share = static_cast<double>(points.size()) / static_cast<double>(fits.size());
      const auto fair = static_cast<Index>(std::ceil(share * static_cast<double>(*settings.n_landmarks)));
      own.n_landmarks = std::min<Index>(std::ssize(points), std::max(fair, own.n_components + 1));
    }
    const LocalFits some = part(fits, components, c);
    Array2<double> constant(1, std::ssize(points));
    std::fill_n(constant.data(), constant.size(), 1 / std::sqrt(static_cast<double>(points.size())));
    const Part own_part{some, points, std::move(constant)};
    PartMap map = map_of(own_part, own, run);
    set_coordinates(map, points, out.coordinates);
    if (c != largest) continue;
    describe(map, own_part, settings, out);
    out.spectrum = std::move(map.spectrum);
  }
  const std::vector<double> offsets = side_by_side(out.coordinates, components);
  for (Index i = 0; i < fits.size(); ++i) out.coordinates(i, 0) += offsets[at(components.labels[at(i)])];
  out.warnings.push_back(
      {"largest-component",
       fmt::format("the spectrum is that of the largest component, of {} points", components.sizes[at(largest)]), ""});
}

}  // namespace

Embedding embed_fits(const Recipe& row, const LocalFits& fits, const Components& components,
                     const LocalSettings& settings, const Run& run) {
  if (row.order != Order::Smallest || row.skip != Skip::Constant || row.coordinates != CoordinateRule::UnitVariance)
    throw Error(ErrorKind::Internal, fmt::format("{}: the row of the table is not one of local fits", settings.who));
  const Index n = fits.size(), parts = components.count();
  const bool apart = settings.separate && parts > 1;
  const Index most = apart ? *std::max_element(components.sizes.begin(), components.sizes.end()) - 1 : n - 1;
  if (settings.n_components > most)
    throw Error(ErrorKind::InvalidOption,
                fmt::format("{}: n_components={} must be at most {}: {} points in {} components have no more "
                            "eigenvectors; use a smaller n_components",
                            settings.who, settings.n_components, most, n, parts));
  Embedding out{.coordinates = Array2<double>(n, settings.n_components)};
  if (apart) {
    embed_apart(fits, components, settings, out, run);
  } else {
    embed_whole(fits, components, settings, out, run);
  }
  const std::vector<double> errors = fit_errors(fits, out.coordinates, run);
  // Squares of residuals keep the digits of values that are within rounding of the norm.
  for (std::size_t k = 0; k < errors.size() && !apart; ++k)
    if (out.spectrum.values[k] != 0) out.spectrum.values[k] = errors[k] / static_cast<double>(n);
  out.diagnostics.emplace_back("reconstruction_cost", std::accumulate(errors.begin(), errors.end(), 0.0));
  return out;
}

}  // namespace unroll
