#pragma once
#include <functional>
#include <memory>
#include <string_view>

#include "core/method_fit.h"
#include "layout/layout.h"
#include "layout/point_placer.h"
#include "unroll/core/input.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {

/// What is beside an optimiser to make a fit of it.
struct LayoutPlan {
  Index iterations = 0;
  std::string_view stage = {};
  /// What is reported of the final map; the loss has the method's own name, such as kl_divergence.
  std::function<Attributes(const Array2<double>& map)> report = {};
  NeighborOptions search = {};  ///< of the neighbours by which new points are placed
  const NeighborGraph* nearest = nullptr;
  /// Makes what places new points in the final map.
  std::function<std::shared_ptr<const PointPlacer>(std::shared_ptr<const Array2<double>> map)> placer = {};
};

/// Runs the layout to its end, and makes of it the map and the transformer. Attributes: n_iter, the iterations done,
/// and what the plan reports. A caller that answers FinishHere gets the map so far, with a warning.
MethodFit layout_fit(Layout& layout, const Input& input, const LayoutPlan& plan, const Run& run);

/// The state and the map to go on from. Throws Unsupported if the model was made by a method that does not optimise.
const LayoutState& resumed_state(const Model& model);

}  // namespace unroll
