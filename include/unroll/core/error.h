#pragma once
#include <stdexcept>
#include <string>

#include "unroll/core/export.h"

namespace unroll {

enum class ErrorKind {
  InvalidOption,  ///< an option is out of range or does not fit the data's shape
  Unsupported,    ///< the method cannot do this at all
  InvalidData,    ///< the data, or the content of a file, cannot be used
  Disconnected,   ///< the neighbour graph falls apart and the caller asked for an error
  NotConverged,   ///< a solver missed its tolerance within its operation cap
  OutOfMemory,    ///< the plan exceeds the memory budget
  Cancelled,      ///< the caller asked to stop
  Io,             ///< the operating system refused to read or write
  Internal,       ///< a promise of this library is broken: please report it
};

/// The only exception this library throws on purpose.
/// The message says who, what was got, what is allowed and what to do.
class UNROLL_API Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const noexcept { return kind_; }

 private:
  ErrorKind kind_;
};

/// What the caller should know about a result that is otherwise fine. Warnings travel with the result: the library
/// never prints.
struct Warning {
  std::string code;       ///< stable, kebab-case: for programs
  std::string message;    ///< what happened, with the numbers
  std::string hint = {};  ///< what to do about it; may be empty
};

}  // namespace unroll
