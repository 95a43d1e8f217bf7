#pragma once
#include <optional>
#include <string_view>

#include "unroll/core/error.h"
#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

class ArchiveWriter;

/// A map that an optimiser improves iteration by iteration. Stopping and resuming does not change the result: step(10)
/// and then step(20) leave the same bits as step(20), also when it was saved and loaded in between.
class Layout {
 public:
  Layout() = default;
  Layout(const Layout&) = delete;
  Layout& operator=(const Layout&) = delete;
  virtual ~Layout() = default;

  /// Goes on until so many iterations are done in all; fewer where it has converged. Throws Error(Cancelled) with the
  /// map of the last whole iteration left in place.
  virtual void step(Index until, const Run& run) = 0;
  virtual bool is_converged() const = 0;
  virtual Index iteration() const = 0;
  virtual double loss() const = 0;
  virtual const Array2<double>& coordinates() const = 0;
  /// All that step needs to go on. The optimiser's own `load` reads it.
  virtual void save(ArchiveWriter& archive) const = 0;
};

/// Runs a layout to its end: until it has converged, or `iterations` are done in all, or the caller answers FinishHere
/// to its progress, which has the loss and the map. The warning says that it ended early.
std::optional<Warning> run_layout(Layout& layout, Index iterations, std::string_view stage, const Run& run);

}  // namespace unroll
