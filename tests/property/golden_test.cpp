// Model files of released versions stay loadable and place points where they always did.
#include <gtest/gtest.h>

#include <filesystem>

#include "core/archive.h"
#include "property/models_under_test.h"
#include "support/archive_surgeon.h"
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
    // Another CPU may round differently; anything beyond that is a broken promise. Where a function is lowest is found
    // by its values to the root of their rounding alone.
    const double rounding = model.transform_kind() == TransformKind::Optimized ? 1e-6 : 1e-9;
    EXPECT_LT(relative_difference(model.coordinates(), expected(".csv")), 1e-12);
    EXPECT_LT(relative_difference(model.transform(points), expected(".csv")), 1e-9);
    EXPECT_LT(relative_difference(model.transform(fresh), expected(".new.csv")), rounding);
    const Model again = load_model(model.bytes(), "as a file of this version");
    EXPECT_EQ(again.transform(points), model.transform(points));
    EXPECT_EQ(again.transform(fresh), model.transform(fresh));
  }
  EXPECT_GE(models, 25);
}

/// A fitted model whose components have maps of their own.
FittedModel separate_model(const char* method) {
  for (FittedModel& of : ModelMaker(find_method(method)).models())
    if (of.name == std::string(method) + " components=separate") return of;
  throw std::runtime_error("there is no such model");
}

/// The sections of a model, without those that 0.1.0 did not have, and with these.
Model as_in_0_1_0(const FittedModel& of, const ArchiveWriter& added) {
  const auto old_part = [](const std::string& name) {
    return !name.starts_with("source.") && (!name.starts_with("placing.") || name == "placing.factor");
  };
  std::vector<ArchiveSurgeon::Section> sections = ArchiveSurgeon(added.bytes()).sections();
  for (auto& section : ArchiveSurgeon(of.model.bytes()).sections())
    if (old_part(section.name)) sections.push_back(section);
  return load_model(ArchiveSurgeon::assembled(sections), "as a file of 0.1.0");
}

// No golden file has components with their own maps: the graph of each was connected.
TEST(Golden, PathsOfSeveralComponents) {
  const FittedModel of = separate_model("isomap");
  const ArchiveReader now(of.model.bytes(), "file");
  const Array2<double> axes = now.matrix("placing.axes");
  std::vector<double> means = now.reals("placing.means");
  const std::vector<double> offsets = now.reals("placing.offsets");
  ASSERT_EQ(offsets.size(), 2U);
  // An axis was a row, and columns after those of the points held the offsets.
  Array2<double> rows(axes.cols(), axes.rows() + 2);
  for (Index j = 0; j < axes.rows(); ++j)
    for (Index k = 0; k < axes.cols(); ++k) rows(k, j) = axes(j, k);
  for (const Index c : {0, 1})
    rows(0, axes.rows() + c) = offsets[static_cast<std::size_t>(c)] / now.real("placing.factor");
  means.resize(means.size() + 2);
  ArchiveWriter then;
  then.put("placing.kind", now.text("placing.kind"));
  then.put("placing.axes", rows.view());
  then.put("placing.means", means);
  const Model old = as_in_0_1_0(of, then);
  EXPECT_EQ(old.transform(of.rows), of.model.transform(of.rows));
  EXPECT_TRUE(old.bytes() == of.model.bytes());
}

TEST(Golden, PatchesOfSeveralComponents) {
  for (const char* method : {"lle", "ltsa"}) {
    const FittedModel of = separate_model(method);
    const std::vector<Index> components = ArchiveReader(of.model.bytes(), "file").integers("placing.components");
    ASSERT_FALSE(components.empty());
    ArchiveWriter then;
    then.put("local.components", components);
    const Model old = as_in_0_1_0(of, then);
    EXPECT_EQ(old.transform(of.rows), of.model.transform(of.rows));
    EXPECT_TRUE(old.bytes() == of.model.bytes());
  }
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
