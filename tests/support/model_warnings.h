#pragma once
#include <algorithm>
#include <string_view>

#include "unroll/core/model.h"

namespace unroll {

/// The first warning of the model that has this code; null: there is none.
inline const Warning* warning_of(const Model& model, std::string_view code) {
  const auto& list = model.embedding().warnings;
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const Warning& warning) { return warning.code == code; });
  return found == list.end() ? nullptr : &*found;
}

inline bool has_warning(const Model& model, std::string_view code) { return warning_of(model, code) != nullptr; }

}  // namespace unroll
