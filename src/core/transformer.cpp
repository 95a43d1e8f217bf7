#include "core/transformer.h"

#include <fmt/format.h>

namespace unroll {

Array2<double> Transformer::inverse_transform(PointsView, const Run&) const {
  throw Error(ErrorKind::Unsupported,
              fmt::format("inverse_transform: this method has no inverse transform (it places new points by the kind "
                          "'{}', which cannot be undone)",
                          name_of(kind())));
}

}  // namespace unroll
