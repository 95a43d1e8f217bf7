// K numbers and K / 10 names as text on one line, as in the pages of reports: "ours" and "nlohmann".
#include "core/json.h"

#include <cmath>

#include "json_nlohmann.h"
#include "parts.h"

namespace parts {

void json(const Task& task, Answer& answer) {
  std::vector<double> numbers;
  std::vector<std::string> names;
  for (std::int64_t k = 0; k < task.k; ++k) numbers.push_back(std::sin(static_cast<double>(k)));
  for (std::int64_t k = 0; k < task.k / 10; ++k) names.push_back("point \"" + std::to_string(k) + "\"");
  std::string text;
  if (task.contender == "ours") {
    answer.measure("write", [&] { text = unroll::JsonObject{{"numbers", numbers}, {"names", names}}.text(); });
#ifdef UNROLL_HAS_NLOHMANN
  } else if (task.contender == "nlohmann") {
    answer.measure("write", [&] { text = text_by_nlohmann(numbers, names); });
#endif
  } else {
    refuse(task);
  }
  answer.tell("MB", static_cast<double>(text.size()) / 1e6);
}

}  // namespace parts
