#include "spectral/spectral_embedding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "affinity/centered_operator.h"
#include "core/parallel.h"
#include "eigen/eigen_problem.h"
#include "unroll/core/error.h"
#include "unroll/quality/quality.h"

namespace unroll {
namespace {

/// Step 3b: the operator that W becomes, and its eigenvectors that are known in advance.
struct Normalized {
  std::unique_ptr<SymmetricOperator> a;
  Array2<double> known = {};
};
Normalized normalized(OperatorRule rule, const Similarities& w) {
  switch (rule) {
    case OperatorRule::Centered: {
      const Index n = w.size();
      Array2<double> constant = Array2<double>::uninitialized(1, n);
      std::fill_n(constant.data(), n, 1 / std::sqrt(static_cast<double>(n)));
      return {std::make_unique<CenteredOperator>(w), std::move(constant)};
    }
    default:
      throw Error(ErrorKind::Internal,
                  fmt::format("spectral: '{}' is no operator of centered matrices", name_of(rule)));
  }
}

/// The cells that have one meaning in every row that ends up here.
void check_cells(const Recipe& row) {
  if (row.density == Density::Keep && row.skip == Skip::None && row.new_point == NewPointRule::Centered) return;
  throw Error(ErrorKind::Internal,
              fmt::format("spectral: '{}' is not a row of centered matrices", name_of(row.method)));
}

void check_count(const SpectralSettings& settings, Index n, Index known) {
  if (settings.n_components <= n - known) return;
  throw Error(ErrorKind::InvalidOption,
              fmt::format("{}: n_components={} must be less than the number of points, {}; use a smaller n_components",
                          settings.who, settings.n_components, n));
}

/// Eigenvalues that are not above rounding hold no direction: sqrt(lambda) v would be noise. Centring leaves rounding
/// on the scale of W, which may be much larger (a kernel of nearly equal values).
Index rank_of(const EigenSolution& solution, const std::vector<double>& means) {
  double largest = 0;
  for (const double mean : means) largest = std::max(largest, std::abs(mean));
  const double rounding = 0x1p-52 * static_cast<double>(means.size()) * std::max(solution.norm, 32 * largest);
  return std::count_if(solution.values.begin(), solution.values.end(), [&](double value) { return value > rounding; });
}

/// Step 5, and what a new point needs of it: v / sqrt(lambda). The coordinates sqrt(lambda) v are taken as
/// A v / sqrt(lambda), as a new point's are: so a training point gets its own, however small lambda is.
void set_coordinates(CoordinateRule rule, const EigenSolution& solution, SpectralEmbedding& out) {
  if (rule != CoordinateRule::SqrtEigenvalue)
    throw Error(ErrorKind::Internal,
                fmt::format("spectral: '{}' are no coordinates of centered matrices", name_of(rule)));
  const Index n = solution.vectors.cols(), count = solution.vectors.rows();
  out.coordinates = Array2<double>(n, count);
  out.placing.axes = Array2<double>(n, count);
  for (Index k = 0; k < out.rank; ++k) {
    const double root = std::sqrt(solution.values[static_cast<std::size_t>(k)]);
    for (Index i = 0; i < n; ++i) {
      out.coordinates(i, k) = out.placing.factor * (solution.products(k, i) / root);
      out.placing.axes(i, k) = solution.vectors(k, i) / root;
    }
  }
}

void require_in_range(const Array2<double>& coordinates, std::string_view who) {
  if (std::all_of(coordinates.data(), coordinates.data() + coordinates.size(),
                  [](double v) { return std::isfinite(v); }))
    return;
  throw Error(ErrorKind::InvalidData,
              fmt::format("{}: coordinates pass the largest double, 1.8e308; divide the data by 1024 or more", who));
}

/// The columns of the landmarks: their entries are far apart in memory, so they are fetched once.
template <class T>
Array2<T> gathered(const Array2<T>& distances, const std::vector<Index>& landmarks, const Run& run) {
  constexpr Index kRows = 8;
  const Index m = std::ssize(landmarks);
  Array2<T> result = Array2<T>::uninitialized(m, m);
  parallel_for(run, m, kRows, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      std::transform(landmarks.begin(), landmarks.end(), result.row(i), [&](Index j) { return distances(i, j); });
  });
  return result;
}

/// Every step-th row and column of the distances among landmarks.
template <class T>
Array2<double> symmetric(const Array2<T>& between, Index step) {
  const Index m = block_count(between.rows(), step);
  Array2<double> result = Array2<double>::uninitialized(m, m);
  for (Index i = 0; i < m; ++i)
    for (Index j = 0; j <= i; ++j)  // rounding may differ
      result(i, j) = result(j, i) =
          static_cast<double>(std::min(between(i * step, j * step), between(j * step, i * step)));
  return result;
}

/// Places points, a column of `distances` each, by their distances from every step-th landmark.
template <class T>
Array2<double> placed(const Placing& placing, const Array2<T>& distances, Index step, double scale, const Run& run) {
  constexpr Index kPoints = 128;
  const Index m = std::ssize(placing.means), count = distances.cols();
  Array2<double> y = Array2<double>::uninitialized(count, placing.axes.cols());
  parallel_for(run, count, kPoints, [&](Index begin, Index end) {
    Array2<double> rows = Array2<double>::uninitialized(end - begin, m);
    for (Index l = 0; l < m; ++l)
      for (Index i = begin; i < end; ++i)
        rows(i - begin, l) =
            similarity(Similarities::Entries::Distances, scale, static_cast<double>(distances(l * step, i)));
    const Array2<double> block = placing.place({.w = std::move(rows)}, {.threads = 1});
    std::copy_n(block.data(), block.size(), y.row(begin));
  });
  return y;
}

/// See LandmarkEmbedding::error. `between`: the distances among landmarks.
template <class T>
std::optional<double> half_sample_error(const Recipe& row, const Array2<T>& between, double scale,
                                        const SpectralSettings& settings, const Array2<double>& full, const Run& run) {
  if (between.rows() / 2 <= settings.n_components) return std::nullopt;
  const Array2<double> half = symmetric(between, 2);
  const SpectralEmbedding by_half = embed(row, {half.view(), Similarities::Entries::Distances, scale}, settings, run);
  const Array2<double> map = placed(by_half.placing, between, 2, scale, run);
  try {
    return procrustes(full, map, run);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::InvalidData) throw;
    return std::nullopt;
  }
}

}  // namespace

SpectralEmbedding embed(const Recipe& row, const Similarities& w, const SpectralSettings& settings, const Run& run) {
  check_cells(row);
  const Normalized problem = normalized(row.operation, w);
  check_count(settings, w.size(), problem.known.rows());
  const EigenSolution solution =
      solve_eigenproblem(*problem.a,
                         {.end = row.order == Order::Largest ? SpectrumEnd::Largest : SpectrumEnd::Smallest,
                          .count = settings.n_components,
                          .known = problem.known,
                          .solver = settings.solver,
                          .seed = settings.seed,
                          .who = settings.who},
                         run);
  SpectralEmbedding out;
  out.placing = {.means = row_means(w, run), .factor = 1 / settings.unit};
  out.rank = rank_of(solution, out.placing.means);
  out.tried = solution.tried;
  set_coordinates(row.coordinates, solution, out);
  set_spectrum({.values = solution.values,
                .residuals = solution.residuals,
                .iterations = solution.iterations,
                .solver = std::string(name_of(solution.solver))},
               settings.unit, out);
  require_in_range(out.coordinates, settings.who);
  return out;
}

template <class T>
LandmarkEmbedding embed_by_landmarks(const Recipe& row, const Array2<T>& distances, double scale,
                                     const std::vector<Index>& landmarks, const SpectralSettings& settings,
                                     const Run& run) {
  const Array2<T> between = gathered(distances, landmarks, run);
  const Array2<double> own = symmetric(between, 1);
  LandmarkEmbedding result{embed(row, {own.view(), Similarities::Entries::Distances, scale}, settings, run)};
  result.error = half_sample_error(row, between, scale, settings, result.embedding.coordinates, run);
  result.embedding.coordinates = placed(result.embedding.placing, distances, 1, scale, run);
  require_in_range(result.embedding.coordinates, settings.who);
  return result;
}

template LandmarkEmbedding embed_by_landmarks(const Recipe&, const Array2<float>&, double, const std::vector<Index>&,
                                              const SpectralSettings&, const Run&);
template LandmarkEmbedding embed_by_landmarks(const Recipe&, const Array2<double>&, double, const std::vector<Index>&,
                                              const SpectralSettings&, const Run&);

void set_spectrum(Spectrum scaled, double scale, SpectralEmbedding& out) {
  const double leading = scaled.values.empty() ? 0 : std::abs(scaled.values.front()) / scale / scale;
  const bool in_range = leading == 0 || (std::isfinite(leading) && leading > 0x1p-900);
  out.eigenvalue_unit = in_range ? 1 : scale;
  const double rescale = out.eigenvalue_unit / scale;
  out.spectrum = std::move(scaled);
  for (double& value : out.spectrum.values) value *= rescale * rescale;
}

Embedding embedding_of(SpectralEmbedding result) {
  Embedding embedding{
      .diagnostics = {{"rank", std::int64_t{result.rank}}, {"eigenvalue_unit", result.eigenvalue_unit}}};
  const Index count = std::ssize(result.spectrum.values);
  if (result.rank == 0) {
    embedding.warnings.push_back({"zero-variance", "there is no direction of positive extent: every coordinate is zero",
                                  "check the input: are all points at the same place?"});
  } else if (result.rank < count) {
    embedding.warnings.push_back({"rank-deficient",
                                  fmt::format("the shape has {} dimensions: the last {} of {} coordinates are zero",
                                              result.rank, count - result.rank, count),
                                  fmt::format("ask for n_components={}", result.rank)});
  }
  report_solvers(result.tried, result.spectrum.solver, embedding);
  embedding.coordinates = std::move(result.coordinates);
  embedding.spectrum = std::move(result.spectrum);
  return embedding;
}

void report_solvers(const std::vector<std::string>& tried, const std::string& solver, Embedding& embedding) {
  if (tried.empty()) return;
  const std::string list = fmt::format("{}", fmt::join(tried, "; "));
  embedding.diagnostics.emplace_back("solvers_tried", list);
  embedding.warnings.push_back(
      {"solver-changed", fmt::format("the eigenvectors are those of solver {}, after others failed ({})", solver, list),
       fmt::format("use eigen_solver={} at once", solver)});
}

void report_landmarks(const std::vector<Index>& landmarks, std::optional<double> error, Embedding& embedding) {
  constexpr double kMuch = 0.01;
  const Index count = std::ssize(landmarks);
  embedding.diagnostics.emplace_back("landmarks", std::vector<double>(landmarks.begin(), landmarks.end()));
  if (error) embedding.diagnostics.emplace_back("landmark_error", *error);
  const bool is_all = count >= embedding.coordinates.rows();  // then nothing is approximated
  if (is_all || (error && *error <= kMuch)) return;
  embedding.warnings.push_back(
      {"few-landmarks",
       error ? fmt::format("half of the landmarks give another map of them (Procrustes disparity {:.3f})", *error)
             : fmt::format("half of the {} landmarks give no map to compare with: its error is not known", count),
       "use a larger n_landmarks, or leave it out"});
}

}  // namespace unroll
