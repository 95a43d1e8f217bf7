#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "unroll/core/error.h"
#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

/// What an optimiser needs to go on, beside the data, the options and the coordinates: small enough to be in every
/// model.
struct LayoutState {
  Index iteration = 0;
  bool is_converged = false;
  std::vector<double> numbers = {};         ///< the optimiser's own
  std::vector<Array2<double>> arrays = {};  ///< the same, of the shape of the coordinates: momentum, gains
  std::vector<Array2<float>> weights = {};  ///< of a neural network, each in one row
};

/// A map that an optimiser improves iteration by iteration. Stopping and resuming does not change the result: step(10)
/// and then step(20) leave the same bits as step(20), also if its state was taken and given to another in between.
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
  /// By how much the map breaks the constraints that it is to keep; none: it has none.
  virtual std::optional<double> violation() const { return {}; }
  virtual const Array2<double>& coordinates() const = 0;
  /// What step needs to go on; a constructor of the optimiser takes it.
  virtual LayoutState state() const = 0;
};

/// Runs a layout to its end: until it has converged, or `iterations` are done in all, or the caller answers FinishHere
/// to its progress, which has the loss and the map. The warning says that it ended early.
std::optional<Warning> run_layout(Layout& layout, Index iterations, std::string_view stage, const Run& run);

}  // namespace unroll
