#include "network/rbm.h"

#include <algorithm>
#include <cmath>

#include "core/at.h"
#include "core/parallel.h"
#include "core/random.h"
#include "simd/kernels.h"

namespace unroll {

Rbm::Rbm(const NetworkShape& shape, Index layer, Index most_rows)
    : layer_(shape.layer(layer)),
      visible_bias_(shape.mirror(layer).bias),
      has_gaussian_visible_(layer == 0 && !shape.is_binary()),
      hidden_(at(most_rows * layer_.size.out)),
      drawn_(hidden_.size()),
      rebuilt_(at(most_rows * layer_.size.in)),
      gradient_(at(layer_.size.in * layer_.size.out + layer_.size.out + layer_.size.in)) {}

double Rbm::bytes(const NetworkShape& shape, Index most_rows) {
  double most = 0;
  for (Index i = 0; i < shape.depth(); ++i) {
    const auto in = static_cast<double>(shape.layer(i).size.in), out = static_cast<double>(shape.layer(i).size.out);
    most = std::max(most, static_cast<double>(most_rows) * (2 * out + in) + in * out + out + in);
  }
  return sizeof(float) * most;
}

double Rbm::usual_rate() const {
  constexpr double kBinary = 0.1, kMostGaussian = 0.05, kShare = 0.5;  // Hinton & Salakhutdinov 2006: 0.1 and 0.001
  if (!has_gaussian_visible_ && !layer_.is_linear) return kBinary;
  return std::min(kMostGaussian, kShare / static_cast<double>(layer_.size.in));
}

void Rbm::infer(const float* visible, Index rows, const float* parameters, float* hidden, const Run& run) {
  const simd::NetworkKernels& kernels = simd::kernels().networks;
  forward_product(
      rows, layer_.size, visible, parameters + layer_.weights, hidden,
      [&](Index first, Index count) {
        const auto finish = layer_.is_linear ? kernels.add_bias : kernels.sigmoid;
        finish({rows, count, layer_.size.out}, parameters + layer_.bias + first, hidden + first);
      },
      run);
}

/// Hidden units are 1 with the probability inferred, by 16 random bits each; linear ones get noise of variance 1.
void Rbm::draw(Index rows, std::uint64_t seed, Index first, const Run& run) {
  constexpr Index kNumbers = 1 << 14, kPerWord = 4;
  constexpr std::uint64_t kMask = 0xFFFF;
  constexpr float kUnit = 0x1p-16F;
  const Random random(seed, "hidden units");
  const Index cols = layer_.size.out;
  parallel_for(run, rows, std::max<Index>(1, kNumbers / cols), [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const auto row = static_cast<std::uint64_t>(first + i);
      const float* from = hidden_.data() + i * cols;
      float* to = drawn_.data() + i * cols;
      std::uint64_t word = 0;
      for (Index j = 0; j < cols; ++j) {
        if (layer_.is_linear) {
          to[j] = from[j] + static_cast<float>(random.normal(row, static_cast<std::uint64_t>(j)));
          continue;
        }
        word = j % kPerWord == 0 ? random.bits(row, static_cast<std::uint64_t>(j / kPerWord)) : word >> 16U;
        to[j] = (static_cast<float>(word & kMask) + 0.5F) * kUnit < from[j] ? 1.0F : 0.0F;
      }
    }
  });
}

double Rbm::update(const float* visible, Index rows, const RbmRates& rates, std::uint64_t seed, Index first,
                   float* parameters, float* velocity, const Run& run) {
  const simd::NetworkKernels& kernels = simd::kernels().networks;
  const LayerSize size = layer_.size;
  const Index weights = size.in * size.out;
  const float share = 1 / static_cast<float>(rows);
  float *of_weights = gradient_.data(), *of_hidden = of_weights + weights, *of_visible = of_hidden + size.out;
  // What the data say: <v h>, with the probabilities for h.
  infer(visible, rows, parameters, hidden_.data(), run);
  weight_product(rows, size, share, visible, hidden_.data(), 0, of_weights, run);
  column_sums(rows, size.out, share, hidden_.data(), 0, of_hidden);
  column_sums(rows, size.in, share, visible, 0, of_visible);
  // What the machine makes of it in one step.
  draw(rows, seed, first, run);
  backward_product(
      rows, size, drawn_.data(), parameters + layer_.weights, rebuilt_.data(),
      [&](Index begin, Index count) {
        const auto finish = has_gaussian_visible_ ? kernels.add_bias : kernels.sigmoid;
        finish({rows, count, size.in}, parameters + visible_bias_ + begin, rebuilt_.data() + begin);
      },
      run);
  infer(rebuilt_.data(), rows, parameters, hidden_.data(), run);
  weight_product(rows, size, -share, rebuilt_.data(), hidden_.data(), 1, of_weights, run);
  column_sums(rows, size.out, -share, hidden_.data(), 1, of_hidden);
  column_sums(rows, size.in, -share, rebuilt_.data(), 1, of_visible);
  const double squares = kernels.difference(rows * size.in, visible, rebuilt_.data(), 1, rebuilt_.data());
  const auto move = [&](float decay, Index count, const float* gradient, Index place) {
    kernels.momentum(rates.momentum, rates.rate, decay, count, gradient, velocity + place, parameters + place);
  };
  move(rates.decay, weights, of_weights, layer_.weights);
  move(0, size.out, of_hidden, layer_.bias);
  move(0, size.in, of_visible, visible_bias_);
  return squares;
}

double Rbm::free_energy(const float* visible, Index rows, const float* parameters, const Run& run) {
  const float *hidden_bias = parameters + layer_.bias, *visible_bias = parameters + visible_bias_;
  forward_product(
      rows, layer_.size, visible, parameters + layer_.weights, hidden_.data(), [](Index, Index) {}, run);
  double sum = 0;
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < layer_.size.in; ++j) {
      const double v = visible[i * layer_.size.in + j], c = visible_bias[j];
      sum += has_gaussian_visible_ ? 0.5 * (v - c) * (v - c) : -c * v;
    }
    for (Index j = 0; j < layer_.size.out; ++j) {
      const double a = static_cast<double>(hidden_[at(i * layer_.size.out + j)]) + static_cast<double>(hidden_bias[j]);
      // log of the integral of exp(a h - h^2 / 2) without a constant, or log(1 + exp(a)).
      sum -= layer_.is_linear ? 0.5 * a * a : std::max(a, 0.0) + std::log1p(std::exp(-std::abs(a)));
    }
  }
  return sum / static_cast<double>(rows);
}

}  // namespace unroll
