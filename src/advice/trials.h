#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unroll/advice/advise.h"
#include "unroll/registry.h"

namespace unroll {

/// The option that says how many neighbours a method looks at: n_neighbors or perplexity; empty: it has neither.
std::string_view size_option(const Method& method);

/// What the run was given as that option, or what its method takes where nothing is said; none: there is no such
/// number.
std::optional<double> size_of(const ComparedMethod& run);

/// The map with the largest area; among equals, one that is no optimiser, and then the first. maps.size(): none has
/// one.
std::size_t best_of(const std::vector<TriedMap>& maps);

/// Maps of one set of points, each fitted once and measured.
class Trials {
 public:
  /// The view is kept.
  Trials(PointsView points, const AdviceOptions& options, const Run& run)
      : points_(points), options_(options), run_(run) {}

  /// Fits those that are not there yet; the list is one of ComparisonOptions::methods. Which methods cannot be tried is
  /// added to the notes.
  void add(const std::vector<std::string>& methods);

  const std::vector<TriedMap>& maps() const { return maps_; }
  std::vector<TriedMap> take() { return std::move(maps_); }
  const std::vector<std::string>& notes() const { return notes_; }
  /// The index of the map with this label; maps().size(): there is none.
  std::size_t find(std::string_view label) const;
  /// The agreement of a map with others (Agreement::agreement), which were fitted.
  std::vector<double> agreement(std::size_t map, const std::vector<std::size_t>& others) const;

 private:
  QualityOptions measures() const;
  void measure(std::size_t first);

  PointsView points_;
  AdviceOptions options_;
  Run run_;
  std::vector<TriedMap> maps_ = {};
  std::vector<std::string> notes_ = {};
};

}  // namespace unroll
