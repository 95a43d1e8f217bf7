#pragma once
#include <vector>

#include "unroll/core/error.h"
#include "unroll/core/types.h"

namespace unroll {

/// Collects the warnings of several components: for every code the warning of the first component that has it.
class ComponentWarnings {
 public:
  void add(const std::vector<Warning>& warnings, Index component, Index points);
  /// Every warning names its component and the number of other components that have it.
  void write(std::vector<Warning>& out) const;

 private:
  struct Finding {
    Warning warning;
    Index component;
    Index points;
    Index others;
  };
  std::vector<Finding> findings_;
};

}  // namespace unroll
