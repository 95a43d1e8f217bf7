#include "sources/patch_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "affinity/alignment_matrix.h"
#include "core/at.h"
#include "core/text.h"
#include "eigen/eigen_solvers.h"
#include "eigen/operators.h"
#include "sources/landmark_embedding.h"
#include "sources/landmark_map.h"
#include "sparse/sparse_cholesky.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

constexpr Index kLandmarks = 1000;  // when a factor is too large, unless the map has nearly as many dimensions
constexpr double kGib = 1 << 30;

/// The map of the landmarks, and its difference from the map of every second landmark, in the first coordinates: those
/// of a map of this dimension.
ComponentMap by_landmarks(const PatchProblem& problem, Index count, const PatchRequest& request, const Run& run) {
  const Index d = std::min(request.patches.dimension, request.count);
  ComponentMap result;
  const auto map_of = [&](const std::vector<Index>& landmarks) {
    const LandmarkWeights weights = request.patches.landmarks->weights(problem.points, landmarks, d, run);
    result.corrected = std::max(result.corrected, weights.corrected);
    return landmark_map(problem.fits, weights.z, request.count, run);
  };
  const std::vector<Index> chosen = request.patches.landmarks->choose(problem.points, count, run);
  LandmarkMap map = map_of(chosen);
  const auto at_landmarks = [&](const Array2<double>& vectors) {
    Array2<double> y = Array2<double>::uninitialized(std::ssize(chosen), d);
    for (Index l = 0; l < y.rows(); ++l) {
      const Index i =
          std::lower_bound(problem.points.begin(), problem.points.end(), chosen[at(l)]) - problem.points.begin();
      for (Index k = 0; k < d; ++k) y(l, k) = vectors(k, i);
    }
    return y;
  };
  result.landmark_error = half_sample_error(
      chosen, at_landmarks(map.vectors),
      [&](const std::vector<Index>& half) { return at_landmarks(map_of(half).vectors); }, run);
  result.landmarks = chosen;
  result.norm = map.norm;
  result.vectors = std::move(map.vectors);
  result.spectrum = {.residuals = std::move(map.residuals), .solver = "landmarks"};
  refine_and_canonicalize(problem.fits, request.count, result, run);
  return result;
}

/// The number of landmarks if a factor is too large. Half of them, which give the error, must also span a map of
/// n_components.
Index landmarks_for(Index n, Index n_components) { return std::min(n, std::max(kLandmarks, 2 * (n_components + 3))); }

/// Solvers in the order in which they are tried. Lanczos with products alone does not converge at the small end: its
/// gaps are those of a squared Laplacian.
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

/// If the values of the map vanish up to rounding, adds the next vector: its value may vanish, too, and it then
/// converges at once. Adds nothing if it does not converge.
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

/// Adds the method's advice to a solver's error: the solver knows neither the options nor the landmarks.
Error advised(const Error& error, const PatchRequest& request) {
  std::vector<std::string> ways;
  if (request.settings.solver != EigenSolver::Auto) ways.emplace_back("eigen_solver=auto");
  if (request.patches.landmarks != nullptr) ways.emplace_back("n_landmarks=1000");
  ways.emplace_back("another n_neighbors");
  return error.with_advice("use " + joined(ways, ", or "));
}

/// The solver's vectors, before refine_and_canonicalize. `m` and `known` have the points in their own order.
ComponentMap by_eigenvectors(const SparseOperator& m, SparseCholesky* factor, Array2<double> known,
                             const PatchRequest& request, const Run& run) {
  const Index n = m.size();
  EigenProblem problem{.end = SpectrumEnd::Smallest,
                       .count = request.count,
                       .known = std::move(known),
                       .lowest = 0.0,
                       .relative_accuracy = true,
                       .factor = factor,
                       .seed = request.settings.seed,
                       .memory_advice = "use n_landmarks"};
  ComponentMap map;
  for (const EigenSolver solver : solvers_for(n, request.settings.solver)) {
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
      if (error.kind() == ErrorKind::OutOfMemory) throw advised(error, request);
      if (error.kind() != ErrorKind::NotConverged) throw;
      map.tried.push_back(error.problem());
    }
  }
  throw advised(Error(ErrorKind::NotConverged, joined(map.tried, "; ")), request);
}

/// Landmarks can span only one map; `reason` says why they are used if nobody has asked for them.
void check_one_component(const PatchRequest& request, const std::string& reason) {
  if (request.components == 1) return;
  throw Error(
      ErrorKind::Unsupported,
      fmt::format("{}{} components cannot be kept in one map by landmarks", reason, request.components),
      fmt::format("use components=separate or connect{}", reason.empty() ? "" : ", or a larger max_factor_gib"));
}

/// Shift-invert tells apart what a dense solver mixes. If it was for us to choose, it takes over; if it fails, the
/// dense map stays, with its warning.
ComponentMap refined(ComponentMap dense, const PatchProblem& problem, const PatchRequest& request, const Run& run) {
  if (request.settings.solver != EigenSolver::Auto || !mixed_by_rounding(dense)) return dense;
  SpectralSettings settings = request.settings;
  settings.solver = EigenSolver::ShiftInvert;
  try {
    return patch_map(problem, {settings, request.patches, request.count, request.components}, run);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::NotConverged && error.kind() != ErrorKind::InvalidOption) throw;
    return dense;
  }
}

}  // namespace

ComponentMap patch_map(const PatchProblem& problem, const PatchRequest& request, const Run& run) {
  const Index n = problem.fits.size();
  if (request.patches.n_landmarks) {
    check_one_component(request, "");
    return by_landmarks(problem, std::min(*request.patches.n_landmarks, n), request, run);
  }
  const std::vector<Index> order = breadth_first_order(problem.fits);
  const SparseOperator m(assembled(reordered(problem.fits, order, run), run));
  const auto solved = [&](SparseCholesky* factor) {
    ComponentMap map = by_eigenvectors(m, factor, picked_columns(problem.known, order), request, run);
    map.vectors = spread_columns(std::move(map.vectors), order);
    refine_and_canonicalize(problem.fits, request.count, map, run);
    return map;
  };
  const bool factorizes = request.settings.solver == EigenSolver::ShiftInvert ||
                          (request.settings.solver == EigenSolver::Auto && n > kSmallMatrix);
  if (!factorizes) return refined(solved(nullptr), problem, request, run);
  SparseCholesky factor(*m.sparse(), factor_sign(SpectrumEnd::Smallest), run);
  const double gib = factor.stored_bytes() / kGib;
  const bool is_too_large = gib > request.patches.max_factor_gib;
  const std::string reason = fmt::format("the factor would take {:.3g} GiB, more than max_factor_gib={:g}", gib,
                                         request.patches.max_factor_gib);
  if (is_too_large && (request.settings.solver != EigenSolver::Auto || request.patches.landmarks == nullptr))
    throw Error(ErrorKind::InvalidOption, reason,
                fmt::format("use a larger max_factor_gib, a smaller n_neighbors{}",
                            request.patches.landmarks == nullptr ? "" : " or n_landmarks"));
  if (is_too_large) check_one_component(request, reason + ", and ");
  ComponentMap map =
      is_too_large ? by_landmarks(problem, landmarks_for(n, request.count), request, run) : solved(&factor);
  map.factor_gib = gib;
  return map;
}

}  // namespace unroll
