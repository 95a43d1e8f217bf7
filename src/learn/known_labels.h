#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "unroll/neighbors/components.h"

namespace unroll {

/// What is known of the points before a fit.
struct KnownLabels {
  std::vector<std::int64_t> classes = {};  ///< ascending
  std::vector<Index> places = {};          ///< of every point the place of its class among them; -1: unknown

  Index known() const;  ///< points with a label
};
KnownLabels known_labels(std::span<const std::int64_t> labels);

/// Per component, whether one of its points has a label.
std::vector<char> labeled_components(const KnownLabels& known, const Components& components);

/// The points that labels can reach and whose class is to be found; with `all` also those that have a label.
std::vector<Index> reached_points(const KnownLabels& known, const Components& components, bool all);

}  // namespace unroll
