#include "affinity/local_fits.h"

#include <algorithm>
#include <numeric>

#include "core/at.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "sparse/breadth_first.h"

namespace unroll {
namespace {

constexpr Index kPatchesPerBlock = 1024;

/// Fits of large patches take long, about m^3 operations each: fewer of them are a block, so that every thread has some
/// and a cancelled run ends soon.
Index fits_per_block(const Patches& patches) {
  constexpr double kOperations = 1e7;  // a few milliseconds
  const double m =
      static_cast<double>(patches.members.size()) / static_cast<double>(std::max<Index>(1, patches.count()));
  return std::clamp(static_cast<Index>(kOperations / (1 + m * m * m)), Index{1}, kPatchesPerBlock);
}

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

LocalFits fit_patches(Patches patches, const std::function<PatchFit()>& make, std::string_view stage, const Run& run) {
  const Index count = patches.count();
  LocalFits fits{.patches = std::move(patches), .forms = std::vector<PatchForm>(at(count), PatchForm::Columns)};
  const Index per_block = fits_per_block(fits.patches);
  std::vector<std::vector<double>> blocks(at(block_count(count, per_block)));
  std::vector<Index> ends(at(count));  // where factors end within their block
  parallel_for(
      run, count, per_block,
      [&](Index begin, Index end) {
        std::vector<double>& out = blocks[at(begin / per_block)];
        const PatchFit fit = make();
        for (Index i = begin; i < end; ++i) {
          fits.forms[at(i)] = fit(i, fits.patches.members_of(i), out);
          ends[at(i)] = std::ssize(out);
        }
      },
      stage);
  std::vector<Index> firsts{0};  // of every block among all factors
  for (const auto& block : blocks) firsts.push_back(firsts.back() + std::ssize(block));
  fits.factor_offsets.resize(at(count) + 1);
  resize_large(fits.factors, at(firsts.back()), run);
  parallel_for(run, count, per_block, [&](Index begin, Index end) {
    const Index b = begin / per_block, first = firsts[at(b)];
    const std::vector<double> block = std::move(blocks[at(b)]);  // let go when it has been copied
    std::copy(block.begin(), block.end(), fits.factors.begin() + first);
    for (Index i = begin; i < end; ++i) fits.factor_offsets[at(i) + 1] = first + ends[at(i)];
  });
  return fits;
}

LocalFits part(const LocalFits& fits, const std::vector<Index>& points) {
  LocalFits result{.patches = {.points = std::ssize(points)}};
  for (const Index point : points) {
    const auto members = fits.patches.members_of(point);
    for (const Index member : members)
      result.patches.members.push_back(std::lower_bound(points.begin(), points.end(), member) - points.begin());
    result.patches.offsets.push_back(std::ssize(result.patches.members));
    const double* factor = fits.factor(point);
    result.factors.insert(result.factors.end(), factor, factor + std::ssize(members) * fits.columns(point));
    result.factor_offsets.push_back(std::ssize(result.factors));
    result.forms.push_back(fits.forms[at(point)]);
  }
  return result;
}

std::vector<Index> breadth_first_order(const LocalFits& fits) {
  if (fits.patches.count() == fits.size()) return breadth_first_order(fits.patches.offsets, fits.patches.members);
  std::vector<Index> order(at(fits.size()));
  std::iota(order.begin(), order.end(), Index{0});
  return order;
}

LocalFits reordered(const LocalFits& fits, const std::vector<Index>& order, const Run& run) {
  const Index n = fits.size(), count = fits.patches.count();
  LocalFits result{.patches = {.points = n}};
  std::vector<Index> number(at(n));
  for (Index j = 0; j < n; ++j) number[at(order[at(j)])] = j;
  const auto source = [&](Index j) { return count == n ? order[at(j)] : j; };
  result.patches.offsets.resize(at(count) + 1);
  result.forms.resize(at(count));
  result.factor_offsets.resize(at(count) + 1);
  for (Index j = 0; j < count; ++j) {
    const auto from = at(source(j));
    result.patches.offsets[at(j) + 1] =
        result.patches.offsets[at(j)] + fits.patches.offsets[from + 1] - fits.patches.offsets[from];
    result.factor_offsets[at(j) + 1] =
        result.factor_offsets[at(j)] + fits.factor_offsets[from + 1] - fits.factor_offsets[from];
    result.forms[at(j)] = fits.forms[from];
  }
  resize_large(result.patches.members, fits.patches.members.size(), run);
  resize_large(result.factors, fits.factors.size(), run);
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

namespace {

/// The cost of one patch for the rows of y that belong to its members.
class PatchCost {
 public:
  std::vector<double> along = {};  ///< F' Y for all columns of F: r x width
  std::vector<double> rest = {};   ///< (I - F F') Y for the free columns of F: m x width; empty if it costs nothing

  void find(const LocalFits& fits, Index patch, const Array2<double>& y) {
    switch (y.cols()) {
      case 1: return find_in<1>(fits, patch, y);
      case 2: return find_in<2>(fits, patch, y);
      case 3: return find_in<3>(fits, patch, y);
      default: return find_in<0>(fits, patch, y);
    }
  }

 private:
  /// The number of columns is a constant to the compiler where it is usual. Rows of y come from anywhere: they are
  /// fetched first, all at a time.
  template <Index Width>
  void find_in(const LocalFits& fits, Index patch, const Array2<double>& y) {
    const auto members = fits.patches.members_of(patch);
    const Index width = Width > 0 ? Width : y.cols();
    const Index m = std::ssize(members), r = fits.columns(patch), cost_columns = fits.cost_columns(patch);
    const double* f = fits.factor(patch);
    rows_.resize(at(m * width));
    for (Index a = 0; a < m; ++a)
      for (Index k = 0; k < width; ++k) rows_[at(a * width + k)] = y(members[at(a)], k);
    along.assign(at(r * width), 0);
    for (Index a = 0; a < m; ++a)
      for (Index c = 0; c < r; ++c)
        for (Index k = 0; k < width; ++k) along[at(c * width + k)] += f[a * r + c] * rows_[at(a * width + k)];
    rest.clear();
    if (!fits.costs_rest(patch)) return;
    rest = rows_;
    for (Index a = 0; a < m; ++a)
      for (Index c = cost_columns; c < r; ++c)
        for (Index k = 0; k < width; ++k) rest[at(a * width + k)] -= f[a * r + c] * along[at(c * width + k)];
  }

  std::vector<double> rows_;  // of y
};

}  // namespace

LocalFitsOperator::LocalFitsOperator(const LocalFits& fits, const Run& run)
    : fits_(fits), places_(occurrences(fits.patches.members, fits.size(), run)) {}

void LocalFitsOperator::apply(const Array2<double>& x, Array2<double>& y, const Run& run) const {
  const Index width = x.cols();
  Array2<double> parts(std::ssize(fits_.patches.members), width);
  parallel_for(run, fits_.patches.count(), kPatchesPerBlock, [&](Index begin, Index end) {
    PatchCost found;
    for (Index i = begin; i < end; ++i) {
      found.find(fits_, i, x);
      const Index first = fits_.patches.offsets[at(i)], m = std::ssize(fits_.patches.members_of(i));
      const Index r = fits_.columns(i), cost_columns = fits_.cost_columns(i);
      std::copy(found.rest.begin(), found.rest.end(), parts.row(first));
      for (Index a = 0; a < m; ++a)
        for (Index c = 0; c < cost_columns; ++c)
          for (Index k = 0; k < width; ++k)
            parts(first + a, k) += fits_.factor(i)[a * r + c] * found.along[at(c * width + k)];
    }
  });
  parallel_for(run, size(), kPatchesPerBlock, [&](Index begin, Index end) {
    for (Index j = begin; j < end; ++j) {
      std::fill_n(y.row(j), width, 0.0);
      for (const Index place : places_.of(j))
        for (Index k = 0; k < width; ++k) y(j, k) += parts(place, k);
    }
  });
}

double LocalFitsOperator::cost() const {
  return 4 * static_cast<double>(fits_.factors.size()) + 2 * static_cast<double>(places_.places.size());
}

std::vector<double> fit_errors(const LocalFits& fits, const Array2<double>& y, const Run& run) {
  const Index width = y.cols();
  if (width == 0) return {};
  return parallel_reduce(
      run, fits.patches.count(), kPatchesPerBlock, std::vector<double>(at(width)),
      [&](Index begin, Index end) {
        std::vector<double> sums(at(width));
        PatchCost found;
        const auto add = [&](const std::vector<double>& values, std::size_t count) {
          for (std::size_t e = 0; e < count; ++e) sums[e % at(width)] += values[e] * values[e];
        };
        for (Index i = begin; i < end; ++i) {
          found.find(fits, i, y);
          add(found.along, at(fits.cost_columns(i) * width));
          add(found.rest, found.rest.size());
        }
        return sums;
      },
      [](std::vector<double> a, const std::vector<double>& b) {
        for (std::size_t k = 0; k < a.size(); ++k) a[k] += b[k];
        return a;
      });
}

double largest_diagonal(const LocalFits& fits) {
  std::vector<double> diagonal(at(fits.size()));
  for (Index p = 0; p < fits.patches.count(); ++p) {
    const auto members = fits.patches.members_of(p);
    const Index r = fits.columns(p), cost_columns = fits.cost_columns(p);
    for (Index a = 0; a < std::ssize(members); ++a) {
      double own = fits.costs_rest(p) ? 1 : 0;
      for (Index c = 0; c < r; ++c) {
        const double entry = fits.factor(p)[a * r + c];
        own += (c < cost_columns ? 1 : -1) * entry * entry;
      }
      diagonal[at(members[at(a)])] += own;
    }
  }
  return diagonal.empty() ? 0 : *std::max_element(diagonal.begin(), diagonal.end());
}

}  // namespace unroll
