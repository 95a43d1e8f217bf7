#include "spectral/local_model.h"

#include <limits>
#include <numeric>

#include "affinity/patch_rows.h"
#include "spectral/embedding.h"

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

void report_findings(const PatchFindings& findings, Embedding& embedding) {
  Diagnostics& diagnostics = embedding.diagnostics;
  if (findings.factor_gib) diagnostics.emplace_back("factor_gib", *findings.factor_gib);
  if (!findings.landmarks.empty())
    diagnostics.emplace_back("landmarks", std::vector<double>(findings.landmarks.begin(), findings.landmarks.end()));
  if (findings.landmark_error) diagnostics.emplace_back("landmark_error", *findings.landmark_error);
}

}  // namespace

void plan_fits(const LocalData& data, const Patches& patches, Index columns, const LocalRequest& request,
               const Run& run) {
  plan_fits(patches, data.hoods.components,
            {.who = request.settings.who,
             .columns = columns,
             .separate = request.settings.separate && data.hoods.components.count() > 1,
             .by_landmarks = request.patches.n_landmarks.has_value(),
             .can_landmarks = data.points.has_value()},
            run);
}

LocalFit fit_local(const Recipe& row, const LocalFits& fits, LocalData data, LocalRequest request, const Run& run) {
  const SpectralSettings& settings = request.settings;
  request.patches.joined = data.hoods.joining > 0;
  std::optional<LandmarkSource> landmarks;
  if (data.points) {
    landmarks.emplace(settings.who, *data.points, *data.geometry, data.hoods.search, request.landmarks, settings.seed);
    request.patches.landmarks = &*landmarks;
  }
  const PatchSource source(fits, data.hoods.components, data.hoods.collapsed, request.of_weights, request.patches);
  SpectralFit map = embed(row, source, settings, run);
  Placing placing = std::move(map.placing);
  LocalFit fit{.embedding = embedding_of(std::move(map))};
  Embedding& embedding = fit.embedding;
  report_findings(source.findings(), embedding);
  const std::vector<double> errors = fit_errors(fits, embedding.coordinates, run);
  embedding.diagnostics.emplace_back("reconstruction_cost", std::accumulate(errors.begin(), errors.end(), 0.0));
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
  fit.transformer =
      std::make_shared<const SpectralTransformer>(TransformKind::Weights, std::move(rows), std::move(placing));
  return fit;
}

}  // namespace unroll
