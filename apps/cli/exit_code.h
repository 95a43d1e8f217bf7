#pragma once
#include "unroll/core/error.h"

/// The exit codes of the command.
namespace unroll::cli {

enum class ExitCode : int {
  Success = 0,
  Failure = 1,       ///< the system refused to read or write, or a promise of ours is broken
  Usage = 2,         ///< an option is wrong, or the method cannot do this
  Data = 3,          ///< the data cannot be used
  NotConverged = 4,  ///< a solver missed its tolerance
  Memory = 5,        ///< not enough memory
  Interrupted = 130,
  Terminated = 143,
};

ExitCode exit_code(ErrorKind kind);

}  // namespace unroll::cli
