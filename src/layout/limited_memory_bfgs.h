#pragma once
#include <cstddef>
#include <functional>
#include <vector>

#include "unroll/core/types.h"

namespace unroll {

/// The sum of the products of all entries.
double inner(const Array2<double>& a, const Array2<double>& b);
/// a += factor * b
void add_times(Array2<double>& a, double factor, const Array2<double>& b);

/// Limited-memory BFGS (Nocedal 1980): what the last steps say about the curvature of a function.
class LimitedMemoryBfgs {
 public:
  /// A step that was made, and by how much it has changed the gradient.
  struct Curvature {
    Array2<double> step, change;
    double product = 0;  ///< step . change
  };
  /// Divides by a first guess of the curvature.
  using FirstGuess = std::function<void(Array2<double>& gradient)>;

  explicit LimitedMemoryBfgs(std::size_t most = 5) : most_(most) {}

  bool empty() const { return memory_.empty(); }
  void clear() { memory_.clear(); }
  const std::vector<Curvature>& memory() const { return memory_; }

  /// Keeps a step, unless its curvature is not positive, or lost in rounding: that would spoil the direction.
  void add(Array2<double> step, Array2<double> change);
  /// Puts back a step that was kept before.
  void restore(Array2<double> step, Array2<double> change);

  /// The two loops: minus the gradient times an inverse of the curvature that explains the last changes of the
  /// gradient. The first guess is scaled by the last step. There must be a step.
  Array2<double> direction(const Array2<double>& gradient, const FirstGuess& divide) const;

 private:
  std::size_t most_;                    ///< steps that are kept
  std::vector<Curvature> memory_ = {};  ///< oldest first
};

}  // namespace unroll
