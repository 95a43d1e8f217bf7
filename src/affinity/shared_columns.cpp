#include "affinity/shared_columns.h"

#include <algorithm>

#include "core/at.h"

namespace unroll {
namespace {

void append_columns(const SparseRows& rows, Index i, std::vector<Index>& columns) {
  rows.visit([&](const auto& x) { columns.insert(columns.end(), x.columns + x.begin(i), x.columns + x.end(i)); });
}

void make_unique(std::vector<Index>& columns) {
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
}

}  // namespace

void shared_columns(const SparseRows& rows, std::span<const Index> members, std::vector<Index>& columns) {
  columns.clear();
  for (const Index member : members) append_columns(rows, member, columns);
  make_unique(columns);
}

void add_columns(const SparseRows& rows, Index q, std::vector<Index>& columns) {
  append_columns(rows, q, columns);
  make_unique(columns);
}

void expand_row(const SparseRows& rows, Index i, double scale, std::span<const Index> columns,
                std::vector<double>& values) {
  values.assign(columns.size(), 0);
  rows.visit([&](const auto& x) {
    Index e = x.begin(i);
    const Index end = x.end(i);
    for (std::size_t f = 0; f < columns.size() && e < end; ++f) {
      while (e < end && static_cast<Index>(x.columns[e]) < columns[f]) ++e;
      if (e < end && static_cast<Index>(x.columns[e]) == columns[f])
        values[f] = scale * static_cast<double>(x.values[e]);
    }
  });
}

}  // namespace unroll
