#pragma once
#include <array>
#include <string>
#include <string_view>

#include "unroll/core/error.h"

namespace unroll {

/// What `work` returns. Who called a method has not called its parts: what the neighbour search or the eigensolver has
/// to complain of is told in the name of `who`.
template <class Work>
auto told_by(std::string_view who, Work&& work) {
  try {
    return work();
  } catch (const Error& error) {
    constexpr std::array<std::string_view, 2> kParts{"neighbors: ", "eigenvectors: "};
    const std::string_view message = error.what();
    for (const std::string_view part : kParts)
      if (message.starts_with(part))
        throw Error(error.kind(), std::string(who) + ": " + std::string(message.substr(part.size())));
    throw;
  }
}

}  // namespace unroll
