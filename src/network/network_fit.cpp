#include "network/network_fit.h"

#include <algorithm>
#include <numeric>

#include "core/memory.h"
#include "eigen/explained_variance.h"
#include "eigen/principal_axes.h"
#include "network/network_transformer.h"

namespace unroll {
namespace {

/// The part of the variance that PCA with so many numbers does not give back.
double left_by_axes(const PrincipalAxes& axes) {
  if (axes.total == 0) return 0;
  const double held = std::accumulate(axes.values.begin(), axes.values.begin() + axes.axes.rows(), 0.0);
  return std::max(0.0, 1 - held / axes.total);
}

/// A row per machine, a column per epoch; epochs that were not reached are 0.
std::shared_ptr<const Array2<double>> energies(const NetworkTraining& training, Index machines) {
  const Index epochs = training.pretraining() / machines;
  Array2<double> table(machines, epochs);
  const std::vector<double>& said = training.history().free_energy;
  std::copy(said.begin(), said.end(), table.data());
  return std::make_shared<const Array2<double>>(std::move(table));
}

}  // namespace

void plan_network(const NetworkShape& shape, Index points, const TrainingPlan& plan, const Run& run) {
  const auto n = static_cast<double>(points);
  MemoryPlan()
      .add("the visible units", n, static_cast<double>(shape.features()), sizeof(float))
      .add("the network", NetworkTraining::bytes(shape, points, plan), 1, 1)
      .add("the network in double precision", static_cast<double>(shape.parameters()), 1, sizeof(double))
      .require(run, "use smaller layers, or fewer points");
}

MethodFit network_fit(NetworkTraining& training, const NetworkShape& shape, const CenteredPoints& z,
                      const UnitMap& units, std::uint64_t seed, const Run& run) {
  const Index n = z.rows(), numbers = std::min({shape.code(), n, z.cols()});
  const PrincipalAxes axes = principal_axes(z, {static_cast<double>(numbers)}, AxesSolver::Auto, seed, run);
  const ExplainedVariance variance = explained_variance(axes, z.scale, n);
  const double total = variance.total * static_cast<double>(n - 1) / static_cast<double>(n);
  MethodFit fit{.transformer = std::make_shared<const NetworkTransformer>(shape, units, training.state())};
  const TrainingHistory& history = training.history();
  fit.embedding.attributes = {{"n_iter", std::int64_t{std::ssize(history.training)}},
                              {"reconstruction_error", training.unexplained(run) * total},
                              {"pca_error", left_by_axes(axes) * total},
                              {"variance_unit", variance.unit},
                              {"training_loss", history.training},
                              {"held_out_loss", history.held_out},
                              {"free_energy", energies(training, shape.depth())},
                              {"n_held_out", std::int64_t{training.held_out()}}};
  if (units.total == 0)
    fit.embedding.warnings.push_back(
        {"equal-points", "all points are equal: there is nothing to learn", "check the input"});
  return fit;
}

}  // namespace unroll
