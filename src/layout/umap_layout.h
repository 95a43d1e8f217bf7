#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "layout/layout.h"
#include "layout/umap_curve.h"
#include "layout/umap_density.h"
#include "simd/umap_kernels.h"
#include "unroll/core/sparse.h"

namespace unroll {

class Random;

constexpr Index kMostEpochs = 1'000'000;
constexpr Index kMostNegatives = 1000;

struct UmapSettings {
  Index n_epochs = 200;
  UmapCurve curve = {};
  double repulsion_strength = 1;
  double learning_rate = 1;  ///< of the first epoch; it falls evenly to 0
  Index negative_sample_rate = 5;
  std::uint64_t seed = 0;
  DensitySettings density = {};
};

/// How often an edge takes part, as a multiple of 2^-32 below 1, for a frequency up to 1. 0: in none of the epochs.
std::uint32_t umap_rate(double frequency, Index n_epochs);

/// An epoch with these forces, of which everything else is still to be said.
simd::UmapEpoch umap_epoch(const UmapCurve& curve, double repulsion_strength);
/// Makes it the epoch of that number: its step, which falls evenly to 0, and its random key.
void set_epoch(simd::UmapEpoch& epoch, Index number, Index n_epochs, double learning_rate, const Random& random);

/// The optimiser of UMAP. Joined points pull each other, an edge in as many epochs as its weight says, and every time
/// so many points drawn at random push.
///
/// umap-learn moves the points of an edge at once, edge after edge, which threads cannot share without making the
/// result depend on their timing. Here blocks of points follow each other. The points of a block move by their edges,
/// one after the other, and see themselves moved, but all others where they were when the block began. Then the other
/// ends of these edges move by as much, the other way: so a pull leaves the middle of its two points where it was.
/// docs/decisions.md has the comparison.
class UmapLayout : public Layout {
 public:
  /// `graph` is symmetric to the last bit, weights from 0 to 1. The map has a row per point; it is a start, or that of
  /// another layout with this state.
  UmapLayout(const SparseMatrix& graph, const Array2<double>& map, const LayoutState& state,
             const UmapSettings& settings, const Run& run);

  void step(Index until, const Run& run) override;
  bool is_converged() const override { return epoch_ >= settings_.n_epochs; }
  Index iteration() const override { return epoch_; }
  /// What the moves descend, per edge that takes part: -log of its membership in the map, and of the points drawn
  /// against it not being neighbours, estimated from one draw each for some of the points.
  double loss() const override;
  /// Of data and map; with densMAP only.
  double radius_correlation(const Run& run);
  const Array2<double>& coordinates() const override { return coordinates_; }
  LayoutState state() const override { return {.iteration = epoch_, .is_converged = is_converged()}; }

 private:
  void order_points(const std::vector<double>& total_rates);
  void take_edges(const SparseMatrix& graph, double unit, const Run& run);
  void find_mirrors(const Run& run);
  bool has_density(Index epoch) const;
  void look_at_density(simd::UmapEpoch& epoch, const Run& run);
  void move_block(const simd::UmapEpoch& epoch, Index first, Index end, const Run& run);
  void publish();

  UmapSettings settings_;
  Index dims_ = 0;
  Index epoch_ = 0;
  std::vector<std::int32_t> order_;  ///< the point at every place; below, points are numbered by their places
  std::vector<Index> cuts_;          ///< block b has places [cuts[b], cuts[b+1])
  std::vector<Index> offsets_;
  std::vector<std::int32_t> targets_;
  std::vector<std::uint32_t> rates_;                    ///< see umap_rate
  std::vector<std::uint32_t> mirrors_;                  ///< the same edge as its other end has it
  std::vector<std::int32_t> taken_, counts_, cursors_;  ///< of the edges that take part, see simd::UmapEpoch
  std::vector<float> map_, next_, shares_;
  std::optional<UmapDensity> density_;
  Array2<double> coordinates_;
};

}  // namespace unroll
