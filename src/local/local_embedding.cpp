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
#include "local/alignment_matrix.h"
#include "local/component_vectors.h"
#include "local/landmark_map.h"
#include "local/local_report.h"
#include "spectral/components_policy.h"
#include "spectral/spectral_embedding.h"
#include "unroll/core/error.h"
#include "unroll/quality/quality.h"

namespace unroll {
namespace {

constexpr Index kSmall = 800;          // below, LAPACK is at least as fast as anything
constexpr Index kLargestDense = 5000;  // as a last resort
constexpr Index kLandmarks = 1000;     // where they take over, unless the map has nearly as many dimensions
constexpr double kGib = 1 << 30;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// The landmarks' map, and how much it differs from the one that every second of them gives.
PartMap by_landmarks(const Part& part, Index count, const LocalSettings& settings, const Run& run) {
  const Index d = settings.n_components;
  if (part.known.rows() > 1)
    throw Error(ErrorKind::Unsupported,
                fmt::format("{}: {} components cannot be kept in one map by landmarks; use components=separate or "
                            "connect",
                            settings.who, part.known.rows()));
  PartMap result;
  const auto map_of = [&](const std::vector<Index>& landmarks) {
    const LandmarkWeights weights = settings.landmarks->weights(part.points, landmarks, d, run);
    result.corrected = std::max(result.corrected, weights.corrected);
    return map_by_landmarks(part.fits, weights.z, d, run);
  };
  const std::vector<Index> chosen = settings.landmarks->choose(part.points, count, run);
  LandmarkMap map = map_of(chosen);
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
  result.landmarks = chosen;
  result.next = map.next;
  result.norm = map.norm;
  result.vectors = std::move(map.vectors);
  result.spectrum = {.values = std::move(map.values), .residuals = std::move(map.residuals), .solver = "landmarks"};
  return result;
}

/// How many take over: half of them, which tell the error, span a map of so many dimensions, too.
Index landmarks_for(Index n, Index n_components) { return std::min(n, std::max(kLandmarks, 2 * (n_components + 3))); }

/// Predicted: values and indices.
double factor_gib(const SparseCholesky& factor) { return factor.stored_bytes() / kGib; }

/// Solvers in the order in which they are tried. Products alone do not get to the small end: its gaps are those of a
/// squared Laplacian.
std::vector<EigenSolver> solvers_for(Index n, EigenSolver asked) {
  if (asked != EigenSolver::Auto) return {asked};
  if (n <= kSmall) return {EigenSolver::Dense, EigenSolver::ShiftInvert};
  if (n <= kLargestDense) return {EigenSolver::ShiftInvert, EigenSolver::Dense};
  return {EigenSolver::ShiftInvert};
}

/// The eigenvalue after those of the map, where these vanish: it may vanish, too, and then does so at once. None where
/// it need not be known, or does not converge.
std::optional<double> next_value(const SparseOperator& m, EigenProblem problem, const EigenSolution& found,
                                 const Run& run) {
  const Index n = m.size(), known = problem.known.rows(), count = found.vectors.rows();
  if (found.values.back() > kVanishes * found.norm || known + count == n) return {};
  Array2<double> all = Array2<double>::uninitialized(known + count, n);
  std::copy_n(problem.known.data(), problem.known.size(), all.data());
  std::copy_n(found.vectors.data(), found.vectors.size(), all.row(known));
  problem.known = std::move(all);
  problem.count = 1;
  try {
    return solve_eigenproblem(m, problem, run).values.front();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::NotConverged) throw;
    return {};
  }
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
                       .seed = settings.seed,
                       .who = settings.who};
  PartMap map;
  for (const EigenSolver solver : solvers_for(n, settings.solver)) {
    problem.solver = solver;
    try {
      EigenSolution found = solve_eigenproblem(m, problem, run);
      map.next = next_value(m, problem, found, run);
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
  SparseCholesky factor(*m.sparse(), factor_sign(SpectrumEnd::Smallest), run, settings.who);
  const double gib = factor_gib(factor);
  const bool is_too_large = gib > settings.max_factor_gib;
  if (is_too_large && (settings.solver != EigenSolver::Auto || settings.landmarks == nullptr))
    throw Error(ErrorKind::InvalidOption,
                fmt::format("{}: the factor would take {:.3g} GiB, more than max_factor_gib={:g}; use a larger "
                            "max_factor_gib, a smaller n_neighbors{}",
                            settings.who, gib, settings.max_factor_gib,
                            settings.landmarks == nullptr ? "" : " or n_landmarks"));
  PartMap map =
      is_too_large ? by_landmarks(part, landmarks_for(n, settings.n_components), settings, run) : solved(&factor);
  map.factor_gib = gib;
  return map;
}

/// sqrt(n) v: Y'Y = n I.
void set_coordinates(const PartMap& map, const std::vector<Index>& points, Array2<double>& out) {
  const double length = std::sqrt(static_cast<double>(points.size()));
  for (Index k = 0; k < map.vectors.rows(); ++k)
    for (std::size_t i = 0; i < points.size(); ++i) out(points[i], k) = length * map.vectors(k, static_cast<Index>(i));
}

/// All points in one problem. Of several components that are kept together the constants of each span the null space:
/// their combinations that are not constant come first, and are the coordinates of no geometry. Where they are enough,
/// nothing is solved.
void embed_whole(const LocalFits& fits, const Components& components, LocalSettings settings, Embedding& out,
                 const Run& run) {
  std::vector<Index> all(at(fits.size()));
  std::iota(all.begin(), all.end(), Index{0});
  const Index d = settings.n_components, trivial = std::min(d, components.count() - 1);
  settings.n_components = d - trivial;
  PartMap map;
  if (settings.n_components > 0) {
    const Part part{fits, all, indicators(components)};
    map = map_of(part, settings, run);
    LocalReport report(settings);
    report.add(map, part, {});
    report.write(out);
  }
  if (trivial > 0) {
    Array2<double> vectors = Array2<double>::uninitialized(d, fits.size());
    std::copy_n(contrasts(components, trivial).data(), trivial * fits.size(), vectors.data());
    std::copy_n(map.vectors.data(), map.vectors.size(), vectors.row(trivial));
    map.vectors = std::move(vectors);
    map.spectrum.values.insert(map.spectrum.values.begin(), at(trivial), 0.0);
    map.spectrum.residuals.insert(map.spectrum.residuals.begin(), at(trivial), 0.0);
    canonicalize_signs(map.vectors);
  }
  set_coordinates(map, all, out.coordinates);
  out.spectrum = std::move(map.spectrum);
}

/// The points of every component, ascending.
std::vector<std::vector<Index>> points_of(const Components& components) {
  std::vector<std::vector<Index>> points(components.sizes.size());
  for (std::size_t i = 0; i < components.labels.size(); ++i)
    points[at(components.labels[i])].push_back(static_cast<Index>(i));
  return points;
}

/// The map of one component, as many of the dimensions as it has; its share of the landmarks.
PartMap map_of_component(const Part& part, LocalSettings settings, Index n, const Run& run) {
  const Index size = std::ssize(part.points);
  settings.n_components = std::min(settings.n_components, size - 1);
  if (settings.n_landmarks) {
    const double share = static_cast<double>(size) / static_cast<double>(n);
    const auto fair = static_cast<Index>(std::ceil(share * static_cast<double>(*settings.n_landmarks)));
    settings.n_landmarks = std::min(size, std::max(fair, settings.n_components + 1));
  }
  return map_of(part, settings, run);
}

/// Whose spectrum it is.
Warning spectrum_warning(Index points, bool is_largest) {
  if (points == 0)
    return {"zero-variance", "every component is one point, or copies of one: there is no spectrum",
            "use a larger n_neighbors, or remove duplicates"};
  return {"largest-component",
          fmt::format("the spectrum is that of the largest component{}, of {} points",
                      is_largest ? "" : " that is not all copies of one point", points),
          ""};
}

/// Every component has a map of its own; one of identical points is a point. The largest come first, to be told of.
void embed_apart(const LocalFits& fits, const Components& components, const LocalSettings& settings, Embedding& out,
                 const Run& run) {
  const std::vector<std::vector<Index>> points = points_of(components);
  std::vector<Index> order(points.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return components.sizes[at(a)] > components.sizes[at(b)]; });
  LocalReport report(settings);
  Index told = 0;  // points of the component that the spectrum is of
  for (const Index c : order) {
    const std::vector<Index>& own = points[at(c)];
    if (own.size() == 1 || (!settings.collapsed.empty() && settings.collapsed[at(c)])) continue;
    const LocalFits fits_of_own = part(fits, own);
    Array2<double> constant(1, std::ssize(own));
    std::fill_n(constant.data(), constant.size(), 1 / std::sqrt(static_cast<double>(own.size())));
    const Part own_part{fits_of_own, own, std::move(constant)};
    PartMap map = map_of_component(own_part, settings, fits.size(), run);
    set_coordinates(map, own, out.coordinates);
    report.add(map, own_part, c);
    if (told > 0) continue;
    told = std::ssize(own);
    out.spectrum = std::move(map.spectrum);
  }
  report.write(out);
  out.warnings.push_back(spectrum_warning(told, told == components.sizes[at(order.front())]));
  const std::vector<double> offsets = side_by_side(out.coordinates, components);
  for (Index i = 0; i < fits.size(); ++i) out.coordinates(i, 0) += offsets[at(components.labels[at(i)])];
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
    throw Error(
        ErrorKind::InvalidOption,
        fmt::format("{}: n_components={} must be at most {}: {} points in {} components have no more "
                    "eigenvectors; use {}",
                    settings.who, settings.n_components, most, n, parts,
                    apart ? "a larger n_neighbors or radius, or components=connect" : "a smaller n_components"));
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
