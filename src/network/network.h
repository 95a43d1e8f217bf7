#pragma once
#include <cstdint>
#include <vector>

#include "network/batch_products.h"

namespace unroll {

/// One layer: y = f(x W + b), with f a sigmoid unless it is linear.
struct NetworkLayer {
  LayerSize size = {};
  bool is_linear = false;
  Index weights = 0;  ///< where W begins among the parameters of the network, row after row
  Index bias = 0;     ///< where b begins
};

/// An autoencoder: layers that narrow down to the code, and their mirror images back to the features. The code is
/// linear, hidden layers are sigmoids, and so is the last layer if the features are binary units. All parameters are in
/// one list.
class NetworkShape {
 public:
  /// `sizes`: the features, the hidden layers, the code.
  NetworkShape(std::vector<Index> sizes, bool is_binary);

  const std::vector<Index>& sizes() const { return sizes_; }
  bool is_binary() const { return is_binary_; }
  Index features() const { return sizes_.front(); }
  Index code() const { return sizes_.back(); }
  /// Layers of the encoder; the decoder has as many.
  Index depth() const { return std::ssize(sizes_) - 1; }
  Index layers() const { return 2 * depth(); }
  const NetworkLayer& layer(Index i) const { return layers_[static_cast<std::size_t>(i)]; }
  /// The layer of the decoder that undoes layer i of the encoder.
  const NetworkLayer& mirror(Index i) const { return layer(layers() - 1 - i); }
  Index parameters() const { return parameters_; }
  /// Multiplications and additions of one pass of one point through all layers.
  double operations() const;

 private:
  std::vector<Index> sizes_;
  bool is_binary_;
  std::vector<NetworkLayer> layers_;
  Index parameters_ = 0;
};

/// W normal of variance 1 / inputs, so that sums of many inputs do not saturate the sigmoids; b = 0; the decoder
/// mirrors the encoder.
std::vector<float> start_parameters(const NetworkShape& shape, std::uint64_t seed);
/// Makes W of the mirror image of layer i the transpose of W of the layer.
void mirror_weights(const NetworkShape& shape, Index i, float* parameters);

/// A batch on its way through the network.
class NetworkPass {
 public:
  NetworkPass(const NetworkShape& shape, Index most_rows);
  /// Bytes that a pass of so many rows takes.
  static double bytes(const NetworkShape& shape, Index most_rows);

  /// The batch: rows of features.
  float* input() { return values_.front().data(); }
  /// The outputs of layer i.
  const float* output(Index i) const { return values_[static_cast<std::size_t>(i) + 1].data(); }
  const float* code() const { return output(shape_->depth() - 1); }

  /// Computes the outputs of the layers before `until`.
  void forward(const float* parameters, Index rows, Index until, const Run& run);
  /// After forward through all layers: the sum of the squared errors of the reconstruction.
  double squared_error(Index rows);
  /// The same, and the gradient of squared_error / (2 rows) by all parameters (Rumelhart, Hinton & Williams 1986).
  double backward(const float* parameters, Index rows, float* gradient, const Run& run);

 private:
  const NetworkShape* shape_;
  std::vector<std::vector<float>> values_;  ///< the input and the outputs of all layers
  std::vector<float> errors_, next_errors_;
};

}  // namespace unroll
