// A model file may come from anybody, who can make its checksums right. Whatever is in it, it is refused in words, or
// it gives a model that places points or refuses to, in words.
#include <limits>
#include <map>
#include <set>

#include "property/files_under_test.h"
#include "spectral/recipe.h"
#include "support/expect_error.h"
#include "support/sampled.h"

namespace unroll {
namespace {

constexpr auto kInf = std::numeric_limits<double>::infinity();
constexpr auto kHuge = std::numeric_limits<double>::max();

/// Runs `call`; an Error of a kind that blames the library, or any other exception, fails the test.
template <class Call>
void expect_result_or_error(const std::string& what, bool is_load, Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_TRUE(is_load ? error.kind() == ErrorKind::InvalidData : error.kind() != ErrorKind::Internal)
        << what << ": " << error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << what << ": " << error.what();
  }
}

/// Loads the file, and does with the model whatever can be done.
void try_out(const FileOfAModel& file, const Sections& sections, const std::string& what) {
  static std::size_t n_files = 0;
  if (!is_tried(n_files++)) return;
  constexpr Index kMostNumbers = 4096;
  const unroll::Run run{.threads = 1, .memory_budget = 100'000'000};
  const std::string who = file.name + ", " + what;
  std::optional<Model> model;
  expect_result_or_error(who, true, [&] { model = load_model(ArchiveSurgeon::assembled(sections), "crafted"); });
  if (!model || model->n_features() > kMostNumbers || model->n_components() > kMostNumbers) return;
  const Array2<double> zeros(2, model->n_features());
  const Array2<double>& rows = file.rows.cols() == model->n_features() ? file.rows : zeros;
  expect_result_or_error(who, false, [&] { model->transform(rows, run); });
  expect_result_or_error(who, false, [&] { model->predict(rows, run); });
  expect_result_or_error(who, false, [&] { model->inverse_transform(Array2<double>(2, model->n_components()), run); });
  expect_result_or_error(who, false, [&] { model->bytes(); });
}

/// The file with section i replaced.
void try_with(const FileOfAModel& file, std::size_t i, Section replacement, const std::string& what) {
  Sections sections = file.sections;
  if (sections[i] == replacement) return;
  const std::string who = sections[i].name + " " + what;
  sections[i] = std::move(replacement);
  try_out(file, sections, who);
}

/// Calls `change(file, i)` for all sections of all files; for reports only if no file before has the section.
template <class Change>
void for_each_section(Change&& change) {
  std::set<std::string> reports;
  for (const FileOfAModel& file : files().models)
    for (std::size_t i = 0; i < file.sections.size(); ++i)
      if (!is_report(file.sections[i]) || reports.insert(file.sections[i].name).second) change(file, i);
}

class CraftedModels : public testing::Test {};

TEST_F(CraftedModels, AreLoadedIfNothingIsChanged) {
  EXPECT_GT(files().models.size(), 50U);
  for (const FileOfAModel& file : files().models) {
    const Model model = load_model(ArchiveSurgeon::assembled(file.sections), file.name);
    EXPECT_EQ(model.n_features(), file.rows.cols()) << file.name;
  }
}

TEST_F(CraftedModels, WithoutASection) {
  for_each_section([](const FileOfAModel& file, std::size_t i) {
    Sections sections = file.sections;
    sections.erase(sections.begin() + static_cast<std::ptrdiff_t>(i));
    try_out(file, sections, "without " + file.sections[i].name);
  });
}

TEST_F(CraftedModels, OfAnotherShape) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 32U;
  for_each_section([](const FileOfAModel& file, std::size_t i) {
    const Section& section = file.sections[i];
    const std::uint64_t size = section.rows * section.cols;
    const std::size_t width = size > 0 ? section.payload.size() / size : 8;
    const auto try_shape = [&](std::uint64_t rows, std::uint64_t cols, bool has_payload = true) {
      Section other = section;
      other.rows = rows, other.cols = cols;
      other.payload.resize(has_payload ? rows * cols * width : 0);
      try_with(file, i, std::move(other), "of shape " + std::to_string(rows) + " x " + std::to_string(cols));
    };
    for (const std::uint64_t rows : {std::uint64_t{0}, std::uint64_t{1}, section.rows / 2, section.rows + 1})
      try_shape(rows, section.cols);
    try_shape(kMost, kMost, false);
    if (section.rows > 0) try_shape(section.rows - 1, section.cols);
    if (!is_matrix(section)) return;
    for (const std::uint64_t cols : {std::uint64_t{0}, section.cols / 2, section.cols + 1})
      try_shape(section.rows, cols);
    try_shape(section.cols, section.rows);
    try_shape(size, 1);
    try_shape(1, size);
    try_shape(kMost, 0, false);
    try_shape(0, kMost, false);
  });
}

TEST_F(CraftedModels, OfAnotherType) {
  for_each_section([](const FileOfAModel& file, std::size_t i) {
    for (std::uint32_t type = 0; type <= 8; ++type) {
      Section other = file.sections[i];
      if (other.type == type) continue;
      other.type = type;
      try_with(file, i, other, "of type " + std::to_string(type));
      other.rows = other.cols = 1;
      other.payload.assign(is_text(other) ? 1 : is_one_of(SectionType::MatrixF32, other) ? 4 : 8, std::byte{0});
      try_with(file, i, std::move(other), "as one of type " + std::to_string(type));
    }
  });
}

/// Every number of `wrong` at the first place, at the last, and everywhere.
template <class T>
void try_numbers(const FileOfAModel& file, std::size_t i, const std::vector<T>& wrong) {
  const Section& section = file.sections[i];
  const std::size_t count = section.payload.size() / sizeof(T);
  if (count == 0) return;
  for (const T value : wrong) {
    const auto put = [&](std::size_t first, std::size_t last) {
      Section other = section;
      for (std::size_t at = first; at < last; ++at)
        std::memcpy(other.payload.data() + at * sizeof(T), &value, sizeof value);
      try_with(file, i, std::move(other),
               "with " + std::to_string(value) + " from " + std::to_string(first) + " to " + std::to_string(last));
    };
    put(0, count);
    if (count > 1) put(0, 1), put(count - 1, count);
  }
}

TEST_F(CraftedModels, WithOtherIntegers) {
  using Limits = std::numeric_limits<std::int64_t>;
  for_each_section([](const FileOfAModel& file, std::size_t i) {
    if (!has_integers(file.sections[i])) return;
    try_numbers<std::int64_t>(file, i,
                              {-1, 0, 1, 23, 24, 40, 1 << 30, Limits::max() / 8, Limits::max(), Limits::min()});
  });
}

TEST_F(CraftedModels, WithOtherReals) {
  for_each_section([](const FileOfAModel& file, std::size_t i) {
    if (has_doubles(file.sections[i]))
      try_numbers<double>(file, i, {0, -1, 0x1p1023, 0x1p-1074, -kHuge, kHuge, kInf, std::nan("")});
    if (is_one_of(SectionType::MatrixF32, file.sections[i]))
      try_numbers<float>(file, i, {0, -1, std::numeric_limits<float>::max(), std::numeric_limits<float>::infinity()});
  });
}

TEST_F(CraftedModels, WithOtherWords) {
  const std::string lines = "=\n\t\n\\", zeros(3, '\0'), many(1000, 'x');
  for_each_section([&](const FileOfAModel& file, std::size_t i) {
    const Section& section = file.sections[i];
    if (!is_text(section)) return;
    const auto known = files().words.find(section.name);
    std::set<std::string> words{"", "a word", lines, zeros, many};
    if (known != files().words.end()) words.insert(known->second.begin(), known->second.end());
    for (const std::string& word : words) try_with(file, i, with_text(section, word), "as '" + word + "'");
  });
}

/// Sections whose names begin alike belong to one part of a model.
TEST_F(CraftedModels, WithAPartOfAnother) {
  const auto group = [](const Section& section) { return section.name.substr(0, section.name.find('.')); };
  struct Part {
    std::string of, name;
    Sections sections;
  };
  std::vector<Part> parts;
  for (const FileOfAModel& file : files().models) {
    std::map<std::string, Sections> groups;
    for (const Section& section : file.sections)
      if (!is_report(section)) groups[group(section)].push_back(section);
    for (auto& [name, sections] : groups) {
      Part own{file.name, name, std::move(sections)};
      if (std::none_of(parts.begin(), parts.end(), [&](const Part& part) { return part.sections == own.sections; }))
        parts.push_back(std::move(own));
    }
  }
  for (const FileOfAModel& file : files().models)
    for (const Part& part : parts) {
      Sections sections = file.sections;
      std::erase_if(sections, [&](const Section& section) { return group(section) == part.name; });
      sections.insert(sections.end(), part.sections.begin(), part.sections.end());
      try_out(file, sections, "with " + part.name + " of " + part.of);
    }
}

/// The parts of a placing that do not fit the rows that they are for.
class CraftedPlacing : public testing::Test {
 protected:
  /// Takes the file of that model.
  void take(const std::string& name) {
    const auto found = std::find_if(files().models.begin(), files().models.end(),
                                    [&](const FileOfAModel& file) { return file.name == name; });
    ASSERT_NE(found, files().models.end()) << name;
    sections_ = found->sections;
  }
  Section& section(const std::string& name) {
    const auto found =
        std::find_if(sections_.begin(), sections_.end(), [&](const Section& s) { return s.name == name; });
    if (found == sections_.end()) throw std::runtime_error("no section " + name);
    return *found;
  }
  void expect_refusal(const std::string& part) const {
    expect_error(ErrorKind::InvalidData, part, [&] { load_model(ArchiveSurgeon::assembled(sections_), "crafted"); });
  }
  /// One row of zeros.
  void set_values(std::uint64_t cols) {
    section("placing.values") = with_values(section("placing.values"), std::vector<double>(cols));
    std::swap(section("placing.values").rows, section("placing.values").cols);
  }

  Sections sections_;
};

TEST_F(CraftedPlacing, ComponentsAreOfRowsThatKnowTheirOwn) {
  for (const char* name : {"mds metric=manhattan", "kernel_pca default", "isomap points, landmarks"}) {
    take(name);
    const std::vector<std::int64_t> labels(section("placing.means").rows);
    section("placing.components") = with_values(section("placing.components"), labels);
    section("placing.offsets") = with_values(section("placing.offsets"), std::vector<double>{0});
    expect_refusal("section 'placing.components'");
  }
}

TEST_F(CraftedPlacing, EigenvaluesAreOfRulesThatUseThem) {
  for (const char* name : {"lle default", "hlle default", "mds metric=manhattan"}) {
    take(name);
    set_values(1);
    expect_refusal("section 'placing.values'");
  }
}

/// The offset of a component is added to the first coordinate.
TEST_F(CraftedPlacing, AMapHasCoordinates) {
  for (const char* name : {"isomap components=separate", "laplacian_eigenmaps components=separate", "lle default"}) {
    take(name);
    for (Section& section : sections_)
      if (section.name == "coordinates" || section.name == "placing.axes" || section.name == "placing.values")
        section.cols = 0, section.payload.clear();
    expect_refusal("section 'placing.axes'");
  }
}

TEST_F(CraftedPlacing, TheRuleIsOneOfTheRows) {
  for (const char* name : {"mds metric=manhattan", "kernel_pca default", "isomap default"}) {
    take(name);
    set_values(2);
    section("placing.rule") = with_text(section("placing.rule"), name_of(NewPointRule::RandomWalk));
    expect_refusal("section 'placing.rule'");
  }
  take("laplacian_eigenmaps default");
  section("placing.rule") = with_text(section("placing.rule"), name_of(NewPointRule::Weights));
  section("placing.values").rows = 0, section("placing.values").payload.clear();
  expect_refusal("section 'placing.rule'");
  take("lle default");
  section("placing.rule") = with_text(section("placing.rule"), name_of(NewPointRule::LocalMap));
  expect_refusal("section 'placing.rule'");
}

}  // namespace
}  // namespace unroll
