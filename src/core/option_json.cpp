#include "core/option_json.h"

namespace unroll {

Json option_json(const OptionValue& value) {
  return std::visit(
      [](const auto& v) {
        if constexpr (std::is_same_v<std::decay_t<decltype(v)>, std::monostate>)
          return Json(nullptr);
        else
          return Json(v);
      },
      value);
}

Json option_json(const OptionValues& values) {
  JsonObject json;
  for (const auto& [name, value] : values) json.add(name, option_json(value));
  return json;
}

}  // namespace unroll
