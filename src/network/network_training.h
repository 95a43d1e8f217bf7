#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "layout/layout.h"
#include "network/network.h"
#include "network/rbm.h"

namespace unroll {

struct TrainingPlan {
  Index batch = 100;
  Index pretrain_epochs = 10;                ///< of every restricted Boltzmann machine
  std::optional<double> pretrain_rate = {};  ///< none: the usual one of each machine
  double learning_rate = 1e-3;
  double weight_decay = 0;
  double held_out = 0.1;  ///< the part of the points that is only looked at
  std::uint64_t seed = 0;
};

/// What the epochs said. Losses are squared errors of reconstruction, in parts of the variance of the data.
struct TrainingHistory {
  std::vector<double> training = {};     ///< per epoch of fine-tuning, while the weights changed
  std::vector<double> held_out = {};     ///< the same, after the epoch; empty if nothing is held out
  std::vector<double> free_energy = {};  ///< per epoch of pre-training, one machine after the other
};

/// The training of an autoencoder (Hinton & Salakhutdinov 2006): every layer of the encoder is trained as a restricted
/// Boltzmann machine on what the layers before it make of the data; then all layers and their mirror images are tuned
/// together, by Adam on the squared error of reconstruction. Points that are held out say when to take smaller steps,
/// from the best weights so far, and when to stop. An iteration is an epoch of either phase.
class NetworkTraining final : public Layout {
 public:
  /// `visible`, a row per point, must outlive this. `total` is the sum of its variances; 0: there is nothing to learn.
  /// `from`: a state to go on from, or null. Throws InvalidData if it is none of such a network.
  NetworkTraining(const NetworkShape& shape, MatrixView<float> visible, double total, const TrainingPlan& plan,
                  const LayoutState* from);
  static double bytes(const NetworkShape& shape, Index points, const TrainingPlan& plan);

  void step(Index until, const Run& run) override;
  bool is_converged() const override { return is_converged_; }
  Index iteration() const override { return pretrained_ + tuned_; }
  double loss() const override { return loss_; }
  /// The codes of all points: of the last whole epoch, if somebody watches the progress.
  const Array2<double>& coordinates() const override { return map_; }
  /// Its iteration counts epochs of fine-tuning only. The first of its weights are those of the result.
  LayoutState state() const override;

  Index pretraining() const { return shape_.depth() * plan_.pretrain_epochs; }
  Index held_out() const { return std::ssize(held_out_); }
  const TrainingHistory& history() const { return history_; }
  /// The part of the variance of all points that the result does not give back.
  double unexplained(const Run& run);

 private:
  void restore(const LayoutState& from);
  void start_visible_bias();
  const std::vector<float>& result() const { return tuned_ > 0 ? best_ : current_; }
  Index batches(Index points) const;
  /// Calls visit(rows, first) for batches of these points, which are then the input of the pass.
  template <class Visit>
  void for_each_batch(const std::vector<Index>& points, Visit&& visit);
  std::vector<Index> shuffled(std::uint64_t epoch_seed) const;
  void pretrain(const Run& run);
  void tune(const Run& run);
  void adam(Index update, const Run& run);
  void judge(double loss);
  double error_of(const std::vector<float>& parameters, const std::vector<Index>& points, const Run& run);
  void encode(const Run& run);
  void require_finite_loss(double loss, std::string_view option) const;

  NetworkShape shape_;
  MatrixView<float> visible_;
  double total_;
  TrainingPlan plan_;
  std::vector<Index> training_, held_out_, all_;
  std::vector<float> current_, first_, second_, best_, gradient_;
  NetworkPass pass_;
  std::optional<Rbm> machine_;
  Index machine_layer_ = -1;
  Array2<double> map_;

  Index pretrained_ = 0, tuned_ = 0;  ///< epochs done
  bool is_converged_ = false;
  double loss_ = 1;
  double best_loss_ = 0, reference_ = 0;  ///< the lowest so far; that of the last clear progress
  Index waited_ = 0;                      ///< epochs since then
  Index reductions_ = 0;                  ///< of the learning rate
  TrainingHistory history_;
};

}  // namespace unroll
