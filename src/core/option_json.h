#pragma once
#include "core/json.h"
#include "unroll/core/options.h"

namespace unroll {

/// null: "choose for me".
UNROLL_API Json option_json(const OptionValue& value);
UNROLL_API Json option_json(const OptionValues& values);

}  // namespace unroll
