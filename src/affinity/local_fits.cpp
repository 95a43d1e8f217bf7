#include "affinity/local_fits.h"

#include <algorithm>
#include <numeric>

#include "core/at.h"
#include "core/parallel.h"

namespace unroll {
namespace {

constexpr Index kPatchesPerBlock = 1024;

}  // namespace

Places places_of(const Patches& patches) {
  Places places;
  places.offsets.assign(at(patches.points) + 1, 0);
  for (const Index member : patches.members) ++places.offsets[at(member) + 1];
  std::partial_sum(places.offsets.begin(), places.offsets.end(), places.offsets.begin());
  places.places.resize(patches.members.size());
  std::vector<Index> next(places.offsets.begin(), places.offsets.end() - 1);
  for (std::size_t place = 0; place < patches.members.size(); ++place)
    places.places[at(next[at(patches.members[place])]++)] = static_cast<Index>(place);
  return places;
}

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
  LocalFits fits{.patches = std::move(patches), .charges = std::vector<PatchForm>(at(count), PatchForm::Columns)};
  std::vector<std::vector<double>> blocks(at(block_count(count, kPatchesPerBlock)));
  std::vector<Index> ends(at(count));  // where factors end within their block
  parallel_for(
      run, count, kPatchesPerBlock,
      [&](Index begin, Index end) {
        std::vector<double>& out = blocks[at(begin / kPatchesPerBlock)];
        const PatchFit fit = make();
        for (Index i = begin; i < end; ++i) {
          fits.charges[at(i)] = fit(i, fits.patches.members_of(i), out);
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
    result.charges.push_back(fits.charges[at(point)]);
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
  LocalFits result{.patches = {.points = n}};
  std::vector<Index> number(at(n));
  for (Index j = 0; j < n; ++j) number[at(order[at(j)])] = j;
  const auto source = [&](Index j) { return count == n ? order[at(j)] : j; };
  result.patches.offsets.resize(at(count) + 1);
  result.charges.resize(at(count));
  result.factor_offsets.resize(at(count) + 1);
  for (Index j = 0; j < count; ++j) {
    const auto from = at(source(j));
    result.patches.offsets[at(j) + 1] =
        result.patches.offsets[at(j)] + fits.patches.offsets[from + 1] - fits.patches.offsets[from];
    result.factor_offsets[at(j) + 1] =
        result.factor_offsets[at(j)] + fits.factor_offsets[from + 1] - fits.factor_offsets[from];
    result.charges[at(j)] = fits.charges[from];
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
  // Strongly connected components (Tarjan 1972). A component ends after all that it leads to, so it is closed unless it
  // leads to one that has ended before.
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

namespace {

/// The cost of one patch for the rows of y that belong to its members.
struct Charged {
  std::vector<double> along = {};  ///< F' Y for all columns of F: r x width
  std::vector<double> rest = {};   ///< (I - F F') Y for the free columns of F: m x width; empty if it costs nothing

  void find(const LocalFits& fits, Index patch, const Array2<double>& y) {
    const auto members = fits.patches.members_of(patch);
    const Index m = std::ssize(members), r = fits.columns(patch), charged = fits.charged(patch), width = y.cols();
    const double* f = fits.factor(patch);
    along.assign(at(r * width), 0);
    for (Index a = 0; a < m; ++a)
      for (Index c = 0; c < r; ++c)
        for (Index k = 0; k < width; ++k) along[at(c * width + k)] += f[a * r + c] * y(members[at(a)], k);
    rest.clear();
    if (!fits.charges_rest(patch)) return;
    rest.resize(at(m * width));
    for (Index a = 0; a < m; ++a) {
      double* to = rest.data() + a * width;
      std::copy_n(y.row(members[at(a)]), width, to);
      for (Index c = charged; c < r; ++c)
        for (Index k = 0; k < width; ++k) to[k] -= f[a * r + c] * along[at(c * width + k)];
    }
  }
};

}  // namespace

LocalFitsOperator::LocalFitsOperator(const LocalFits& fits) : fits_(fits), places_(places_of(fits.patches)) {}

void LocalFitsOperator::apply(const Array2<double>& x, Array2<double>& y, const Run& run) const {
  const Index width = x.cols();
  Array2<double> parts(std::ssize(fits_.patches.members), width);
  parallel_for(run, fits_.patches.count(), kPatchesPerBlock, [&](Index begin, Index end) {
    Charged found;
    for (Index i = begin; i < end; ++i) {
      found.find(fits_, i, x);
      const Index first = fits_.patches.offsets[at(i)], m = std::ssize(fits_.patches.members_of(i));
      const Index r = fits_.columns(i), charged = fits_.charged(i);
      std::copy(found.rest.begin(), found.rest.end(), parts.row(first));
      for (Index a = 0; a < m; ++a)
        for (Index c = 0; c < charged; ++c)
          for (Index k = 0; k < width; ++k)
            parts(first + a, k) += fits_.factor(i)[a * r + c] * found.along[at(c * width + k)];
    }
  });
  parallel_for(run, size(), kPatchesPerBlock, [&](Index begin, Index end) {
    for (Index j = begin; j < end; ++j) {
      std::fill_n(y.row(j), width, 0.0);
      for (Index e = places_.offsets[at(j)]; e < places_.offsets[at(j) + 1]; ++e)
        for (Index k = 0; k < width; ++k) y(j, k) += parts(places_.places[at(e)], k);
    }
  });
}

double LocalFitsOperator::cost() const {
  return 4 * static_cast<double>(fits_.factors.size()) + 2 * static_cast<double>(places_.places.size());
}

std::vector<double> fit_errors(const LocalFits& fits, const Array2<double>& y, const Run& run) {
  const Index width = y.cols();
  return parallel_reduce(
      run, fits.patches.count(), kPatchesPerBlock, std::vector<double>(at(width)),
      [&](Index begin, Index end) {
        std::vector<double> sums(at(width));
        Charged found;
        const auto add = [&](const std::vector<double>& values, std::size_t count) {
          for (std::size_t e = 0; e < count; ++e) sums[e % at(width)] += values[e] * values[e];
        };
        for (Index i = begin; i < end; ++i) {
          found.find(fits, i, y);
          add(found.along, at(fits.charged(i) * width));
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
    const Index r = fits.columns(p), charged = fits.charged(p);
    for (Index a = 0; a < std::ssize(members); ++a) {
      double own = fits.charges_rest(p) ? 1 : 0;
      for (Index c = 0; c < r; ++c) {
        const double entry = fits.factor(p)[a * r + c];
        own += (c < charged ? 1 : -1) * entry * entry;
      }
      diagonal[at(members[at(a)])] += own;
    }
  }
  return diagonal.empty() ? 0 : *std::max_element(diagonal.begin(), diagonal.end());
}

}  // namespace unroll
