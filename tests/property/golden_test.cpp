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
  const Array2<double> points = doubles(kGolden / "points.csv"), fresh = doubles(kGolden / "new_points.csv");
  int models = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kGolden)) {
    if (entry.path().extension() != ".unroll") continue;
    SCOPED_TRACE(entry.path().filename());
    ++models;
    const Model model = load_model(entry.path().string());
    const auto expected = [&](const char* extension) {
      return doubles(std::filesystem::path(entry.path()).replace_extension(extension));
    };
    // Another CPU may round differently; anything beyond that is a broken promise.
    EXPECT_LT(relative_difference(model.coordinates(), expected(".csv")), 1e-12);
    EXPECT_LT(relative_difference(model.transform(points), expected(".csv")), 1e-9);
    EXPECT_LT(relative_difference(model.transform(fresh), expected(".new.csv")), 1e-9);
  }
  EXPECT_GE(models, 23);
}

TEST(Golden, NumbersOfPointsAreIntegers) {
  using Integers = std::vector<std::int64_t>;
  const auto model = [](const char* name) { return load_model((kGolden / name).string()); };
  EXPECT_FALSE(model("isomap-landmarks-0.1.0.unroll").attribute<Integers>("landmarks").empty());
  EXPECT_FALSE(model("kernel_pca-landmarks-0.1.0.unroll").attribute<Integers>("landmarks").empty());
  EXPECT_FALSE(model("spectral_clustering-0.1.0.unroll").attribute<Integers>("cluster_sizes").empty());
}

}  // namespace
}  // namespace unroll
