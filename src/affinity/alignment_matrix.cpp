#include "affinity/alignment_matrix.h"

#include <algorithm>
#include <limits>

#include "affinity/small_products.h"
#include "core/at.h"
#include "core/parallel.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

/// Rows per block: few blocks, since each has a slot per point. Their number depends on n alone.
Index rows_per_block(Index n) {
  constexpr Index kBlocks = 64, kFewest = 512;
  return std::max(kFewest, block_count(n, kBlocks));
}

/// The patch of every place in `members`.
std::vector<std::int32_t> owners(const Patches& patches) {
  if (patches.count() > std::numeric_limits<std::int32_t>::max())
    throw Error(ErrorKind::Unsupported, "a matrix of more than 2^31 points", "use n_landmarks");
  std::vector<std::int32_t> owner(patches.members.size());
  for (Index i = 0; i < patches.count(); ++i)
    std::fill(owner.begin() + patches.offsets[at(i)], owner.begin() + patches.offsets[at(i) + 1],
              static_cast<std::int32_t>(i));
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
  const Index r = fits.columns(patch), charged = fits.charged(patch), free = r - charged;
  const bool rest = fits.charges_rest(patch);
  const double* f = fits.factor(patch);
  const double* mine = f + own * r;
  for (Index b = 0; b < std::ssize(members); ++b, f += r) {
    double value = dot(charged, mine, f);
    if (rest) value += (b == own ? 1.0 : 0.0) - dot(free, mine + charged, f + charged);
    row.add(members[at(b)], value);
  }
}

}  // namespace

SparseMatrix assembled(const LocalFits& fits, const Run& run) {
  const Index n = fits.size();
  const Places where = places_of(fits.patches);
  const std::vector<std::int32_t> owner = owners(fits.patches);
  const Index grain = rows_per_block(n);
  std::vector<SparseMatrix> blocks(at(block_count(n, grain)));
  parallel_for(
      run, n, grain,
      [&](Index begin, Index end) {
        RowGatherer row(n);
        SparseMatrix& out = blocks[at(begin / grain)];
        out.offsets.reserve(at(end - begin) + 1);
        for (Index j = begin; j < end; ++j) {
          row.add(j, 0);
          for (Index e = where.offsets[at(j)]; e < where.offsets[at(j) + 1]; ++e) {
            const Index place = where.places[at(e)], patch = owner[at(place)];
            add_row(fits, patch, place - fits.patches.offsets[at(patch)], row);
          }
          row.take(out);
        }
      },
      "alignment matrix");
  SparseMatrix m{.rows = n, .cols = n};
  std::size_t total = 0;
  for (const SparseMatrix& block : blocks) total += block.columns.size();
  m.offsets.reserve(at(n) + 1);
  m.columns.reserve(total);
  m.values.reserve(total);
  for (SparseMatrix& block : blocks) {  // each is freed after it has been copied
    const Index before = std::ssize(m.columns);
    for (std::size_t i = 1; i < block.offsets.size(); ++i) m.offsets.push_back(before + block.offsets[i]);
    m.columns.insert(m.columns.end(), block.columns.begin(), block.columns.end());
    m.values.insert(m.values.end(), block.values.begin(), block.values.end());
    block = {};
  }
  return m;
}

std::vector<Index> row_entries(const Patches& patches, const Run& run) {
  const Index n = patches.points;
  const Places where = places_of(patches);
  const std::vector<std::int32_t> owner = owners(patches);
  std::vector<Index> entries(at(n));
  parallel_for(run, n, rows_per_block(n), [&](Index begin, Index end) {
    std::vector<Index> met(at(n), -1);  // the last row that has an entry in the column
    for (Index j = begin; j < end; ++j) {
      const auto meet = [&](Index column) {
        if (met[at(column)] != j) met[at(column)] = j, ++entries[at(j)];
      };
      meet(j);
      for (Index e = where.offsets[at(j)]; e < where.offsets[at(j) + 1]; ++e)
        for (const Index member : patches.members_of(owner[at(where.places[at(e)])])) meet(member);
    }
  });
  return entries;
}

}  // namespace unroll
