#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "unroll/core/error.h"

namespace unroll {

/// Expects `call` to throw an Error of that kind whose message contains `part`.
template <class Call>
void expect_error(ErrorKind kind, const std::string& part, Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(static_cast<int>(error.kind()), static_cast<int>(kind)) << error.what();
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos)
        << "message: " << error.what() << "\nlacks: " << part;
    return;
  }
  ADD_FAILURE() << "nothing thrown; expected: " << part;
}

/// The same for an error about one row of the input, counted from 0.
template <class Call>
void expect_error_of_row(ErrorKind kind, std::int64_t row, const std::string& part, Call&& call) {
  expect_error(kind, part, [&] {
    try {
      call();
    } catch (const Error& error) {
      EXPECT_EQ(error.row(), row) << error.what();
      throw;
    }
  });
}

}  // namespace unroll
