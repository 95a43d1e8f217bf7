#pragma once
#include <string>
#include <string_view>

#include "unroll/core/error.h"

namespace unroll {

/// What `work` returns. Who called a method has not called the neighbour search: what that has to complain of is told
/// in the name of `who`.
template <class Work>
auto told_by(std::string_view who, Work&& work) {
  try {
    return work();
  } catch (const Error& error) {
    if (error.who() == "neighbors") throw error.with_who(who);
    constexpr std::string_view kPart = "neighbors: ";
    const std::string_view message = error.what();
    if (!message.starts_with(kPart)) throw;
    throw Error(error.kind(), std::string(who) + ": " + std::string(message.substr(kPart.size())));
  }
}

}  // namespace unroll
