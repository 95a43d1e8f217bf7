#include "spectral/component_warnings.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.h"

namespace unroll {

void ComponentWarnings::add(const std::vector<Warning>& warnings, Index component, Index points) {
  for (const Warning& warning : warnings) {
    const auto known = std::find_if(findings_.begin(), findings_.end(),
                                    [&](const Finding& each) { return each.warning.code == warning.code; });
    if (known != findings_.end()) {
      ++known->others;
    } else {
      findings_.push_back({warning, component, points, 0});
    }
  }
}

void ComponentWarnings::write(std::vector<Warning>& out) const {
  for (Finding each : findings_) {
    std::string& message = each.warning.message;
    message = fmt::format("component {}, of {} points: {}", each.component + 1, each.points, message);
    if (each.others > 0) message += fmt::format("; so it is in {}", counted(each.others, "other component"));
    out.push_back(std::move(each.warning));
  }
}

}  // namespace unroll
