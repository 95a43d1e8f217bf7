#include "sources/local_model.h"

#include <numeric>

#include "affinity/patch_rows.h"
#include "neighbors/entry_rule.h"
#include "spectral/independent_map.h"
#include "spectral/transformer.h"

namespace unroll {
namespace {

/// The part of the data that the model keeps for new points.
std::shared_ptr<const PatchRows> patch_rows(const Recipe& row, LocalData& data, const LocalRequest& request) {
  const bool is_affine = row.new_point == NewPointRule::LocalMap;
  Neighborhoods& found = data.neighborhoods;
  const NeighborOptions& search = found.search;
  return std::make_shared<const PatchRows>(PatchRows::Parts{
      .rule = is_affine ? PatchRule::Affine : PatchRule::Weights,
      .options = takes_all_entries(search) ? rule_of_entries(found.graph, search).value_or(search) : search,
      .size = found.graph.size(),
      .points = data.input.is_sparse() ? OwnedPoints{} : copied(data.input.full()),
      .distances = data.input.is_sparse() ? data.input.sparse() : SparseMatrix{},
      .nearest = is_affine ? std::move(found.graph) : NeighborGraph{},
      .weights = request.weights,
      .tangent = request.settings.n_components});
}

}  // namespace

LocalData local_data(const Input& input, const NeighborhoodOptions& options, const Run& run) {
  LocalData data{.input = input, .neighborhoods = find_neighborhoods(input, options, run)};
  data.geometry = input.is_sparse()
                      ? std::make_unique<const LocalGeometry>(input.sparse())
                      : std::make_unique<const LocalGeometry>(input.full(), data.neighborhoods.search, run);
  return data;
}

void plan_fits(const LocalData& data, const Patches& patches, Index columns, const LocalRequest& request,
               const Run& run) {
  const Components& components = data.neighborhoods.components;
  plan_fits(patches, components,
            {.columns = columns,
             .separate = request.settings.separate && components.count() > 1,
             .by_landmarks = request.patches.n_landmarks.has_value(),
             .can_landmarks = !data.input.is_sparse()},
            run);
}

MethodFit fit_local(const Recipe& row, const LocalFits& fits, LocalData data, LocalRequest request, const Run& run) {
  Neighborhoods& found = data.neighborhoods;
  request.patches.dimension = request.settings.n_components;
  request.patches.joined = found.joining > 0;
  std::optional<LandmarkSource> landmarks;
  if (!data.input.is_sparse()) {
    landmarks.emplace(data.input.full(), *data.geometry, found.search, request.landmarks, request.settings.seed);
    request.patches.landmarks = &*landmarks;
  }
  const PatchSource source(fits, found.components, found.collapsed, request.of_weights, request.patches);
  SpectralFit map = embed_judged(row, source, request.settings, request.independent, run);
  MethodFit fit = spectral_fit(TransformKind::Weights, patch_rows(row, data, request), std::move(map));
  Embedding& embedding = fit.embedding;
  const std::vector<double> errors = fit_errors(fits, embedding.coordinates, run);
  embedding.attributes.emplace_back("reconstruction_cost", std::accumulate(errors.begin(), errors.end(), 0.0));
  embedding.warnings.insert(embedding.warnings.begin(), found.warnings.begin(), found.warnings.end());
  embedding.attributes.insert(embedding.attributes.end(), found.attributes.begin(), found.attributes.end());
  return fit;
}

}  // namespace unroll
