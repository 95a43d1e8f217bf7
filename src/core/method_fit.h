#pragma once
#include <memory>

#include "core/transformer.h"
#include "unroll/core/model.h"

namespace unroll {

/// What the steps of a method give: the map, and what places new points in it.
struct MethodFit {
  Embedding embedding = {};
  std::shared_ptr<const Transformer> transformer = {};
  std::vector<Index> labels = {};  ///< per point, of a method that finds clusters
  OptionValues chosen = {};        ///< options that the fit itself decided, by name: the solver that auto became
};

}  // namespace unroll
