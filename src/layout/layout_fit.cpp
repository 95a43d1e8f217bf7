#include "layout/layout_fit.h"

#include "core/owned_points.h"
#include "layout/layout_transformer.h"
#include "unroll/core/error.h"

namespace unroll {

MethodFit layout_fit(Layout& layout, const Input& input, const LayoutPlan& plan, const Run& run) {
  const std::optional<Warning> early = run_layout(layout, plan.iterations, plan.stage, run);
  MethodFit fit{
      .embedding = {.coordinates = layout.coordinates(), .attributes = {{"n_iter", std::int64_t{layout.iteration()}}}}};
  for (auto& attribute : plan.report(layout.coordinates())) fit.embedding.attributes.push_back(std::move(attribute));
  if (early) fit.embedding.warnings.push_back(*early);
  const auto map = std::make_shared<const Array2<double>>(layout.coordinates());
  LayoutTransformer::Parts parts{
      .search = plan.search, .map = map, .state = layout.state(), .placer = plan.placer(map)};
  if (input.has_points()) {
    parts.points = copied(input.full());
  } else {
    parts.nearest = *plan.nearest;
  }
  fit.transformer = std::make_shared<const LayoutTransformer>(std::move(parts));
  return fit;
}

const LayoutState& resumed_state(const Model& model) {
  const LayoutState* state = model.transformer()->layout_state();
  if (state == nullptr)
    throw Error(ErrorKind::Unsupported, "the model to go on from was not made by an optimiser",
                "give a model that this method has saved");
  return *state;
}

}  // namespace unroll
