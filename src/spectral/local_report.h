#pragma once
#include <optional>
#include <string>
#include <vector>

#include "spectral/local_embedding.h"
#include "spectral/part_map.h"

namespace unroll {

/// What is worth telling of the maps of all parts: of warnings one per code, that of the first part which has it.
class LocalReport {
 public:
  explicit LocalReport(const LocalSettings& settings) : settings_(settings) {}

  /// `component` is its number where every component has a map of its own; parts come the largest first.
  void add(const PartMap& map, const Part& part, std::optional<Index> component);

  /// Diagnostics solvers_tried, factor_gib (the largest), landmarks (of all parts), landmark_error (the worst), and the
  /// warnings.
  void write(Embedding& embedding) const;

 private:
  struct Finding {
    Warning warning;
    std::optional<Index> component;
    Index points;
    Index others;
  };
  std::vector<Warning> warnings_of(const PartMap& map, const Part& part) const;

  const LocalSettings& settings_;
  std::vector<Finding> findings_;
  std::vector<std::string> tried_;
  std::optional<double> factor_gib_;
  std::vector<Index> landmarks_;
  std::optional<double> landmark_error_;
};

}  // namespace unroll
