#include "core/work_meter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/parallel.h"

namespace unroll {
namespace {

TEST(WorkMeter, TellsStepsFromItsOwnThread) {
  const auto caller = std::this_thread::get_id();
  std::vector<double> told;
  const unroll::Run run{.threads = 3, .progress = [&](const Progress& progress) {
                          EXPECT_EQ(std::this_thread::get_id(), caller);
                          told.push_back(progress.fraction);
                          return true;
                        }};
  WorkMeter meter(run, "work", 100'000);
  parallel_for(run, 100'000, 1, [&](Index, Index) { meter.add(1); });
  meter.finish();
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  EXPECT_LE(told.size(), 502U);
  EXPECT_EQ(told.front(), 0);
  EXPECT_EQ(told.back(), 1);
}

}  // namespace
}  // namespace unroll
