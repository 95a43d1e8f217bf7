#include "local/local_fits.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/parallel.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

constexpr Index kPatchesPerBlock = 1024;

/// The places of `members` at which each point stands, ascending: which patches contain it.
void reverse(const Patches& patches, std::vector<Index>& offsets, std::vector<Index>& places) {
  offsets.assign(at(patches.points) + 1, 0);
  for (const Index member : patches.members) ++offsets[at(member) + 1];
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  places.resize(patches.members.size());
  std::vector<Index> next(offsets.begin(), offsets.end() - 1);
  for (std::size_t place = 0; place < patches.members.size(); ++place)
    places[at(next[at(patches.members[place])]++)] = static_cast<Index>(place);
}

/// The patch that every place of `members` belongs to.
std::vector<std::int32_t> owners(const Patches& patches) {
  if (patches.count() > std::numeric_limits<std::int32_t>::max())
    throw Error(ErrorKind::Unsupported, "local fits: more than 2^31 points; use landmarks");
  std::vector<std::int32_t> owner(patches.members.size());
  for (Index i = 0; i < patches.count(); ++i)
    std::fill(owner.begin() + patches.offsets[at(i)], owner.begin() + patches.offsets[at(i) + 1],
              static_cast<std::int32_t>(i));
  return owner;
}

double dot(const double* a, const double* b, Index n) {
  double sum = 0;
  for (Index k = 0; k < n; ++k) sum += a[k] * b[k];
  return sum;
}

/// One row of M after another: a slot per column that has been met, taken back when the row is done.
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

}  // namespace

Patches patches_of(const NeighborGraph& nearest, bool with_center) {
  Patches patches{.points = nearest.size()};
  patches.offsets.reserve(nearest.offsets.size());
  patches.members.reserve(at(nearest.edges() + (with_center ? nearest.size() : 0)));
  for (Index i = 0; i < nearest.size(); ++i) {
    if (with_center) patches.members.push_back(i);
    const auto neighbors = nearest.neighbors_of(i);
    patches.members.insert(patches.members.end(), neighbors.begin(), neighbors.end());
    patches.offsets.push_back(std::ssize(patches.members));
  }
  return patches;
}

LocalFits fit_patches(Patches patches, bool complement, const std::function<PatchFit()>& make, std::string_view stage,
                      const Run& run) {
  const Index count = patches.count();
  LocalFits fits{.patches = std::move(patches), .complement = complement};
  std::vector<std::vector<double>> blocks(at(block_count(count, kPatchesPerBlock)));
  std::vector<Index> ends(at(count));  // of the factors, within their block
  parallel_for(
      run, count, kPatchesPerBlock,
      [&](Index begin, Index end) {
        std::vector<double>& out = blocks[at(begin / kPatchesPerBlock)];
        const PatchFit fit = make();
        for (Index i = begin; i < end; ++i) {
          fit(i, fits.patches.members_of(i), out);
          ends[at(i)] = std::ssize(out);
        }
      },
      stage);
  std::size_t total = 0;
  for (const auto& block : blocks) total += block.size();
  fits.factors.reserve(total);
  fits.factor_offsets.reserve(at(count) + 1);
  for (Index i = 0; i < count; ++i) {
    std::vector<double>& block = blocks[at(i / kPatchesPerBlock)];
    if (i % kPatchesPerBlock == 0) {
      if (i > 0) blocks[at(i / kPatchesPerBlock) - 1] = {};
      fits.factors.insert(fits.factors.end(), block.begin(), block.end());
    }
    fits.factor_offsets.push_back(std::ssize(fits.factors) - std::ssize(block) + ends[at(i)]);
  }
  return fits;
}

LocalFits part(const LocalFits& fits, const Components& components, Index component) {
  std::vector<Index> number(at(fits.size()), -1);
  LocalFits result{.complement = fits.complement};
  for (Index i = 0; i < fits.size(); ++i)
    if (components.labels[at(i)] == component) number[at(i)] = result.patches.points++;
  for (Index p = 0; p < fits.patches.count(); ++p) {
    const auto members = fits.patches.members_of(p);
    if (members.empty() || number[at(members.front())] < 0) continue;
    for (const Index member : members) result.patches.members.push_back(number[at(member)]);
    result.patches.offsets.push_back(std::ssize(result.patches.members));
    const double* factor = fits.factor(p);
    result.factors.insert(result.factors.end(), factor, factor + std::ssize(members) * fits.columns(p));
    result.factor_offsets.push_back(std::ssize(result.factors));
  }
  return result;
}

std::vector<Index> breadth_first_order(const LocalFits& fits) {
  const Index n = fits.size();
  std::vector<Index> order(at(n));
  std::iota(order.begin(), order.end(), Index{0});
  if (fits.patches.count() != n) return order;
  std::vector<char> seen(at(n));
  Index found = 0;
  const auto find = [&](Index point) {
    if (seen[at(point)] != 0) return;
    seen[at(point)] = 1;
    order[at(found++)] = point;
  };
  for (Index start = 0, next = 0; start < n; ++start) {
    find(start);
    for (; next < found; ++next)
      for (const Index member : fits.patches.members_of(order[at(next)])) find(member);
  }
  return order;
}

LocalFits reordered(const LocalFits& fits, const std::vector<Index>& order, const Run& run) {
  const Index n = fits.size(), count = fits.patches.count();
  LocalFits result{.patches = {.points = n}, .complement = fits.complement};
  std::vector<Index> number(at(n));
  for (Index j = 0; j < n; ++j) number[at(order[at(j)])] = j;
  const auto source = [&](Index j) { return count == n ? order[at(j)] : j; };
  result.patches.offsets.resize(at(count) + 1);
  result.factor_offsets.resize(at(count) + 1);
  for (Index j = 0; j < count; ++j) {
    const auto from = at(source(j));
    result.patches.offsets[at(j) + 1] =
        result.patches.offsets[at(j)] + fits.patches.offsets[from + 1] - fits.patches.offsets[from];
    result.factor_offsets[at(j) + 1] =
        result.factor_offsets[at(j)] + fits.factor_offsets[from + 1] - fits.factor_offsets[from];
  }
  result.patches.members.resize(fits.patches.members.size());
  result.factors.resize(fits.factors.size());
  parallel_for(run, count, kPatchesPerBlock, [&](Index begin, Index end) {
    for (Index j = begin; j < end; ++j) {
      const auto members = fits.patches.members_of(source(j));
      std::transform(members.begin(), members.end(), result.patches.members.begin() + result.patches.offsets[at(j)],
                     [&](Index member) { return number[at(member)]; });
      std::copy_n(fits.factor(source(j)), std::ssize(members) * fits.columns(source(j)),
                  result.factors.begin() + result.factor_offsets[at(j)]);
    }
  });
  return result;
}

Index closed_groups(const Patches& patches) {
  const Index n = patches.points;
  for (Index i = 0; i < patches.count(); ++i)
    if (patches.count() != n || patches.members_of(i).empty() || patches.members_of(i).front() != i) return 0;
  // Strongly connected components (Tarjan 1972), which end in ascending order of what they lead to: one is closed
  // unless it leads to another that has ended before.
  constexpr Index kUnseen = -1;
  struct Visit {
    Index point;
    std::size_t next;
    bool leaves;
  };
  std::vector<Index> number(at(n), kUnseen), low(at(n)), path;
  std::vector<char> ended(at(n));
  std::vector<Visit> visits;
  Index seen = 0, closed = 0;
  const auto enter = [&](Index point) {
    number[at(point)] = low[at(point)] = seen++;
    path.push_back(point);
    visits.push_back({point, 0, false});
  };
  for (Index start = 0; start < n; ++start) {
    if (number[at(start)] != kUnseen) continue;
    enter(start);
    while (!visits.empty()) {
      const Index point = visits.back().point;
      const auto members = patches.members_of(point);
      if (visits.back().next < members.size()) {
        const Index member = members[visits.back().next++];
        if (number[at(member)] == kUnseen) {
          enter(member);
        } else if (ended[at(member)] != 0) {
          visits.back().leaves = true;
        } else {
          low[at(point)] = std::min(low[at(point)], number[at(member)]);
        }
        continue;
      }
      const bool is_root = low[at(point)] == number[at(point)], leaves = visits.back().leaves;
      visits.pop_back();
      if (is_root) {
        if (!leaves) ++closed;
        while (ended[at(point)] == 0) {
          ended[at(path.back())] = 1;
          path.pop_back();
        }
      }
      if (visits.empty()) continue;
      Visit& before = visits.back();
      before.leaves = before.leaves || is_root || leaves;
      if (!is_root) low[at(before.point)] = std::min(low[at(before.point)], low[at(point)]);
    }
  }
  return closed;
}

SparseMatrix assembled(const LocalFits& fits, const Run& run) {
  const Index n = fits.size();
  std::vector<Index> offsets, places;
  reverse(fits.patches, offsets, places);
  const std::vector<std::int32_t> owner = owners(fits.patches);
  // Few blocks, since each has a slot per point; of a number that depends on n alone.
  constexpr Index kBlocks = 64, kFewest = 512;
  const Index grain = std::max(kFewest, block_count(n, kBlocks));
  std::vector<SparseMatrix> blocks(at(block_count(n, grain)));
  parallel_for(
      run, n, grain,
      [&](Index begin, Index end) {
        RowGatherer row(n);
        SparseMatrix& out = blocks[at(begin / grain)];
        out.offsets.reserve(at(end - begin) + 1);
        for (Index j = begin; j < end; ++j) {
          row.add(j, 0);
          for (Index e = offsets[at(j)]; e < offsets[at(j) + 1]; ++e) {
            const Index place = places[at(e)], patch = owner[at(place)], r = fits.columns(patch);
            const Index own = place - fits.patches.offsets[at(patch)];
            const auto members = fits.patches.members_of(patch);
            const double* f = fits.factor(patch);
            for (Index b = 0; b < std::ssize(members); ++b) {
              const double product = dot(f + own * r, f + b * r, r);
              row.add(members[at(b)], fits.complement ? (b == own ? 1.0 : 0.0) - product : product);
            }
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
  for (SparseMatrix& block : blocks) {  // each is let go when it has been copied
    const Index before = std::ssize(m.columns);
    for (std::size_t i = 1; i < block.offsets.size(); ++i) m.offsets.push_back(before + block.offsets[i]);
    m.columns.insert(m.columns.end(), block.columns.begin(), block.columns.end());
    m.values.insert(m.values.end(), block.values.begin(), block.values.end());
    block = {};
  }
  return m;
}

namespace {

/// B times the rows of x that the patch's members have, for every member: `out` is m x width.
void residual(const LocalFits& fits, Index patch, const Array2<double>& x, std::vector<double>& inner, double* out) {
  const auto members = fits.patches.members_of(patch);
  const Index m = std::ssize(members), r = fits.columns(patch), width = x.cols();
  const double* f = fits.factor(patch);
  inner.assign(at(r * width), 0);
  for (Index a = 0; a < m; ++a)
    for (Index c = 0; c < r; ++c)
      for (Index k = 0; k < width; ++k) inner[at(c * width + k)] += f[a * r + c] * x(members[at(a)], k);
  for (Index a = 0; a < m; ++a) {
    double* to = out + a * width;
    for (Index k = 0; k < width; ++k) to[k] = fits.complement ? x(members[at(a)], k) : 0;
    const double sign = fits.complement ? -1 : 1;
    for (Index c = 0; c < r; ++c)
      for (Index k = 0; k < width; ++k) to[k] += sign * f[a * r + c] * inner[at(c * width + k)];
  }
}

}  // namespace

LocalFitsOperator::LocalFitsOperator(const LocalFits& fits) : fits_(fits) {
  reverse(fits.patches, place_offsets_, places_);
}

void LocalFitsOperator::apply(const Array2<double>& x, Array2<double>& y, const Run& run) const {
  const Index width = x.cols();
  Array2<double> parts = Array2<double>::uninitialized(std::ssize(fits_.patches.members), width);
  parallel_for(run, fits_.patches.count(), kPatchesPerBlock, [&](Index begin, Index end) {
    std::vector<double> inner;
    for (Index i = begin; i < end; ++i) residual(fits_, i, x, inner, parts.row(fits_.patches.offsets[at(i)]));
  });
  parallel_for(run, size(), kPatchesPerBlock, [&](Index begin, Index end) {
    for (Index j = begin; j < end; ++j) {
      std::fill_n(y.row(j), width, 0.0);
      for (Index e = place_offsets_[at(j)]; e < place_offsets_[at(j) + 1]; ++e)
        for (Index k = 0; k < width; ++k) y(j, k) += parts(places_[at(e)], k);
    }
  });
}

double LocalFitsOperator::cost() const {
  return 4 * static_cast<double>(fits_.factors.size()) + 2 * static_cast<double>(places_.size());
}

std::vector<double> fit_errors(const LocalFits& fits, const Array2<double>& y, const Run& run) {
  const Index width = y.cols();
  return parallel_reduce(
      run, fits.patches.count(), kPatchesPerBlock, std::vector<double>(at(width)),
      [&](Index begin, Index end) {
        std::vector<double> sums(at(width)), inner, rest;
        for (Index i = begin; i < end; ++i) {
          const auto members = fits.patches.members_of(i);
          const Index r = fits.columns(i);
          if (fits.complement) {
            rest.resize(members.size() * at(width));
            residual(fits, i, y, inner, rest.data());
            for (std::size_t e = 0; e < rest.size(); ++e) sums[e % at(width)] += rest[e] * rest[e];
          } else {
            inner.assign(at(r * width), 0);
            for (Index a = 0; a < std::ssize(members); ++a)
              for (Index c = 0; c < r; ++c)
                for (Index k = 0; k < width; ++k)
                  inner[at(c * width + k)] += fits.factor(i)[a * r + c] * y(members[at(a)], k);
            for (std::size_t e = 0; e < inner.size(); ++e) sums[e % at(width)] += inner[e] * inner[e];
          }
        }
        return sums;
      },
      [](std::vector<double> a, const std::vector<double>& b) {
        for (std::size_t k = 0; k < a.size(); ++k) a[k] += b[k];
        return a;
      });
}

}  // namespace unroll
