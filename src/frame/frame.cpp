#include "frame/frame.h"

namespace unroll {

OptionValues effective_options(OptionValues options, const OptionValues& chosen) {
  for (const NamedValue& decided : chosen)
    for (NamedValue& option : options)
      if (option.name == decided.name) option.value = decided.value;
  return options;
}

}  // namespace unroll
