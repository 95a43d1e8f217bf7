#include "unroll/core/run.h"

#include "unroll/core/error.h"

namespace unroll {

void Run::check_cancelled() const {
  if (cancel != nullptr && cancel->load(std::memory_order_relaxed))
    throw Error(ErrorKind::Cancelled, "stopped on request");
}

void Run::report(const Progress& now) const {
  check_cancelled();
  if (progress && !progress(now)) throw Error(ErrorKind::Cancelled, "stopped on request");
}

}  // namespace unroll
