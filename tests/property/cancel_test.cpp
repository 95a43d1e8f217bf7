// How soon a fit answers to a cancel: in work, which is the same on every machine and under every load.
#include <algorithm>
#include <atomic>
#include <map>

#include "property/methods_under_test.h"

namespace unroll {
namespace {

constexpr Index kManyPoints = 500, kManyNeighbors = 160;

/// A stage that does nearly all the work of a fit with many neighbors, and its operations as the sizes tell them.
struct HeavyStage {
  const char* method;
  const char* name;
  double operations;
};
constexpr double kFitOperations =
    1.0 * kManyPoints * kManyNeighbors * kManyNeighbors * kManyNeighbors;  // n systems of k unknowns
constexpr double kRowOperations =
    10.0 * kManyPoints * kManyNeighbors * kManyNeighbors;  // n rows of k patches of k points
constexpr HeavyStage kHeavyStages[] = {{"lle", "reconstruction weights", kFitOperations / 3},
                                       {"lle", "alignment matrix", kRowOperations},
                                       {"mlle", "weight vectors", kFitOperations},
                                       {"mlle", "alignment matrix", kRowOperations},
                                       {"hlle", "Hessians", kFitOperations},
                                       {"hlle", "alignment matrix", kRowOperations},
                                       {"ltsa", "tangent spaces", kFitOperations},
                                       {"ltsa", "alignment matrix", kRowOperations},
                                       {"isomap", "geodesics", 10.0 * kManyPoints* kManyPoints* kManyNeighbors}};

class Cancelling : public EveryMethod {
 protected:
  OptionValues many_neighbors() const {
    for (const OptionInfo& info : method().options)
      if (info.name == "n_neighbors") return {{"n_neighbors", std::int64_t{kManyNeighbors}}};
    return {};
  }
};
INSTANTIATE_TEST_SUITE_P(Registry, Cancelling, testing::ValuesIn(method_names()), test_name);

/// A tenth of a second of one core: a progress report is a look at the cancel, and so is every block of a loop.
TEST_P(Cancelling, LittleWorkIsDoneBetweenTwoLooks) {
  constexpr double kMostOperations = 1e8;
  const auto is_its_own = [](const HeavyStage& stage) { return stage.method == GetParam(); };
  if (std::none_of(std::begin(kHeavyStages), std::end(kHeavyStages), is_its_own)) GTEST_SKIP() << "has no heavy stage";
  std::map<std::string, std::pair<double, double>> last_and_largest;  // fractions per stage
  fit(points(kManyPoints), many_neighbors(), {.threads = 1, .progress = [&](const Progress& progress) {
                                                auto& [last, largest] = last_and_largest[std::string(progress.stage)];
                                                largest = std::max(largest, progress.fraction - last);
                                                last = progress.fraction;
                                                return true;
                                              }});
  for (const HeavyStage& stage : kHeavyStages) {
    if (!is_its_own(stage)) continue;
    ASSERT_TRUE(last_and_largest.contains(stage.name)) << stage.name << " is not reported";
    EXPECT_LE(last_and_largest[stage.name].second * stage.operations, kMostOperations) << stage.name;
  }
}

/// In whichever report the caller asks to stop, there is no other one. (How many there are may differ from run to run:
/// of work that cannot be interrupted they come by the clock.)
TEST_P(Cancelling, NothingIsReportedAfterTheCancel) {
  int reports = 0;
  const Array2<double> x = points(kManyPoints);
  const OptionValues options = with_few_iterations(method(), many_neighbors());
  fit(x, options, {.threads = 1, .progress = [&](const Progress&) { return ++reports > 0; }});
  for (const int last : {1, std::max(1, reports / 4), std::max(1, reports / 2)}) {
    std::atomic<bool> cancel = false;
    int seen = 0;
    const auto stop_there = [&](const Progress&) {
      if (++seen == last) cancel = true;
      return true;
    };
    try {
      fit(x, options, {.threads = 1, .progress = stop_there, .cancel = &cancel});
      EXPECT_LT(seen, last) << "not cancelled";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Cancelled) << error.what();
      EXPECT_EQ(seen, last);
    }
  }
}

}  // namespace
}  // namespace unroll
