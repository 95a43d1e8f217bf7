#include "core/work_meter.h"

#include <algorithm>

namespace unroll {
namespace {

/// An address that is different for every thread.
const void* this_thread() {
  thread_local char mark = 0;
  return &mark;
}

}  // namespace

WorkMeter::WorkMeter(const Run& run, std::string_view stage, double whole)
    : run_(run), stage_(stage), whole_(whole), teller_(this_thread()) {
  tell(0);
}

void WorkMeter::add(double work) {
  const double fraction = (done_.fetch_add(work, std::memory_order_relaxed) + work) / whole_;
  if (this_thread() == teller_ && fraction >= told_ + kStep) tell(std::min(1.0, fraction));
}

void WorkMeter::finish() { tell(1); }

void WorkMeter::tell(double fraction) {
  told_ = fraction;
  run_.report({.stage = stage_, .fraction = fraction});
}

}  // namespace unroll
