// What every method promises of its model files: nothing is lost in them, and no damage to them goes unnoticed.
#include "property/models_under_test.h"
#include "support/archive_surgeon.h"
#include "support/sampled.h"
#include "support/scratch_folder.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

class ModelFiles : public EveryMethod {};
INSTANTIATE_TEST_SUITE_P(Registry, ModelFiles, testing::ValuesIn(method_names()), test_name);

TEST_P(ModelFiles, SaveAndLoadChangeNothing) {
  const ScratchFolder folder;
  const std::string path = folder / "model.unroll", again = folder / "again.unroll";
  for (const char* scale : {"none", "standardize", "unit_rows"}) {
    const Model model = fit(points(), {{"scale", std::string(scale)}});
    model.save(path);
    const Model loaded = load_model(path);
    EXPECT_EQ(loaded.method(), GetParam());
    EXPECT_EQ(loaded.coordinates(), model.coordinates());
    const Array2<double> fresh = points(20, 3);
    EXPECT_EQ(loaded.transform(fresh), model.transform(fresh));
    ASSERT_EQ(loaded.options().size(), model.options().size());
    for (std::size_t i = 0; i < model.options().size(); ++i)
      EXPECT_EQ(loaded.options()[i].value, model.options()[i].value) << model.options()[i].name;
    loaded.save(again);
    EXPECT_EQ(content_of(folder / "again.unroll"), content_of(folder / "model.unroll"));
  }
}

TEST_P(ModelFiles, OfEveryKindAreTheSameWhenTheyAreSavedAgain) {
  const std::vector<FittedModel>& fitted = fitted_models(method());
  EXPECT_GE(fitted.size(), 5U);
  const auto placed = [](const FittedModel& of, const Model& model) -> std::variant<Array2<double>, std::string> {
    try {
      return model.transform(of.rows);
    } catch (const Error& error) {
      return error.what();
    }
  };
  for (const FittedModel& of : fitted) {
    const std::vector<std::byte> bytes = of.model.bytes();
    const Model loaded = load_model(bytes, of.name);
    EXPECT_TRUE(loaded.bytes() == bytes) << of.name;
    EXPECT_TRUE(placed(of, loaded) == placed(of, of.model)) << of.name;
  }
}

TEST_P(ModelFiles, KeepTheComponentsOnce) {
  for (const FittedModel& of : fitted_models(method())) {
    const auto sections = ArchiveSurgeon(of.model.bytes()).sections();
    const auto is_of_components = [](const auto& section) { return section.name.ends_with(".components"); };
    EXPECT_LE(std::count_if(sections.begin(), sections.end(), is_of_components), 1) << of.name;
  }
}

TEST_P(ModelFiles, DamagedModelFilesAreRefused) {
  const ScratchFolder folder;
  fit(points(12)).save(folder / "model.unroll");
  const std::string whole = content_of(folder / "model.unroll");
  const auto load = [](const std::string& text) {
    const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
    return load_model({bytes, bytes + text.size()}, "damaged");
  };
  load(whole);
  const auto expect_refusal = [&](const std::string& text, const std::string& what) {
    try {
      load(text);
      ADD_FAILURE() << what << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::InvalidData) << error.what();
    }
  };
  for (std::size_t i = 0; i < whole.size(); ++i) {
    if (!is_tried(i)) continue;
    expect_refusal(whole.substr(0, i), "a truncated file");
    std::string flipped = whole;
    flipped[i] = static_cast<char>(flipped[i] ^ (1 << (i % 8)));
    expect_refusal(flipped, "a flipped bit");
  }
}

}  // namespace
}  // namespace unroll
