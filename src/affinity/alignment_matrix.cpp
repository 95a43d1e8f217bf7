#include "affinity/alignment_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/at.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "linalg/small_products.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

/// Rows per block: few blocks, since each has a slot per point. A row takes about m^2 operations per column of a
/// factor: of large patches fewer rows are a block, so that a cancelled run ends soon.
Index rows_per_block(const Patches& patches) {
  constexpr Index kBlocks = 64, kFewest = 512, kFewestOfLarge = 16;
  constexpr double kOperations = 1e7;
  const Index n = patches.points;
  const double m = static_cast<double>(patches.members.size()) / static_cast<double>(std::max<Index>(1, n));
  const auto answering = std::max(kFewestOfLarge, static_cast<Index>(kOperations / (1 + m * m)));
  return std::min(std::max(kFewest, block_count(n, kBlocks)), answering);
}

/// The patch of every place in `members`.
std::vector<std::int32_t> owners(const Patches& patches, const Run& run) {
  constexpr Index kPatches = 4096;  // at a time
  if (patches.count() > std::numeric_limits<std::int32_t>::max())
    throw Error(ErrorKind::Unsupported,
                fmt::format("a matrix of {} points is too large: at most 2^31 - 1 are possible", patches.count()),
                "use n_landmarks");
  std::vector<std::int32_t> owner;
  resize_large(owner, patches.members.size(), run);
  parallel_for(run, patches.count(), kPatches, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      std::fill(owner.begin() + patches.offsets[at(i)], owner.begin() + patches.offsets[at(i) + 1],
                static_cast<std::int32_t>(i));
  });
  return owner;
}

/// Gathers one row of M after another: a slot per column that occurs, freed when the row is done.
class RowGatherer {
 public:
  explicit RowGatherer(Index n) : slot_(at(n), -1) {}

  void add(Index column, double value) {
    std::int32_t& slot = slot_[at(column)];
    if (slot < 0) {
      slot = static_cast<std::int32_t>(columns_.size());
      columns_.push_back(column);
      values_.push_back(0);
    }
    values_[static_cast<std::size_t>(slot)] += value;
  }

  /// Appends the row, columns ascending.
  void take(SparseMatrix& out) {
    std::sort(columns_.begin(), columns_.end());
    for (const Index column : columns_) {
      out.columns.push_back(column);
      out.values.push_back(values_[static_cast<std::size_t>(slot_[at(column)])]);
      slot_[at(column)] = -1;
    }
    out.offsets.push_back(std::ssize(out.columns));
    columns_.clear();
    values_.clear();
  }

 private:
  std::vector<std::int32_t> slot_;
  std::vector<Index> columns_;
  std::vector<double> values_;
};

/// Adds the row of B that belongs to the member `own` of a patch.
void add_row(const LocalFits& fits, Index patch, Index own, RowGatherer& row) {
  const auto members = fits.patches.members_of(patch);
  const Index r = fits.columns(patch), cost_columns = fits.cost_columns(patch), free = r - cost_columns;
  const bool rest = fits.costs_rest(patch);
  const double* f = fits.factor(patch);
  const double* mine = f + own * r;
  for (Index b = 0; b < std::ssize(members); ++b, f += r) {
    double value = dot(cost_columns, mine, f);
    if (rest) value += (b == own ? 1.0 : 0.0) - dot(free, mine + cost_columns, f + cost_columns);
    row.add(members[at(b)], value);
  }
}

/// The rows of all blocks. Some are copied at a time and let go: only these stand in memory twice.
SparseMatrix concatenated(std::vector<SparseMatrix> blocks, Index n, const Run& run) {
  constexpr Index kAtATime = 8;
  std::vector<Index> rows{0}, entries{0};  // before every block
  for (const SparseMatrix& block : blocks) {
    rows.push_back(rows.back() + std::ssize(block.offsets) - 1);
    entries.push_back(entries.back() + std::ssize(block.columns));
  }
  SparseMatrix m{.rows = n, .cols = n};
  m.offsets.resize(at(n) + 1);
  m.offsets.back() = entries.back();
  reserve_large(m.columns, at(entries.back()));
  reserve_large(m.values, at(entries.back()));
  const auto extend = [&](auto& vector, Index size) {
    touch_pages(vector.data() + vector.size(), (at(size) - vector.size()) * sizeof(vector.front()), run);
    vector.resize(at(size));
  };
  for (Index begin = 0; begin < std::ssize(blocks); begin += kAtATime) {
    const Index end = std::min(begin + kAtATime, std::ssize(blocks));
    extend(m.columns, entries[at(end)]);
    extend(m.values, entries[at(end)]);
    parallel_for(run, end - begin, 1, [&](Index k, Index) {
      const auto b = at(begin + k);
      const SparseMatrix block = std::move(blocks[b]);
      std::transform(block.offsets.begin(), block.offsets.end() - 1, m.offsets.begin() + rows[b],
                     [&](Index offset) { return entries[b] + offset; });
      std::copy(block.columns.begin(), block.columns.end(), m.columns.begin() + entries[b]);
      std::copy(block.values.begin(), block.values.end(), m.values.begin() + entries[b]);
    });
  }
  return m;
}

}  // namespace

SparseMatrix assembled(const LocalFits& fits, const Run& run) {
  const Index n = fits.size();
  const Occurrences where = occurrences(fits.patches.members, n, run);
  const std::vector<std::int32_t> owner = owners(fits.patches, run);
  const Index grain = rows_per_block(fits.patches);
  std::vector<SparseMatrix> blocks(at(block_count(n, grain)));
  parallel_for(
      run, n, grain,
      [&](Index begin, Index end) {
        RowGatherer row(n);
        SparseMatrix& out = blocks[at(begin / grain)];
        out.offsets.reserve(at(end - begin) + 1);
        for (Index j = begin; j < end; ++j) {
          row.add(j, 0);
          for (const Index place : where.of(j)) {
            const Index patch = owner[at(place)];
            add_row(fits, patch, place - fits.patches.offsets[at(patch)], row);
          }
          row.take(out);
        }
      },
      "alignment matrix");
  return concatenated(std::move(blocks), n, run);
}

std::vector<Index> row_entries(const Patches& patches, const Run& run) {
  const Index n = patches.points;
  const Occurrences where = occurrences(patches.members, n, run);
  const std::vector<std::int32_t> owner = owners(patches, run);
  std::vector<Index> entries(at(n));
  parallel_for(run, n, rows_per_block(patches), [&](Index begin, Index end) {
    std::vector<Index> met(at(n), -1);  // the last row that has an entry in the column
    for (Index j = begin; j < end; ++j) {
      const auto meet = [&](Index column) {
        if (met[at(column)] != j) met[at(column)] = j, ++entries[at(j)];
      };
      meet(j);
      for (const Index place : where.of(j))
        for (const Index member : patches.members_of(owner[at(place)])) meet(member);
    }
  });
  return entries;
}

}  // namespace unroll
