#include "unroll/core/model.h"

#include <functional>
#include <limits>

#include "core/archive.h"
#include "core/file.h"
#include "core/model_file.h"
#include "core/transformer.h"
#include "support/expect_error.h"
#include "support/not_finite.h"
#include "support/scratch_folder.h"

namespace unroll {
namespace {

/// (a, b, c) -> (factor a, factor b) and back to (a, b, 0).
class Projection : public Transformer {
 public:
  explicit Projection(double factor) : factor_(factor) {}
  explicit Projection(const ArchiveReader& archive) : factor_(archive.real("projection.factor")) {}

  TransformKind kind() const override { return TransformKind::Exact; }
  Array2<double> transform(PointsView points, const Run&) const override {
    Array2<double> result(points.rows(), 2);
    points.visit([&](auto view) {
      for (Index i = 0; i < view.rows; ++i)
        for (Index j = 0; j < 2; ++j) result(i, j) = factor_ * static_cast<double>(view(i, j));
    });
    return result;
  }
  Array2<double> inverse_transform(PointsView coordinates, const Run&) const override {
    Array2<double> result(coordinates.rows(), 3);
    coordinates.visit([&](auto view) {
      for (Index i = 0; i < view.rows; ++i)
        for (Index j = 0; j < 2; ++j) result(i, j) = static_cast<double>(view(i, j)) / factor_;
    });
    return result;
  }
  void save(ArchiveWriter& archive) const override { archive.put("projection.factor", factor_); }

 private:
  double factor_;
};

/// Gives back whatever it was made with, and has no way back.
class Fixed : public Transformer {
 public:
  explicit Fixed(Array2<double> result) : result_(std::move(result)) {}
  TransformKind kind() const override { return TransformKind::Nystrom; }
  Array2<double> transform(PointsView, const Run&) const override { return result_; }
  void save(ArchiveWriter&) const override {}

 private:
  Array2<double> result_;
};

Array2<double> matrix(Index rows, Index cols, double first = 1) {
  Array2<double> array(rows, cols);
  for (Index i = 0; i < array.size(); ++i) array.data()[i] = first + static_cast<double>(i);
  return array;
}

Model::Parts sample_parts() {
  Model::Parts parts{.method = "pca", .n_features = 3};
  parts.options = {{"n_components", 2.0},
                   {"whiten", false},
                   {"solver", std::string("auto")},
                   {"random_state", std::int64_t{7}},
                   {"radius", std::monostate{}},
                   {"title", std::string("a=b\n\tc\\d")},
                   {"list", std::vector<double>{0.1, 1e-300}}};
  Embedding& embedding = parts.embedding;
  embedding.coordinates = matrix(5, 2, -3);
  embedding.spectrum = {.values = {3, 1}, .residuals = {1e-15, 0}, .iterations = 12, .solver = "covariance"};
  embedding.warnings = {{"few-points", "5 points\nare few", "take more"}, {"odd", "a\tb\\", ""}};
  embedding.attributes = {{"converged", true},
                          {"rank", std::int64_t{2}},
                          {"total variance", 0.1},
                          {"note\n", std::string("two\nlines")},
                          {"ratio", std::vector<double>{0.75, 0.25}},
                          {"none", std::vector<double>{}},
                          {"components", std::make_shared<const Array2<double>>(matrix(2, 3))}};
  parts.transformer = std::make_shared<const Projection>(0.5);
  return parts;
}

Model with_transformer(std::shared_ptr<const Transformer> transformer) {
  Model::Parts parts = sample_parts();
  parts.transformer = std::move(transformer);
  return Model(std::move(parts));
}

TEST(Model, ShowsItsParts) {
  const Model model(sample_parts());
  EXPECT_EQ(model.method(), "pca");
  EXPECT_EQ(model.n_features(), 3);
  EXPECT_EQ(model.n_components(), 2);
  EXPECT_EQ(model.coordinates().rows(), 5);
  EXPECT_EQ(model.options().size(), 7U);
  EXPECT_EQ(static_cast<int>(model.transform_kind()), static_cast<int>(TransformKind::Exact));
  EXPECT_EQ(model.attribute<std::int64_t>("rank"), 2);
  EXPECT_EQ(model.attribute<std::vector<double>>("ratio").size(), 2U);
}

TEST(Model, AnAttributeOfAnotherTypeSaysWhich) {
  const Model model(sample_parts());
  expect_error(ErrorKind::InvalidOption, "the attribute 'rank' is of another type; ask for attribute<std::int64_t>",
               [&] { model.attribute<double>("rank"); });
}

TEST(Model, AnUnknownAttributeListsTheKnown) {
  const Model model(sample_parts());
  expect_error(ErrorKind::InvalidOption,
               "pca: there is no attribute 'rnak'; did you mean 'rank'?; there are: converged, rank",
               [&] { model.attribute<double>("rnak"); });
  Model::Parts bare = sample_parts();
  bare.embedding.attributes.clear();
  expect_error(ErrorKind::InvalidOption, "there are: none", [&] { Model(bare).attribute<double>("rank"); });
}

struct Breach {
  const char* message;
  std::function<void(Model::Parts&)> commit;
};

TEST(Model, HoldsMethodsToTheirPromises) {
  const std::vector<Breach> breaches{
      {"method: empty", [](auto& parts) { parts.method.clear(); }},
      {"pca: n_features: 0 features", [](auto& parts) { parts.n_features = 0; }},
      {"pca: features.names: are not one per feature", [](auto& parts) { parts.features.names = {"a"}; }},
      {"pca: features.places: are not one per feature",
       [](auto& parts) {
         parts.features = {.places = {0, 1}, .file_columns = 9};
       }},
      {"pca: features.places: are not ascending places",
       [](auto& parts) {
         parts.features = {.places = {0, 2, 1}, .file_columns = 9};
       }},
      {"pca: features.places: are not ascending places",
       [](auto& parts) {
         parts.features = {.places = {-1, 2, 3}, .file_columns = 9};
       }},
      {"pca: features.places: are not ascending places",
       [](auto& parts) {
         parts.features = {.places = {0, 2, 4}, .file_columns = 4};
       }},
      {"pca: coordinates: 0 x 2", [](auto& parts) { parts.embedding.coordinates = Array2<double>(0, 2); }},
      {"pca: coordinates: 0 x 0", [](auto& parts) { parts.embedding.coordinates = {}; }},
      {"pca: coordinates: NaN at row 4, column 2", [](auto& parts) { parts.embedding.coordinates(3, 1) = kNan; }},
      {"pca: coordinates: infinity at row 1, column 1",
       [](auto& parts) { parts.embedding.coordinates(0, 0) = -std::numeric_limits<double>::infinity(); }},
      {"pca: spectrum.values: not finite", [](auto& parts) { parts.embedding.spectrum.values[0] = kNan; }},
      {"pca: spectrum.residuals: not finite", [](auto& parts) { parts.embedding.spectrum.residuals[1] = kNan; }},
      {"pca: spectrum.residuals: 1 residuals for 2",
       [](auto& parts) { parts.embedding.spectrum.residuals.pop_back(); }},
      {"pca: spectrum.iterations: negative", [](auto& parts) { parts.embedding.spectrum.iterations = -1; }},
      {"pca: options: 'Whiten' is no option name", [](auto& parts) { parts.options[1].name[0] = 'W'; }},
      {"pca: options: 'whiten' appears twice", [](auto& parts) { parts.options[0].name = "whiten"; }},
      {"'rank' appears twice", [](auto& parts) { parts.embedding.attributes[0].first = "rank"; }},
      {"has no name", [](auto& parts) { parts.embedding.attributes[0].first = ""; }},
      {"attribute 'rank' is not finite", [](auto& parts) { parts.embedding.attributes[1].second = kNan; }},
      {"attribute 'rank' is not finite",
       [](auto& parts) {
         parts.embedding.attributes[1].second = std::vector<double>{0, kNan};
       }},
      {"attribute 'rank' is no matrix",
       [](auto& parts) { parts.embedding.attributes[1].second = std::shared_ptr<const Array2<double>>(); }},
      {"attribute 'rank' is not finite",
       [](auto& parts) {
         parts.embedding.attributes[1].second = std::make_shared<const Array2<double>>(matrix(1, 2, kNan));
       }},
      {"pca: no means to place new points", [](auto& parts) { parts.transformer.reset(); }},
  };
  for (const auto& breach : breaches) {
    SCOPED_TRACE(breach.message);
    Model::Parts parts = sample_parts();
    breach.commit(parts);
    expect_error(ErrorKind::Internal, breach.message, [&] { const Model model(std::move(parts)); });
  }
}

TEST(Model, TransformsFloatAndDouble) {
  const Model model(sample_parts());
  const std::vector<float> points{1, 2, 3, 4, 5, 6};
  const auto result = model.transform(PointsView(points.data(), 2, 3));
  EXPECT_EQ(result(1, 0), 2.0);
  EXPECT_EQ(model.transform(matrix(2, 3))(1, 1), 2.5);
  EXPECT_EQ(model.inverse_transform(matrix(1, 2))(0, 1), 4.0);
}

TEST(Model, ChecksNewPointsBeforeTheMethodSeesThem) {
  const Model model = with_transformer(std::make_shared<const Fixed>(matrix(9, 9)));
  expect_error(ErrorKind::InvalidData, "pca: X has 2 features, but pca is expecting 3 features as input",
               [&] { model.transform(matrix(4, 2)); });
  expect_error(ErrorKind::InvalidData, "X has 0 features", [&] { model.transform(PointsView()); });
  for (const int threads : {1, 2, 8}) {
    auto points = matrix(50000, 3);
    points(49999, 0) = kNan;
    points(40000, 2) = kNan;
    points(40000, 1) = std::numeric_limits<double>::infinity();
    expect_error_of_row(ErrorKind::InvalidData, 40000,
                        "pca: row 40001 contains infinity or a value too large in column 2",
                        [&] { model.transform(points, unroll::Run{.threads = threads}); });
    points(40000, 1) = 0;
    expect_error(ErrorKind::InvalidData, "pca: row 40001 contains NaN in column 3",
                 [&] { model.transform(points, unroll::Run{.threads = threads}); });
  }
  const std::vector<float> single{1, 2, std::numeric_limits<float>::infinity()};
  expect_error(ErrorKind::InvalidData, "row 1 contains infinity or a value too large in column 3",
               [&] { model.transform(PointsView(single.data(), 1, 3)); });
}

TEST(Model, LooksOnlyAtTheEntriesOfAStridedView) {
  const Model model(sample_parts());
  const std::vector<double> wide{1, 2, 3, kNan, 4, 5, 6, kNan};
  EXPECT_EQ(model.transform(MatrixView<double>{wide.data(), 2, 3, 4})(1, 0), 2.0);
}

TEST(Model, NoRowsGiveNoRows) {
  const Model model(sample_parts());
  const auto result = model.transform(Array2<double>(0, 3));
  EXPECT_EQ(result.rows(), 0);
  EXPECT_EQ(result.cols(), 2);
  const auto back = model.inverse_transform(Array2<double>(0, 2));
  EXPECT_EQ(back.rows(), 0);
  EXPECT_EQ(back.cols(), 3);
}

TEST(Model, ChecksCoordinatesOnTheWayBack) {
  const Model model(sample_parts());
  expect_error(ErrorKind::InvalidData, "pca: X has 3 columns, but the map of pca has 2 coordinates",
               [&] { model.inverse_transform(matrix(4, 3)); });
  expect_error(ErrorKind::InvalidData, "row 1 contains NaN", [&] { model.inverse_transform(matrix(4, 2, kNan)); });
  const Model one_way = with_transformer(std::make_shared<const Fixed>(matrix(1, 2)));
  expect_error(ErrorKind::Unsupported, "this method has no inverse transform",
               [&] { one_way.inverse_transform(matrix(1, 2)); });
  expect_error(ErrorKind::Unsupported, "nystrom", [&] { one_way.inverse_transform(Array2<double>(0, 2)); });
}

TEST(Model, NeverReturnsWhatItPromisedNotTo) {
  const Model wrong_shape = with_transformer(std::make_shared<const Fixed>(matrix(1, 3)));
  expect_error(ErrorKind::Internal, "1 x 3 instead of 1 x 2", [&] { wrong_shape.transform(matrix(1, 3)); });
  const Model overflow = with_transformer(std::make_shared<const Projection>(1e10));
  Array2<double> rows = matrix(2, 3);
  rows(1, 0) = 1e305;
  expect_error_of_row(ErrorKind::InvalidData, 1, "row 2 has a result that is not a finite number",
                      [&] { overflow.transform(rows); });
}

// ---- model files

Model load(const std::string& path) {
  const ArchiveReader archive(read_file(path), path);
  Model::Parts parts = load_model_parts(archive);
  parts.transformer = std::make_shared<const Projection>(archive);
  return Model(std::move(parts));
}

TEST(ModelFile, SaveLoadSaveGivesTheSameBytes) {
  const ScratchFolder folder;
  const Model model(sample_parts());
  model.save(folder / "a.unroll");
  const Model loaded = load(folder / "a.unroll");
  loaded.save(folder / "b.unroll");
  EXPECT_EQ(content_of(folder / "a.unroll"), content_of(folder / "b.unroll"));
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"a.unroll", "b.unroll"}));
}

TEST(ModelFile, KeepsTheTrainingColumns) {
  const ScratchFolder folder;
  const Model model = Model(sample_parts())
                          .with_features({.names = {"a", "b\n", "c"},
                                          .means = {1, 2, 3},
                                          .deviations = {4, 0, 6},
                                          .places = {0, 2, 4},
                                          .file_columns = 7});
  model.save(folder / "a.unroll");
  const Features features = load(folder / "a.unroll").features();
  EXPECT_EQ(features.names, (std::vector<std::string>{"a", "b\n", "c"}));
  EXPECT_EQ(features.means, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(features.deviations, (std::vector<double>{4, 0, 6}));
  EXPECT_EQ(features.places, (std::vector<Index>{0, 2, 4}));
  EXPECT_EQ(features.file_columns, 7);
}

TEST(ModelFile, KeepsEverything) {
  const ScratchFolder folder;
  const Model model(sample_parts());
  model.save(folder / "a.unroll");
  const Model loaded = load(folder / "a.unroll");
  EXPECT_EQ(loaded.method(), "pca");
  EXPECT_EQ(loaded.n_features(), 3);
  EXPECT_EQ(loaded.coordinates(), model.coordinates());
  const Embedding& before = model.embedding();
  const Embedding& after = loaded.embedding();
  EXPECT_EQ(after.spectrum.values, before.spectrum.values);
  EXPECT_EQ(after.spectrum.residuals, before.spectrum.residuals);
  EXPECT_EQ(after.spectrum.solver, "covariance");
  EXPECT_EQ(after.spectrum.iterations, 12);
  ASSERT_EQ(after.warnings.size(), 2U);
  EXPECT_EQ(after.warnings[0].message, "5 points\nare few");
  EXPECT_EQ(after.warnings[1].message, "a\tb\\");
  EXPECT_EQ(after.warnings[1].hint, "");
  ASSERT_EQ(after.attributes.size(), before.attributes.size());
  for (std::size_t i = 0; i < before.attributes.size(); ++i) {
    EXPECT_EQ(after.attributes[i].first, before.attributes[i].first);
    ASSERT_EQ(after.attributes[i].second.index(), before.attributes[i].second.index());
    if (i + 1 < before.attributes.size()) {
      EXPECT_EQ(after.attributes[i].second, before.attributes[i].second);
    }
  }
  using Shared = std::shared_ptr<const Array2<double>>;
  EXPECT_EQ(*loaded.attribute<Shared>("components"), *model.attribute<Shared>("components"));
  EXPECT_EQ(loaded.transform(matrix(4, 3)), model.transform(matrix(4, 3)));
}

/// Data without any variance may have a map of no dimensions.
TEST(ModelFile, NoCoordinatesAtAll) {
  const ScratchFolder folder;
  Model::Parts parts = sample_parts();
  parts.embedding.coordinates = Array2<double>(5, 0);
  Model(parts).save(folder / "a.unroll");
  const Model loaded = load(folder / "a.unroll");
  EXPECT_EQ(loaded.coordinates().rows(), 5);
  EXPECT_EQ(loaded.n_components(), 0);
}

TEST(ModelFile, OptionsComeBackAsText) {
  const ScratchFolder folder;
  const Model model(sample_parts());
  model.save(folder / "a.unroll");
  const Model loaded = load(folder / "a.unroll");
  ASSERT_EQ(loaded.options().size(), model.options().size());
  for (std::size_t i = 0; i < model.options().size(); ++i) {
    EXPECT_EQ(loaded.options()[i].name, model.options()[i].name);
    EXPECT_EQ(loaded.options()[i].value, OptionValue(to_text(model.options()[i].value)));
  }
}

TEST(ModelFile, AFailedSaveKeepsTheOldModel) {
  const ScratchFolder folder;
  const Model model(sample_parts());
  model.save(folder / "a.unroll");
  const std::string before = content_of(folder / "a.unroll");

  class Broken : public Projection {
   public:
    using Projection::Projection;
    void save(ArchiveWriter& archive) const override { archive.put("broken", kNan); }
  };
  const Model broken = with_transformer(std::make_shared<const Broken>(1.0));
  expect_error(ErrorKind::Internal, "section 'broken'", [&] { broken.save(folder / "a.unroll"); });
  EXPECT_EQ(content_of(folder / "a.unroll"), before);
  expect_error(ErrorKind::Io, "/dev/full", [&] { model.save("/dev/full"); });
  expect_error(ErrorKind::Io, "does not exist", [&] { model.save(folder / "missing/a.unroll"); });
}

/// The sections of the sample in order; `replace` may put another in the place of one, or nothing.
std::vector<std::byte> file_with(const std::string& section, const std::function<void(ArchiveWriter&)>& replace) {
  ArchiveWriter whole;
  save_model_parts(sample_parts(), whole);
  const ArchiveReader good(whole.bytes(), "good");
  ArchiveWriter writer;
  const auto copy = [&](const char* name, auto&& value) {
    if (name == section) {
      replace(writer);
    } else {
      writer.put(name, value);
    }
  };
  for (const char* name :
       {"unroll.version", "method", "options", "spectrum.solver", "warnings", "diagnostics", "diagnostics.3"})
    copy(name, good.text(name));
  for (const char* name : {"n_features", "spectrum.iterations", "diagnostics.0", "diagnostics.1"})
    copy(name, good.integer(name));
  for (const char* name : {"spectrum.values", "spectrum.residuals", "diagnostics.4", "diagnostics.5"})
    copy(name, good.reals(name));
  copy("diagnostics.2", good.real("diagnostics.2"));
  for (const char* name : {"coordinates", "diagnostics.6"}) {
    const auto values = good.matrix(name);
    copy(name, values.view());
  }
  return writer.bytes();
}

TEST(ModelFile, EverySectionIsNeeded) {
  const auto nothing = [](ArchiveWriter&) {};
  for (const std::string name :
       {"method", "options", "n_features", "coordinates", "spectrum.values", "spectrum.residuals", "spectrum.solver",
        "spectrum.iterations", "warnings", "diagnostics", "diagnostics.0", "diagnostics.1", "diagnostics.2",
        "diagnostics.3", "diagnostics.4", "diagnostics.5", "diagnostics.6"}) {
    const ArchiveReader archive(file_with(name, nothing), "m.unroll");
    expect_error(ErrorKind::InvalidData, std::string("m.unroll: section '") + name + "': missing",
                 [&] { load_model_parts(archive); });
  }
  load_model_parts(ArchiveReader(file_with("none", nothing), "m.unroll"));
}

TEST(ModelFile, EverySectionIsChecked) {
  struct Case {
    std::string section;
    std::string message;
    std::function<void(ArchiveWriter&)> replace;
  };
  const auto put = [](const char* section, const std::string& message, auto value) {
    return Case{section, message, [=](ArchiveWriter& archive) { archive.put(section, value); }};
  };
  const auto text = [](const char* value) { return std::string_view(value); };
  const std::vector<Case> cases{
      put("method", "empty", text("")),
      put("method", "holds an integer, should hold text", std::int64_t{1}),
      put("n_features", "0 features", std::int64_t{0}),
      put("n_features", "-3 features", std::int64_t{-3}),
      put("n_features", "holds a real number", 3.0),
      {"coordinates", "0 x 2 coordinates",
       [](ArchiveWriter& archive) { archive.put("coordinates", Array2<double>(0, 2).view()); }},
      put("coordinates", "holds a list", std::vector<double>{1, 2}),
      put("options", "malformed at character 6", text("whiten")),
      put("options", "malformed", text("whiten\n")),
      put("options", "malformed", text("whiten=true")),
      put("options", "malformed", text("whiten=\ttrue\n")),
      put("options", "malformed", text("whiten=tr\\ue\n")),
      put("options", "malformed", text("whiten=true\\")),
      put("options", "malformed", text("whiten=true\n\n")),
      put("options", "'' is no option name", text("=true\n")),
      put("options", "'Whiten' is no option name", text("Whiten=true\n")),
      put("options", "'whiten' appears twice", text("whiten=true\nwhiten=false\n")),
      put("spectrum.residuals", "1 residuals for 2 eigenvalues", std::vector<double>{1}),
      put("spectrum.residuals", "negative", std::vector<double>{1, -1}),
      put("spectrum.iterations", "negative", std::int64_t{-1}),
      put("warnings", "malformed", text("code\tmessage\n")),
      put("warnings", "malformed", text("code\tmessage\thint\tmore\n")),
      put("warnings", "malformed", text("code\tmessage\thint")),
      put("diagnostics", "unknown type 'boolean'", text("boolean\tconverged\n")),
      put("diagnostics", "unknown type ''", text("\tconverged\n")),
      put("diagnostics", "malformed", text("bool\n")),
      put("diagnostics", "malformed", text("bool\tconverged")),
      put("diagnostics", "one has no name", text("bool\t\n")),
      put("diagnostics", "'a' appears twice", text("bool\ta\ninteger\ta\n")),
      put("diagnostics.0", "7 is neither 0 nor 1", std::int64_t{7}),
      put("diagnostics.0", "-1 is neither 0 nor 1", std::int64_t{-1}),
      put("diagnostics.0", "holds a real number, should hold an integer", 1.0),
      put("diagnostics.1", "holds text", text("2")),
      put("diagnostics.2", "holds an integer, should hold a real number", std::int64_t{2}),
      put("diagnostics.4", "holds a list of integers", std::vector<std::int64_t>{2}),
      put("diagnostics.6", "holds a list of real numbers, should hold a matrix", std::vector<double>{2}),
  };
  for (const auto& [section, message, replace] : cases) {
    SCOPED_TRACE(testing::Message() << section << ": " << message);
    const ArchiveReader archive(file_with(section, replace), "m.unroll");
    const std::string expected = std::string("m.unroll: section '") + section + "': ";
    expect_error(ErrorKind::InvalidData, message, [&] { load_model_parts(archive); });
    expect_error(ErrorKind::InvalidData, expected, [&] { load_model_parts(archive); });
  }
}

}  // namespace
}  // namespace unroll
