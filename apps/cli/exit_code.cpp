#include "exit_code.h"

#include "signals.h"

namespace unroll::cli {

ExitCode exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::InvalidOption:
    case ErrorKind::Unsupported: return ExitCode::Usage;
    case ErrorKind::InvalidData:
    case ErrorKind::Disconnected: return ExitCode::Data;
    case ErrorKind::NotConverged: return ExitCode::NotConverged;
    case ErrorKind::OutOfMemory: return ExitCode::Memory;
    case ErrorKind::Cancelled: return was_terminated() ? ExitCode::Terminated : ExitCode::Interrupted;
    case ErrorKind::Io:
    case ErrorKind::Internal: break;
  }
  return ExitCode::Failure;
}

}  // namespace unroll::cli
