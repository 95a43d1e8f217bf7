#include "unroll/methods/kernel_pca.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "affinity/given_kernel.h"
#include "affinity/kernel_rows.h"
#include "affinity/kernel_source.h"
#include "affinity/vanishing.h"
#include "core/memory.h"
#include "data/feature_scaler.h"
#include "data/validate.h"
#include "neighbors/landmarks.h"
#include "spectral/embedding.h"
#include "spectral/matrix_source.h"
#include "spectral/transformer.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

constexpr const Recipe& kRecipe = recipe(SpectralMethod::KernelPca);
constexpr std::string_view kWho = KernelPcaOptions::method_name;
constexpr Index kMostPoints = 20000;       // whose kernel matrix, 3 GiB, is formed unless asked otherwise
constexpr Index kDefaultLandmarks = 1000;  // beyond

/// What K comes from: points and a function of two of them, or a matrix.
struct Input {
  PointsView points = {};
  std::optional<KernelParameters> function = {};
  KernelMatrix matrix = {};
  Index n = 0;
};

struct Fit {
  SpectralFit result = {};
  std::optional<MercerKernel> kernel = {};
  double trace = 0;                   ///< of P K P, or of its approximation and what that leaves
  std::vector<Index> landmarks = {};  ///< none: all points
  Index dropped = 0;                  ///< landmarks that depended on others
  double remaining = 0;               ///< trace of K less its approximation
  double remaining_ratio = 0;         ///< of the trace of K
};

SpectralSettings settings_of(const KernelPcaOptions& options) {
  return {.who = kWho,
          .n_components = options.n_components,
          .solver = any_solver(options.eigen_solver),
          .seed = static_cast<std::uint64_t>(options.random_state)};
}

void check_sizes(Index n, const KernelPcaOptions& options) {
  if (options.n_components >= n)
    throw Error(ErrorKind::InvalidOption, fmt::format("{}: n_components={} must be less than the number of points, {}; "
                                                      "use a smaller n_components",
                                                      kWho, options.n_components, n));
  if (options.n_landmarks) check_landmarks(kWho, *options.n_landmarks, options.n_components, n);
}

void check_given(const KernelPcaOptions& options) {
  if (options.scale != Scaling::None)
    throw Error(ErrorKind::InvalidOption,
                fmt::format("{}: scale={} is for features, but the input is a kernel matrix; use scale=none", kWho,
                            name_of(options.scale)));
  if (options.landmarks == KernelLandmarks::MaxMin || options.landmarks == KernelLandmarks::KMeans)
    throw Error(ErrorKind::InvalidOption,
                fmt::format("{}: landmarks={} needs points, not a kernel matrix; use landmarks=pivots or random", kWho,
                            name_of(options.landmarks)));
}

/// "Choose for me" replaced by the choice.
KernelPcaOptions resolved(KernelPcaOptions options, Index n, Index features) {
  const bool computed = options.kernel != Kernel::Precomputed;  // a matrix that is there need not be approximated
  if (computed && !options.n_landmarks && n > kMostPoints)
    options.n_landmarks = std::max<std::int64_t>(kDefaultLandmarks, options.n_components + 1);
  const bool has_gamma = computed && options.kernel != Kernel::Linear && options.kernel != Kernel::Cosine;
  if (has_gamma && !options.gamma) options.gamma = 1 / static_cast<double>(features);
  return options;
}

/// All coordinates zero.
SpectralFit nothing(std::vector<double> means, const KernelPcaOptions& options) {
  const auto count = static_cast<std::size_t>(options.n_components);
  const Index n = std::ssize(means);
  return {.coordinates = Array2<double>(n, options.n_components),
          .spectrum = {.values = std::vector<double>(count), .residuals = std::vector<double>(count), .solver = "none"},
          .placing = {.axes = Array2<double>(n, options.n_components), .means = std::move(means)}};
}

/// What the model keeps for new points.
void plan_points(Index count, const Input& input, MemoryPlan& plan) {
  plan.add("the points", static_cast<double>(count), static_cast<double>(input.points.cols()),
           input.points.is_float() ? sizeof(float) : sizeof(double));
}

SpectralFit solved(const Similarities& k, const KernelPcaOptions& options, const Run& run) {
  if (vanishes_when_centered(k, run)) return nothing(row_means(k, run), options);
  try {
    return embed(kRecipe, MatrixSource(k), settings_of(options), run);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::NotConverged) throw;
    throw Error(
        error.kind(),
        fmt::format(
            "{}: {}; kernel values that hardly differ leave nothing but rounding: {}, or use n_landmarks", kWho,
            error.what(),
            options.kernel == Kernel::Precomputed ? "subtract a constant from all of them" : "use scale=standardize"));
  }
}

/// From the whole of K.
Fit by_all_points(const Input& input, const KernelPcaOptions& options, const Run& run) {
  Fit fit;
  Array2<double> own;
  Similarities k{input.matrix};
  if (input.function) {
    MemoryPlan plan;
    plan.add("the kernel matrix", static_cast<double>(input.n), static_cast<double>(input.n), sizeof(double));
    plan_points(input.n, input, plan);
    plan.require(run, kWho, "use n_landmarks=1000, or fewer of them");
    fit.kernel.emplace(input.points, *input.function, run);
    own = fit.kernel->matrix(input.points, run);
    k.matrix = own.view();
  }
  const std::vector<double> diagonal = diagonal_of(k.matrix);
  fit.result = solved(k, options, run);
  const std::vector<double>& means = fit.result.placing.means;
  if (fit.result.rank > 0)
    fit.trace =
        std::accumulate(diagonal.begin(), diagonal.end(), 0.0) - std::accumulate(means.begin(), means.end(), 0.0);
  return fit;
}

PivotedCholesky factorized(const ColumnSource& columns, const Input& input, const KernelPcaOptions& options,
                           const Run& run) {
  const auto seed = static_cast<std::uint64_t>(options.random_state);
  const auto chosen = [&](LandmarkChoice choice) {
    return choose_landmarks(input.points, *options.n_landmarks, choice, {}, seed, run);
  };
  switch (options.landmarks) {
    case KernelLandmarks::Pivots: return randomly_pivoted_cholesky(columns, *options.n_landmarks, seed, run);
    case KernelLandmarks::Random:
      return cholesky_at(columns, random_landmarks(input.n, *options.n_landmarks, seed), run);
    case KernelLandmarks::MaxMin: return cholesky_at(columns, chosen(LandmarkChoice::MaxMin), run);
    default: return cholesky_at(columns, chosen(LandmarkChoice::KMeans), run);
  }
}

/// From K's columns at the landmarks.
Fit by_landmarks(const Input& input, const KernelPcaOptions& options, const Run& run) {
  MemoryPlan plan;
  const auto n = static_cast<double>(input.n), landmarks = static_cast<double>(*options.n_landmarks);
  plan.add("the factor of the kernel", n, landmarks + kPivotBlock, sizeof(double));
  plan.add("the products of its columns", landmarks, 2 * landmarks, sizeof(double));
  plan_points(*options.n_landmarks, input, plan);
  plan.require(run, kWho, fmt::format("use fewer than n_landmarks={}", *options.n_landmarks));
  Fit fit;
  if (input.function) fit.kernel.emplace(input.points, *input.function, run);
  const ColumnSource columns = fit.kernel ? columns_of(*fit.kernel, input.points, run) : columns_of(input.matrix, run);
  PivotedCholesky factor = factorized(columns, input, options, run);
  if (factor.pivots.empty()) {  // a kernel of zeros: any point will do
    factor.pivots = {0};
    factor.columns = Array2<double>(input.n, 1);
  }
  const FactorSource source(factor, run);
  fit.result = embed(kRecipe, source, settings_of(options), run);
  fit.trace = source.trace() + factor.remaining;
  fit.remaining = factor.remaining;
  fit.remaining_ratio = factor.trace > 0 ? factor.remaining / factor.trace : 0;
  fit.dropped = factor.dropped;
  fit.landmarks = std::move(factor.pivots);
  return fit;
}

/// Points whose kernel with all others is 0: rows (or columns of landmarks) of K that sum to their diagonal of 1.
Index lonely_points(const Fit& fit, Index n) {
  constexpr double kNothing = 1e-6;
  const double rest = fit.kernel->parameters().up_to_centering ? static_cast<double>(n) - 1 : -1;  // k - 1 was summed
  return std::count_if(fit.result.placing.means.begin(), fit.result.placing.means.end(),
                       [&](double mean) { return static_cast<double>(n) * mean + rest < kNothing; });
}

void warn_of_gamma(const Fit& fit, const Input& input, Embedding& embedding) {
  if (!fit.kernel || !fit.kernel->parameters().is_local()) return;
  const Index lonely = fit.result.rank == 0 ? 0 : lonely_points(fit, input.n);
  if (fit.result.rank > 0 && lonely == 0) return;
  const double gamma = fit.kernel->suggested_gamma(input.points);
  const std::string hint = std::isnormal(gamma) ? fmt::format("try gamma={:.2g}", gamma) : "check the input";
  if (fit.result.rank == 0) {
    embedding.warnings.front().hint = hint;
    return;
  }
  embedding.warnings.push_back({"vanishing-kernel",
                                fmt::format("gamma={:g} makes the kernel of {} of {} {} with every other point zero",
                                            fit.kernel->parameters().gamma, lonely, fit.result.placing.means.size(),
                                            fit.landmarks.empty() ? "points" : "landmarks"),
                                hint});
}

void warn_of_negative_eigenvalues(const Spectrum& spectrum, Embedding& embedding) {
  double largest = 0;
  for (const double value : spectrum.values) largest = std::max(largest, std::abs(value));
  const double rounding = 1e-10 * largest;
  const auto negative =
      std::count_if(spectrum.values.begin(), spectrum.values.end(), [&](double value) { return value < -rounding; });
  if (negative == 0) return;
  embedding.warnings.push_back(
      {"indefinite-kernel",
       fmt::format("the kernel is not positive semidefinite: {} of the {} largest eigenvalues are negative (down to "
                   "{:.2g}), and their coordinates are zero",
                   negative, spectrum.values.size(), spectrum.values.back()),
       fmt::format("ask for n_components={}, or use another kernel", std::ssize(spectrum.values) - negative)});
}

void report_landmarks(const Fit& fit, bool by_choice, Index n, Embedding& embedding) {
  constexpr double kMuch = 0.1;
  if (fit.landmarks.empty()) return;
  embedding.diagnostics.emplace_back("landmarks", std::vector<double>(fit.landmarks.begin(), fit.landmarks.end()));
  embedding.diagnostics.emplace_back("remaining_trace", fit.remaining);
  embedding.diagnostics.emplace_back("remaining_ratio", fit.remaining_ratio);
  const std::string left =
      fmt::format("{} landmarks leave {:.2g} % of the kernel's trace", fit.landmarks.size(), 100 * fit.remaining_ratio);
  if (!by_choice) {
    embedding.warnings.push_back(
        {"landmarks-chosen", fmt::format("of {} points, {}", n, left), "set n_landmarks to choose for yourself"});
  } else if (fit.remaining_ratio > kMuch) {
    embedding.warnings.push_back(
        {"few-landmarks", left, fit.kernel ? "use more of them, or a smaller gamma" : "use more of them"});
  }
  if (fit.dropped > 0)
    embedding.warnings.push_back({"landmarks-dropped",
                                  fmt::format("{} landmarks depend on others and are left out", fit.dropped),
                                  "use landmarks=pivots, which does not choose such ones"});
}

Embedding embedding_of(Fit& fit, const Input& input, const KernelPcaOptions& options, bool by_choice) {
  Embedding embedding{.diagnostics = {{"rank", std::int64_t{fit.result.rank}}, {"trace", fit.trace}}};
  std::vector<double> explained;
  for (const double value : fit.result.spectrum.values)
    explained.push_back(fit.trace > 0 ? std::max(0.0, value) / fit.trace : 0);
  Embedding common = embedding_of(fit.result);
  embedding.warnings = std::move(common.warnings);
  embedding.diagnostics.emplace_back("explained_ratio", std::move(explained));
  if (options.gamma) embedding.diagnostics.emplace_back("gamma", *options.gamma);
  warn_of_gamma(fit, input, embedding);
  warn_of_negative_eigenvalues(fit.result.spectrum, embedding);
  report_landmarks(fit, by_choice, input.n, embedding);
  embedding.coordinates = std::move(common.coordinates);
  embedding.spectrum = std::move(common.spectrum);
  return embedding;
}

/// The model, without feature scaling.
Model::Parts fitted(Input input, const KernelPcaOptions& asked, const Run& run) {
  check_sizes(input.n, asked);
  const KernelPcaOptions options = resolved(asked, input.n, input.points.cols());
  if (options.kernel != Kernel::Precomputed)
    input.function = {.kernel = options.kernel,
                      .gamma = options.gamma.value_or(1),
                      .degree = options.degree,
                      .coef0 = options.coef0,
                      // A Cholesky factorisation needs K itself, positive semidefinite.
                      .up_to_centering = !options.n_landmarks || options.kernel == Kernel::Linear};
  Fit fit = options.n_landmarks ? by_landmarks(input, options, run) : by_all_points(input, options, run);
  Embedding embedding = embedding_of(fit, input, options, asked.n_landmarks.has_value());
  KernelRows::Parts rows{.chosen = fit.landmarks, .coordinates = embedding.coordinates, .alpha = options.alpha};
  if (fit.kernel) rows.points = copied(input.points, fit.landmarks);
  rows.kernel = std::move(fit.kernel);
  const TransformKind kind = fit.landmarks.empty() ? TransformKind::Exact : TransformKind::Nystrom;
  return {.method = std::string(kWho),
          .options = option_values(options),
          .n_features = options.kernel == Kernel::Precomputed ? input.n : input.points.cols(),
          .embedding = std::move(embedding),
          .transformer = std::make_shared<const SpectralTransformer>(
              kind, std::make_shared<const KernelRows>(std::move(rows)), std::move(fit.result.placing))};
}

}  // namespace

Model kernel_pca(PointsView points, const KernelPcaOptions& options, const Run& run) {
  validate_options(options, kWho);
  if (options.kernel == Kernel::Precomputed) {
    check_given(options);
    const std::optional<Array2<double>> symmetric = check_kernel(kWho, points, run);
    const PointsView kernel = symmetric ? PointsView(*symmetric) : points;
    return Model(fitted({.matrix = kernel.visit([](auto view) { return KernelMatrix(view); }), .n = points.rows()},
                        options, run));
  }
  check_points(kWho, points, 2, run);
  const ScaledPoints scaled(points, options.scale, run);
  Model::Parts parts = fitted({.points = scaled.view(), .n = points.rows()}, options, run);
  parts.transformer = with_scaling(scaled.scaler(), std::move(parts.transformer));
  return Model(std::move(parts));
}

Model kernel_pca(const SparseMatrix& kernel, const KernelPcaOptions& options, const Run& run) {
  KernelPcaOptions given = options;
  given.kernel = Kernel::Precomputed;
  validate_options(given, kWho);
  check_given(given);
  const std::optional<SparseMatrix> symmetric = check_kernel(kWho, kernel);
  return Model(fitted({.matrix = symmetric ? &*symmetric : &kernel, .n = kernel.rows}, given, run));
}

}  // namespace unroll
