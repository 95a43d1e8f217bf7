#include "json_nlohmann.h"

#include <nlohmann/json.hpp>

namespace parts {

std::string text_by_nlohmann(const std::vector<double>& numbers, const std::vector<std::string>& names) {
  return nlohmann::ordered_json{{"numbers", numbers}, {"names", names}}.dump();
}

}  // namespace parts
