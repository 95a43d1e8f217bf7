#include "neighbors/sparse_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/at.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "linalg/sparse_table.h"
#include "neighbors/row_subset.h"

namespace unroll {
namespace {

constexpr Index kQueries = SparseTable::kColumns;  // compared with a row at a time
constexpr Index kTask = 4 * kQueries;
constexpr Index kRowsPerProduct = 512;  // whose products with the queries are kept at once

/// |y|^2 of every row, and the most entries that one has.
struct RowNorms {
  std::vector<double> squared;
  Index most_entries = 0;
};

RowNorms norms_of(const MetricRows& rows, const Run& run) {
  RowNorms norms{.squared = std::vector<double>(at(rows.rows()))};
  rows.points.sparse().visit([&](const auto& x) {
    for (Index i = 0; i < x.rows; ++i) norms.most_entries = std::max(norms.most_entries, x.end(i) - x.begin(i));
    parallel_for(run, x.rows, kRowsPerProduct, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i)
        for (Index e = x.begin(i); e < x.end(i); ++e) {
          const double y = static_cast<double>(x.values[e]) * rows.factor_of(i);
          norms.squared[at(i)] += y * y;
        }
    });
  });
  return norms;
}

/// What one query has met so far. Squared lengths from inner products have errors of up to `slack`: a pair is a
/// candidate unless its lower bound is above what its upper bounds leave room for.
class Proposals {
 public:
  explicit Proposals(SearchLimits limits, double longest)
      : upper_({limits.count, std::numeric_limits<double>::infinity()}),
        is_counted_(limits.count != SearchLimits::kAll),
        longest_(longest) {}

  void add(double squared, double slack, Index j) {
    if (squared - slack > longest_) return;
    if (is_counted_) {
      if (squared - slack > upper_.limit()) return;
      upper_.add(squared + slack, j);
    }
    candidates_.push_back({squared - slack, j});
  }
  /// Calls judge(j) for all that may be among the nearest.
  template <class Judge>
  void judge(Judge&& judge) const {
    for (const Candidate& candidate : candidates_)
      if (!is_counted_ || candidate.distance <= upper_.limit()) judge(candidate.index);
  }

 private:
  NearestList upper_;
  bool is_counted_;
  double longest_;
  std::vector<Candidate> candidates_;
};

class SparseEngine : public SearchEngine {
 public:
  SparseEngine(const MetricRows& rows, const NeighborOptions& options, const Run& run)
      : rows_(rows), options_(options), norms_(norms_of(rows, run)) {}

  void search_all(SearchLimits limits, NeighborGraphBuilder& out, const Run& run) const override {
    scan(rows_, limits, nullptr, out, run, [](Index i, Index j) { return i != j; });
  }
  void search_other_groups(const std::vector<Index>& points, const std::vector<Index>& group, SearchLimits limits,
                           NeighborGraphBuilder& out, const Run& run) const override {
    const RowSubset queries(rows_, points);
    scan(queries.rows(), limits, nullptr, out, run,
         [&](Index q, Index j) { return group[at(points[at(q)])] != group[at(j)]; });
  }
  void search(const MetricRows& queries, SearchLimits limits, NeighborGraphBuilder& out,
              const Run& run) const override {
    scan(queries, limits, nullptr, out, run, [](Index, Index) { return true; });
  }
  void search_adjacent(const MetricRows& queries, SearchLimits limits, const std::vector<double>& reach,
                       NeighborGraphBuilder& out, const Run& run) const override {
    scan(queries, limits, &reach, out, run, [](Index, Index) { return true; });
  }

 private:
  /// What a search looks for; `reach`, if there is one, also takes rows that have a query within it.
  struct Task {
    const MetricRows& queries;
    SearchLimits limits;
    const std::vector<double>* reach;
    RowDistance distance;
    RowNorms norms;
  };
  /// What the queries [first, first + count) have met.
  struct Met {
    Index first;
    std::vector<Proposals> near;
    std::vector<std::vector<Index>> reached;
  };

  template <class Counts>
  void scan(const MetricRows& queries, SearchLimits limits, const std::vector<double>* reach, NeighborGraphBuilder& out,
            const Run& run, const Counts& counts) const {
    const Task task{queries, limits, reach, {queries, rows_, options_.metric, options_.p}, norms_of(queries, run)};
    parallel_for(
        run, queries.rows(), kTask,
        [&](Index begin, Index end) {
          SparseTable table(rows_.cols());
          for (Index first = begin; first < end; first += kQueries) {
            const Index count = std::min(kQueries, end - first);
            table.fill(queries.points.sparse(), first, count, [&](Index i) { return queries.factor_of(i); });
            Met met{first, {at(count), Proposals(limits, squared_length(task.distance, limits.radius))}, {}};
            met.reached.resize(at(count));
            propose(table, run, [&](Index j, const double* products) { meet(task, j, products, counts, met); });
            for (Index q = 0; q < count; ++q) out.set(first + q, judged(task, met, q));
            table.clear(queries.points.sparse(), first, count);
          }
        },
        "searching");
  }

  /// Row j, with its inner products with the queries.
  template <class Counts>
  void meet(const Task& task, Index j, const double* products, const Counts& counts, Met& met) const {
    const double own = norms_.squared[at(j)], rounding = rounding_of(task.norms);
    for (Index q = 0; q < std::ssize(met.near); ++q) {
      if (!counts(met.first + q, j)) continue;
      const double other = task.norms.squared[at(met.first + q)], sum = own + other;
      // Under cosine a row of zeros is at distance 1 from others.
      const bool one_is_zero = options_.metric == Metric::Cosine && (own == 0) != (other == 0);
      const double squared = one_is_zero ? 2 : sum - 2 * rows_.factor_of(j) * products[q], slack = sum * rounding;
      met.near[at(q)].add(squared, slack, j);
      if (task.reach != nullptr && squared - slack <= squared_length(task.distance, (*task.reach)[at(j)]))
        met.reached[at(q)].push_back(j);
    }
  }

  /// Of sums of products of so many terms, relative to the norms; far more than the errors of the judge, too.
  double rounding_of(const RowNorms& queries) const {
    constexpr double kEpsilon = 0x1p-50;
    return kEpsilon * static_cast<double>(std::max(queries.most_entries, norms_.most_entries) + 8);
  }
  static double squared_length(const RowDistance& distance, double limit) {
    if (std::isinf(limit)) return limit;
    const double length = distance.to_length(limit);
    return length * length * (1 + 0x1p-40);
  }

  /// Calls visit(j, inner products of row j, not multiplied by its factor, with the queries).
  template <class Visit>
  void propose(const SparseTable& table, const Run& run, const Visit& visit) const {
    std::vector<double> products;
    for (Index first = 0; first < rows_.rows(); first += kRowsPerProduct) {
      const Index count = std::min(kRowsPerProduct, rows_.rows() - first);
      table.multiply(rows_.points.sparse(), first, count, 1, products);
      for (Index i = 0; i < count; ++i) visit(first + i, products.data() + i * kQueries);
      run.check_cancelled();
    }
  }

  std::vector<Candidate> judged(const Task& task, const Met& met, Index q) const {
    NearestList nearest(task.limits);
    met.near[at(q)].judge([&](Index j) { nearest.add(task.distance(met.first + q, j), j); });
    std::vector<Candidate> reaching;
    for (const Index j : met.reached[at(q)])
      if (const double d = task.distance(met.first + q, j); d <= (*task.reach)[at(j)]) reaching.push_back({d, j});
    return united(nearest.sorted(), std::move(reaching));
  }

  const MetricRows& rows_;
  NeighborOptions options_;
  RowNorms norms_;
};

}  // namespace

std::unique_ptr<SearchEngine> make_sparse_engine(const MetricRows& rows, const NeighborOptions& options,
                                                 const Run& run) {
  MemoryPlan()
      .add("tables of sparse queries", static_cast<double>(thread_count(run)), static_cast<double>(rows.cols()),
           static_cast<double>(kQueries) * sizeof(double))
      .require(run, "use fewer features (embed -m pca), or fewer threads");
  return std::make_unique<SparseEngine>(rows, options, run);
}

}  // namespace unroll
