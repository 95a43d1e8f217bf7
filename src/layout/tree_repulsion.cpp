#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/at.h"
#include "core/parallel.h"
#include "layout/repulsion.h"
#include "simd/kernels.h"

namespace unroll {
namespace {

/// A binary tree over the points of a map: every box is split at the median of its longest side, so that its depth is
/// log2 n whatever the points are. Copies end in leaves like others.
class PointTree {
 public:
  static constexpr Index kLeaf = 32;

  struct Node {
    Index begin = 0, end = 0;     ///< its points, in the order of the tree
    Index left = -1, right = -1;  ///< none: a leaf
    double radius = 0;            ///< the largest distance of a point from the mean
    double spread = 0;            ///< see simd::LayoutGroups
    Index size() const { return end - begin; }
  };

  explicit PointTree(const Array2<double>& map) : map_(map), order_(at(map.rows())) {
    std::iota(order_.begin(), order_.end(), Index{0});
    nodes_.push_back({.begin = 0, .end = map.rows()});
    for (Index k = 0; k < std::ssize(nodes_); ++k) split(k);
    means_ = Array2<double>(std::ssize(nodes_), map.cols());
    low_ = Array2<double>(std::ssize(nodes_), map.cols());
    high_ = Array2<double>(std::ssize(nodes_), map.cols());
  }

  /// Means, sizes and boxes of all nodes.
  void measure(const Run& run) {
    constexpr Index kNodes = 64;
    parallel_for(run, std::ssize(nodes_), kNodes, [&](Index begin, Index end) {
      for (Index k = begin; k < end; ++k) measure_node(k);
    });
  }

  const std::vector<Node>& nodes() const { return nodes_; }
  const double* mean(Index node) const { return means_.row(node); }
  Index point(Index place) const { return order_[at(place)]; }

  /// The squared distance from a node's mean to the box of another.
  double squared_distance(Index mean_of, Index box_of) const {
    double squared = 0;
    for (Index d = 0; d < map_.cols(); ++d) {
      const double c = means_(mean_of, d);
      const double gap = std::max({low_(box_of, d) - c, c - high_(box_of, d), 0.0});
      squared += gap * gap;
    }
    return squared;
  }

 private:
  void split(Index k) {
    const Node node = nodes_[at(k)];
    if (node.size() <= kLeaf) return;
    Index longest = 0;
    double side = -1;
    for (Index d = 0; d < map_.cols(); ++d) {
      double low = INFINITY, high = -low;
      for (Index i = node.begin; i < node.end; ++i) {
        low = std::min(low, map_(point(i), d));
        high = std::max(high, map_(point(i), d));
      }
      if (high - low > side) side = high - low, longest = d;
    }
    const Index middle = node.begin + node.size() / 2;
    std::nth_element(order_.begin() + node.begin, order_.begin() + middle, order_.begin() + node.end,
                     [&](Index a, Index b) {
                       const double x = map_(a, longest), y = map_(b, longest);
                       return x < y || (x == y && a < b);
                     });
    nodes_[at(k)].left = std::ssize(nodes_);
    nodes_[at(k)].right = std::ssize(nodes_) + 1;
    nodes_.push_back({.begin = node.begin, .end = middle});
    nodes_.push_back({.begin = middle, .end = node.end});
  }

  void measure_node(Index k) {
    Node& node = nodes_[at(k)];
    const Index dims = map_.cols();
    const auto count = static_cast<double>(node.size());
    for (Index d = 0; d < dims; ++d) {
      double sum = 0, low = INFINITY, high = -low;
      for (Index i = node.begin; i < node.end; ++i) {
        const double value = map_(point(i), d);
        sum += value, low = std::min(low, value), high = std::max(high, value);
      }
      means_(k, d) = sum / count, low_(k, d) = low, high_(k, d) = high;
    }
    double squares = 0, farthest = 0;
    for (Index i = node.begin; i < node.end; ++i) {
      double squared = 0;
      for (Index d = 0; d < dims; ++d) squared += std::pow(map_(point(i), d) - means_(k, d), 2);
      squares += squared;
      farthest = std::max(farthest, squared);
    }
    node.radius = std::sqrt(farthest);
    node.spread = squares / (2 * static_cast<double>(dims) * count);
  }

  const Array2<double>& map_;
  std::vector<Index> order_;
  std::vector<Node> nodes_;
  Array2<double> means_, low_, high_;
};

/// What acts on the points of one leaf, coordinate after coordinate, in the precision of the kernel.
template <class T>
class GroupList {
 public:
  explicit GroupList(Index dims) : coordinates_(at(dims)) {}

  void add(const double* mean, double charge, double spread) {
    for (std::size_t d = 0; d < coordinates_.size(); ++d) coordinates_[d].push_back(static_cast<T>(mean[d]));
    charges_.push_back(static_cast<T>(charge));
    spreads_.push_back(static_cast<T>(spread));
  }
  /// Adds groups without a charge until they are a multiple of `pad`; must come before the others.
  void pad(Index pad, T far) {
    while (std::ssize(charges_) % pad != 0) {
      for (auto& column : coordinates_) column.push_back(far);
      charges_.push_back(0);
      spreads_.push_back(0);
    }
    for (const auto& column : coordinates_) all_.insert(all_.end(), column.begin(), column.end());
  }
  Index size() const { return std::ssize(charges_); }
  const T* means() const { return all_.data(); }
  const T* charges() const { return charges_.data(); }
  const T* spreads() const { return spreads_.data(); }

 private:
  std::vector<std::vector<T>> coordinates_;
  std::vector<T> charges_, spreads_, all_;
};

class TreeRepulsion final : public Repulsion {
 public:
  explicit TreeRepulsion(double dof) : kernel_(tail_kernel(dof)) {}

  double compute(const Array2<double>& map, Array2<double>& force, const Run& run) override {
    PointTree tree(map);
    tree.measure(run);
    std::vector<Index> leaves;
    for (Index k = 0; k < std::ssize(tree.nodes()); ++k)
      if (tree.nodes()[at(k)].left < 0) leaves.push_back(k);
    constexpr Index kLeaves = 4;
    return parallel_reduce(
        run, std::ssize(leaves), kLeaves, 0.0,
        [&](Index begin, Index end) {
          double part = 0;
          for (Index l = begin; l < end; ++l) part += act_on(tree, leaves[at(l)], map, force);
          return part;
        },
        [](double a, double b) { return a + b; });
  }

 private:
  /// The forces on the points of a leaf; returns their part of Z.
  double act_on(const PointTree& tree, Index leaf, const Array2<double>& map, Array2<double>& force) const {
    const PointTree::Node& own = tree.nodes()[at(leaf)];
    const Index dims = map.cols(), count = own.size();
    Array2<double> forces(count, dims);
    std::vector<double> sums(at(count));
    if (kernel_.exponent == 1 && dims <= simd::kGroupDims) {
      auto groups = groups_for<float>(tree, leaf, map);
      groups.pad(simd::kGroupPad, simd::kFarGroup);
      const auto places = places_of<float>(tree, own, map);
      simd::kernels().trees.repel_groups({groups.means(), groups.size(), dims, groups.charges(), groups.spreads()},
                                         places.data(), count, forces.data(), sums.data());
    } else {
      auto groups = groups_for<double>(tree, leaf, map);
      groups.pad(simd::kLayoutPad, simd::kFarAway);
      const auto places = places_of<double>(tree, own, map);
      simd::kernels().layouts.repel_groups({{groups.means(), groups.size(), dims}, groups.charges(), groups.spreads()},
                                           kernel_, places.data(), count, forces.data(), sums.data());
    }
    double part = 0;
    for (Index i = 0; i < count; ++i) {
      std::copy_n(forces.row(i), dims, force.row(tree.point(own.begin + i)));
      part += sums[at(i)] - 1;  // without the point itself
    }
    return part;
  }

  template <class T>
  GroupList<T> groups_for(const PointTree& tree, Index leaf, const Array2<double>& map) const {
    // The series of w about a group's mean converges like radius / sqrt(dof + distance^2). So a group acts as one if
    // that is small: also near by if all of it is well within the core of the kernel, so that copies cost nothing.
    constexpr double kOpening = 0.15, kCore = 0.1;
    const double core = kCore / kernel_.inverse_dof;
    GroupList<T> groups(map.cols());
    std::vector<Index> open{0};
    while (!open.empty()) {
      const Index k = open.back();
      open.pop_back();
      const PointTree::Node& node = tree.nodes()[at(k)];
      if (node.radius * node.radius < kOpening * kOpening * (core + tree.squared_distance(k, leaf))) {
        groups.add(tree.mean(k), static_cast<double>(node.size()), node.spread);
      } else if (node.left < 0) {
        for (Index i = node.begin; i < node.end; ++i) groups.add(map.row(tree.point(i)), 1, 0);
      } else {
        open.push_back(node.right);
        open.push_back(node.left);
      }
    }
    return groups;
  }

  template <class T>
  static std::vector<T> places_of(const PointTree& tree, const PointTree::Node& node, const Array2<double>& map) {
    std::vector<T> places;
    for (Index i = node.begin; i < node.end; ++i)
      for (Index d = 0; d < map.cols(); ++d) places.push_back(static_cast<T>(map(tree.point(i), d)));
    return places;
  }

  simd::TailKernel kernel_;
};

}  // namespace

std::unique_ptr<Repulsion> tree_repulsion(double dof) { return std::make_unique<TreeRepulsion>(dof); }

}  // namespace unroll
