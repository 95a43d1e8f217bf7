#include "spectral/patch_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "affinity/alignment_matrix.h"
#include "core/at.h"
#include "core/text.h"
#include "eigen/eigen_solvers.h"
#include "eigen/operators.h"
#include "sparse/sparse_cholesky.h"
#include "spectral/landmark_embedding.h"
#include "spectral/landmark_map.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

constexpr Index kLandmarks = 1000;  // where they take over, unless the map has nearly as many dimensions
constexpr double kGib = 1 << 30;

/// The landmarks' map, and how much it differs from the one that every second of them gives.
PartMap by_landmarks(const Part& part, Index count, const PatchRequest& request, const Run& run) {
  const Index d = request.count;
  PartMap result;
  const auto map_of = [&](const std::vector<Index>& landmarks) {
    const LandmarkWeights weights = request.patches.landmarks->weights(part.points, landmarks, d, run);
    result.corrected = std::max(result.corrected, weights.corrected);
    return map_by_landmarks(part.fits, weights.z, d, request.settings.who, run);
  };
  const std::vector<Index> chosen = request.patches.landmarks->choose(part.points, count, run);
  LandmarkMap map = map_of(chosen);
  const auto at_landmarks = [&](const Array2<double>& vectors) {
    Array2<double> y = Array2<double>::uninitialized(std::ssize(chosen), d);
    for (Index l = 0; l < y.rows(); ++l) {
      const Index i = std::lower_bound(part.points.begin(), part.points.end(), chosen[at(l)]) - part.points.begin();
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
std::string advised(const std::string& text, const PatchRequest& request) {
  std::vector<std::string> ways;
  if (request.settings.solver != EigenSolver::Auto) ways.emplace_back("eigen_solver=auto");
  if (request.patches.landmarks != nullptr) ways.emplace_back("n_landmarks=1000");
  ways.emplace_back("another n_neighbors");
  return fmt::format("{}: {}; use {}", request.settings.who, text, joined(ways, ", or "));
}

/// As the solver finds them, not settled. `m` and `known` have the points in an order of their own.
PartMap by_eigenvectors(const SparseOperator& m, SparseCholesky* factor, Array2<double> known,
                        const PatchRequest& request, const Run& run) {
  const Index n = m.size();
  EigenProblem problem{.end = SpectrumEnd::Smallest,
                       .count = request.count,
                       .known = std::move(known),
                       .lowest = 0.0,
                       .tiny = true,
                       .factor = factor,
                       .seed = request.settings.seed,
                       .who = request.settings.who,
                       .relief = "use n_landmarks"};
  PartMap map;
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
      if (error.kind() == ErrorKind::OutOfMemory) throw Error(error.kind(), advised(error_text(error), request));
      if (error.kind() != ErrorKind::NotConverged) throw;
      map.tried.push_back(error_text(error));
    }
  }
  throw Error(ErrorKind::NotConverged, advised(fmt::format("{}", fmt::join(map.tried, "; ")), request));
}

/// Landmarks span one map; `reason` tells why they are to where nobody has asked for them.
void check_one_component(const PatchRequest& request, const std::string& reason) {
  if (request.components == 1) return;
  throw Error(ErrorKind::Unsupported,
              fmt::format("{}: {}{} components cannot be kept in one map by landmarks; use components=separate or "
                          "connect{}",
                          request.settings.who, reason, request.components,
                          reason.empty() ? "" : ", or a larger max_factor_gib"));
}

}  // namespace

PartMap patch_map(const Part& part, const PatchRequest& request, const Run& run) {
  const Index n = part.fits.size();
  if (request.patches.n_landmarks) {
    check_one_component(request, "");
    return by_landmarks(part, std::min(*request.patches.n_landmarks, n), request, run);
  }
  const std::vector<Index> order = breadth_first_order(part.fits);
  const SparseOperator m(assembled(reordered(part.fits, order, run), run));
  const auto solved = [&](SparseCholesky* factor) {
    PartMap map = by_eigenvectors(m, factor, picked_columns(part.known, order), request, run);
    map.vectors = spread_columns(std::move(map.vectors), order);
    settle(part.fits, request.count, map, run);
    return map;
  };
  const bool factorizes = request.settings.solver == EigenSolver::ShiftInvert ||
                          (request.settings.solver == EigenSolver::Auto && n > kSmallMatrix);
  if (!factorizes) return solved(nullptr);
  SparseCholesky factor(*m.sparse(), factor_sign(SpectrumEnd::Smallest), run, request.settings.who);
  const double gib = factor.stored_bytes() / kGib;
  const bool is_too_large = gib > request.patches.max_factor_gib;
  const std::string reason = fmt::format("the factor would take {:.3g} GiB, more than max_factor_gib={:g}", gib,
                                         request.patches.max_factor_gib);
  if (is_too_large && (request.settings.solver != EigenSolver::Auto || request.patches.landmarks == nullptr))
    throw Error(ErrorKind::InvalidOption,
                fmt::format("{}: {}; use a larger max_factor_gib, a smaller n_neighbors{}", request.settings.who,
                            reason, request.patches.landmarks == nullptr ? "" : " or n_landmarks"));
  if (is_too_large) check_one_component(request, reason + ", and ");
  PartMap map = is_too_large ? by_landmarks(part, landmarks_for(n, request.count), request, run) : solved(&factor);
  map.factor_gib = gib;
  return map;
}

}  // namespace unroll
