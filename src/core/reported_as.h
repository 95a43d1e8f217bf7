#pragma once
#include <string_view>
#include <typeinfo>
#include <utility>

#include "unroll/core/error.h"

namespace unroll {

/// Returns the result of `work` and reports its errors under this name: a user who called isomap has not called the
/// neighbour search inside it. Internal functions throw errors without a name.
template <class Work>
decltype(auto) reported_as(std::string_view who, Work&& work) {
  try {
    return std::forward<Work>(work)();
  } catch (const Error& error) {
    // An error of a file has its path, and cancelling has no author.
    if (error.kind() == ErrorKind::Io || error.kind() == ErrorKind::Cancelled) throw;
    if (typeid(error) != typeid(Error)) throw;  // a caller's own, from its callback: a copy would lose the rest of it
    throw error.with_who(who);
  }
}

/// The same for a caller above those that have names: an error of a method or a file keeps its name.
template <class Work>
decltype(auto) reported_as_if_unnamed(std::string_view who, Work&& work) {
  try {
    return std::forward<Work>(work)();
  } catch (const Error& error) {
    if (!error.who().empty() || error.kind() == ErrorKind::Cancelled || typeid(error) != typeid(Error)) throw;
    throw error.with_who(who);
  }
}

}  // namespace unroll
