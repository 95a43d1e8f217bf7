#include <algorithm>

#include "core/archive.h"
#include "data/feature_scaler.h"

namespace unroll {

void FeatureScaler::save(ArchiveWriter& archive) const {
  archive.put("scaling.kind", name_of(scaling_));
  archive.put("scaling.shift", shift_);
  archive.put("scaling.divisor", divisor_);
}

FeatureScaler FeatureScaler::load(const ArchiveReader& archive) {
  FeatureScaler scaler;
  if (!archive.has("scaling.kind")) return scaler;
  const std::string kind = archive.text("scaling.kind");
  const auto names = enum_names(Scaling{});
  const auto entry = std::find_if(names.begin(), names.end(), [&](const auto& named) { return named.name == kind; });
  if (entry == names.end()) archive.fail("scaling.kind", "there is no scaling '" + kind + "'");
  scaler.scaling_ = entry->value;
  scaler.shift_ = archive.reals("scaling.shift");
  scaler.divisor_ = archive.reals("scaling.divisor");
  const bool per_feature = entry->value != Scaling::None && entry->value != Scaling::UnitRows;
  if (scaler.shift_.empty() == per_feature) archive.fail("scaling.shift", "its size does not fit the kind of scaling");
  if (scaler.divisor_.size() != scaler.shift_.size())
    archive.fail("scaling.divisor", "its size differs from that of scaling.shift");
  if (!std::all_of(scaler.divisor_.begin(), scaler.divisor_.end(), [](double d) { return d > 0; }))
    archive.fail("scaling.divisor", "a divisor is not positive");
  return scaler;
}

}  // namespace unroll
