#pragma once
#include <string_view>
#include <utility>

#include "unroll/core/error.h"

namespace unroll {

/// What `work` returns. Its errors are reported under this name: a user who called isomap has not called the neighbour
/// search inside it. Functions below the public ones throw errors without a name.
template <class Work>
decltype(auto) reported_as(std::string_view who, Work&& work) {
  try {
    return std::forward<Work>(work)();
  } catch (const Error& error) {
    // A file's error has its path, and a stop on request has no author.
    if (error.kind() == ErrorKind::Io || error.kind() == ErrorKind::Cancelled) throw;
    throw error.with_who(who);
  }
}

}  // namespace unroll
