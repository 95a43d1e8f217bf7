#include "sparse/elimination.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "core/at.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

using Row = Elimination::Row;
constexpr Row kNoRow = -1;

std::vector<Row> inverse_of(const std::vector<Row>& order) {
  std::vector<Row> place(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) place[at(order[k])] = static_cast<Row>(k);
  return place;
}

/// The pattern of the matrix in some order, without the diagonal.
class Pattern {
 public:
  Pattern(const SparseMatrix& a, const std::vector<Row>& order, const Run& run) : offsets_(order.size() + 1) {
    const std::vector<Row> place = inverse_of(order);
    fill(order, run, [&](std::size_t row, auto&& visit) {
      for (Index e = a.offsets[row]; e < a.offsets[row + 1]; ++e)
        if (const auto j = at(a.columns[at(e)]); j != row) visit(place[j]);
    });
  }
  /// One of a pattern in another order.
  Pattern(const Pattern& from, const std::vector<Row>& order, const Run& run) : offsets_(order.size() + 1) {
    const std::vector<Row> place = inverse_of(order);
    fill(order, run, [&](std::size_t row, auto&& visit) {
      for (const Row j : from[static_cast<Row>(row)]) visit(place[at(j)]);
    });
  }

  Row size() const { return static_cast<Row>(offsets_.size() - 1); }
  std::span<const Row> operator[](Row k) const {
    return {neighbors_.data() + offsets_[at(k)], neighbors_.data() + offsets_[at(k) + 1]};
  }

 private:
  template <class ForEach>
  void fill(const std::vector<Row>& order, const Run& run, const ForEach& for_each) {
    constexpr Index kRows = 4096;
    parallel_for(run, size(), kRows, [&](Index begin, Index end) {
      for (Index k = begin; k < end; ++k) for_each(at(order[at(k)]), [&](Row) { ++offsets_[at(k) + 1]; });
    });
    std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
    neighbors_.resize(at(offsets_.back()));
    parallel_for(run, size(), kRows, [&](Index begin, Index end) {
      Row* to = neighbors_.data() + offsets_[at(begin)];
      for (Index k = begin; k < end; ++k) for_each(at(order[at(k)]), [&](Row j) { *to++ = j; });
    });
  }

  std::vector<Index> offsets_;
  std::vector<Row> neighbors_;
};

/// The analysis is serial but for patterns: it looks up now and then.
void check_cancelled_at(Row k, const Run& run) {
  constexpr Row kRows = 4096;
  if (k % kRows == 0) run.check_cancelled();
}

/// The parent of column k is the first row below the diagonal in which it has an entry (Liu 1986, with compressed
/// paths).
std::vector<Row> elimination_tree(const Pattern& matrix, const Run& run) {
  std::vector<Row> parent(at(matrix.size()), kNoRow), ancestor = parent;
  for (Row k = 0; k < matrix.size(); ++k) {
    check_cancelled_at(k, run);
    for (Row i : matrix[k])
      while (i != kNoRow && i < k) {
        const Row next = std::exchange(ancestor[at(i)], k);
        if (next == kNoRow) parent[at(i)] = k;
        i = next;
      }
  }
  return parent;
}

/// The nodes such that every subtree is a range that ends with its root.
std::vector<Row> postorder(const std::vector<Row>& parent) {
  const auto n = static_cast<Row>(parent.size());
  std::vector<Row> child(parent.size(), kNoRow), sibling(parent.size(), kNoRow), result, path;
  for (Row k = n - 1; k >= 0; --k)
    if (const Row up = parent[at(k)]; up != kNoRow) sibling[at(k)] = std::exchange(child[at(up)], k);
  result.reserve(parent.size());
  for (Row root = 0; root < n; ++root) {
    if (parent[at(root)] != kNoRow) continue;
    path.push_back(root);
    while (!path.empty()) {
      const Row k = path.back();
      if (const Row down = child[at(k)]; down != kNoRow) {
        child[at(k)] = sibling[at(down)];
        path.push_back(down);
      } else {
        result.push_back(k);
        path.pop_back();
      }
    }
  }
  return result;
}

/// The tree when its nodes are numbered in this order.
std::vector<Row> renumbered(const std::vector<Row>& parent, const std::vector<Row>& order) {
  const std::vector<Row> place = inverse_of(order);
  std::vector<Row> result(parent.size(), kNoRow);
  for (std::size_t k = 0; k < parent.size(); ++k)
    if (parent[k] != kNoRow) result[at(place[k])] = place[at(parent[k])];
  return result;
}

/// What the two triangles say must agree: panels are as large as one says and are filled as the other does.
[[noreturn]] void fail_as_unsymmetric() {
  throw Error(ErrorKind::Internal, "a sparse factorization of a matrix whose pattern is not symmetric");
}

/// Entries of every column of L. Row i of L is a subtree of the tree; each of its leaves adds one entry to all columns
/// from itself to the root, less those that the leaf before it has added (Gilbert, Ng & Peyton 1994).
std::vector<Row> column_counts(const Pattern& matrix, const std::vector<Row>& parent, const Run& run) {
  const Row n = matrix.size();
  std::vector<Row> counts(at(n)), first(at(n), kNoRow), last_leaf(at(n), kNoRow), latest(at(n), kNoRow),
      ancestor(at(n));
  for (Row k = 0; k < n; ++k) {
    if (first[at(k)] == kNoRow) counts[at(k)] = 1;  // a leaf of the tree
    for (Row up = k; up != kNoRow && first[at(up)] == kNoRow; up = parent[at(up)]) first[at(up)] = k;
  }
  std::iota(ancestor.begin(), ancestor.end(), 0);
  const auto root_of = [&](Row k) {
    Row root = k;
    while (root != ancestor[at(root)]) root = ancestor[at(root)];
    while (k != root) k = std::exchange(ancestor[at(k)], root);
    return root;
  };
  for (Row k = 0; k < n; ++k) {
    check_cancelled_at(k, run);
    if (parent[at(k)] != kNoRow) --counts[at(parent[at(k)])];
    for (const Row i : matrix[k]) {
      if (i < k || first[at(k)] <= latest[at(i)]) continue;  // above, or not a leaf
      latest[at(i)] = first[at(k)];
      const Row before = std::exchange(last_leaf[at(i)], k);
      ++counts[at(k)];
      if (before != kNoRow) --counts[at(root_of(before))];
    }
    if (parent[at(k)] != kNoRow) ancestor[at(k)] = parent[at(k)];
  }
  for (Row k = 0; k < n; ++k) {
    if (counts[at(k)] < 1 || counts[at(k)] > n - k) fail_as_unsymmetric();
    if (parent[at(k)] != kNoRow) counts[at(parent[at(k)])] += counts[at(k)];
  }
  return counts;
}

/// Some columns in one panel.
struct Panel {
  Row first, last;
  Index below;   ///< rows
  double zeros;  ///< that the panel has and L has not

  double cols() const { return static_cast<double>(last - first + 1); }
};

/// Whether two panels, the second of them the parent of the first and next to it, are better one: a few zeros cost less
/// than another update.
bool is_worth_joining(const Panel& child, const Panel& parent, Panel& joined) {
  joined = {child.first, parent.last, parent.below, child.zeros + parent.zeros};
  joined.zeros += child.cols() * (parent.cols() + static_cast<double>(parent.below - child.below));
  const double cols = joined.cols();
  const double share = joined.zeros / (cols * (cols + 1) / 2 + cols * static_cast<double>(joined.below));
  return share == 0 || cols <= 4 || (cols <= 16 && share < 0.4) || (cols <= 48 && share < 0.15) || share < 0.05;
}

/// Columns with the same rows, joined with their parents where that is worth it.
std::vector<Panel> panels(const std::vector<Row>& parent, const std::vector<Row>& counts) {
  std::vector<Panel> result;  // from the last to the first
  for (auto k = static_cast<Row>(parent.size()) - 1; k >= 0; --k) {
    const Panel own{k, k, counts[at(k)] - 1, 0};
    if (!result.empty() && parent[at(k)] == k + 1 && result.back().first == k + 1 && result.back().zeros == 0 &&
        counts[at(k)] == counts[at(k) + 1] + 1) {
      result.back().first = k;
      continue;
    }
    result.push_back(own);
  }
  std::vector<Panel> joined;
  for (const Panel& child : result) {
    const Row up = parent[at(child.last)];
    Panel both{};
    if (!joined.empty() && up != kNoRow && up <= joined.back().last && is_worth_joining(child, joined.back(), both)) {
      joined.back() = both;
    } else {
      joined.push_back(child);
    }
  }
  std::reverse(joined.begin(), joined.end());
  return joined;
}

/// Row i of L reaches the supernodes on the ways from those of A's entries in row i up to its own.
void fill_rows(const Pattern& matrix, const std::vector<Row>& owner, Elimination& plan, const Run& run) {
  std::vector<Index> end(plan.row_offsets.begin(), plan.row_offsets.end() - 1);
  std::vector<Row> seen_by(at(plan.supernodes()), kNoRow);
  const auto add = [&](Row s, Row i) {
    if (s == kNoRow || end[at(s)] == plan.row_offsets[at(s) + 1]) fail_as_unsymmetric();
    plan.rows[at(end[at(s)]++)] = i;
    seen_by[at(s)] = i;
  };
  for (Row i = 0; i < matrix.size(); ++i) {
    check_cancelled_at(i, run);
    add(owner[at(i)], i);
    for (const Row k : matrix[i]) {
      if (k > i) continue;
      for (Row s = owner[at(k)]; s == kNoRow || seen_by[at(s)] != i; s = plan.parent[at(s)]) add(s, i);
    }
  }
  if (!std::equal(end.begin(), end.end(), plan.row_offsets.begin() + 1)) fail_as_unsymmetric();
}

double square(double side) { return side * side; }
double square_of(std::span<const Row> rows) { return square(static_cast<double>(rows.size())); }

/// Children's updates wait for their parent, each a square of the rows that it shares with it. In a bipartite graph
/// they may be as many as points, and all of them as large as the parent.
std::vector<char> gathering(const Elimination& plan) {
  constexpr double kWaitingSquares = 4;  // times the parent's own square: on surfaces there is hardly one with more
  std::vector<double> waiting(at(plan.supernodes()));
  std::vector<char> result(at(plan.supernodes()));
  for (Row s = 0; s < plan.supernodes(); ++s) {
    result[at(s)] = waiting[at(s)] > kWaitingSquares * square_of(plan.rows_of(s)) ? 1 : 0;
    if (const Row up = plan.parent[at(s)]; up != kNoRow) waiting[at(up)] += square_of(plan.rows_below(s));
  }
  return result;
}

/// Subtrees of at most a fixed share of all the work: enough of them to keep some threads busy, the same ones whatever
/// their number. Half of the work and more is above them, in large panels that are parallel in themselves.
class Subtrees {
 public:
  explicit Subtrees(const Elimination& plan)
      : plan_(plan), work_(at(plan.supernodes())), most_(std::max(kLeastWork, plan.work / kShares)) {
    const auto count = static_cast<Row>(plan.supernodes());
    std::vector<Row> first(at(count));
    std::iota(first.begin(), first.end(), 0);
    for (Row s = 0; s < count; ++s) {
      work_[at(s)] += plan.work_of(s);
      if (const Row up = plan.parent[at(s)]; up != kNoRow) {
        work_[at(up)] += work_[at(s)];
        first[at(up)] = std::min(first[at(up)], first[at(s)]);
      }
    }
    for (Row s = 0; s < count; ++s) {
      const Row up = plan.parent[at(s)];
      if (work_[at(s)] <= most_ && (up == kNoRow || work_[at(up)] > most_)) add({first[at(s)], s, work_[at(s)], false});
    }
  }

  /// In rounds, such that what they leave until the supernodes above them come is not much more than the factor.
  void put_rounds_into(Elimination& plan) {
    double left = 0;
    Index begin = 0;
    const auto end_round = [&](Index end, Row end_of_supernodes) {
      std::stable_sort(found_.begin() + begin, found_.begin() + end,
                       [](const auto& a, const auto& b) { return a.work > b.work; });
      plan.rounds.push_back({end, end_of_supernodes});
      begin = end;
      left = 0;
    };
    for (Index k = 0; k < std::ssize(found_); ++k) {
      const double own = square_of(plan_.rows_left_by(found_[at(k)]));
      if (left > 0 && left + own > allowed()) end_round(k, found_[at(k)].first);
      left += own;
    }
    end_round(std::ssize(found_), static_cast<Row>(plan_.supernodes()));
    plan.subtrees = std::move(found_);
  }

 private:
  static constexpr double kShares = 16, kLeastWork = 1e6, kLeastEntries = 1e6;

  /// Entries of updates that may wait.
  double allowed() const { return std::max(kLeastEntries, static_cast<double>(plan_.value_offsets.back())); }

  /// Work of several subtrees with this parent that are eliminated as one; together they leave about what is
  /// allowed.
  double most_gathered(Row parent) const {
    if (parent == kNoRow) return most_;
    const double pieces = std::max(1.0, std::floor(allowed() / square_of(plan_.rows_of(parent))));
    return std::max(most_, (work_[at(parent)] - plan_.work_of(parent)) / pieces);
  }

  /// In postorder; a subtree joins the one before it if their parent gathers.
  void add(const Elimination::Subtree& tree) {
    const Row up = plan_.parent[at(tree.last)];
    if (!found_.empty() && (up == kNoRow || plan_.gathers[at(up)] != 0)) {
      Elimination::Subtree& before = found_.back();
      const double both = before.work + tree.work;
      if (plan_.parent[at(before.last)] == up && before.last + 1 == tree.first && both <= most_gathered(up)) {
        before = {before.first, tree.last, both, true};
        return;
      }
    }
    found_.push_back(tree);
  }

  const Elimination& plan_;
  std::vector<double> work_;  // of every supernode and all below it
  double most_;
  std::vector<Elimination::Subtree> found_;
};

}  // namespace

double bytes_to_plan(const SparseMatrix& a) {
  constexpr double kPatterns = 2, kVectors = 24;  // with an entry for every row
  const auto n = static_cast<double>(a.rows), entries = static_cast<double>(a.columns.size());
  return kPatterns * (sizeof(Row) * entries + sizeof(Index) * n) + kVectors * sizeof(Row) * n;
}

Elimination plan_elimination(const SparseMatrix& a, const std::vector<Row>& order, const Run& run) {
  const Pattern first(a, order, run);
  const std::vector<Row> tree = elimination_tree(first, run), post = postorder(tree), parent = renumbered(tree, post);
  const Pattern matrix(first, post, run);
  Elimination plan;
  for (const Row k : post) plan.order.push_back(order[at(k)]);
  plan.place = inverse_of(plan.order);
  const std::vector<Row> counts = column_counts(matrix, parent, run);
  for (const auto count : counts) {
    plan.entries += count;
    plan.flops += static_cast<double>(count) * count;
  }
  std::vector<Row> owner(at(matrix.size()));
  const std::vector<Panel> all = panels(parent, counts);
  plan.row_offsets.push_back(0);
  plan.value_offsets.push_back(0);
  for (const Panel& panel : all) {
    const Index cols = panel.last - panel.first + 1, height = cols + panel.below;
    std::fill(owner.begin() + panel.first, owner.begin() + panel.last + 1, static_cast<Row>(plan.first.size()));
    plan.first.push_back(panel.first);
    plan.row_offsets.push_back(plan.row_offsets.back() + height);
    plan.value_offsets.push_back(plan.value_offsets.back() + height * cols);
  }
  plan.first.push_back(matrix.size());
  for (const Panel& panel : all) {
    const Row up = parent[at(panel.last)];
    plan.parent.push_back(up == kNoRow ? kNoRow : owner[at(up)]);
  }
  MemoryPlan()
      .add("the rows of a sparse factor", static_cast<double>(plan.row_offsets.back()), 1, sizeof(Row))
      .require(run, "use n_landmarks or fewer points");
  plan.rows.resize(at(plan.row_offsets.back()));
  fill_rows(matrix, owner, plan, run);
  for (Index s = 0; s < plan.supernodes(); ++s) plan.work += plan.work_of(s);
  plan.gathers = gathering(plan);
  Subtrees(plan).put_rounds_into(plan);
  return plan;
}

}  // namespace unroll
