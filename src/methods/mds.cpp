#include "unroll/methods/mds.h"

#include "frame/frame.h"
#include "frame/shared_options.h"
#include "neighbors/given_distances.h"
#include "sources/distance_embedding.h"

namespace unroll {
namespace {

constexpr const Recipe& kMdsRow = recipe(SpectralMethod::ClassicalMds);

void resolve(const Input& input, MdsOptions& options) {
  resolve_landmarks(input, options);
  if (options.n_landmarks && options.additive_constant)
    throw Error(ErrorKind::InvalidOption, "additive_constant=true needs all distances", "leave out n_landmarks");
}

MethodFit map(const Input& input, const MdsOptions& options, const Run& run) {
  const DistanceSettings by{.metric = options.metric, .p = options.p, .additive_constant = options.additive_constant};
  const SpectralSettings settings = spectral_settings(options);
  if (input.kind() == InputKind::Distances) check_distances(input.full(), run);
  // 1. Euclidean distances of points are not formed: by this row their map is that of the principal axes.
  if (is_classical_scaling(kMdsRow) && options.metric == Metric::Euclidean && !options.n_landmarks &&
      options.eigen_solver == FullEigenSolver::Auto) {
    MethodFit fit = embed_centered_points(input.full(), settings, run);
    if (options.additive_constant) fit.embedding.attributes.emplace_back("additive_constant", 0.0);
    return fit;
  }
  // 2. W = -d^2 / 2, d the distances between all points, or from landmarks.
  // 3. The table's row: J W J, its largest eigenpairs, coordinates sqrt(lambda) v.
  if (!options.n_landmarks) return embed_distances(kMdsRow, input, by, settings, run);
  plan_distances(*options.n_landmarks, input.size(), run);
  return embed_distances_from(input_landmarks(input, options, run), kMdsRow, input, by, settings, run);
}

}  // namespace

Model mds(const Input& input, const MdsOptions& options, const Run& run) {
  return run_method<MdsOptions>({.resolve = resolve, .map = map}, input, options, run);
}

}  // namespace unroll
