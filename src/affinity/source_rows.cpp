#include "affinity/source_rows.h"

#include "unroll/core/error.h"

namespace unroll {

Array2<double> SourceRows::inverse_transform(PointsView, const Run&) const {
  throw Error(ErrorKind::Unsupported, "this method has no inverse transform");
}

}  // namespace unroll
