#include "core/option_groups.h"
#include "unroll/graph/weighted_graph.h"

namespace unroll {

OptionFields WeightedGraphOptions::fields() {
  using O = WeightedGraphOptions;
  return joined_fields({
      edge_fields<O>(),
      weight_fields<O>(),
      {field<&O::loops>("loops", any_value(),
                        "An edge of weight 1 from every point to itself, as in diffusion maps; of given weights: keep "
                        "theirs.")},
      metric_fields<O>(),
      components_fields<O>("What becomes of a graph in several parts: separate is the same as keep here."),
      common_fields<O>("Seed of solvers and approximate search."),
  });
}

}  // namespace unroll
