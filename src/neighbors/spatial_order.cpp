#include "neighbors/spatial_order.h"

#include <algorithm>
#include <numeric>

#include "core/parallel.h"

namespace unroll {
namespace {

template <class T>
class Splitter {
 public:
  Splitter(MatrixView<T> coordinates, Index leaf) : x_(coordinates), leaf_(leaf) {
    order_.resize(static_cast<std::size_t>(x_.rows));
    std::iota(order_.begin(), order_.end(), Index{0});
  }

  std::vector<Index> split(const Run& run) {
    std::vector<LeafRange> level{{0, block_count(x_.rows, leaf_)}};
    while (!level.empty()) {
      parallel_for(run, static_cast<Index>(level.size()), 1, [&](Index begin, Index end) {
        for (Index r = begin; r < end; ++r) halve(level[static_cast<std::size_t>(r)]);
      });
      std::vector<LeafRange> next;
      for (const LeafRange& range : level)
        for (const LeafRange child : {range.left(), range.right()})
          if (child.count > 1) next.push_back(child);
      level = std::move(next);
    }
    return std::move(order_);
  }

 private:
  struct Keyed {
    T key;
    Index point;
    bool operator<(const Keyed& other) const { return key < other.key || (key == other.key && point < other.point); }
  };

  /// The coordinate of largest variance among these points, from a sample of them.
  Index direction(const Index* points, Index count) const {
    constexpr Index kSample = 1024;
    const Index step = std::max<Index>(1, count / kSample);
    Index best = 0;
    double largest = -1;
    std::vector<double> sum(static_cast<std::size_t>(x_.cols));
    std::vector<double> squares(static_cast<std::size_t>(x_.cols));
    const T* origin = x_.row(points[0]);
    Index seen = 0;
    for (Index i = 0; i < count; i += step, ++seen) {
      const T* row = x_.row(points[i]);
      for (Index j = 0; j < x_.cols; ++j) {
        const double value = static_cast<double>(row[j]) - static_cast<double>(origin[j]);
        sum[static_cast<std::size_t>(j)] += value;
        squares[static_cast<std::size_t>(j)] += value * value;
      }
    }
    for (std::size_t j = 0; j < sum.size(); ++j) {
      const double variance = squares[j] - sum[j] * sum[j] / static_cast<double>(seen);
      if (variance > largest) {
        largest = variance;
        best = static_cast<Index>(j);
      }
    }
    return best;
  }

  void halve(LeafRange range) {
    if (range.count < 2) return;
    const Index begin = range.first * leaf_;
    const Index end = std::min(x_.rows, (range.first + range.count) * leaf_);
    const Index middle = range.right().first * leaf_;
    Index* points = order_.data() + begin;
    const Index axis = direction(points, end - begin);
    std::vector<Keyed> keyed(static_cast<std::size_t>(end - begin));
    for (std::size_t i = 0; i < keyed.size(); ++i) keyed[i] = {x_(points[i], axis), points[i]};
    std::nth_element(keyed.begin(), keyed.begin() + (middle - begin), keyed.end());
    for (std::size_t i = 0; i < keyed.size(); ++i) points[i] = keyed[i].point;
  }

  MatrixView<T> x_;
  Index leaf_;
  std::vector<Index> order_;
};

}  // namespace

std::vector<Index> spatial_order(MatrixView<float> coordinates, Index leaf, const Run& run) {
  return Splitter<float>(coordinates, leaf).split(run);
}
std::vector<Index> spatial_order(MatrixView<double> coordinates, Index leaf, const Run& run) {
  return Splitter<double>(coordinates, leaf).split(run);
}

}  // namespace unroll
