#include "layout/stress_objective.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/at.h"
#include "core/parallel.h"
#include "simd/kernels.h"

namespace unroll {
namespace {

constexpr double kNoDistance = std::numeric_limits<double>::infinity();

/// What is known of the targets of a tile.
struct TileSums {
  double squares = 0, lengths = 0;
  double smallest = kNoDistance;  ///< above 0
};

double weight_of(double target, double floor) { return floor > 0 ? 1 / std::max(target, floor) : 1; }

/// The tile's first column that counts in row i.
template <class T>
Index first_column(const simd::StressTile<T>& tile, Index i) {
  return tile.is_diagonal ? i + 1 : 0;
}

class FullStress final : public Stress {
 public:
  FullStress(std::unique_ptr<const TargetTiles> targets, PairWeights weights, const Run& run)
      : targets_(std::move(targets)) {
    const Index n = targets_->size();
    const TileSums sums = sums_of_targets(run);
    pairs_ = 0.5 * static_cast<double>(n) * static_cast<double>(n - 1);
    squares_ = sums.squares;
    total_ = weights == PairWeights::One ? sums.squares : sums.lengths;
    if (weights == PairWeights::Inverse) set_floor(sums.smallest);
    // With the Laplacian V of the weights the stress lies below tr Y'VY - 2 tr Y'B(Z)Z + const. V is at most n for
    // weights of 1, which makes the step Guttman's transform; else it is at most twice its diagonal.
    majorizer_.assign(at(n), static_cast<double>(n));
    if (weights == PairWeights::Inverse) majorizer_ = doubled_weights(run);
    for (double& m : majorizer_) m *= 2 / scale();
  }

  double evaluate(const Array2<double>& map, Array2<double>& gradient, const Run& run) override {
    const Index blocks = stress_blocks(map.rows());
    const BlockedMap places(map);
    BlockedMap forces(map.rows(), map.cols());
    std::vector<double> sums(at(stress_tile(blocks, blocks - 1, blocks - 1) + 1));
    targets_->visit(floor_, run, [&]<class T>(const simd::StressTile<T>& tile, Index a, Index b) {
      sums[at(stress_tile(blocks, a, b))] = simd::kernels().stress.template add_forces<T>()(
          tile, 1, {map.cols(), places.block(a), places.block(b), forces.block(a), forces.block(b)});
    });
    forces.unpack(2 / scale(), gradient);
    return std::accumulate(sums.begin(), sums.end(), 0.0) / scale();
  }

 private:
  /// Where all distances are 0 there is nothing to compare with.
  double scale() const { return total_ > 0 ? total_ : 1; }

  TileSums sums_of_targets(const Run& run) const {
    const Index blocks = stress_blocks(targets_->size());
    std::vector<TileSums> parts(at(stress_tile(blocks, blocks - 1, blocks - 1) + 1));
    targets_->visit(0, run, [&](const auto& tile, Index a, Index b) {
      TileSums own;
      for (Index i = 0; i < tile.rows; ++i)
        for (Index j = first_column(tile, i); j < tile.cols; ++j) {
          const auto target = static_cast<double>(tile.targets[i * simd::kStressBlock + j]);
          own.squares += target * target, own.lengths += target;
          if (target > 0 && target < own.smallest) own.smallest = target;
        }
      parts[at(stress_tile(blocks, a, b))] = own;
    });
    TileSums all;
    for (const TileSums& part : parts) {
      all.squares += part.squares, all.lengths += part.lengths;
      all.smallest = std::min(all.smallest, part.smallest);
    }
    return all;
  }

  std::vector<double> doubled_weights(const Run& run) const {
    std::vector<double> sums(at(targets_->size()));
    targets_->visit(floor_, run, [&](const auto& tile, Index a, Index b) {
      double* top = sums.data() + a * simd::kStressBlock;
      double* left = sums.data() + b * simd::kStressBlock;
      for (Index i = 0; i < tile.rows; ++i)
        for (Index j = first_column(tile, i); j < tile.cols; ++j) {
          const double weight = weight_of(static_cast<double>(tile.targets[i * simd::kStressBlock + j]), tile.floor);
          top[i] += 2 * weight, left[j] += 2 * weight;
        }
    });
    return sums;
  }

  std::unique_ptr<const TargetTiles> targets_;
};

class PartialStress final : public Stress {
 public:
  PartialStress(const SparseMatrix& known, std::vector<double> entry_weights, PairWeights weights)
      : known_(known), weights_(std::move(entry_weights)) {
    if (weights_.empty()) weights_.assign(known_.values.size(), 1);
    double smallest = kNoDistance;
    for (const double target : known_.values) {
      if (target > 0) smallest = std::min(smallest, target);
      squares_ += 0.5 * target * target, pairs_ += 0.5;
    }
    if (weights == PairWeights::Inverse) set_floor(smallest);
    for (std::size_t e = 0; e < weights_.size(); ++e) {
      const double target = known_.values[e];
      weights_[e] *= weight_of(target, floor_);
      total_ += 0.5 * weights_[e] * target * target;
    }
    majorizer_.assign(at(known_.rows), 0);
    for (Index i = 0; i < known_.rows; ++i)
      for (Index e = known_.offsets[at(i)]; e < known_.offsets[at(i) + 1]; ++e)
        majorizer_[at(i)] += 4 * weights_[at(e)] / scale();
  }

  double evaluate(const Array2<double>& map, Array2<double>& gradient, const Run& run) override {
    constexpr Index kPartialRows = 64;
    const double sum = parallel_reduce(
        run, map.rows(), kPartialRows, 0.0,
        [&](Index begin, Index end) {
          double own = 0;
          for (Index i = begin; i < end; ++i) own += row_stress(map, i, gradient.row(i));
          return own;
        },
        [](double a, double b) { return a + b; });
    return 0.5 * sum / scale();
  }

 private:
  double scale() const { return total_ > 0 ? total_ : 1; }

  double row_stress(const Array2<double>& map, Index i, double* gradient) const {
    const Index dims = map.cols();
    std::fill_n(gradient, dims, 0.0);
    double sum = 0;
    for (Index e = known_.offsets[at(i)]; e < known_.offsets[at(i) + 1]; ++e) {
      const double *here = map.row(i), *there = map.row(known_.columns[at(e)]);
      double squared = 0;
      for (Index d = 0; d < dims; ++d) squared += (here[d] - there[d]) * (here[d] - there[d]);
      const double r = std::sqrt(squared), target = known_.values[at(e)], weight = weights_[at(e)];
      sum += weight * (target - r) * (target - r);
      const double pull = 2 / scale() * weight * (r > 0 ? 1 - target / r : 0);
      for (Index d = 0; d < dims; ++d) gradient[d] += pull * (here[d] - there[d]);
    }
    return sum;
  }

  const SparseMatrix& known_;
  std::vector<double> weights_;
};

}  // namespace

void Stress::normalize(Array2<double>& map) const {
  for (Index d = 0; d < map.cols(); ++d) {
    double mean = 0;
    for (Index i = 0; i < map.rows(); ++i) mean += map(i, d);
    mean /= static_cast<double>(map.rows());
    for (Index i = 0; i < map.rows(); ++i) map(i, d) -= mean;
  }
}

void Stress::set_floor(double smallest) {
  floor_ = smallest < kNoDistance ? std::max(smallest, kLeastCounted * usual_distance()) : 1;
}

double Stress::usual_distance() const { return pairs_ > 0 ? std::sqrt(squares_ / pairs_) : 0; }

std::unique_ptr<Stress> full_stress(std::unique_ptr<const TargetTiles> targets, PairWeights weights, const Run& run) {
  return std::make_unique<FullStress>(std::move(targets), weights, run);
}

std::unique_ptr<Stress> partial_stress(const SparseMatrix& known, std::vector<double> entry_weights,
                                       PairWeights weights) {
  return std::make_unique<PartialStress>(known, std::move(entry_weights), weights);
}

}  // namespace unroll
