#include "spectral/local_embedding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "affinity/alignment_matrix.h"
#include "core/at.h"
#include "core/text.h"
#include "eigen/eigen_problem.h"
#include "eigen/eigen_solvers.h"
#include "eigen/operators.h"
#include "linalg/symmetric_eigen.h"
#include "neighbors/components_policy.h"
#include "sparse/sparse_cholesky.h"
#include "spectral/component_vectors.h"
#include "spectral/landmark_map.h"
#include "spectral/local_report.h"
#include "spectral/spectral_embedding.h"
#include "unroll/core/error.h"
#include "unroll/quality/quality.h"

namespace unroll {
namespace {

constexpr Index kLandmarks = 1000;  // where they take over, unless the map has nearly as many dimensions
constexpr double kGib = 1 << 30;

/// The landmarks' map, and how much it differs from the one that every second of them gives.
PartMap by_landmarks(const Part& part, Index count, const LocalSettings& settings, const Run& run) {
  const Index d = settings.n_components;
  PartMap result;
  const auto map_of = [&](const std::vector<Index>& landmarks) {
    const LandmarkWeights weights = settings.landmarks->weights(part.points, landmarks, d, run);
    result.corrected = std::max(result.corrected, weights.corrected);
    return map_by_landmarks(part.fits, weights.z, d, settings.who, run);
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
  result.norm = map.norm;
  result.vectors = std::move(map.vectors);
  result.spectrum = {.residuals = std::move(map.residuals), .solver = "landmarks"};
  settle(part.fits, d, result, run);
  return result;
}

/// How many take over: half of them, which tell the error, span a map of so many dimensions, too.
Index landmarks_for(Index n, Index n_components) { return std::min(n, std::max(kLandmarks, 2 * (n_components + 3))); }

/// Solvers in the order in which they are tried. Products alone do not get to the small end: its gaps are those of a
/// squared Laplacian.
std::vector<EigenSolver> solvers_for(Index n, EigenSolver asked) {
  if (asked != EigenSolver::Auto) return {asked};
  if (n <= kSmallMatrix) return {EigenSolver::Dense, EigenSolver::ShiftInvert};
  if (n <= kLargestDense) return {EigenSolver::ShiftInvert, EigenSolver::Dense};
  return {EigenSolver::ShiftInvert};
}

Array2<double> stacked(const Array2<double>& above, const Array2<double>& below) {
  Array2<double> rows = Array2<double>::uninitialized(above.rows() + below.rows(), above.cols());
  std::copy_n(above.data(), above.size(), rows.data());
  std::copy_n(below.data(), below.size(), rows.row(above.rows()));
  return rows;
}

/// Adds the vector after those of the map where these vanish to rounding: it may vanish, too, and is then found at
/// once. None where it does not converge.
void add_next(const SparseOperator& m, EigenProblem problem, EigenSolution& found, const Run& run) {
  const bool vanishes = found.values.back() <= kRounding * found.norm;
  if (!vanishes || problem.known.rows() + found.vectors.rows() == m.size()) return;
  problem.known = stacked(problem.known, found.vectors);
  problem.count = 1;
  try {
    const EigenSolution next = solve_eigenproblem(m, problem, run);
    found.vectors = stacked(found.vectors, next.vectors);
    found.residuals.push_back(next.residuals.front());
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::NotConverged) throw;
  }
}

/// What a solver's error says, without who says it and what it advises: it knows neither the method nor its options.
std::string error_text(const Error& error) {
  const std::string text = error.what();
  const std::size_t who = text.find(": "), begin = who == std::string::npos ? 0 : who + 2;
  return text.substr(begin, text.rfind("; use ") - begin);
}

/// The same from the method.
std::string advised(const std::string& text, const LocalSettings& settings) {
  std::vector<std::string> ways;
  if (settings.solver != EigenSolver::Auto) ways.emplace_back("eigen_solver=auto");
  if (settings.landmarks != nullptr) ways.emplace_back("n_landmarks=1000");
  ways.emplace_back("another n_neighbors");
  return fmt::format("{}: {}; use {}", settings.who, text, joined(ways, ", or "));
}

/// As the solver finds them, not settled. `m` and `known` have the points in an order of their own.
PartMap by_eigenvectors(const SparseOperator& m, SparseCholesky* factor, Array2<double> known,
                        const LocalSettings& settings, const Run& run) {
  const Index n = m.size();
  EigenProblem problem{.end = SpectrumEnd::Smallest,
                       .count = settings.n_components,
                       .known = std::move(known),
                       .lowest = 0.0,
                       .tiny = true,
                       .factor = factor,
                       .seed = settings.seed,
                       .who = settings.who,
                       .relief = "use n_landmarks"};
  PartMap map;
  for (const EigenSolver solver : solvers_for(n, settings.solver)) {
    problem.solver = solver;
    try {
      EigenSolution found = solve_eigenproblem(m, problem, run);
      add_next(m, problem, found, run);
      map.vectors = std::move(found.vectors);
      map.norm = found.norm;
      map.spectrum = {.residuals = std::move(found.residuals),
                      .iterations = found.iterations,
                      .solver = std::string(name_of(found.solver))};
      return map;
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::OutOfMemory) throw Error(error.kind(), advised(error_text(error), settings));
      if (error.kind() != ErrorKind::NotConverged) throw;
      map.tried.push_back(error_text(error));
    }
  }
  throw Error(ErrorKind::NotConverged, advised(fmt::format("{}", fmt::join(map.tried, "; ")), settings));
}

Array2<double> picked_columns(const Array2<double>& a, const std::vector<Index>& order) {
  Array2<double> result = Array2<double>::uninitialized(a.rows(), a.cols());
  for (Index k = 0; k < a.rows(); ++k)
    for (Index j = 0; j < a.cols(); ++j) result(k, j) = a(k, order[at(j)]);
  return result;
}

/// Landmarks span one map; `reason` tells why they are to where nobody has asked for them.
void check_one_component(const Part& part, const LocalSettings& settings, const std::string& reason) {
  if (part.known.rows() == 1) return;
  throw Error(
      ErrorKind::Unsupported,
      fmt::format("{}: {}{} components cannot be kept in one map by landmarks; use components=separate or "
                  "connect{}",
                  settings.who, reason, part.known.rows(), reason.empty() ? "" : ", or a larger max_factor_gib"));
}

/// The route is decided by n and the pattern of M alone.
PartMap map_of(const Part& part, const LocalSettings& settings, const Run& run) {
  const Index n = part.fits.size();
  if (settings.n_landmarks) {
    check_one_component(part, settings, "");
    return by_landmarks(part, std::min(*settings.n_landmarks, n), settings, run);
  }
  const std::vector<Index> order = breadth_first_order(part.fits);
  const SparseOperator m(assembled(reordered(part.fits, order, run), run));
  const auto solved = [&](SparseCholesky* factor) {
    PartMap map = by_eigenvectors(m, factor, picked_columns(part.known, order), settings, run);
    Array2<double> vectors = Array2<double>::uninitialized(map.vectors.rows(), n);
    for (Index k = 0; k < vectors.rows(); ++k)
      for (Index j = 0; j < n; ++j) vectors(k, order[at(j)]) = map.vectors(k, j);
    map.vectors = std::move(vectors);
    settle(part.fits, settings.n_components, map, run);
    return map;
  };
  const bool factorizes =
      settings.solver == EigenSolver::ShiftInvert || (settings.solver == EigenSolver::Auto && n > kSmallMatrix);
  if (!factorizes) return solved(nullptr);
  SparseCholesky factor(*m.sparse(), factor_sign(SpectrumEnd::Smallest), run, settings.who);
  const double gib = factor.stored_bytes() / kGib;
  const bool is_too_large = gib > settings.max_factor_gib;
  const std::string reason =
      fmt::format("the factor would take {:.3g} GiB, more than max_factor_gib={:g}", gib, settings.max_factor_gib);
  if (is_too_large && (settings.solver != EigenSolver::Auto || settings.landmarks == nullptr))
    throw Error(ErrorKind::InvalidOption,
                fmt::format("{}: {}; use a larger max_factor_gib, a smaller n_neighbors{}", settings.who, reason,
                            settings.landmarks == nullptr ? "" : " or n_landmarks"));
  if (is_too_large) check_one_component(part, settings, reason + ", and ");
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
    const Array2<double> first = contrasts(components, trivial);
    const std::vector<double> zeros(at(trivial));
    const double norm = map.norm > 0 ? map.norm : largest_diagonal(fits);
    const std::vector<double> residuals = map_residuals(fits, first, zeros, norm, run);
    Spectrum& spectrum = map.spectrum;
    if (spectrum.values.empty()) spectrum.solver = "indicators";
    spectrum.values.insert(spectrum.values.begin(), zeros.begin(), zeros.end());
    spectrum.residuals.insert(spectrum.residuals.begin(), residuals.begin(), residuals.end());
    map.vectors = stacked(first, map.vectors);
    canonicalize_signs(map.vectors);
  }
  set_coordinates(map, all, out.coordinates);
  out.spectrum = std::move(map.spectrum);
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
  return largest_component("the spectrum is", points, is_largest);
}

/// Every component has a map of its own; one of identical points is a point. The largest come first, to be told of.
void embed_apart(const LocalFits& fits, const Components& components, const LocalSettings& settings, Embedding& out,
                 const Run& run) {
  const std::vector<std::vector<Index>> points = ComponentPoints(components).members;
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
        fmt::format("{}: n_components={} must be at most {}: {} points in {} component{} have no more "
                    "eigenvectors; use {}",
                    settings.who, settings.n_components, most, n, parts, parts > 1 ? "s" : "",
                    apart ? "a larger n_neighbors or radius, or components=connect" : "a smaller n_components"));
  Embedding out{.coordinates = Array2<double>(n, settings.n_components)};
  if (apart) {
    embed_apart(fits, components, settings, out, run);
  } else {
    embed_whole(fits, components, settings, out, run);
  }
  const std::vector<double> errors = fit_errors(fits, out.coordinates, run);
  out.diagnostics.emplace_back("reconstruction_cost", std::accumulate(errors.begin(), errors.end(), 0.0));
  return out;
}

}  // namespace unroll
