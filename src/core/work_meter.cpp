#include "core/work_meter.h"

#include <algorithm>

namespace unroll {

WorkMeter::WorkMeter(const Run& run, std::string_view stage, double whole) : run_(run), stage_(stage), whole_(whole) {
  tell(0);
}

void WorkMeter::add(double work) {
  const double fraction = (done_.fetch_add(work, std::memory_order_relaxed) + work) / whole_;
  if (std::this_thread::get_id() == teller_ && fraction >= told_ + kStep) tell(std::min(1.0, fraction));
}

void WorkMeter::finish() { tell(1); }

void WorkMeter::tell(double fraction) {
  told_ = fraction;
  run_.report({.stage = stage_, .fraction = fraction});
}

}  // namespace unroll
