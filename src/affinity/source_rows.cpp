#include "affinity/source_rows.h"

#include <algorithm>

#include "unroll/core/error.h"

namespace unroll {
namespace {

/// How many rows of similarities are in memory at a time.
Index rows_at_once(Index columns) {
  constexpr Index kEntries = Index{1} << 22, kMostRows = 4096;
  return std::clamp<Index>(kEntries / std::max<Index>(columns, 1), 1, kMostRows);
}

}  // namespace

Array2<double> SourceRows::inverse_transform(PointsView, const Run&) const {
  throw Error(ErrorKind::Unsupported, "this method has no inverse transform");
}

void for_each_block(const SourceRows& source, PointsView points, const std::vector<Index>& components, const Run& run,
                    const std::function<void(Index first, const NewRows& rows)>& visit) {
  const Index step = rows_at_once(source.columns());
  for (Index first = 0; first < points.rows(); first += step) {
    run.check_cancelled();
    try {
      visit(first, source.rows(points.slice(first, std::min(step, points.rows() - first)), components, run));
    } catch (const Error& error) {
      if (error.row() < 0) throw;
      throw error.with_row(first + error.row());
    }
  }
}

}  // namespace unroll
