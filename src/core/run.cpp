#include "unroll/core/run.h"

#include "unroll/core/error.h"

namespace unroll {

void Run::check_cancelled() const {
  if (cancel != nullptr && cancel->load(std::memory_order_relaxed))
    throw Error(ErrorKind::Cancelled, "stopped on request");
}

bool Run::report(const Progress& now) const {
  check_cancelled();
  const Answer answer = progress ? progress(now) : Answer(Answer::Continue);
  if (answer == Answer::Cancel) throw Error(ErrorKind::Cancelled, "stopped on request");
  return answer != Answer::FinishHere;
}

}  // namespace unroll
