#pragma once
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

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

/// "invalid_option", ...: for programs.
UNROLL_API std::string_view name_of(ErrorKind kind) noexcept;

/// The only exception this library throws on purpose. It says who failed, what was got, what is allowed and what to do.
/// The parts are kept apart, so that a caller can add to them and an interface can translate them.
class UNROLL_API Error : public std::runtime_error {
 public:
  struct Parts {
    std::string who = {};      ///< "isomap": set by the frame of the method; may be empty
    std::string problem = {};  ///< "n_neighbors=60 must be less than the number of points, 60"
    std::string advice = {};   ///< "use a smaller n_neighbors"; may be empty
    std::string option = {};   ///< "n_neighbors": the option that is to blame, if one is
    std::int64_t row = -1;     ///< row of the input, from 0; -1: the error is not about one row
  };

  Error(ErrorKind kind, std::string problem, std::string advice = {});
  Error(ErrorKind kind, Parts parts);

  ErrorKind kind() const noexcept { return kind_; }
  const std::string& who() const noexcept { return parts_->who; }
  const std::string& problem() const noexcept { return parts_->problem; }
  const std::string& advice() const noexcept { return parts_->advice; }
  const std::string& option() const noexcept { return parts_->option; }
  std::int64_t row() const noexcept { return parts_->row; }

  /// The same error with one part replaced.
  Error with_who(std::string_view who) const;
  Error with_advice(std::string_view advice) const;
  Error with_option(std::string_view option) const;
  Error with_row(std::int64_t row) const;

 private:
  ErrorKind kind_;
  std::shared_ptr<const Parts> parts_;  // copies of an exception must not throw
};

/// What the caller should know about a result that is otherwise fine. Warnings travel with the result: the library
/// never prints.
struct Warning {
  std::string code;       ///< stable, kebab-case: for programs
  std::string message;    ///< what happened, with the numbers
  std::string hint = {};  ///< what to do about it; may be empty
};

}  // namespace unroll
