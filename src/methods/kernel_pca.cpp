#include "unroll/methods/kernel_pca.h"

#include <algorithm>

#include "affinity/given_kernel.h"
#include "affinity/kernel_rows.h"
#include "frame/frame.h"
#include "frame/shared_options.h"
#include "sources/kernel_report.h"
#include "spectral/transformer.h"

namespace unroll {
namespace {

constexpr const Recipe& kKernelPcaRow = recipe(SpectralMethod::KernelPca);
constexpr Index kMostPoints = 20000;       // whose kernel matrix, 3 GiB, is formed unless asked otherwise
constexpr Index kDefaultLandmarks = 1000;  // beyond

bool is_given(const Input& input) { return !input.has_points(); }

void resolve(const Input& input, KernelPcaOptions& options) {
  const bool needs_points =
      options.landmarks == KernelLandmarks::MaxMin || options.landmarks == KernelLandmarks::KMeans;
  if (is_given(input) && needs_points)
    throw Error(ErrorKind::InvalidOption,
                fmt::format("landmarks={} needs points, not a kernel matrix", name_of(options.landmarks)),
                "use landmarks=pivots or random");
  if (options.n_landmarks) check_landmarks(*options.n_landmarks, options.n_components, input.size());
  const KernelParameters kernel{.kernel = options.kernel};
  const bool has_gamma = kernel.depends_on_gamma() && !kernel.is_local() && !is_given(input);
  if (has_gamma && !options.gamma) options.gamma = 1 / static_cast<double>(input.columns());
}

/// What a landmark's column is worth depends on those chosen before it, so pivots are chosen as K is factorized.
PivotedCholesky factorized(const ColumnSource& columns, Index n_landmarks, const KernelInput& input,
                           const KernelPcaOptions& options, const Run& run) {
  const auto seed = static_cast<std::uint64_t>(options.random_state);
  const auto chosen = [&](LandmarkChoice choice) {
    return choose_landmarks(input.points, n_landmarks, choice, {}, seed, run);
  };
  switch (options.landmarks) {
    case KernelLandmarks::Pivots: return randomly_pivoted_cholesky(columns, n_landmarks, seed, run);
    case KernelLandmarks::Random: return cholesky_at(columns, random_landmarks(input.size, n_landmarks, seed), run);
    case KernelLandmarks::MaxMin: return cholesky_at(columns, chosen(LandmarkChoice::MaxMin), run);
    default: return cholesky_at(columns, chosen(LandmarkChoice::KMeans), run);
  }
}

MethodFit map(const Input& input, const KernelPcaOptions& options, const Run& run) {
  // 1. W = K: a function of two points, or a matrix, which need not be approximated since it is there.
  std::optional<Index> n_landmarks = options.n_landmarks;
  if (!n_landmarks && !is_given(input) && input.size() > kMostPoints)
    n_landmarks = std::max<Index>(kDefaultLandmarks, options.n_components + 1);
  KernelInput kernel{.size = input.size()};
  std::optional<GivenKernel> given;
  if (is_given(input)) {
    kernel.matrix = given.emplace(input, run).matrix;
  } else {
    kernel.points = input.full();
    const bool is_local = KernelParameters{.kernel = options.kernel}.is_local();
    const double fallback = is_local && !options.gamma ? fitting_gamma(kernel.points, options.kernel, run) : 1;
    kernel.function = {.kernel = options.kernel,
                       .gamma = options.gamma.value_or(fallback),
                       .degree = options.degree,
                       .coef0 = options.coef0,
                       // A Cholesky factorisation needs K itself, positive semidefinite.
                       .up_to_centering = !n_landmarks || options.kernel == Kernel::Linear};
    if (is_local && options.gamma) check_gamma(kernel, run);
  }
  // 2. The table's row: J K J, its largest eigenpairs, coordinates sqrt(lambda) v; of all points or of landmarks.
  const auto factorize = [&](const ColumnSource& columns) {
    return factorized(columns, *n_landmarks, kernel, options, run);
  };
  KernelFit fit =
      n_landmarks ? embed_kernel_from(*n_landmarks, factorize, kKernelPcaRow, kernel, spectral_settings(options), run)
                  : embed_kernel(kKernelPcaRow, kernel, spectral_settings(options), run);
  // 3. What places new points: their kernel with the training points, or with the landmarks.
  MethodFit result{.embedding = report_kernel(fit, kernel, options.n_landmarks.has_value())};
  KernelRows::Parts rows{.chosen = fit.landmarks, .coordinates = result.embedding.coordinates, .alpha = options.alpha};
  if (fit.kernel) rows.points = copied(kernel.points, fit.landmarks);
  rows.kernel = std::move(fit.kernel);
  const TransformKind kind = fit.landmarks.empty() ? TransformKind::Exact : TransformKind::Nystrom;
  result.transformer = std::make_shared<const SpectralTransformer>(
      kind, std::make_shared<const KernelRows>(std::move(rows)), std::move(fit.map.placing));
  if (n_landmarks) result.chosen = {{"n_landmarks", std::int64_t{*n_landmarks}}};
  if (kernel.function && kernel.function->is_local()) result.chosen.push_back({"gamma", kernel.function->gamma});
  return result;
}

}  // namespace

Model kernel_pca(const Input& input, const KernelPcaOptions& options, const Run& run) {
  return run_method<KernelPcaOptions>({.resolve = resolve, .map = map}, input, options, run);
}

}  // namespace unroll
