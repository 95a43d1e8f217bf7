#include "unroll/methods/isomap.h"

#include <algorithm>

#include "frame/frame.h"
#include "frame/shared_options.h"
#include "sources/path_embedding.h"

namespace unroll {
namespace {

constexpr const Recipe& kIsomapRow = recipe(SpectralMethod::Isomap);

void resolve(const Input& input, IsomapOptions& options) {
  resolve_neighbors(input.size(), input.is_sparse(), options);
  resolve_landmarks(input, options);
  if (options.components == ComponentsPolicy::Keep)
    throw Error(ErrorKind::InvalidOption,
                "components=keep is not possible, since paths between components have no length",
                "use connect, separate or error");
  if (options.n_landmarks && options.path_method == PathMethod::FloydWarshall)
    throw Error(ErrorKind::InvalidOption, "path_method=floyd_warshall finds all paths",
                "use dijkstra with n_landmarks");
  if (options.path_method == PathMethod::Auto) options.path_method = PathMethod::Dijkstra;
}

/// Before any neighbour is looked for: the path lengths are what decides.
void plan(Index n, const IsomapOptions& options, const Run& run) {
  if (!options.n_landmarks) return plan_paths(n, n, "use n_landmarks=1000, or fewer of them", run);
  plan_paths(*options.n_landmarks, n, fmt::format("use fewer than n_landmarks={}", *options.n_landmarks), run);
}

MethodFit map(const Input& input, const IsomapOptions& options, const Run& run) {
  plan(input.size(), options, run);
  // 1. Join every point to its neighbours; the policy decides what becomes of several components.
  PathGraph graph = path_graph(input, neighbor_options(options), options.components, run);
  // 2. W = -g^2 / 2, g the lengths of shortest paths: from all points, or from landmarks.
  // 3. The table's row: J W J, its largest eigenpairs, coordinates sqrt(lambda) v.
  if (options.n_landmarks)
    return embed_paths_from(input_landmarks(input, options, run), kIsomapRow, input, std::move(graph),
                            spectral_settings(options), run);
  return embed_paths(kIsomapRow, input, std::move(graph), options.path_method == PathMethod::FloydWarshall,
                     spectral_settings(options), run);
}

}  // namespace

Model isomap(const Input& input, const IsomapOptions& options, const Run& run) {
  return run_method<IsomapOptions>({.resolve = resolve, .map = map}, input, options, run);
}

}  // namespace unroll
