#pragma once
#include <memory>

#include "core/transformer.h"
#include "unroll/core/model.h"

namespace unroll {

/// The result of a method's steps: the map, and the transformer that places new points in it.
struct MethodFit {
  Embedding embedding = {};
  std::shared_ptr<const Transformer> transformer = {};
  std::vector<Index> labels = {};  ///< per point, if the method finds clusters or classes
  OptionValues chosen = {};        ///< options that the fit itself decided, such as the solver for auto
};

}  // namespace unroll
