#include "core/model_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "core/finite.h"
#include "core/spectrum_file.h"
#include "version.h"

namespace unroll {
namespace {

// Lists of texts are kept as lines of fields: a backslash before n, t and itself keeps line ends and tabs out of them.

void append_field(std::string& lines, std::string_view field, char end) {
  for (const char c : field) {
    switch (c) {
      case '\n': lines += "\\n"; break;
      case '\t': lines += "\\t"; break;
      case '\\': lines += "\\\\"; break;
      default: lines += c;
    }
  }
  lines += end;
}

/// Takes fields off the front of a section's text.
class FieldReader {
 public:
  FieldReader(const ArchiveReader& archive, std::string_view section)
      : archive_(archive), section_(section), text_(archive.text(section)) {}

  bool at_end() const { return at_ == text_.size(); }

  std::string next(char end) {
    std::string field;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == end) return field;
      if (c == '\n' || c == '\t') break;
      field += c == '\\' ? escaped() : c;
    }
    archive_.fail(section_, fmt::format("malformed at character {}", at_));
  }

 private:
  char escaped() {
    const char c = at_ < text_.size() ? text_[at_++] : '\0';
    if (c == 'n') return '\n';
    if (c == 't') return '\t';
    if (c == '\\') return '\\';
    archive_.fail(section_, fmt::format("malformed at character {}", at_));
  }

  const ArchiveReader& archive_;
  std::string section_;
  std::string text_;
  std::size_t at_ = 0;
};

// In the order of the alternatives of Attribute.
constexpr std::array<std::string_view, std::variant_size_v<Attribute>> kAttributeTypes{
    "bool", "integer", "real", "text", "reals", "matrix", "integers"};

/// The sections have the name that 0.1.0 gave them.
std::string attribute_section(std::size_t i) { return fmt::format("diagnostics.{}", i); }

/// What is wrong with an attribute's value, or nothing.
struct AttributeFault {
  std::string operator()(bool) const { return {}; }
  std::string operator()(std::int64_t) const { return {}; }
  std::string operator()(const std::string&) const { return {}; }
  std::string operator()(double value) const { return std::isfinite(value) ? "" : "not finite"; }
  std::string operator()(const std::vector<double>& values) const {
    return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); }) ? "" : "not finite";
  }
  std::string operator()(const std::vector<std::int64_t>&) const { return {}; }
  std::string operator()(const std::shared_ptr<const Array2<double>>& matrix) const {
    if (matrix == nullptr) return "no matrix";
    return first_non_finite(*matrix) ? "not finite" : "";
  }
};

bool is_option_name(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::optional<ModelFault> find_fault(const OptionValues& options) {
  std::set<std::string_view> seen;
  for (const auto& option : options) {
    if (!is_option_name(option.name)) return ModelFault{"options", fmt::format("'{}' is no option name", option.name)};
    if (!seen.insert(option.name).second) return ModelFault{"options", fmt::format("'{}' appears twice", option.name)};
  }
  return std::nullopt;
}

std::optional<ModelFault> find_fault(const Features& features, Index n_features, Index n_components) {
  if (!features.classes.empty() && std::ssize(features.classes) != n_components)
    return ModelFault{"features.classes", "are not one per column"};
  const auto is_per_feature = [&](Index count) { return count == 0 || count == n_features; };
  if (!is_per_feature(std::ssize(features.names))) return ModelFault{"features.names", "are not one per feature"};
  if (!is_per_feature(std::ssize(features.means))) return ModelFault{"features.means", "are not one per feature"};
  if (first_non_finite(PointsView(features.means.data(), 1, std::ssize(features.means))))
    return ModelFault{"features.means", "are not finite"};
  if (!is_per_feature(std::ssize(features.deviations)))
    return ModelFault{"features.deviations", "are not one per feature"};
  if (!std::all_of(features.deviations.begin(), features.deviations.end(),
                   [](double x) { return std::isfinite(x) && x >= 0; }))
    return ModelFault{"features.deviations", "are not positive or zero"};
  if (!is_per_feature(std::ssize(features.places))) return ModelFault{"features.places", "are not one per feature"};
  Index next = 0;
  for (const Index place : features.places) {
    if (place < next || place >= features.file_columns)
      return ModelFault{"features.places", "are not ascending places among the columns"};
    next = place + 1;
  }
  return std::nullopt;
}

std::optional<ModelFault> find_fault(const Attributes& attributes) {
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    const auto& [name, value] = attributes[i];
    if (name.empty()) return ModelFault{"diagnostics", "one has no name"};
    if (!seen.insert(name).second) return ModelFault{"diagnostics", fmt::format("'{}' appears twice", name)};
    if (const auto fault = std::visit(AttributeFault{}, value); !fault.empty())
      return ModelFault{attribute_section(i), fmt::format("attribute '{}' is {}", name, fault)};
  }
  return std::nullopt;
}

void save_attributes(const Attributes& attributes, ArchiveWriter& archive) {
  std::string lines;
  for (const auto& [name, value] : attributes) {
    append_field(lines, kAttributeTypes[value.index()], '\t');
    append_field(lines, name, '\n');
  }
  archive.put("diagnostics", lines);
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    const std::string section = attribute_section(i);
    std::visit(
        [&](const auto& value) {
          using T = std::decay_t<decltype(value)>;
          if constexpr (std::is_same_v<T, bool>) {
            archive.put(section, std::int64_t{value});
          } else if constexpr (std::is_same_v<T, std::shared_ptr<const Array2<double>>>) {
            archive.put(section, value->view());
          } else {
            archive.put(section, value);
          }
        },
        attributes[i].second);
  }
}

Attribute load_attribute(const ArchiveReader& archive, const std::string& type, const std::string& section) {
  if (type == "bool") return archive.flag(section);
  if (type == "integer") return archive.integer(section);
  if (type == "real") return archive.real(section);
  if (type == "text") return archive.text(section);
  if (type == "reals") return archive.reals(section);
  if (type == "matrix") return std::make_shared<const Array2<double>>(archive.matrix(section));
  if (type == "integers") return archive.integers(section);
  archive.fail("diagnostics", fmt::format("unknown type '{}'", type));
}

/// 0.1.0 kept these numbers as reals. Reals that are no such numbers stay, and are refused later.
Attribute with_todays_type(const std::string& name, Attribute value) {
  constexpr double kLargestInteger = 9007199254740992;  // 2^53
  const auto* reals = std::get_if<std::vector<double>>(&value);
  if (reals == nullptr || (name != "landmarks" && name != "cluster_sizes")) return value;
  if (!std::all_of(reals->begin(), reals->end(), [](double v) { return v >= 0 && v <= kLargestInteger; })) return value;
  return std::vector<std::int64_t>(reals->begin(), reals->end());
}

Attributes load_attributes(const ArchiveReader& archive) {
  Attributes attributes;
  for (FieldReader lines(archive, "diagnostics"); !lines.at_end();) {
    const std::string type = lines.next('\t');
    const std::string name = lines.next('\n');
    Attribute value = load_attribute(archive, type, attribute_section(attributes.size()));
    attributes.emplace_back(name, with_todays_type(name, std::move(value)));
  }
  return attributes;
}

void save_words(std::string_view section, const std::vector<std::string>& words, ArchiveWriter& archive) {
  if (words.empty()) return;
  std::string lines;
  for (const std::string& word : words) append_field(lines, word, '\n');
  archive.put(section, lines);
}

std::vector<std::string> load_words(const ArchiveReader& archive, std::string_view section) {
  std::vector<std::string> words;
  if (archive.has(section))
    for (FieldReader lines(archive, section); !lines.at_end();) words.push_back(lines.next('\n'));
  return words;
}

void save_features(const Features& features, ArchiveWriter& archive) {
  save_words("features.names", features.names, archive);
  save_words("features.classes", features.classes, archive);
  if (!features.means.empty()) archive.put("features.means", features.means);
  if (!features.deviations.empty()) archive.put("features.deviations", features.deviations);
  if (features.places.empty()) return;
  archive.put("features.places", features.places);
  archive.put("features.columns", features.file_columns);
}

/// Files of 0.1.0 have none of it.
Features load_features(const ArchiveReader& archive) {
  Features features;
  features.names = load_words(archive, "features.names");
  features.classes = load_words(archive, "features.classes");
  if (archive.has("features.means")) features.means = archive.reals("features.means");
  if (archive.has("features.deviations")) features.deviations = archive.reals("features.deviations");
  if (!archive.has("features.places")) return features;
  features.places = archive.integers("features.places");
  features.file_columns = archive.integer("features.columns");
  return features;
}

}  // namespace

std::optional<ModelFault> find_fault(const Model::Parts& parts) {
  const Array2<double>& coordinates = parts.embedding.coordinates;
  if (parts.method.empty()) return ModelFault{"method", "empty"};
  if (parts.n_features < 1) return ModelFault{"n_features", fmt::format("{} features", parts.n_features)};
  if (coordinates.rows() < 1)
    return ModelFault{"coordinates", fmt::format("{} x {} coordinates", coordinates.rows(), coordinates.cols())};
  if (const auto bad = first_non_finite(coordinates))
    return ModelFault{"coordinates", fmt::format("{} at row {}, column {}", non_finite_name(coordinates, *bad),
                                                 bad->row + 1, bad->col + 1)};
  if (auto fault = find_fault(parts.features, parts.n_features, coordinates.cols())) return fault;
  if (auto fault = find_fault(parts.options)) return fault;
  if (auto fault = fault_of_spectra(parts.embedding)) return fault;
  return find_fault(parts.embedding.attributes);
}

void save_model_parts(const Model::Parts& parts, ArchiveWriter& archive) {
  const Embedding& embedding = parts.embedding;
  archive.put("unroll.version", std::string_view(UNROLL_VERSION_TEXT));
  archive.put("method", parts.method);
  std::string options;
  for (const auto& option : parts.options) {
    append_field(options, option.name, '=');
    append_field(options, to_text(option.value), '\n');
  }
  archive.put("options", options);
  archive.put("n_features", parts.n_features);
  save_features(parts.features, archive);
  archive.put("coordinates", embedding.coordinates.view());
  save_spectra(embedding, archive);
  std::string warnings;
  for (const auto& warning : embedding.warnings) {
    append_field(warnings, warning.code, '\t');
    append_field(warnings, warning.message, '\t');
    append_field(warnings, warning.hint, '\n');
  }
  archive.put("warnings", warnings);
  save_attributes(embedding.attributes, archive);
}

Model::Parts load_model_parts(const ArchiveReader& archive) {
  Model::Parts parts;
  parts.method = archive.text("method");
  for (FieldReader lines(archive, "options"); !lines.at_end();) {
    std::string name = lines.next('=');
    parts.options.push_back({std::move(name), lines.next('\n')});
  }
  parts.n_features = archive.integer("n_features");
  parts.features = load_features(archive);
  Embedding& embedding = parts.embedding;
  embedding.coordinates = archive.matrix("coordinates");
  load_spectra(archive, embedding);
  for (FieldReader lines(archive, "warnings"); !lines.at_end();) {
    Warning warning;
    warning.code = lines.next('\t');
    warning.message = lines.next('\t');
    warning.hint = lines.next('\n');
    embedding.warnings.push_back(std::move(warning));
  }
  embedding.attributes = load_attributes(archive);
  if (const auto fault = find_fault(parts)) archive.fail(fault->section, fault->what);
  return parts;
}

bool has_reduction(const ArchiveReader& archive) { return archive.has(fmt::format("{}.axes", kReduction)); }

Index method_features(const ArchiveReader& archive) {
  return has_reduction(archive) ? archive.rows(fmt::format("{}.axes", kReduction)) : archive.integer("n_features");
}

}  // namespace unroll
