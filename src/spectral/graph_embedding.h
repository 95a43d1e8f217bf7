#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "affinity/affinity.h"
#include "spectral/placing.h"
#include "spectral/recipe.h"
#include "unroll/core/model.h"
#include "unroll/linalg/eigen_solver_choice.h"
#include "unroll/spectral/laplacian.h"

/// Runs the rows of the table that begin with the W of a graph: steps 3b to 5 of the general algorithm.
namespace unroll {

struct GraphSettings {
  std::string_view who = {};
  Index n_components = 2;
  double alpha = 0;  ///< of the density, where the row divides by it
  double time = 1;   ///< t of diffusion
  EigenSolver solver = EigenSolver::Auto;
  std::optional<double> dimension = {};  ///< of what the points lie on
  std::uint64_t seed = 0;
  double unit = 1;             ///< that W was divided by
  bool given_weights = false;  ///< so that no option of ours changes them
  /// A map for every component, side by side. Otherwise there is one map, of which the first coordinates tell
  /// components apart, where there are several.
  bool separate = false;
};

/// Of one map, where its eigenvalues end.
struct MapEnd {
  Index count = 0;       ///< coordinates of its own
  double norm = 0;       ///< of its operator: what equality of eigenvalues refers to
  bool goes_on = false;  ///< the last eigenvalue occurs again beyond them
};

struct GraphEmbedding {
  Array2<double> coordinates = {};
  Spectrum spectrum = {};
  Placing placing = {};
  std::vector<MapEnd> ends = {};        ///< per row of placing.values
  std::vector<std::string> tried = {};  ///< solvers that failed
  std::vector<Warning> warnings = {};
};

/// How many coordinates there are.
Index most_coordinates(const Recipe& row, const Components& components, bool separate);

/// Throws InvalidOption when there are not as many coordinates as asked for. W is divided by densities in its place
/// where the row says so, and left as it is otherwise.
GraphEmbedding embed_graph(const Recipe& row, Affinity& affinity, const GraphSettings& settings, const Run& run);

/// Drops all coordinates but these; rows of length one are to be so of the columns that are left. The spectrum stays.
/// Whether an eigenvalue occurs more often than it is kept is judged anew.
void keep_coordinates(const std::vector<Index>& columns, GraphEmbedding& map);

}  // namespace unroll
