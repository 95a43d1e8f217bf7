// THE TABLE runs: every cell of it, replaced by another value, changes the map or the places of new points, or is
// refused by a message that names the value. Which of the two, says the table of free cells below and in docs/table.md.
#include <gtest/gtest.h>

#include <optional>
#include <set>

#include "affinity/affinity.h"
#include "affinity/alignment_fits.h"
#include "affinity/distance_rows.h"
#include "affinity/geodesic_rows.h"
#include "affinity/kernel_rows.h"
#include "core/archive.h"
#include "core/random.h"
#include "linalg/linear_projection.h"
#include "neighbors/distance_matrix.h"
#include "sources/distance_embedding.h"
#include "sources/graph_model.h"
#include "sources/local_model.h"
#include "sources/matrix_source.h"
#include "sources/path_embedding.h"
#include "spectral/embedding.h"
#include "spectral/transformer.h"
#include "support/matrices.h"
#include "unroll/methods/ltsa.h"

namespace unroll {
namespace {

constexpr Index kPoints = 60, kNeighbors = 8;

/// A curved sheet.
Array2<double> sheet(Index n, std::uint64_t seed) {
  const Random random(seed, "table points");
  Array2<double> x(n, 3);
  for (Index i = 0; i < n; ++i) {
    const auto at = static_cast<std::uint64_t>(i);
    x(i, 0) = 3 * random.uniform(at, 0), x(i, 1) = random.uniform(at, 1), x(i, 2) = 0.3 * x(i, 0) * x(i, 0);
  }
  return x;
}

struct Outcome {
  Array2<double> map;
  std::optional<Array2<double>> placed = {};  ///< none: a new point has no place by this row
};

/// With new points as the model places them that was saved and loaded.
Outcome outcome(const Array2<double>& map, const Transformer& transformer, const Array2<double>& fresh) {
  Outcome result{.map = map};
  ArchiveWriter archive;
  archive.put("n_features", std::int64_t{fresh.cols()});
  archive.put("coordinates", map.view());
  transformer.save(archive);
  const ArchiveReader saved(archive.bytes(), "the saved model");
  const auto loaded = saved.has("projection.axes") ? LinearProjection::load(saved) : SpectralTransformer::load(saved);
  try {
    result.placed = loaded->transform(fresh, {});
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::InvalidData || error.row() < 0) throw;
  }
  return result;
}

bool differs(const Array2<double>& a, const Array2<double>& b) { return relative_difference(a, b) > 1e-6; }

/// Points that have no place are a change only if the map has changed, too.
bool differs(const Outcome& a, const Outcome& b) {
  return differs(a.map, b.map) || (a.placed && b.placed && differs(*a.placed, *b.placed));
}

SpectralSettings settings() { return {.n_components = 2, .alpha = 1, .time = 2, .separate = true}; }

Outcome placed_by(const Source& source, std::shared_ptr<const SourceRows> rows, const Recipe& row,
                  const Array2<double>& fresh) {
  SpectralFit fit = embed(row, source, settings(), {});
  const SpectralTransformer transformer(TransformKind::Exact, std::move(rows), std::move(fit.placing));
  return outcome(fit.coordinates, transformer, fresh);
}

Outcome by_distances(const Recipe& row, const Array2<double>& x, const Array2<double>& fresh) {
  const MetricRows rows = metric_rows(x, Metric::Euclidean, metric_scale(x, {}), {});
  const Array2<double> distances = distance_matrix(rows, {}, {});
  return placed_by(MatrixSource({distances.view(), Similarities::Entries::Distances}),
                   std::make_shared<const DistanceRows>(DistanceRows::Parts{.points = copied(x)}, unroll::Run{}), row,
                   fresh);
}

Outcome by_paths(const Recipe& row, const Array2<double>& x, const Array2<double>& fresh) {
  const NeighborOptions options{.n_neighbors = kNeighbors};
  const NeighborGraph nearest = neighbors(x, options).graph;
  const NeighborGraph graph = symmetrized(nearest, Symmetrization::Union);
  const Components components = connected_components(graph);
  return placed_by(PathSource(graph, components, false, false),
                   std::make_shared<const GeodesicRows>(
                       GeodesicRows::Parts{.points = copied(x), .nearest = nearest, .options = options}),
                   row, fresh);
}

Outcome by_kernel(const Recipe& row, const Array2<double>& x, const Array2<double>& fresh) {
  MercerKernel kernel(x, {.kernel = Kernel::Rbf, .gamma = 0.5}, {});
  const Array2<double> matrix = kernel.matrix(x, {});
  auto rows = std::make_shared<const KernelRows>(
      KernelRows::Parts{.kernel = std::move(kernel), .points = copied(x), .coordinates = Array2<double>(kPoints, 2)});
  return placed_by(MatrixSource({matrix.view()}), std::move(rows), row, fresh);
}

Outcome by_graph(const Recipe& row, const Array2<double>& x, const Array2<double>& fresh) {
  // W depends on the method alone: what changes with the row is the engine's doing.
  AffinityFit affinity = make_affinity(
      x, {.neighbors = {.n_neighbors = kNeighbors}, .unit_diagonal = row.method == SpectralMethod::DiffusionMaps}, {});
  const MethodFit fit = fit_graph(row, std::move(affinity), settings(), false, {});
  return outcome(fit.embedding.coordinates, *fit.transformer, fresh);
}

/// Reconstruction weights for LLE, tangent spaces for its kin.
Outcome by_patches(const Recipe& row, const Array2<double>& x, const Array2<double>& fresh) {
  LocalData data = local_data(x, {.neighbors = {.n_neighbors = kNeighbors}}, {});
  const bool of_weights = row.method == SpectralMethod::Lle;
  const auto weights = [&]() -> PatchFit {
    return [&data, gram = Array2<double>(), geometry = GeometryScratch(), solver = WeightsScratch()](
               Index i, std::span<const Index> members, std::vector<double>& factors) mutable {
      std::vector<double> own(members.size() - 1);
      data.geometry->gram_about(i, members.subspan(1), gram, geometry);
      solve_any_weights(gram, {.reg = 1e-3}, own, solver);
      factors.push_back(1);
      for (const double weight : own) factors.push_back(-weight);
      return PatchForm::Columns;
    };
  };
  const auto tangents = [&]() -> PatchFit {
    return [&data, axes = PatchAxes()](Index, std::span<const Index> members, std::vector<double>& factors) mutable {
      axes.about_mean(*data.geometry, members);
      axes.find_axes(2);
      return append_tangent_fit(axes, factors);
    };
  };
  const LocalFits fits = of_weights ? fit_patches(patches_of(data.neighborhoods.graph, true), weights, "weights", {})
                                    : fit_patches(tied_patches(data.neighborhoods.graph, {}), tangents, "tangents", {});
  const LocalRequest request{.settings = settings(), .of_weights = of_weights};
  const MethodFit fit = fit_local(row, fits, std::move(data), request, {});
  return outcome(fit.embedding.coordinates, *fit.transformer, fresh);
}

Outcome outcome_of(const Recipe& row) {
  const Array2<double> x = sheet(kPoints, 1), fresh = sheet(20, 2);
  switch (row.method) {
    case SpectralMethod::ClassicalMds: return by_distances(row, x, fresh);
    case SpectralMethod::Isomap: return by_paths(row, x, fresh);
    case SpectralMethod::KernelPca: return by_kernel(row, x, fresh);
    case SpectralMethod::Lle:
    case SpectralMethod::Mlle:
    case SpectralMethod::Hlle:
    case SpectralMethod::Ltsa: return by_patches(row, x, fresh);
    default: return by_graph(row, x, fresh);
  }
}

/// The values that a row may have in its cells, by the kind of its W. All others are refused.
struct FreeCells {
  std::set<Density> density = {};
  std::set<OperatorRule> operation = {};
  std::set<Order> order = {};
  std::set<Skip> skip = {};
  std::set<CoordinateRule> coordinates = {};
  std::set<NewPointRule> new_point = {};
};

template <class E>
std::set<E> all_values() {
  std::set<E> values;
  for (const auto& [value, name] : enum_names(E{})) values.insert(value);
  return values;
}

/// Of a graph: the formula of new points must be that of the operator's eigenvalues.
std::set<OperatorRule> operators_for(NewPointRule rule) {
  switch (rule) {
    case NewPointRule::Unnormalized: return {OperatorRule::Laplacian};
    case NewPointRule::Markov: return {OperatorRule::Markov};
    default: return {OperatorRule::RandomWalkLaplacian, OperatorRule::SymmetricLaplacian, OperatorRule::Markov};
  }
}
std::set<NewPointRule> new_points_for(OperatorRule operation) {
  if (operation == OperatorRule::Laplacian) return {NewPointRule::Unnormalized};
  std::set<NewPointRule> rules{NewPointRule::RandomWalk, NewPointRule::Symmetric};
  if (operation == OperatorRule::Markov) rules.insert(NewPointRule::Markov);
  return rules;
}

FreeCells free_cells(const Recipe& row) {
  FreeCells cells{.density = {Density::Keep},
                  .order = all_values<Order>(),
                  .skip = all_values<Skip>(),
                  .coordinates = all_values<CoordinateRule>()};
  switch (row.method) {
    case SpectralMethod::ClassicalMds:
    case SpectralMethod::Isomap:
    case SpectralMethod::KernelPca:
      cells.operation = {OperatorRule::Centered};
      cells.order = {Order::Largest};
      cells.skip = {Skip::None};
      cells.new_point = {NewPointRule::Centered};
      return cells;
    case SpectralMethod::Lle:
    case SpectralMethod::Mlle:
    case SpectralMethod::Hlle:
    case SpectralMethod::Ltsa:
      cells.operation = {row.method == SpectralMethod::Lle ? OperatorRule::Residual : OperatorRule::AsGiven};
      cells.new_point = {NewPointRule::Weights, NewPointRule::LocalMap};
      return cells;
    default:
      cells.density = all_values<Density>();
      cells.operation = operators_for(row.new_point);
      cells.new_point = new_points_for(row.operation);
      return cells;
  }
}

/// Puts every other value into a cell of the row.
template <class E>
void flip(const Recipe& row, E Recipe::*cell, const std::set<E>& possible, const Outcome& before) {
  EXPECT_TRUE(possible.contains(row.*cell));
  for (const auto& [value, name] : enum_names(E{})) {
    if (value == row.*cell) continue;
    SCOPED_TRACE(std::string(name_of(row.method)) + " " + std::string(row.laplacian ? name_of(*row.laplacian) : "") +
                 ": '" + std::string(name_of(row.*cell)) + "' becomes '" + std::string(name) + "'");
    Recipe flipped = row;
    flipped.*cell = value;
    try {
      EXPECT_TRUE(differs(outcome_of(flipped), before)) << "nothing changes";
      EXPECT_TRUE(possible.contains(value)) << "not refused";
    } catch (const Error& error) {
      EXPECT_FALSE(possible.contains(value)) << error.what();
      EXPECT_EQ(error.kind(), ErrorKind::Unsupported) << error.what();
      EXPECT_NE(error.problem().find("'" + std::string(name) + "'"), std::string::npos) << error.what();
    }
  }
}

/// Calls f(cell of a row, its free values) for every column.
template <class F>
void for_each_column(const F& f) {
  f(&Recipe::density, &FreeCells::density);
  f(&Recipe::operation, &FreeCells::operation);
  f(&Recipe::order, &FreeCells::order);
  f(&Recipe::skip, &FreeCells::skip);
  f(&Recipe::coordinates, &FreeCells::coordinates);
  f(&Recipe::new_point, &FreeCells::new_point);
}

TEST(Table, EveryCellOfItRuns) {
  for (const Recipe& row : recipes) {
    const Outcome before = outcome_of(row);
    EXPECT_LT(relative_difference(outcome_of(row).map, before.map), 1e-12);
    EXPECT_TRUE(before.placed) << name_of(row.method);
    const FreeCells free = free_cells(row);
    for_each_column([&](auto cell, auto possible) { flip(row, cell, free.*possible, before); });
  }
}

// MDS of Euclidean points does not ask the engine, as long as its row is that of principal axes.
TEST(Table, TheShortCutOfMdsIsForItsOwnRowAlone) {
  constexpr Recipe row = recipe(SpectralMethod::ClassicalMds);
  EXPECT_TRUE(is_classical_scaling(row));
  for_each_column([&](auto cell, auto) {
    for (const auto& [value, name] : enum_names(row.*cell)) {
      Recipe flipped = row;
      flipped.*cell = value;
      EXPECT_EQ(is_classical_scaling(flipped), value == row.*cell) << name;
    }
  });
  const Array2<double> x = sheet(kPoints, 1), fresh = sheet(20, 2);
  const MethodFit fit = embed_centered_points(x, settings(), {});
  EXPECT_FALSE(differs(outcome(fit.embedding.coordinates, *fit.transformer, fresh), outcome_of(row)));
}

}  // namespace
}  // namespace unroll
