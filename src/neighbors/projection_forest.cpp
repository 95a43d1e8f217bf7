#include "neighbors/projection_forest.h"

#include <string>

#include "core/parallel.h"
#include "core/random.h"
#include "neighbors/median_split.h"

namespace unroll {
namespace {

/// Points per leaf: a multiple of simd::kRowGroup and of simd::kPanelPoints. Pairs within a leaf are cheap, so leaves
/// are large: half the time for the same recall as with 192.
constexpr Index kForestLeaf = 576;

class RandomProjection {
 public:
  using Direction = std::vector<float>;

  RandomProjection(const SketchFloats& points, const Random& random, Index tree)
      : points_(points), random_(random), tree_(static_cast<std::uint64_t>(tree)) {}

  Direction direction(std::uint64_t node, std::span<const Index> members) const {
    const auto count = static_cast<std::uint64_t>(members.size());
    const std::uint64_t first = random_.below(count, node, 2 * tree_);
    // Another point; if the two coincide, the split is by index.
    const std::uint64_t second = (first + 1 + random_.below(count - 1, node, 2 * tree_ + 1)) % count;
    const float* a = points_.row(members[first]);
    const float* b = points_.row(members[second]);
    Direction direction(static_cast<std::size_t>(std::min(points_.stride, SketchFloats::kLeading)));
    for (std::size_t c = 0; c < direction.size(); ++c) direction[c] = a[c] - b[c];
    return direction;
  }

  float key(const Direction& direction, Index point) const {
    return simd::kernels().pairs.dot_float(points_.row(point), direction.data(), static_cast<Index>(direction.size()));
  }

 private:
  const SketchFloats& points_;
  const Random& random_;
  std::uint64_t tree_;
};

/// All pairs of a leaf, as one small matrix product.
class LeafPairs {
 public:
  explicit LeafPairs(const SketchFloats& points) : points_(points) {
    const auto size = static_cast<std::size_t>(kForestLeaf * points.stride);
    rows_.resize(size);
    panels_.resize(size);
    values_.resize(kForestLeaf * kForestLeaf);
  }

  void add(std::span<const Index> leaf, CandidateLists& lists) {
    pack(leaf);
    const auto count = static_cast<Index>(leaf.size());
    const Index panels = block_count(count, simd::kPanelPoints);
    simd::kernels().pairs.values(
        {points_.stride, block_count(count, simd::kRowGroup), rows_.data(), norms_, panels, panels_.data(), norms_},
        values_.data());
    for (Index i = 0; i < count; ++i) {
      const Index point = leaf[static_cast<std::size_t>(i)];
      const float* values = values_.data() + i * panels * simd::kPanelPoints;
      const float outside = points_.outside_of(point) * points_.outside_of(point);
      const float limit = lists.limit(point);
      near_.clear();
      for (Index j = 0; j < count; ++j) {
        const float value = values[j] + (outside_[j] + outside);
        if (value < limit && i != j) near_.emplace_back(value, static_cast<Place>(leaf[static_cast<std::size_t>(j)]));
      }
      lists.add_all(point, near_);
    }
  }

 private:
  /// Packs rows around the leaf's first point: products then lose no digits to a far origin.
  void pack(std::span<const Index> leaf) {
    const Index depth = points_.stride;
    const float* origin = points_.row(leaf[0]);
    for (Index i = 0; i < kForestLeaf; ++i) {
      float* row = rows_.data() + i / simd::kRowGroup * depth * simd::kRowGroup + i % simd::kRowGroup;
      float* panel = panels_.data() + i / simd::kPanelPoints * depth * simd::kPanelPoints + i % simd::kPanelPoints;
      const bool exists = i < static_cast<Index>(leaf.size());
      const float* from = exists ? points_.row(leaf[static_cast<std::size_t>(i)]) : origin;
      float norm = 0;
      for (Index c = 0; c < depth; ++c) {
        const float value = from[c] - origin[c];
        row[c * simd::kRowGroup] = value;
        panel[c * simd::kPanelPoints] = value;
        norm += value * value;
      }
      norms_[i] = norm;
      const float outside = exists ? points_.outside_of(leaf[static_cast<std::size_t>(i)]) : 0;
      outside_[i] = outside * outside;
    }
  }

  const SketchFloats& points_;
  std::vector<float> rows_;
  std::vector<float> panels_;
  std::vector<float> values_;
  std::vector<std::pair<float, Place>> near_;
  float norms_[kForestLeaf];
  float outside_[kForestLeaf];
};

}  // namespace

void add_tree_neighbors(const SketchFloats& points, std::uint64_t seed, Index tree, CandidateLists& lists,
                        const Run& run) {
  const Random random(seed, "neighbors.forest");
  const RandomProjection projection(points, random, tree);
  const std::vector<Index> order = MedianSplit<RandomProjection>(points.points, kForestLeaf, projection).order(run);
  parallel_for(run, block_count(points.points, kForestLeaf), 4, [&](Index begin, Index end) {
    LeafPairs pairs(points);
    for (Index leaf = begin; leaf < end; ++leaf) {
      const Index first = leaf * kForestLeaf;
      const Index last = std::min(points.points, first + kForestLeaf);
      pairs.add({order.data() + first, order.data() + last}, lists);
    }
  });
}

}  // namespace unroll
