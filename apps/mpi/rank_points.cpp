#include "rank_points.h"

#include <algorithm>

#include "core/at.h"

namespace unroll::cluster {

std::vector<Index> offsets_by_home(const Ranks& ranks, const std::vector<Index>& ids, Index n) {
  std::vector<Index> offsets;
  for (Index r = 0; r <= ranks.count(); ++r)
    offsets.push_back(std::lower_bound(ids.begin(), ids.end(), ranks.begin_of(r, n)) - ids.begin());
  offsets.back() = std::ssize(ids);
  return offsets;
}

std::vector<Index> holders(const Ranks& ranks, const std::vector<Index>& ids, Index n) {
  return sent_home(ranks, ids, std::vector<Index>(ids.size(), ranks.rank()), n);
}

PointSample sample_of_all(const Ranks& ranks, const RankPoints& own, Index n, Index most) {
  const Index stride = std::max<Index>(1, (n + most - 1) / most), cols = own.view().cols();
  std::vector<Index> ids;
  std::vector<double> values;
  own.view().visit([&](auto x) {
    for (Index i = 0; i < x.rows; ++i) {
      if (own.ids[at(i)] % stride != 0) continue;
      ids.push_back(own.ids[at(i)]);
      values.insert(values.end(), x.row(i), x.row(i) + cols);
    }
  });
  PointSample sample{.ids = ranks.gather(ids).items};
  const std::vector<double> all = ranks.gather(values).items;
  sample.values = Array2<double>::uninitialized(std::ssize(sample.ids), cols);
  std::copy(all.begin(), all.end(), sample.values.data());
  return sample;
}

}  // namespace unroll::cluster
