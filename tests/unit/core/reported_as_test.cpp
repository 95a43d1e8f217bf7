#include "core/reported_as.h"

#include <gtest/gtest.h>

namespace unroll {
namespace {

template <class Thrown>
Error caught(const Thrown& thrown) {
  try {
    reported_as("isomap", [&] { throw thrown; });
  } catch (const Error& error) {
    return error;
  }
  return Error(ErrorKind::Internal, "nothing was thrown");
}

TEST(ReportedAs, GivesAnErrorItsNameAndKeepsItsParts) {
  const Error error = caught(
      Error(ErrorKind::InvalidOption, {.problem = "is too far", .advice = "remove it", .option = "metric", .row = 4}));
  EXPECT_STREQ(error.what(), "isomap: row 5 is too far; remove it");
  EXPECT_EQ(error.option(), "metric");
}

TEST(ReportedAs, ReplacesTheNameOfAFunctionInside) {
  EXPECT_EQ(caught(Error(ErrorKind::InvalidData, Error::Parts{.who = "neighbors", .problem = "no points"})).who(),
            "isomap");
}

TEST(ReportedAs, LeavesFilesAndCancelling) {
  EXPECT_STREQ(caught(Error(ErrorKind::Io, "cannot read 'x'")).what(), "cannot read 'x'");
  EXPECT_STREQ(caught(Error(ErrorKind::Cancelled, "stopped on request")).what(), "stopped on request");
}

/// What a caller's progress function may throw.
struct OwnError : Error {
  OwnError() : Error(ErrorKind::InvalidData, "mine") {}
  int code = 7;
};

TEST(ReportedAs, LeavesAnErrorOfTheCallersOwn) {
  try {
    reported_as("isomap", [] { throw OwnError(); });
    FAIL();
  } catch (const OwnError& own) {
    EXPECT_EQ(own.code, 7);
    EXPECT_STREQ(own.what(), "mine");
  }
}

TEST(ReportedAs, AtLeastNamesWhatHasNoName) {
  const auto named = [](const Error& thrown) {
    try {
      reported_as_if_unnamed("embed", [&] { throw thrown; });
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(named(Error(ErrorKind::InvalidOption, "-m METHOD is missing")), "embed: -m METHOD is missing");
  EXPECT_EQ(named(Error(ErrorKind::InvalidData, Error::Parts{.who = "pca", .problem = "no points"})), "pca: no points");
  EXPECT_EQ(named(Error(ErrorKind::Io, "cannot read 'x'")), "embed: cannot read 'x'");
  EXPECT_EQ(named(Error(ErrorKind::Cancelled, "stopped on request")), "stopped on request");
}

}  // namespace
}  // namespace unroll
