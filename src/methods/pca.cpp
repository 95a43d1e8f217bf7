#include "unroll/methods/pca.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/memory.h"
#include "core/text.h"
#include "eigen/explained_variance.h"
#include "eigen/minka_dimension.h"
#include "frame/frame.h"
#include "linalg/linear_projection.h"

namespace unroll {
namespace {

/// The likelihood is that of all eigenvalues of a covariance of full rank.
void check_likelihood(const Input& input, const PcaOptions& options) {
  const auto refuse = [](std::string problem, std::string advice) {
    throw Error(ErrorKind::InvalidOption,
                {.problem = std::move(problem), .advice = std::move(advice), .option = "dimension"});
  };
  if (input.size() < input.columns())
    refuse(fmt::format("dimension=mle needs at least as many points as features ({}, {})",
                       counted(input.size(), "point"), counted(input.columns(), "feature")),
           "use dimension=given");
  if (options.solver == AxesSolver::Randomized)
    refuse("dimension=mle needs all eigenvalues, which solver=randomized does not find", "use solver=auto");
  if (!options.n_components.is_count())
    refuse("dimension=mle chooses the number of coordinates, but n_components is a fraction", "leave one of them out");
}

void resolve(const Input& input, PcaOptions& options) {
  const Index most = std::min(input.size(), input.columns());
  if (options.dimension == PcaDimension::Mle) check_likelihood(input, options);
  if (options.n_components.number() <= static_cast<double>(most)) return;
  throw Error(ErrorKind::InvalidOption,
              {.problem = fmt::format("n_components={} must be at most min(n_samples, n_features)={} ({}, {})",
                                      options.n_components.count(), most, counted(input.size(), "sample"),
                                      counted(input.columns(), "feature")),
               .advice = "use a smaller n_components",
               .option = "n_components"});
}

/// What is taken beside the solver's own, which plans for itself.
void plan(PointsView points, const PcaOptions& options, const Run& run) {
  const auto n = static_cast<double>(points.rows()), d = static_cast<double>(points.cols());
  const double axes = options.n_components.is_count() ? options.n_components.number() : std::min(n, d);
  MemoryPlan()
      .add("the coordinates", n, axes, sizeof(double))
      .add("the axes", axes, d, 2 * sizeof(double))
      .require(run, "use a smaller n_components");
}

/// What takes the projection on each axis to the coordinate.
std::vector<double> factors(const PrincipalAxes& axes, const PcaOptions& options, double scale, Index n) {
  std::vector<double> factor(static_cast<std::size_t>(axes.axes.rows()), 1 / scale);
  if (!options.whiten) return factor;
  for (std::size_t k = 0; k < factor.size(); ++k)
    factor[k] = axes.values[k] > 0 ? std::sqrt(static_cast<double>(n - 1) / axes.values[k]) : 0;
  return factor;
}

MethodFit map(const Input& input, const PcaOptions& options, const Run& run) {
  plan(input.full(), options, run);
  // 1. Centre the points.
  const CenteredPoints z = centered(input.full(), run);
  // 2. The eigenvectors of their covariance of the largest eigenvalues.
  PrincipalAxes axes = principal_axes(z, {options.n_components.number()}, options.solver,
                                      static_cast<std::uint64_t>(options.random_state), run);
  if (options.dimension == PcaDimension::Mle) keep_leading(minka_dimension(axes.values, z.rows()), axes);
  const auto components = std::make_shared<const Array2<double>>(axes.axes);
  // 3. Coordinates are the projections on these axes, and so are those of new points.
  auto projection = std::make_shared<const LinearProjection>(
      LinearProjection::Parts{z.scale, z.center, components, factors(axes, options, z.scale, z.rows())});
  const ExplainedVariance variance = explained_variance(axes, z.scale, z.rows());
  return {
      .embedding = {.coordinates = projection->transform(input.full(), run),
                    .spectrum = {.values = variance.explained,
                                 .residuals = axes.residuals,
                                 .iterations = axes.iterations,
                                 .solver = std::string(name_of(axes.solver))},
                    .warnings = axes_warnings(axes, variance),
                    .attributes = report_axes(axes, z, variance, components)},
      .transformer = projection,
      .chosen = {{"solver", std::string(name_of(axes.solver))}, {"n_components", std::int64_t{components->rows()}}}};
}

}  // namespace

Model pca(const Input& input, const PcaOptions& options, const Run& run) {
  return run_method<PcaOptions>({.resolve = resolve, .map = map}, input, options, run);
}

}  // namespace unroll
