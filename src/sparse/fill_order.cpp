#include "sparse/fill_order.h"

#include <camd.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>

#include "core/at.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "sparse/level_separator.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

constexpr auto kMostUnknowns = std::numeric_limits<std::int32_t>::max();
constexpr std::string_view kStage = "order of elimination";

/// CAMD has an entry for 32-bit and one for 64-bit integers; the first is faster, as it moves half the bytes.
void camd(int n, int* starts, int* columns, int* lengths, int room, int used, std::array<int*, 7> work, int* order,
          const int* sets) {
  double control[CAMD_CONTROL], info[CAMD_INFO];
  camd_defaults(control);
  camd_2(n, starts, columns, lengths, room, used, work[0], work[1], order, work[2], work[3], work[4], work[5], control,
         info, sets, work[6]);
}
void camd(Index n, Index* starts, Index* columns, Index* lengths, Index room, Index used, std::array<Index*, 7> work,
          Index* order, const Index* sets) {
  static_assert(sizeof(SuiteSparse_long) == sizeof(Index));
  double control[CAMD_CONTROL], info[CAMD_INFO];
  camd_l_defaults(control);
  camd_l2(n, starts, columns, lengths, room, used, work[0], work[1], order, work[2], work[3], work[4], work[5], control,
          info, sets, work[6]);
}

std::size_t room_for(std::size_t rows, std::size_t entries) { return entries + entries / 5 + rows + 1; }

/// What CAMD works on, which it destroys: every row's columns without the diagonal, and room for a fifth more.
template <class Int>
class OrderPattern {
 public:
  OrderPattern(std::size_t rows, std::size_t entries) : room_(room_for(rows, entries)) {
    starts_.reserve(rows);
    lengths_.reserve(rows);
    reserve_large(columns_, room_);
  }

  void add_row() {
    starts_.push_back(static_cast<Int>(columns_.size()));
    lengths_.push_back(0);
  }
  /// Adds an entry to the last row.
  void add(Index column) {
    columns_.push_back(static_cast<Int>(column));
    ++lengths_.back();
  }

  /// All rows in order of elimination; those from `last` on come after the others.
  std::vector<Int> order(std::size_t last) {
    const std::size_t n = starts_.size(), used = columns_.size();
    columns_.resize(room_);
    std::vector<Int> sets(n), result(n), memory(7 * (n + 1));
    std::fill(sets.begin() + static_cast<std::ptrdiff_t>(last), sets.end(), Int{1});
    std::array<Int*, 7> work{};
    for (std::size_t k = 0; k < work.size(); ++k) work[k] = memory.data() + k * (n + 1);
    camd(static_cast<Int>(n), starts_.data(), columns_.data(), lengths_.data(), static_cast<Int>(room_),
         static_cast<Int>(used), work, result.data(), last < n ? sets.data() : nullptr);
    return result;
  }

 private:
  std::size_t room_;
  std::vector<Int> starts_, lengths_, columns_;
};

/// The pattern of the whole matrix.
template <class Int, class Column>
OrderPattern<Int> whole(const std::vector<Index>& offsets, const std::vector<Column>& columns) {
  const Index n = std::ssize(offsets) - 1;
  OrderPattern<Int> pattern(at(n), columns.size());
  for (Index i = 0; i < n; ++i) {
    pattern.add_row();
    for (Index e = offsets[at(i)]; e < offsets[at(i) + 1]; ++e)
      if (columns[at(e)] != i) pattern.add(columns[at(e)]);
  }
  return pattern;
}

template <class Int>
std::vector<std::int32_t> ordered(const SparseMatrix& a, const Run& run) {
  struct Work {
    OrderPattern<Int> pattern;
    std::vector<Int> order;
  };
  const auto work = std::make_shared<Work>(Work{whole<Int>(a.offsets, a.columns), {}});
  // Shared with work that a cancelled run leaves behind.
  run_abandonable(run, kStage, [work, n = at(a.rows)] { work->order = work->pattern.order(n); });
  return {work->order.begin(), work->order.end()};
}

/// The unknowns of the halves and of the separator between them.
using Parts = std::array<std::vector<std::int32_t>, 3>;

/// Returns nothing if there are few unknowns, or if no separator is small: the separator is eliminated last, however
/// much that costs.
std::optional<Separation> cheap_separation(const SparseMatrix& a) {
  constexpr Index kLeastUnknowns = 100'000;   // fewer are ordered in 0.1 s
  constexpr double kLargestSeparator = 0.02;  // part of all unknowns
  if (a.rows < kLeastUnknowns) return {};
  SeparatorGraph graph;
  graph.weights.assign(at(a.rows), 1);
  graph.total = static_cast<std::int32_t>(a.rows);
  graph.offsets.reserve(a.offsets.size());
  reserve_large(graph.neighbors, a.columns.size());
  for (Index i = 0; i < a.rows; ++i) {
    for (Index e = a.offsets[at(i)]; e < a.offsets[at(i) + 1]; ++e)
      if (a.columns[at(e)] != i) graph.neighbors.push_back(static_cast<std::int32_t>(a.columns[at(e)]));
    graph.offsets.push_back(std::ssize(graph.neighbors));
  }
  Separation found = separate_by_levels(graph);
  if (found.separator() > kLargestSeparator * graph.total || found.larger_half() > Separation::allowed_half(graph))
    return {};
  return found;
}

/// A half, and then the separator: it is eliminated later, but counts in the degrees of its neighbours.
OrderPattern<int> half_of(const SparseMatrix& a, const Separation& cut, const Parts& parts,
                          const std::vector<std::int32_t>& place, signed char half) {
  const std::vector<std::int32_t>&own = parts[at(half)], &separator = parts[Separation::kSeparator];
  std::size_t entries = 0;
  for (const Index i : own)
    for (Index e = a.offsets[at(i)]; e < a.offsets[at(i) + 1]; ++e)
      entries += cut.where[at(a.columns[at(e)])] == Separation::kSeparator ? 2U : 1U;  // one is the separator's
  OrderPattern<int> pattern(own.size() + separator.size(), entries);
  const auto add_rows = [&](const std::vector<std::int32_t>& rows, bool with_separator) {
    for (const Index i : rows) {
      pattern.add_row();
      for (Index e = a.offsets[at(i)]; e < a.offsets[at(i) + 1]; ++e) {
        const Index j = a.columns[at(e)];
        if (cut.where[at(j)] == half && j != i) pattern.add(place[at(j)]);
        if (cut.where[at(j)] == Separation::kSeparator && with_separator) pattern.add(std::ssize(own) + place[at(j)]);
      }
    }
  };
  add_rows(own, true);
  add_rows(separator, false);
  return pattern;
}

/// Orders both halves at the same time, and then the separator.
std::vector<std::int32_t> ordered_by_halves(const SparseMatrix& a, const Separation& cut, const Run& run) {
  Parts parts;
  std::vector<std::int32_t> place(at(a.rows));  // of every unknown in its part
  for (Index i = 0; i < a.rows; ++i) {
    std::vector<std::int32_t>& own = parts[at(cut.where[at(i)])];
    place[at(i)] = static_cast<std::int32_t>(own.size());
    own.push_back(static_cast<std::int32_t>(i));
  }
  struct Half {
    std::optional<OrderPattern<int>> pattern;
    std::vector<int> order;
  };
  const auto halves = std::make_shared<std::array<Half, 2>>();  // shared with work that a cancelled run leaves behind
  parallel_for(run, 2, 1, [&](Index h, Index) {
    (*halves)[at(h)].pattern = half_of(a, cut, parts, place, static_cast<signed char>(h));
  });
  run_abandonable(run, kStage, [halves, threads = run.threads, sizes = std::array{parts[0].size(), parts[1].size()}] {
    parallel_for({.threads = threads}, 2, 1, [&](Index h, Index) {
      Half& half = (*halves)[at(h)];
      half.order = half.pattern->order(sizes[at(h)]);
    });
  });
  std::vector<std::int32_t> order;
  order.reserve(at(a.rows));
  for (std::size_t h = 0; h < 2; ++h)
    for (std::size_t k = 0; k < parts[h].size(); ++k) order.push_back(parts[h][at((*halves)[h].order[k])]);
  order.insert(order.end(), parts[Separation::kSeparator].begin(), parts[Separation::kSeparator].end());
  return order;
}

}  // namespace

double bytes_to_order(const SparseMatrix& a) {
  const auto room = static_cast<double>(room_for(at(a.rows), a.columns.size())), n = static_cast<double>(a.rows);
  const double bytes = room <= kMostUnknowns ? sizeof(int) : sizeof(Index);
  constexpr double kVectors = 12;  // with an entry per row; the rows of a separator are in both halves
  return bytes * (room + kVectors * n) + (3 * sizeof(std::int32_t) + sizeof(signed char)) * n;
}

std::vector<std::int32_t> fill_reducing_order(const SparseMatrix& a, const Run& run) {
  if (a.rows == 0) return {};
  if (a.rows > kMostUnknowns)
    throw Error(ErrorKind::Unsupported, fmt::format("a sparse factorization of {} unknowns, above 2^31 - 1", a.rows),
                "use n_landmarks or fewer points");
  if (room_for(at(a.rows), a.columns.size()) > at(kMostUnknowns)) return ordered<Index>(a, run);
  const std::optional<Separation> cut = cheap_separation(a);
  return cut ? ordered_by_halves(a, *cut, run) : ordered<int>(a, run);
}

std::vector<std::int32_t> minimum_degree_order(const std::vector<Index>& offsets,
                                               const std::vector<std::int32_t>& columns) {
  return whole<int>(offsets, columns).order(offsets.size() - 1);
}

}  // namespace unroll
