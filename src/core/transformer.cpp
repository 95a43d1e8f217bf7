#include "core/transformer.h"

#include <fmt/format.h>

namespace unroll {

std::vector<Index> Transformer::predict(PointsView, const Run&) const {
  throw Error(ErrorKind::Unsupported, "this method finds no clusters or classes",
              "use transform for the coordinates of new points");
}

Array2<double> Transformer::inverse_transform(PointsView, const Run&) const {
  throw Error(
      ErrorKind::Unsupported,
      fmt::format(
          "this method has no inverse transform (it places new points by the kind '{}', which cannot be undone)",
          name_of(kind())));
}

}  // namespace unroll
