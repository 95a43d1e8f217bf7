#pragma once
#include <cstdint>
#include <vector>

#include "network/network.h"

namespace unroll {

/// How far one update of a restricted Boltzmann machine goes.
struct RbmRates {
  float rate = 0.1F;
  float momentum = 0.5F;
  float decay = 0;  ///< of weights, not of biases
};

/// Layer i of the encoder as a restricted Boltzmann machine: its inputs are the visible units v, its outputs the hidden
/// units h, with E(v, h) = -v'Wh - b'h - c'v; for Gaussian units a half of their square is added, of v around c. The
/// bias c is that of the layer's mirror image in the decoder.
class Rbm {
 public:
  Rbm(const NetworkShape& shape, Index layer, Index most_rows);

  /// One update by contrastive divergence (Hinton 2002), from a batch of visible units: the hidden units are drawn
  /// once, the visible units are rebuilt from them. `velocity` has the places of the parameters. `seed` and `first`,
  /// the place of the batch in its epoch, name the random numbers. Returns the sum of the squared errors of the rebuilt
  /// units.
  double update(const float* visible, Index rows, const RbmRates& rates, std::uint64_t seed, Index first,
                float* parameters, float* velocity, const Run& run);
  /// The mean of F(v) = -log sum over h of exp(-E(v, h)).
  double free_energy(const float* visible, Index rows, const float* parameters, const Run& run);

  /// The rate that is right for its units: Gaussian ones have no bound, and every input adds to how far they move.
  double usual_rate() const;
  static double bytes(const NetworkShape& shape, Index most_rows);

 private:
  void infer(const float* visible, Index rows, const float* parameters, float* hidden, const Run& run);
  void draw(Index rows, std::uint64_t seed, Index first, const Run& run);

  NetworkLayer layer_;
  Index visible_bias_;
  bool has_gaussian_visible_;
  std::vector<float> hidden_, drawn_, rebuilt_;
  std::vector<float> gradient_;  ///< of W, then of b, then of c
};

}  // namespace unroll
