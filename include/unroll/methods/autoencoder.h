#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "unroll/core/input.h"
#include "unroll/core/model.h"
#include "unroll/core/options.h"
#include "unroll/data/scaling.h"
#include "unroll/network/visible_units.h"

namespace unroll {

struct AutoencoderOptions {
  static constexpr std::string_view method_name = "autoencoder";
  static constexpr Index min_points = 2;
  static constexpr std::array input_kinds{InputKind::Points};
  static constexpr std::string_view iterations_option = "epochs";

  std::int64_t n_components = 2;
  std::optional<std::vector<std::int64_t>> layers = {};
  VisibleUnits visible = VisibleUnits::Auto;
  std::optional<std::int64_t> epochs = {};
  std::optional<std::int64_t> pretrain_epochs = {};
  std::optional<std::int64_t> batch_size = {};
  std::optional<double> learning_rate = {};
  std::optional<double> pretrain_rate = {};
  double weight_decay = 2e-4;
  double held_out = 0.1;
  Scaling scale = Scaling::None;
  std::optional<std::int64_t> pca = {};
  std::int64_t random_state = 0;

  UNROLL_API static OptionFields fields();
};

/// An autoencoder (Hinton & Salakhutdinov 2006): a network that writes every point as a code of n_components numbers,
/// and reads it back with a small squared error. Its layers are first trained one by one as restricted Boltzmann
/// machines, then together by back-propagation. New points: transform is the encoder, inverse_transform the decoder.
/// Input::resume is a model to go on from. Attributes: n_iter, the epochs of fine-tuning done; reconstruction_error,
/// the mean squared distance of a point from what its code gives back, and pca_error, the same of PCA with as many
/// numbers, both of the data times variance_unit; training_loss and held_out_loss, per epoch of fine-tuning in parts of
/// the variance; free_energy, a row per machine and a column per epoch of pre-training; n_held_out.
UNROLL_API Model autoencoder(const Input& input, const AutoencoderOptions& options = {}, const Run& run = {});

}  // namespace unroll
