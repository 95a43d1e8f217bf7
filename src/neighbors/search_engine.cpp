#include "neighbors/search_engine.h"

#include <fmt/format.h>

#include <cmath>

#include "core/parallel.h"
#include "core/random.h"
#include "neighbors/block_search.h"
#include "neighbors/kd_tree.h"
#include "neighbors/row_subset.h"
#include "neighbors/search_limits.h"
#include "neighbors/sparse_search.h"
#include "neighbors/tree_space.h"
#include "unroll/core/error.h"
#include "unroll/neighbors/intrinsic_dimension.h"

namespace unroll {
namespace {

class TreeEngine : public SearchEngine {
 public:
  TreeEngine(const MetricRows& rows, const NeighborOptions& options, const Run& run)
      : rows_(rows),
        options_(options),
        map_(rows, options.metric, options.p, static_cast<std::uint64_t>(options.random_state), run),
        tree_(map_.space(rows, run), run) {}

  void search_all(SearchLimits limits, NeighborGraphBuilder& out, const Run& run) const override {
    tree_.search_all(distance_to(rows_), limits, out, run);
  }
  void search_other_groups(const std::vector<Index>& points, const std::vector<Index>& group, SearchLimits limits,
                           NeighborGraphBuilder& out, const Run& run) const override {
    tree_.search_other_groups(distance_to(rows_), points, group, limits, out, run);
  }
  void search(const MetricRows& queries, SearchLimits limits, NeighborGraphBuilder& out,
              const Run& run) const override {
    const TreeSpace space = map_.space(queries, run);
    tree_.search(distance_to(queries), space, limits, out, run);
  }
  void search_adjacent(const MetricRows& queries, SearchLimits limits, const std::vector<double>& reach,
                       NeighborGraphBuilder& out, const Run& run) const override {
    const TreeSpace space = map_.space(queries, run);
    tree_.search_adjacent(distance_to(queries), space, limits, reach, out, run);
  }

 private:
  RowDistance distance_to(const MetricRows& queries) const { return {queries, rows_, options_.metric, options_.p}; }

  const MetricRows& rows_;
  NeighborOptions options_;
  TreeMap map_;
  KdTree tree_;
};

class BlockEngine : public SearchEngine {
 public:
  BlockEngine(const MetricRows& rows, const NeighborOptions& options, const Run& run)
      : search_(rows, options.metric, static_cast<std::uint64_t>(options.random_state), run) {}

  void search_all(SearchLimits limits, NeighborGraphBuilder& out, const Run& run) const override {
    search_.search_all(limits, out, run);
  }
  void search_other_groups(const std::vector<Index>& points, const std::vector<Index>& group, SearchLimits limits,
                           NeighborGraphBuilder& out, const Run& run) const override {
    search_.search_other_groups(points, group, limits, out, run);
  }
  void search(const MetricRows& queries, SearchLimits limits, NeighborGraphBuilder& out,
              const Run& run) const override {
    search_.search(queries, std::vector<SearchLimits>(static_cast<std::size_t>(queries.rows()), limits), out, run);
  }
  void search_adjacent(const MetricRows& queries, SearchLimits limits, const std::vector<double>& reach,
                       NeighborGraphBuilder& out, const Run& run) const override {
    search_.search_adjacent(queries, limits, reach, out, run);
  }

 private:
  BlockSearch search_;
};

/// Computes every distance, for metrics without bounds.
class ScanEngine : public SearchEngine {
 public:
  ScanEngine(const MetricRows& rows, const NeighborOptions& options) : rows_(rows), options_(options) {}

  void search_all(SearchLimits limits, NeighborGraphBuilder& out, const Run& run) const override {
    scan(rows_, limits, out, run, [](Index i, Index j) { return i != j; });
  }
  void search_other_groups(const std::vector<Index>& points, const std::vector<Index>& group, SearchLimits limits,
                           NeighborGraphBuilder& out, const Run& run) const override {
    const RowSubset queries(rows_, points);
    scan(queries.rows(), limits, out, run, [&](Index q, Index j) {
      return group[static_cast<std::size_t>(points[static_cast<std::size_t>(q)])] != group[static_cast<std::size_t>(j)];
    });
  }
  void search(const MetricRows& queries, SearchLimits limits, NeighborGraphBuilder& out,
              const Run& run) const override {
    scan(queries, limits, out, run, [](Index, Index) { return true; });
  }
  void search_adjacent(const MetricRows& queries, SearchLimits limits, const std::vector<double>& reach,
                       NeighborGraphBuilder& out, const Run& run) const override {
    const RowDistance distance(queries, rows_, options_.metric, options_.p);
    for_each_row(queries, run, [&](Index q) {
      NearestList nearest(limits);
      std::vector<Candidate> reaching;
      for (Index j = 0; j < rows_.rows(); ++j) {
        const Candidate candidate{distance(q, j), j};
        nearest.add(candidate.distance, j);
        if (candidate.distance <= reach[static_cast<std::size_t>(j)]) reaching.push_back(candidate);
      }
      out.set(q, united(nearest.sorted(), std::move(reaching)));
    });
  }

 private:
  template <class Visit>
  static void for_each_row(const MetricRows& queries, const Run& run, Visit&& visit) {
    parallel_for(
        run, queries.rows(), 8,
        [&](Index begin, Index end) {
          for (Index q = begin; q < end; ++q) visit(q);
        },
        "searching");
  }

  template <class Counts>
  void scan(const MetricRows& queries, SearchLimits limits, NeighborGraphBuilder& out, const Run& run,
            Counts&& counts) const {
    const RowDistance distance(queries, rows_, options_.metric, options_.p);
    for_each_row(queries, run, [&](Index q) {
      NearestList nearest(limits);
      for (Index j = 0; j < rows_.rows(); ++j)
        if (counts(q, j)) nearest.add(distance(q, j), j);
      out.set(q, nearest.sorted());
    });
  }

  const MetricRows& rows_;
  NeighborOptions options_;
};

/// The intrinsic dimension of a sample of the data.
double sampled_dimension(const MetricRows& rows, const NeighborOptions& options, const Run& run) {
  constexpr Index kSample = 1000;
  constexpr Index kNeighbors = 10;
  const auto seed = static_cast<std::uint64_t>(options.random_state);
  const RowSubset sample(rows, Random(seed, "neighbors.dimension").sample(rows.rows(), std::min(rows.rows(), kSample)));
  const SearchLimits limits{std::min(kNeighbors, sample.rows().rows() - 1)};
  NeighborGraphBuilder graph(sample.rows().rows(), limits, limits.count, run);
  BlockSearch(sample.rows(), options.metric, seed, run).search_all(limits, graph, run);
  return likely_dimension(graph.take(), run);
}

/// Whether a tree excludes most points: few features, or few dimensions that the leading axes contain.
bool is_for_tree(const MetricRows& rows, const NeighborOptions& options, const Run& run) {
  constexpr Index kTreeFeatures = 4;     // a tree is always right
  constexpr Index kFewPoints = 2000;     // a tree gains nothing
  constexpr double kMostDimensions = 7;  // with more, a tree of 10^5 points is slower than all pairs
  if (!TreeMap::exists(options.metric, rows.cols())) return false;
  if (!is_euclidean(options.metric) || rows.cols() <= kTreeFeatures) return true;
  if (rows.rows() < kFewPoints) return false;
  return TreeMap::holds_most(rows, static_cast<std::uint64_t>(options.random_state), run) &&
         sampled_dimension(rows, options, run) <= kMostDimensions;
}

}  // namespace

SearchAlgorithm choose_algorithm(const MetricRows& rows, const NeighborOptions& options, SearchLimits limits,
                                 const Run& run) {
  if (rows.points.is_sparse()) return SearchAlgorithm::Brute;
  if (is_for_tree(rows, options, run)) return SearchAlgorithm::KdTree;
  const bool can_approximate =
      is_euclidean(options.metric) && std::isinf(limits.radius) && limits.count <= kMostApproximate;
  return rows.rows() > options.exact_points && can_approximate ? SearchAlgorithm::Approximate : SearchAlgorithm::Brute;
}

std::unique_ptr<SearchEngine> make_engine(const MetricRows& rows, SearchAlgorithm algorithm,
                                          const NeighborOptions& options, const Run& run) {
  if (rows.points.is_sparse()) {
    if (algorithm != SearchAlgorithm::Brute)
      throw Error(ErrorKind::Unsupported, fmt::format("algorithm={} is not for sparse points", name_of(algorithm)),
                  "use algorithm=brute, or reduce the points first with the option pca, e.g. pca=50");
    return make_sparse_engine(rows, options, run);
  }
  if (algorithm == SearchAlgorithm::KdTree) {
    if (!TreeMap::exists(options.metric, rows.cols()))
      throw Error(ErrorKind::Unsupported,
                  fmt::format("algorithm=kd_tree cannot search {} features under metric={}", rows.cols(),
                              name_of(options.metric)),
                  "use algorithm=brute");
    plan_search(rows.rows(), static_cast<double>(std::min(rows.cols(), TreeMap::kMostFeatures)), 3 * sizeof(double),
                run);
    return std::make_unique<TreeEngine>(rows, options, run);
  }
  if (is_euclidean(options.metric)) return std::make_unique<BlockEngine>(rows, options, run);
  return std::make_unique<ScanEngine>(rows, options);
}

}  // namespace unroll
