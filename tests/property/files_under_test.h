#pragma once
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/archive.h"
#include "property/models_under_test.h"
#include "support/archive_surgeon.h"
#include "support/scratch_folder.h"
#include "unroll/data/table.h"

/// Files of every kind of model, in sections that a test can change.
namespace unroll {

using Section = ArchiveSurgeon::Section;
using Sections = std::vector<Section>;

struct FileOfAModel {
  std::string name;
  Sections sections;
  Array2<double> rows;  ///< what its transform takes
};

inline bool is_one_of(SectionType type, const Section& section) {
  return section.type == static_cast<std::uint32_t>(type);
}

inline bool has_integers(const Section& s) {
  return is_one_of(SectionType::Integer, s) || is_one_of(SectionType::Integers, s);
}
inline bool has_doubles(const Section& s) {
  return is_one_of(SectionType::Real, s) || is_one_of(SectionType::Reals, s) || is_one_of(SectionType::Matrix, s);
}
inline bool is_text(const Section& s) { return is_one_of(SectionType::Text, s); }
inline bool is_matrix(const Section& s) {
  return is_one_of(SectionType::Matrix, s) || is_one_of(SectionType::MatrixF32, s);
}

inline std::string text_of(const Section& section) {
  return {reinterpret_cast<const char*>(section.payload.data()), section.payload.size()};
}

inline Section with_text(Section section, std::string_view text) {
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  section.payload.assign(begin, begin + text.size());
  section.rows = text.size();
  return section;
}

template <class T>
Section with_values(Section section, const std::vector<T>& values) {
  const auto* begin = reinterpret_cast<const std::byte*>(values.data());
  section.payload.assign(begin, begin + values.size() * sizeof(T));
  section.rows = values.size(), section.cols = 1;
  return section;
}

/// What tells of the fit, and is not needed for new points.
inline bool is_report(const Section& section) {
  const std::string group = section.name.substr(0, section.name.find('.'));
  return group == "unroll" || group == "options" || group == "spectrum" || group == "warnings" ||
         group == "diagnostics";
}

/// What is special about a file among those of its kind of rows: a section that it has, or that is empty, and a word.
/// All metrics but one are alike, and all ways to search.
inline std::set<std::string> traits_of(const Sections& sections) {
  std::set<std::string> traits;
  std::string kind;
  for (const Section& section : sections)
    if (section.name == "source.kind") kind = text_of(section);
  for (const Section& section : sections) {
    const std::string group = section.name.substr(0, section.name.find('.'));
    const std::string part = section.name.substr(section.name.find('.') + 1);
    const std::string word = is_text(section) ? text_of(section) : "";
    if (is_report(section) || group == "method" || group == "scaling" || part == "algorithm") continue;
    std::string trait = kind + " " + section.name;
    traits.insert(trait + (section.payload.empty() ? " is empty" : ""));
    if (part != "metric" || word == "precomputed") traits.insert(trait.append("=").append(word));
  }
  return traits;
}

struct Files {
  std::vector<FileOfAModel> models = {};
  std::map<std::string, std::set<std::string>> words = {};  ///< of every section of text

  void learn_words(const Sections& sections) {
    for (const Section& section : sections)
      if (is_text(section) && !is_report(section)) words[section.name].insert(text_of(section));
  }
};

/// The golden files, and models that are fitted today: every kind of rows, with every section and word that it can
/// have.
inline Files all_files() {
  Files files;
  const std::filesystem::path golden = UNROLL_SOURCE_DIR "/tests/golden";
  const auto fresh = std::get<Array2<double>>(read_table((golden / "new_points.csv").string()).values);
  for (const auto& entry : std::filesystem::directory_iterator(golden)) {
    if (entry.path().extension() != ".unroll") continue;
    const std::string content = content_of(entry.path());
    const auto* bytes = reinterpret_cast<const std::byte*>(content.data());
    files.models.push_back(
        {entry.path().filename(), ArchiveSurgeon({bytes, bytes + content.size()}).sections(), rows_of(fresh, 0, 3)});
    files.learn_words(files.models.back().sections);
  }
  std::sort(files.models.begin(), files.models.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  std::set<std::string> seen;
  for (const Method& method : methods())
    for (const FittedModel& fitted : ModelMaker(method).models()) {
      Sections sections = ArchiveSurgeon(fitted.model.bytes()).sections();
      files.learn_words(sections);
      const std::size_t before = seen.size();
      seen.merge(traits_of(sections));
      if (seen.size() > before) files.models.push_back({fitted.name, std::move(sections), fitted.rows});
    }
  return files;
}

/// The same, made once.
inline const Files& files() {
  static const Files all = all_files();
  return all;
}

}  // namespace unroll
