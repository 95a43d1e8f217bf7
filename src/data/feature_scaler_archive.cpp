#include <algorithm>

#include "core/archive.h"
#include "data/feature_scaler.h"

namespace unroll {

void FeatureScaler::save(ArchiveWriter& archive) const {
  archive.put("scaling.kind", name_of(scaling_));
  archive.put("scaling.shift", shift_);
  archive.put("scaling.divisor", divisor_);
}

FeatureScaler FeatureScaler::load(const ArchiveReader& archive, Index n_features) {
  FeatureScaler scaler;
  if (!archive.has("scaling.kind")) return scaler;
  scaler.scaling_ = load_choice<Scaling>(archive, "scaling.kind");
  scaler.shift_ = archive.reals("scaling.shift");
  scaler.divisor_ = archive.reals("scaling.divisor");
  const bool per_feature = scaler.scaling_ != Scaling::None && scaler.scaling_ != Scaling::UnitRows;
  if (std::ssize(scaler.shift_) != (per_feature ? n_features : 0))
    archive.fail("scaling.shift", "its size does not fit the kind of scaling and the number of features");
  if (scaler.divisor_.size() != scaler.shift_.size())
    archive.fail("scaling.divisor", "its size differs from that of scaling.shift");
  if (!std::all_of(scaler.divisor_.begin(), scaler.divisor_.end(), [](double d) { return d > 0; }))
    archive.fail("scaling.divisor", "a divisor is not positive");
  return scaler;
}

}  // namespace unroll
