#pragma once
#include <vector>

#include "unroll/core/error.h"
#include "unroll/core/types.h"

namespace unroll {

/// What is worth saying of several components: of every code the warning of the first component that has it.
class ComponentWarnings {
 public:
  void add(const std::vector<Warning>& warnings, Index component, Index points);
  /// Each with the component that it is about, and how many others it would be about.
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
