// How soon a fit answers to a cancel: in work, which is the same on every machine and under every load.
#include <algorithm>
#include <atomic>
#include <map>

#include "property/methods_under_test.h"

namespace unroll {
namespace {

constexpr Index kSize = 500, kNeighbors = 160;

/// A stage that does nearly all the work of a fit with many neighbors, and its operations as the sizes tell them.
struct HeavyStage {
  const char* method;
  const char* name;
  double operations;
};
constexpr double kFits = 1.0 * kSize * kNeighbors * kNeighbors * kNeighbors;  // n systems of k unknowns
constexpr HeavyStage kHeavy[] = {{"lle", "reconstruction weights", kFits / 3},
                                 {"mlle", "weight vectors", kFits},
                                 {"hlle", "Hessians", kFits},
                                 {"ltsa", "tangent spaces", kFits},
                                 {"isomap", "geodesics", 10.0 * kSize* kSize* kNeighbors}};

class Cancelling : public EveryMethod {
 protected:
  OptionValues many_neighbors() const {
    for (const OptionInfo& info : method().options)
      if (info.name == "n_neighbors") return {{"n_neighbors", std::int64_t{kNeighbors}}};
    return {};
  }
};
INSTANTIATE_TEST_SUITE_P(Registry, Cancelling, testing::ValuesIn(method_names()), test_name);

/// A tenth of a second of one core: a progress report is a look at the cancel, and so is every block of a loop.
TEST_P(Cancelling, LittleWorkIsDoneBetweenTwoLooks) {
  constexpr double kMostOperations = 1e8;
  std::map<std::string, std::pair<double, double>> last_and_largest;  // fractions per stage
  fit(points(kSize), many_neighbors(), {.threads = 1, .progress = [&](const Progress& progress) {
                                          auto& [last, largest] = last_and_largest[std::string(progress.stage)];
                                          largest = std::max(largest, progress.fraction - last);
                                          last = progress.fraction;
                                          return true;
                                        }});
  for (const HeavyStage& stage : kHeavy) {
    if (stage.method != GetParam()) continue;
    ASSERT_TRUE(last_and_largest.contains(stage.name)) << stage.name << " is not reported";
    EXPECT_LE(last_and_largest[stage.name].second * stage.operations, kMostOperations) << stage.name;
  }
}

/// In whichever report the caller asks to stop, there is no other one.
TEST_P(Cancelling, NothingIsReportedAfterTheCancel) {
  int reports = 0;
  const Array2<double> x = points(kSize);
  fit(x, many_neighbors(), {.threads = 2, .progress = [&](const Progress&) { return ++reports > 0; }});
  for (const int at : {1, reports / 4, reports / 2, reports - 1}) {
    std::atomic<bool> cancel = false;
    int seen = 0;
    const auto stop_there = [&](const Progress&) {
      if (++seen >= at) cancel = true;
      return true;
    };
    try {
      fit(x, many_neighbors(), {.threads = 2, .progress = stop_there, .cancel = &cancel});
      EXPECT_LE(at, 0) << "not cancelled at report " << at << " of " << reports;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Cancelled) << error.what();
      EXPECT_EQ(seen, std::max(at, 1));
    }
  }
}

}  // namespace
}  // namespace unroll
