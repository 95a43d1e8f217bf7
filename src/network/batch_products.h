#pragma once
#include <functional>

#include "unroll/core/run.h"
#include "unroll/core/types.h"

/// Products of a batch with the weights of a layer. A batch has a row per point; weights have a row per input and a
/// column per output. The result is cut into blocks by its size alone, and every block is one product on one thread:
/// the bits do not depend on the number of threads.
namespace unroll {

struct LayerSize {
  Index in = 0;
  Index out = 0;
};

/// What is done with the columns [first, first + count) of a result, on the thread that computed them.
using FinishColumns = std::function<void(Index first, Index count)>;

/// y = x W: from the inputs of a layer to its outputs.
void forward_product(Index rows, LayerSize size, const float* x, const float* weights, float* y,
                     const FinishColumns& finish, const Run& run);
/// x = y W^T: from the outputs back to the inputs.
void backward_product(Index rows, LayerSize size, const float* y, const float* weights, float* x,
                      const FinishColumns& finish, const Run& run);
/// result = alpha x^T y + beta result, of the shape of the weights.
void weight_product(Index rows, LayerSize size, float alpha, const float* x, const float* y, float beta, float* result,
                    const Run& run);
/// result = alpha * (sum over the rows of x) + beta * result.
void column_sums(Index rows, Index cols, float alpha, const float* x, float beta, float* result);

}  // namespace unroll
