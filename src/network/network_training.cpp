#include "network/network_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/at.h"
#include "core/parallel.h"
#include "core/random.h"
#include "simd/kernels.h"

namespace unroll {
namespace {

constexpr Index kFewestHeldOut = 5;    // the error of fewer points is too uncertain
constexpr Index kEnergyPoints = 1000;  // whose free energy is looked at

std::vector<Index> held_out_points(Index n, const TrainingPlan& plan) {
  const Index count = std::min(n - 1, static_cast<Index>(plan.held_out * static_cast<double>(n)));
  return count < kFewestHeldOut ? std::vector<Index>() : Random(plan.seed, "held out").sample(n, count);
}

}  // namespace

NetworkTraining::NetworkTraining(const NetworkShape& shape, MatrixView<float> visible, double total,
                                 const TrainingPlan& plan, const LayoutState* from)
    : shape_(shape),
      visible_(visible),
      total_(total),
      plan_(plan),
      held_out_(held_out_points(visible.rows, plan)),
      all_(at(visible.rows)),
      first_(at(shape.parameters())),
      second_(first_.size()),
      gradient_(first_.size()),
      pass_(shape_, std::min(visible.rows, plan.batch)),
      map_(visible.rows, shape.code()),
      is_converged_(total == 0) {
  std::iota(all_.begin(), all_.end(), Index{0});
  std::set_difference(all_.begin(), all_.end(), held_out_.begin(), held_out_.end(), std::back_inserter(training_));
  if (from != nullptr) {
    restore(*from);
    return;
  }
  current_ = start_parameters(shape_, plan_.seed);
  start_visible_bias();
  best_ = current_;
}

double NetworkTraining::bytes(const NetworkShape& shape, Index points, const TrainingPlan& plan) {
  constexpr double kCopies = 9;  // the vectors above, and those of the state, which are in the model
  const Index rows = std::min(points, plan.batch);
  return kCopies * sizeof(float) * static_cast<double>(shape.parameters()) + NetworkPass::bytes(shape, rows) +
         Rbm::bytes(shape, rows) +
         static_cast<double>(points) * (3 * sizeof(Index) + sizeof(double) * 3.0 * static_cast<double>(shape.code()));
}

/// Units that do nothing give the means of the data (Hinton 2012, section 8): log(p / (1 - p)) of a binary unit.
void NetworkTraining::start_visible_bias() {
  constexpr double kLeast = 0.01;
  if (!shape_.is_binary()) return;
  float* bias = current_.data() + shape_.mirror(0).bias;
  for (Index j = 0; j < shape_.features(); ++j) {
    double sum = 0;
    for (const Index i : training_) sum += static_cast<double>(visible_(i, j));
    const double p = std::clamp(sum / static_cast<double>(training_.size()), kLeast, 1 - kLeast);
    bias[j] = static_cast<float>(std::log(p / (1 - p)));
  }
}

/// Batches of nearly equal size, none larger than asked for.
Index NetworkTraining::batches(Index points) const { return block_count(points, plan_.batch); }

template <class Visit>
void NetworkTraining::for_each_batch(const std::vector<Index>& points, Visit&& visit) {
  const Index n = std::ssize(points), count = batches(n);
  for (Index b = 0; b < count; ++b) {
    const Index first = b * n / count, rows = (b + 1) * n / count - first;
    for (Index i = 0; i < rows; ++i)
      std::copy_n(visible_.row(points[at(first + i)]), visible_.cols, pass_.input() + i * visible_.cols);
    visit(rows, first);
  }
}

std::vector<Index> NetworkTraining::shuffled(std::uint64_t epoch_seed) const {
  std::vector<Index> order = Random(epoch_seed, "order").permutation(std::ssize(training_));
  for (Index& place : order) place = training_[at(place)];
  return order;
}

void NetworkTraining::step(Index until, const Run& run) {
  while (iteration() < until && !is_converged_) {
    if (pretrained_ < pretraining()) {
      pretrain(run);
    } else {
      tune(run);
    }
    if (run.progress) encode(run);
  }
}

void NetworkTraining::pretrain(const Run& run) {
  constexpr Index kSlowEpochs = 5;
  constexpr float kSlow = 0.5F, kFast = 0.9F;  // Hinton & Salakhutdinov 2006
  const Index layer = pretrained_ / plan_.pretrain_epochs, epoch = pretrained_ % plan_.pretrain_epochs;
  if (machine_layer_ != layer) {
    machine_.emplace(shape_, layer, std::min(visible_.rows, plan_.batch));
    machine_layer_ = layer;
  }
  const std::uint64_t seed = Random(plan_.seed, "pretraining").bits(static_cast<std::uint64_t>(pretrained_));
  const RbmRates rates{.rate = static_cast<float>(plan_.pretrain_rate.value_or(machine_->usual_rate())),
                       .momentum = epoch < kSlowEpochs ? kSlow : kFast,
                       .decay = static_cast<float>(plan_.weight_decay)};
  const auto visible = [&](Index rows) {
    pass_.forward(current_.data(), rows, layer, run);
    return layer == 0 ? pass_.input() : pass_.output(layer - 1);
  };
  double squares = 0, energy = 0;
  for_each_batch(shuffled(seed), [&](Index rows, Index first) {
    squares += machine_->update(visible(rows), rows, rates, seed, first, current_.data(), first_.data(), run);
  });
  mirror_weights(shape_, layer, current_.data());
  const std::vector<Index> some(training_.begin(),
                                training_.begin() + std::min<Index>(kEnergyPoints, std::ssize(training_)));
  for_each_batch(some, [&](Index rows, Index) {
    energy += static_cast<double>(rows) * machine_->free_energy(visible(rows), rows, current_.data(), run);
  });
  require_finite_loss(energy + squares, "pretrain_rate");
  history_.free_energy.push_back(energy / static_cast<double>(some.size()));
  loss_ = squares / static_cast<double>(std::ssize(training_) * shape_.layer(layer).size.in);
  ++pretrained_;
}

void NetworkTraining::tune(const Run& run) {
  if (tuned_ == 0) std::fill(first_.begin(), first_.end(), 0.0F);  // it held the momentum of the machines
  const std::uint64_t seed = Random(plan_.seed, "fine-tuning").bits(static_cast<std::uint64_t>(tuned_));
  double squares = 0;
  Index update = tuned_ * batches(std::ssize(training_));
  for_each_batch(shuffled(seed), [&](Index rows, Index) {
    pass_.forward(current_.data(), rows, shape_.layers(), run);
    squares += pass_.backward(current_.data(), rows, gradient_.data(), run);
    adam(++update, run);
  });
  loss_ = squares / static_cast<double>(training_.size()) / total_;
  require_finite_loss(loss_, "learning_rate");
  history_.training.push_back(loss_);
  if (!held_out_.empty()) {
    loss_ = error_of(current_, held_out_, run);
    require_finite_loss(loss_, "learning_rate");
    history_.held_out.push_back(loss_);
  }
  judge(loss_);
  ++tuned_;
}

void NetworkTraining::adam(Index update, const Run& run) {
  constexpr Index kGrain = 1 << 16;
  constexpr double kFirst = 0.9, kSecond = 0.999, kReduction = 0.3;
  const auto t = static_cast<double>(update);
  const double rate = plan_.learning_rate * std::pow(kReduction, static_cast<double>(reductions_));
  const simd::AdamStep step{
      .rate = static_cast<float>(rate * std::sqrt(1 - std::pow(kSecond, t)) / (1 - std::pow(kFirst, t))),
      .first_memory = static_cast<float>(kFirst),
      .second_memory = static_cast<float>(kSecond),
      .floor = 1e-16F,
      .decay = static_cast<float>(rate * plan_.weight_decay)};
  parallel_for(run, shape_.parameters(), kGrain, [&](Index begin, Index end) {
    simd::kernels().networks.adam(step, end - begin, gradient_.data() + begin, first_.data() + begin,
                                  second_.data() + begin, current_.data() + begin);
  });
}

/// Keeps the best weights. If there is no progress for a while, smaller steps go on from them; if these do not help
/// either, it is the end.
void NetworkTraining::judge(double loss) {
  constexpr double kProgress = 1e-3;
  constexpr Index kPatientUpdates = 1000, kPatientEpochs = 5, kMostReductions = 2;
  const Index patience = std::max(kPatientEpochs, kPatientUpdates / batches(std::ssize(training_)));
  if (tuned_ == 0 || loss < best_loss_) best_loss_ = loss, best_ = current_;
  const bool is_progress = tuned_ == 0 || loss < (1 - kProgress) * reference_;
  if (is_progress) reference_ = loss;
  waited_ = is_progress ? 0 : waited_ + 1;
  if (waited_ < patience) return;
  is_converged_ = reductions_ == kMostReductions;
  if (is_converged_) return;
  ++reductions_;
  waited_ = 0;
  current_ = best_;
}

double NetworkTraining::error_of(const std::vector<float>& parameters, const std::vector<Index>& points,
                                 const Run& run) {
  double squares = 0;
  for_each_batch(points, [&](Index rows, Index) {
    pass_.forward(parameters.data(), rows, shape_.layers(), run);
    squares += pass_.squared_error(rows);
  });
  return squares / static_cast<double>(points.size()) / total_;
}

double NetworkTraining::unexplained(const Run& run) { return total_ == 0 ? 0 : error_of(result(), all_, run); }

void NetworkTraining::encode(const Run& run) {
  Array2<double> map(map_.rows(), map_.cols());
  for_each_batch(all_, [&](Index rows, Index first) {
    pass_.forward(current_.data(), rows, shape_.depth(), run);
    std::copy_n(pass_.code(), rows * map.cols(), map.row(first));
  });
  map_ = std::move(map);
}

void NetworkTraining::require_finite_loss(double loss, std::string_view option) const {
  if (std::isfinite(loss)) return;
  throw Error(ErrorKind::InvalidOption, {.problem = "the weights grow without bound",
                                         .advice = fmt::format("use a smaller {}", option),
                                         .option = std::string(option)});
}

LayoutState NetworkTraining::state() const {
  const auto row = [](const std::vector<float>& values) {
    Array2<float> result = Array2<float>::uninitialized(1, std::ssize(values));
    std::copy(values.begin(), values.end(), result.data());
    return result;
  };
  LayoutState state{.iteration = tuned_, .is_converged = is_converged_};
  state.numbers = {static_cast<double>(pretrained_), loss_, best_loss_, reference_, static_cast<double>(waited_),
                   static_cast<double>(reductions_)};
  for (const auto* history : {&history_.training, &history_.held_out, &history_.free_energy})
    state.numbers.insert(state.numbers.end(), history->begin(), history->end());
  state.weights.push_back(row(result()));
  if (!is_converged_)
    for (const auto* values : {&current_, &first_, &second_}) state.weights.push_back(row(*values));
  return state;
}

void NetworkTraining::restore(const LayoutState& from) {
  constexpr std::size_t kNumbers = 6;
  constexpr double kMostNumber = 1e15;
  const std::vector<double>& numbers = from.numbers;
  const bool is_whole = numbers.size() >= kNumbers && from.weights.size() == (from.is_converged ? 1U : 4U) &&
                        std::all_of(from.weights.begin(), from.weights.end(),
                                    [&](const Array2<float>& row) { return row.size() == shape_.parameters(); }) &&
                        std::all_of(numbers.begin(), numbers.begin() + kNumbers,
                                    [](double number) { return number >= 0 && number <= kMostNumber; });
  const double pretrained = is_whole ? numbers[0] : -1;
  const std::size_t tuned = at(from.iteration), held = held_out_.empty() ? 0 : tuned;
  if (!(pretrained >= 0 && pretrained <= static_cast<double>(pretraining())) ||
      numbers.size() != kNumbers + tuned + held + static_cast<std::size_t>(pretrained))
    throw Error(ErrorKind::InvalidData, "the state of the model to go on from is not that of such a network",
                "give a model that this method has saved");
  pretrained_ = static_cast<Index>(pretrained);
  tuned_ = from.iteration;
  is_converged_ = from.is_converged;
  loss_ = numbers[1], best_loss_ = numbers[2], reference_ = numbers[3];
  waited_ = static_cast<Index>(numbers[4]), reductions_ = static_cast<Index>(numbers[5]);
  auto next = numbers.begin() + kNumbers;
  const auto take = [&](std::size_t count) {
    std::vector<double> taken(next, next + static_cast<std::ptrdiff_t>(count));
    next += static_cast<std::ptrdiff_t>(count);
    return taken;
  };
  history_.training = take(tuned);
  history_.held_out = take(held);
  history_.free_energy = take(at(pretrained_));
  const auto values = [&](std::size_t i) {
    const Array2<float>& row = from.weights[from.is_converged ? 0 : i];
    return std::vector<float>(row.data(), row.data() + row.size());
  };
  best_ = values(0), current_ = values(1);
  if (!is_converged_) first_ = values(2), second_ = values(3);
}

}  // namespace unroll
