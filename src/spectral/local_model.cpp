#include "spectral/local_model.h"

#include <limits>

#include "affinity/patch_rows.h"

namespace unroll {
namespace {

/// How new points look for neighbours: where all entries of a sparse matrix are neighbours, as many as the most has.
NeighborOptions search_of(const Neighborhoods& hoods, bool is_sparse) {
  NeighborOptions options = hoods.search;
  if (!is_sparse || options.n_neighbors || *options.radius < std::numeric_limits<double>::max()) return options;
  Index most = 1;
  for (Index i = 0; i < hoods.graph.size(); ++i) most = std::max(most, hoods.graph.degree(i));
  options.n_neighbors = std::min(most, hoods.graph.size() - 1);
  options.radius = {};
  return options;
}

}  // namespace

void plan_fits(const LocalData& data, const Patches& patches, Index columns, const LocalSettings& settings,
               const Run& run) {
  plan_fits(patches, data.hoods.components,
            {.who = settings.who,
             .columns = columns,
             .separate = settings.separate && data.hoods.components.count() > 1,
             .by_landmarks = settings.n_landmarks.has_value(),
             .can_landmarks = data.points.has_value()},
            run);
}

LocalFit fit_local(const Recipe& row, const LocalFits& fits, LocalData data, LocalRequest request, const Run& run) {
  LocalSettings& settings = request.settings;
  settings.joined = data.hoods.joining > 0;
  settings.collapsed = data.hoods.collapsed;
  std::optional<LandmarkSource> landmarks;
  if (data.points) {
    landmarks.emplace(settings.who, *data.points, *data.geometry, data.hoods.search, request.landmarks, settings.seed);
    settings.landmarks = &*landmarks;
  }
  LocalFit fit{.embedding = embed_fits(row, fits, data.hoods.components, settings, run)};
  Embedding& embedding = fit.embedding;
  embedding.warnings.insert(embedding.warnings.begin(), data.hoods.warnings.begin(), data.hoods.warnings.end());
  embedding.diagnostics.insert(embedding.diagnostics.end(), data.hoods.diagnostics.begin(),
                               data.hoods.diagnostics.end());
  const bool apart = settings.separate && data.hoods.components.count() > 1;
  const bool is_affine = row.new_point == NewPointRule::LocalMap;
  auto rows = std::make_shared<const PatchRows>(
      PatchRows::Parts{.rule = is_affine ? PatchRule::Affine : PatchRule::Weights,
                       .options = search_of(data.hoods, data.distances != nullptr),
                       .size = embedding.coordinates.rows(),
                       .points = data.points ? copied(*data.points) : OwnPoints{},
                       .distances = data.distances != nullptr ? *data.distances : SparseMatrix{},
                       .nearest = is_affine ? std::move(data.hoods.graph) : NeighborGraph{},
                       .components = apart ? std::move(data.hoods.components.labels) : std::vector<Index>{},
                       .weights = request.weights,
                       .tangent = settings.n_components});
  Placing placing{.rule = row.new_point, .axes = embedding.coordinates};
  fit.transformer =
      std::make_shared<const SpectralTransformer>(TransformKind::Weights, std::move(rows), std::move(placing));
  return fit;
}

}  // namespace unroll
