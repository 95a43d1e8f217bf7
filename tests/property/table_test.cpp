// THE TABLE runs: every cell of it, replaced by another value, changes the map or the places of new points, or is
// refused in words.
#include <gtest/gtest.h>

#include <iostream>

#include "affinity/affinity.h"
#include "affinity/alignment_fits.h"
#include "affinity/distance_rows.h"
#include "affinity/geodesic_rows.h"
#include "affinity/kernel_rows.h"
#include "core/random.h"
#include "neighbors/distance_matrix.h"
#include "sources/graph_model.h"
#include "sources/local_model.h"
#include "sources/matrix_source.h"
#include "sources/path_source.h"
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
  Array2<double> placed;
};

SpectralSettings settings() { return {.n_components = 2, .alpha = 1, .time = 2, .separate = true}; }

Outcome placed_by(const Source& source, std::shared_ptr<const SourceRows> rows, const Recipe& row,
                  const Array2<double>& fresh) {
  SpectralFit fit = embed(row, source, settings(), {});
  const SpectralTransformer transformer(TransformKind::Exact, std::move(rows), std::move(fit.placing));
  return {std::move(fit.coordinates), transformer.transform(fresh, {})};
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
  AffinityFit affinity =
      make_affinity(x, {.neighbors = {.n_neighbors = kNeighbors}, .unit_diagonal = row.density == Density::Divide}, {});
  const MethodFit fit = fit_graph(row, std::move(affinity), settings(), false, {});
  return {fit.embedding.coordinates, fit.transformer->transform(fresh, {})};
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
  LocalRequest request{.settings = settings(), .of_weights = of_weights};
  const MethodFit fit = fit_local(row, fits, std::move(data), std::move(request), {});
  return {fit.embedding.coordinates, fit.transformer->transform(fresh, {})};
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

struct Count {
  int cells = 0;
  int changed = 0;
  int refused = 0;
};

/// Puts every other value into a cell of the row.
template <class E>
void flip(const Recipe& row, E Recipe::*cell, const Outcome& before, Count& count) {
  ++count.cells;
  for (const auto& [value, name] : enum_names(E{})) {
    if (value == row.*cell) continue;
    SCOPED_TRACE(std::string(name_of(row.method)) + " " + std::string(name_of(row.variant)) + ": '" +
                 std::string(name_of(row.*cell)) + "' becomes '" + std::string(name) + "'");
    Recipe flipped = row;
    flipped.*cell = value;
    try {
      const Outcome after = outcome_of(flipped);
      const bool changes =
          relative_difference(after.map, before.map) > 1e-6 || relative_difference(after.placed, before.placed) > 1e-6;
      EXPECT_TRUE(changes) << "nothing changes";
      ++count.changed;
    } catch (const Error& error) {
      const std::string message = error.what();
      const bool in_words = error.kind() == ErrorKind::Unsupported ? message.find(name) != std::string::npos
                                                                   : error.kind() == ErrorKind::InvalidData;
      EXPECT_TRUE(in_words) << message;
      ++count.refused;
    }
  }
}

TEST(Table, EveryCellOfItRuns) {
  Count count;
  for (const Recipe& row : recipes) {
    const Outcome before = outcome_of(row);
    EXPECT_LT(relative_difference(outcome_of(row).map, before.map), 1e-12);
    flip(row, &Recipe::density, before, count);
    flip(row, &Recipe::operation, before, count);
    flip(row, &Recipe::order, before, count);
    flip(row, &Recipe::skip, before, count);
    flip(row, &Recipe::coordinates, before, count);
    flip(row, &Recipe::new_point, before, count);
  }
  EXPECT_EQ(count.cells, static_cast<int>(6 * recipes.size()));
  std::cout << count.cells << " cells, " << count.changed << " other values change something, " << count.refused
            << " are refused\n";
}

}  // namespace
}  // namespace unroll
