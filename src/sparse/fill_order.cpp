#include "sparse/fill_order.h"

#include <amd.h>
#include <fmt/format.h>

#include <limits>
#include <memory>
#include <utility>

#include "core/at.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

constexpr auto kMostUnknowns = std::numeric_limits<std::int32_t>::max();

/// AMD has an entry for 32-bit and one for 64-bit integers; the first is faster, as it moves half the bytes.
void amd(int n, int* starts, int* columns, int* lengths, int room, int used, int* work, int* inverse, int* order) {
  const Index size = n;  // of which multiples need not be ints
  int* w[] = {work, work + size, work + 2 * size, work + 3 * size, work + 4 * size};
  double control[AMD_CONTROL], info[AMD_INFO];
  amd_defaults(control);
  amd_2(n, starts, columns, lengths, room, used, w[0], inverse, order, w[1], w[2], w[3], w[4], control, info);
}
void amd(Index n, Index* starts, Index* columns, Index* lengths, Index room, Index used, Index* work, Index* inverse,
         Index* order) {
  static_assert(sizeof(SuiteSparse_long) == sizeof(Index));
  Index* w[] = {work, work + n, work + 2 * n, work + 3 * n, work + 4 * n};
  double control[AMD_CONTROL], info[AMD_INFO];
  amd_l_defaults(control);
  amd_l2(n, starts, columns, lengths, room, used, w[0], inverse, order, w[1], w[2], w[3], w[4], control, info);
}

std::size_t room_for(std::size_t rows, std::size_t entries) { return entries + entries / 5 + rows + 1; }

/// What AMD works on, which it destroys: every row's columns without the diagonal, and room for a fifth more.
template <class Int>
struct Pattern {
  template <class Column>
  Pattern(const std::vector<Index>& offsets, const std::vector<Column>& from)
      : n(static_cast<Int>(offsets.size() - 1)),
        starts(at(n)),
        lengths(at(n)),
        work(5 * at(n)),
        inverse(at(n)),
        order(at(n)) {
    const std::size_t room = room_for(at(n), from.size());
    reserve_large(columns, room);
    for (Index i = 0; i < n; ++i) {
      starts[at(i)] = static_cast<Int>(columns.size());
      for (Index e = offsets[at(i)]; e < offsets[at(i) + 1]; ++e)
        if (const Index j = from[at(e)]; j != i) columns.push_back(static_cast<Int>(j));
      lengths[at(i)] = static_cast<Int>(columns.size()) - starts[at(i)];
    }
    used = static_cast<Int>(columns.size());
    columns.resize(room);
  }

  void find_order() {
    amd(n, starts.data(), columns.data(), lengths.data(), static_cast<Int>(columns.size()), used, work.data(),
        inverse.data(), order.data());
  }

  Int n, used = 0;
  std::vector<Int> starts, lengths, columns, work, inverse, order;
};

template <class Int>
std::vector<std::int32_t> ordered(const SparseMatrix& a, const Run& run) {
  const auto pattern =
      std::make_shared<Pattern<Int>>(a.offsets, a.columns);  // shared with work that a cancelled run leaves behind
  run_abandonable(run, "order of elimination", [pattern] { pattern->find_order(); });
  return {pattern->order.begin(), pattern->order.end()};
}

}  // namespace

double bytes_to_order(const SparseMatrix& a) {
  const auto room = static_cast<double>(room_for(at(a.rows), a.columns.size())), n = static_cast<double>(a.rows);
  const double bytes = room <= kMostUnknowns ? sizeof(int) : sizeof(Index);
  return bytes * (room + 9 * n) + sizeof(std::int32_t) * n;
}

std::vector<std::int32_t> fill_reducing_order(const SparseMatrix& a, const Run& run) {
  if (a.rows == 0) return {};
  if (a.rows > kMostUnknowns)
    throw Error(ErrorKind::Unsupported, fmt::format("a sparse factorization of {} unknowns, above 2^31 - 1", a.rows));
  return room_for(at(a.rows), a.columns.size()) <= at(kMostUnknowns) ? ordered<int>(a, run) : ordered<Index>(a, run);
}

std::vector<std::int32_t> minimum_degree_order(const std::vector<Index>& offsets,
                                               const std::vector<std::int32_t>& columns) {
  Pattern<int> pattern(offsets, columns);
  pattern.find_order();
  return std::move(pattern.order);
}

}  // namespace unroll
