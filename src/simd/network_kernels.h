#pragma once
#include "unroll/core/types.h"

/// Loops over the units of a neural network. Like all of src/simd it exists once per instruction set.
namespace unroll::simd {

/// Part of a batch: `rows` points, `stride` numbers apart, and `cols` units of each.
struct UnitBlock {
  Index rows;
  Index cols;
  Index stride;
};

/// A step of Adam (Kingma & Ba 2015), with the small number under the root: weights -= rate * first / sqrt(second +
/// floor), after first and second have been moved towards the gradient and its square; then weights -= decay * weights.
struct AdamStep {
  float rate;
  float first_memory;   ///< beta 1
  float second_memory;  ///< beta 2
  float floor;
  float decay;
};

struct NetworkKernels {
  /// x = 1 / (1 + exp(-(x + bias))), to 2e-6.
  void (*sigmoid)(const UnitBlock& block, const float* bias, float* x);
  /// x += bias.
  void (*add_bias)(const UnitBlock& block, const float* bias, float* x);
  /// d *= y (1 - y): y is a sigmoid, d the derivative by it, and then by its argument.
  void (*times_slope)(const UnitBlock& block, const float* y, float* d);
  /// d = factor * (y - x); returns the sum of (y - x)^2.
  double (*difference)(Index count, const float* x, const float* y, float factor, float* d);
  void (*adam)(const AdamStep& step, Index count, const float* gradient, float* first, float* second, float* weights);
  /// velocity = momentum * velocity + rate * (gradient - decay * weights); weights += velocity.
  void (*momentum)(float momentum, float rate, float decay, Index count, const float* gradient, float* velocity,
                   float* weights);
};

}  // namespace unroll::simd
