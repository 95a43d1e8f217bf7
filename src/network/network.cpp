#include "network/network.h"

#include <algorithm>
#include <cmath>

#include "core/at.h"
#include "core/random.h"
#include "simd/kernels.h"

namespace unroll {

NetworkShape::NetworkShape(std::vector<Index> sizes, bool is_binary) : sizes_(std::move(sizes)), is_binary_(is_binary) {
  const auto add = [&](Index in, Index out, bool is_linear) {
    layers_.push_back({{in, out}, is_linear, parameters_, parameters_ + in * out});
    parameters_ += in * out + out;
  };
  for (std::size_t i = 0; i + 1 < sizes_.size(); ++i) add(sizes_[i], sizes_[i + 1], i + 2 == sizes_.size());
  for (std::size_t i = sizes_.size() - 1; i > 0; --i) add(sizes_[i], sizes_[i - 1], i == 1 && !is_binary_);
}

double NetworkShape::operations() const {
  double sum = 0;
  for (const NetworkLayer& layer : layers_)
    sum += static_cast<double>(layer.size.in) * static_cast<double>(layer.size.out);
  return sum;
}

std::vector<float> start_parameters(const NetworkShape& shape, std::uint64_t seed) {
  std::vector<float> parameters(static_cast<std::size_t>(shape.parameters()));
  const Random random(seed, "network start");
  for (Index i = 0; i < shape.depth(); ++i) {
    const NetworkLayer& layer = shape.layer(i);
    const double deviation = 1 / std::sqrt(static_cast<double>(layer.size.in));
    float* weights = parameters.data() + layer.weights;
    for (Index w = 0; w < layer.size.in * layer.size.out; ++w)
      weights[w] =
          static_cast<float>(deviation * random.normal(static_cast<std::uint64_t>(w), static_cast<std::uint64_t>(i)));
    mirror_weights(shape, i, parameters.data());
  }
  return parameters;
}

void mirror_weights(const NetworkShape& shape, Index i, float* parameters) {
  const NetworkLayer& layer = shape.layer(i);
  const float* from = parameters + layer.weights;
  float* to = parameters + shape.mirror(i).weights;
  for (Index a = 0; a < layer.size.in; ++a)
    for (Index b = 0; b < layer.size.out; ++b) to[b * layer.size.in + a] = from[a * layer.size.out + b];
}

NetworkPass::NetworkPass(const NetworkShape& shape, Index most_rows) : shape_(&shape) {
  const auto numbers = [&](Index units) { return static_cast<std::size_t>(most_rows * units); };
  values_.emplace_back(numbers(shape.features()));
  for (Index i = 0; i < shape.layers(); ++i) values_.emplace_back(numbers(shape.layer(i).size.out));
  const Index widest = *std::max_element(shape.sizes().begin(), shape.sizes().end());
  errors_.resize(numbers(widest));
  next_errors_.resize(numbers(widest));
}

double NetworkPass::bytes(const NetworkShape& shape, Index most_rows) {
  Index units = shape.features() + 2 * *std::max_element(shape.sizes().begin(), shape.sizes().end());
  for (Index i = 0; i < shape.layers(); ++i) units += shape.layer(i).size.out;
  return sizeof(float) * static_cast<double>(units) * static_cast<double>(most_rows);
}

void NetworkPass::forward(const float* parameters, Index rows, Index until, const Run& run) {
  const simd::NetworkKernels& kernels = simd::kernels().networks;
  for (Index i = 0; i < until; ++i) {
    const NetworkLayer& layer = shape_->layer(i);
    const float* bias = parameters + layer.bias;
    float* y = values_[at(i + 1)].data();
    forward_product(
        rows, layer.size, values_[at(i)].data(), parameters + layer.weights, y,
        [&](Index first, Index count) {
          const auto finish = layer.is_linear ? kernels.add_bias : kernels.sigmoid;
          finish({rows, count, layer.size.out}, bias + first, y + first);
        },
        run);
  }
}

double NetworkPass::squared_error(Index rows) {
  return simd::kernels().networks.difference(rows * shape_->features(), values_.front().data(), values_.back().data(),
                                             1, errors_.data());
}

double NetworkPass::backward(const float* parameters, Index rows, float* gradient, const Run& run) {
  const simd::NetworkKernels& kernels = simd::kernels().networks;
  const double squares = kernels.difference(rows * shape_->features(), values_.front().data(), values_.back().data(),
                                            1 / static_cast<float>(rows), errors_.data());
  if (!shape_->layer(shape_->layers() - 1).is_linear)
    kernels.times_slope({rows, shape_->features(), shape_->features()}, values_.back().data(), errors_.data());
  for (Index i = shape_->layers() - 1; i >= 0; --i) {
    const NetworkLayer& layer = shape_->layer(i);
    const float* x = values_[at(i)].data();
    weight_product(rows, layer.size, 1, x, errors_.data(), 0, gradient + layer.weights, run);
    column_sums(rows, layer.size.out, 1, errors_.data(), 0, gradient + layer.bias);
    if (i == 0) break;
    backward_product(
        rows, layer.size, errors_.data(), parameters + layer.weights, next_errors_.data(),
        [&](Index first, Index count) {
          if (!shape_->layer(i - 1).is_linear)
            kernels.times_slope({rows, count, layer.size.in}, x + first, next_errors_.data() + first);
        },
        run);
    std::swap(errors_, next_errors_);
  }
  return squares;
}

}  // namespace unroll
