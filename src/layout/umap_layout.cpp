#include "layout/umap_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/at.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/random.h"
#include "simd/kernels.h"

namespace unroll {
namespace {

constexpr double kWords = 0x1p32;
constexpr Index kUmapRows = 1024;  // per block of work

/// Of which each sees the others moved. docs/decisions.md compares their number.
constexpr Index kUmapBlocks = 8;

}  // namespace

std::uint32_t umap_rate(double frequency, Index n_epochs) {
  if (frequency * static_cast<double>(n_epochs) < 1) return 0;
  return static_cast<std::uint32_t>(std::min(frequency * kWords, kWords - 1));
}

simd::UmapEpoch umap_epoch(const UmapCurve& curve, double repulsion_strength) {
  return {.forces = {static_cast<float>(curve.a), static_cast<float>(curve.b), static_cast<float>(repulsion_strength)}};
}

void set_epoch(simd::UmapEpoch& epoch, Index number, Index n_epochs, double learning_rate, const Random& random) {
  const std::uint64_t key = random.bits(static_cast<std::uint64_t>(number));
  const double left = 1 - static_cast<double>(number) / static_cast<double>(n_epochs);
  epoch.step = static_cast<float>(learning_rate * left);
  epoch.number = static_cast<std::uint32_t>(number);
  epoch.key[0] = static_cast<std::uint32_t>(key);
  epoch.key[1] = static_cast<std::uint32_t>(key >> 32U);
}

UmapLayout::UmapLayout(const SparseMatrix& graph, const Array2<double>& map, const LayoutState& state,
                       const UmapSettings& settings, const Run& run)
    : settings_(settings), dims_(map.cols()), epoch_(state.iteration), coordinates_(map) {
  const Index n = graph.rows;
  const double largest = graph.values.empty() ? 1 : *std::max_element(graph.values.begin(), graph.values.end());
  std::vector<double> totals(at(n));
  for (Index i = 0; i < n; ++i)
    for (Index e = graph.offsets[at(i)]; e < graph.offsets[at(i) + 1]; ++e) totals[at(i)] += graph.values[at(e)];
  order_points(totals);
  take_edges(graph, largest, run);
  find_mirrors(run);
  map_.resize(at(n * dims_));
  for (Index p = 0; p < n; ++p)
    for (Index k = 0; k < dims_; ++k) map_[at(p * dims_ + k)] = static_cast<float>(map(order_[at(p)], k));
  next_ = map_;
  if (settings.density.log_radii.empty()) return;
  std::vector<double> radii;
  for (const std::int32_t i : order_) radii.push_back(settings.density.log_radii[static_cast<std::size_t>(i)]);
  density_.emplace(std::move(radii), settings.density.strength, settings.density.shift);
}

/// Points that move by about as many edges are in one group, and groups are dealt to the blocks in turn.
void UmapLayout::order_points(const std::vector<double>& total_rates) {
  const auto n = static_cast<Index>(total_rates.size());
  std::vector<std::int32_t> by_work(at(n));
  std::iota(by_work.begin(), by_work.end(), 0);
  std::stable_sort(by_work.begin(), by_work.end(), [&](std::int32_t i, std::int32_t j) {
    return total_rates[static_cast<std::size_t>(i)] > total_rates[static_cast<std::size_t>(j)];
  });
  const Index groups = block_count(n, simd::kUmapGroup);
  cuts_ = {0};
  for (Index b = 0; b < kUmapBlocks; ++b) {
    for (Index g = b; g < groups; g += kUmapBlocks)
      for (Index i = g * simd::kUmapGroup; i < std::min(n, (g + 1) * simd::kUmapGroup); ++i)
        order_.push_back(by_work[at(i)]);
    cuts_.push_back(std::ssize(order_));
  }
}

void UmapLayout::take_edges(const SparseMatrix& graph, double unit, const Run& run) {
  const Index n = graph.rows;
  std::vector<std::int32_t> place(at(n));
  for (Index p = 0; p < n; ++p) place[static_cast<std::size_t>(order_[at(p)])] = static_cast<std::int32_t>(p);
  offsets_.assign(at(n) + 1, 0);
  parallel_for(run, n, kUmapRows, [&](Index begin, Index end) {
    for (Index p = begin; p < end; ++p) {
      const auto i = static_cast<std::size_t>(order_[at(p)]);
      for (Index e = graph.offsets[i]; e < graph.offsets[i + 1]; ++e)
        offsets_[at(p) + 1] += umap_rate(graph.values[at(e)] / unit, settings_.n_epochs) > 0 ? 1 : 0;
    }
  });
  std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
  resize_large(targets_, at(offsets_.back()), run);
  resize_large(rates_, at(offsets_.back()), run);
  parallel_for(run, n, kUmapRows, [&](Index begin, Index end) {
    std::vector<std::pair<std::int32_t, std::uint32_t>> edges;  // in the order of their ends
    for (Index p = begin; p < end; ++p) {
      const auto i = static_cast<std::size_t>(order_[at(p)]);
      edges.clear();
      for (Index e = graph.offsets[i]; e < graph.offsets[i + 1]; ++e)
        if (const std::uint32_t rate = umap_rate(graph.values[at(e)] / unit, settings_.n_epochs); rate > 0)
          edges.emplace_back(place[at(graph.columns[at(e)])], rate);
      std::sort(edges.begin(), edges.end());
      for (std::size_t e = 0; e < edges.size(); ++e) {
        targets_[at(offsets_[at(p)]) + e] = edges[e].first;
        rates_[at(offsets_[at(p)]) + e] = edges[e].second;
      }
    }
  });
}

void UmapLayout::find_mirrors(const Run& run) {
  if (offsets_.back() > std::numeric_limits<std::uint32_t>::max())
    throw Error(ErrorKind::Unsupported, fmt::format("the graph has {} edges", offsets_.back()),
                "use a smaller n_neighbors, or fewer points");
  resize_large(mirrors_, targets_.size(), run);
  resize_large(shares_, targets_.size() * at(dims_), run);
  resize_large(taken_, targets_.size(), run);
  counts_.resize(order_.size());
  cursors_.resize(order_.size());
  parallel_for(run, std::ssize(order_), kUmapRows, [&](Index begin, Index end) {
    for (Index p = begin; p < end; ++p)
      for (Index e = offsets_[at(p)]; e < offsets_[at(p) + 1]; ++e) {
        const Index q = targets_[at(e)];
        const auto first = targets_.begin() + offsets_[at(q)], last = targets_.begin() + offsets_[at(q) + 1];
        mirrors_[at(e)] = static_cast<std::uint32_t>(std::lower_bound(first, last, p) - targets_.begin());
      }
  });
}

void UmapLayout::move_block(const simd::UmapEpoch& epoch, Index first, Index end, const Run& run) {
  constexpr Index kPoints = 8 * simd::kUmapGroup, kSharers = 1024;
  parallel_for(run, end - first, kPoints, [&](Index begin, Index stop) {
    const Index from = first + begin, at_coordinate = from * dims_;
    simd::kernels().umap.move(epoch, from, stop - begin, order_.data() + from, map_.data() + at_coordinate,
                              next_.data() + at_coordinate);
  });
  std::copy(next_.begin() + first * dims_, next_.begin() + end * dims_, map_.begin() + first * dims_);
  parallel_for(run, std::ssize(order_), kSharers, [&](Index begin, Index stop) {
    simd::kernels().umap.take_shares(epoch, begin, stop - begin, end, cursors_.data(), map_.data());
  });
}

void UmapLayout::step(Index until, const Run& run) {
  const Random random(settings_.seed, "umap.epochs");
  simd::UmapEpoch epoch = umap_epoch(settings_.curve, settings_.repulsion_strength);
  epoch.points = std::ssize(order_), epoch.dims = dims_, epoch.map = map_.data();
  epoch.offsets = offsets_.data(), epoch.targets = targets_.data(), epoch.rates = rates_.data();
  epoch.taken = taken_.data(), epoch.counts = counts_.data();
  epoch.mirrors = mirrors_.data(), epoch.shares = shares_.data();
  epoch.negatives = settings_.negative_sample_rate;
  for (const Index last = std::min(until, settings_.n_epochs); epoch_ < last; ++epoch_) {
    run.check_cancelled();
    set_epoch(epoch, epoch_, settings_.n_epochs, settings_.learning_rate, random);
    if (has_density(epoch_)) look_at_density(epoch, run);
    parallel_for(run, epoch.points, kUmapRows, [&](Index begin, Index end) {
      simd::kernels().umap.list_edges(epoch, begin, end - begin, taken_.data(), counts_.data());
    });
    std::fill(cursors_.begin(), cursors_.end(), 0);
    for (std::size_t b = 0; b + 1 < cuts_.size(); ++b) move_block(epoch, cuts_[b], cuts_[b + 1], run);
  }
  publish();
}

bool UmapLayout::has_density(Index epoch) const {
  const double done = static_cast<double>(epoch + 1) / static_cast<double>(settings_.n_epochs);
  return density_ && settings_.density.strength > 0 && done > 1 - settings_.density.fraction;
}

void UmapLayout::look_at_density(simd::UmapEpoch& epoch, const Run& run) {
  density_->look_at({.dims = dims_, .map = map_, .offsets = offsets_, .targets = targets_, .rates = rates_},
                    settings_.curve, run);
  epoch.densities = density_->factors().data(), epoch.density_strength = density_->strength();
}

double UmapLayout::radius_correlation(const Run& run) {
  simd::UmapEpoch unused;
  look_at_density(unused, run);
  return density_->correlation();
}

void UmapLayout::publish() {
  for (const float value : map_)
    if (!std::isfinite(value))
      throw Error(ErrorKind::NotConverged, fmt::format("the map left the range of numbers by epoch {}", epoch_),
                  "use a smaller learning_rate, or a smaller repulsion_strength");
  for (Index p = 0; p < std::ssize(order_); ++p)
    for (Index k = 0; k < dims_; ++k) coordinates_(order_[at(p)], k) = static_cast<double>(map_[at(p * dims_ + k)]);
}

double UmapLayout::loss() const {
  const Random random(settings_.seed, "umap.loss");
  const auto n = static_cast<std::uint64_t>(order_.size());
  const auto power = [&](Index p, Index q) {
    double square = 0;
    for (Index k = 0; k < dims_; ++k) {
      const double difference =
          static_cast<double>(map_[at(p * dims_ + k)]) - static_cast<double>(map_[at(q * dims_ + k)]);
      square += difference * difference;
    }
    return settings_.curve.a * std::pow(square, settings_.curve.b);
  };
  double pulls = 0, pushes = 0, total = 0;
  // Every so many places: points of all degrees.
  constexpr Index kSample = 2000;
  const Index stride = 1 + std::ssize(order_) / kSample;
  for (Index p = 0; p < std::ssize(order_); p += stride) {
    double own = 0;
    for (Index e = offsets_[at(p)]; e < offsets_[at(p) + 1]; ++e) {
      own += rates_[at(e)] / kWords;
      pulls += rates_[at(e)] / kWords * std::log1p(power(p, targets_[at(e)]));
    }
    const auto q =
        static_cast<Index>(random.below(n, static_cast<std::uint64_t>(p), static_cast<std::uint64_t>(epoch_)));
    constexpr double kNearest = 1e-3;
    if (q != p) pushes += own * std::log1p(1 / (kNearest + power(p, q)));
    total += own;
  }
  const double weight = settings_.repulsion_strength * static_cast<double>(settings_.negative_sample_rate);
  return total > 0 ? (pulls + weight * pushes) / total : 0;
}

}  // namespace unroll
