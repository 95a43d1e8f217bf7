// Model files of released versions stay loadable and place points where they always did.
#include <gtest/gtest.h>

#include <filesystem>

#include "support/matrices.h"
#include "unroll/data/table.h"
#include "unroll/registry.h"

namespace unroll {
namespace {

const std::filesystem::path kGolden = UNROLL_SOURCE_DIR "/tests/golden";

Array2<double> doubles(const std::filesystem::path& path) {
  return std::get<Array2<double>>(read_table(path.string()).values);
}

TEST(Golden, EveryReleasedModelStillWorks) {
  const Array2<double> points = doubles(kGolden / "points.csv");
  int models = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kGolden)) {
    if (entry.path().extension() != ".unroll") continue;
    ++models;
    const Model model = load_model(entry.path().string());
    std::filesystem::path expected = entry.path();
    expected.replace_extension(".csv");
    // Another CPU may round differently; anything beyond that is a broken promise.
    EXPECT_LT(relative_difference(model.transform(points), doubles(expected)), 1e-12) << entry.path();
    EXPECT_LT(relative_difference(model.coordinates(), doubles(expected)), 1e-12) << entry.path();
  }
  EXPECT_GE(models, 1);
}

}  // namespace
}  // namespace unroll
