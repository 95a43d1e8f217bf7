#include "data/csv_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "data/column_words.h"
#include "data/csv_number.h"
#include "data/header_scale.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

/// A summary of one line.
struct LineShape {
  Index fields = 0;
  Index texts = 0;  ///< neither numbers nor missing; without the columns set apart
  Index numbers = 0;
  std::vector<bool> is_text = {};  ///< per field
  bool first_is_quoted = false;
  bool first_has_decimal_comma = false;
  bool first_is_empty = false;
  bool others_count = true;         ///< the fields behind the first are 0, 1, 2, ... or 1, 2, 3, ...
  std::vector<double> values = {};  ///< the numbers, without the columns set apart
  bool last_is_empty = false;

  bool first_is_text() const { return !is_text.empty() && is_text.front(); }
};

class LayoutFinder {
 public:
  LayoutFinder(const CsvText& text, const ReadOptions& options, std::vector<Warning>& warnings)
      : text_(text),
        options_(options),
        warnings_(warnings),
        labels_("label_column", options.label_column),
        columns_("columns", options.columns),
        dropped_("drop", options.drop),
        ids_("id_column", options.id_column),
        annotation_("color_by", options.annotation) {}

  CsvLayout find() {
    const char* first = text_.skip_ignored(text_.begin());
    if (first == text_.end()) fail("nothing but blank lines and comments");
    const char* second = text_.skip_ignored(text_.next_line(first));
    LineShape first_shape = shape_of(first);
    LineShape second_shape = second == text_.end() ? LineShape{} : shape_of(second);
    if (is_title(first_shape, second_shape, second)) {
      std::string scratch;
      layout_.title = text_.field_at(first, scratch).text;
      first = second;
      second = text_.skip_ignored(text_.next_line(first));
      first_shape = std::exchange(second_shape, shape_of(second));
    }
    const bool header = has_header(first_shape, second_shape);
    if (header) {
      if (second == text_.end()) fail("a header and no rows");
      layout_.first_row = second;
      place_header(first, second_shape);
    } else {
      layout_.first_row = first;
      layout_.fields = first_shape.fields;
      layout_.trailing_delimiter = may_trail(first_shape) && (second == text_.end() || second_shape.last_is_empty);
      if (layout_.trailing_delimiter) --layout_.fields;
    }
    assign_roles(header ? second_shape : first_shape);
    if (layout_.features() == 0) fail_features();
    return std::move(layout_);
  }

 private:
  /// Blanks separate the words of a title, too: it then has several fields, and cannot be told from a header.
  bool is_title(const LineShape& first, const LineShape& second, const char* second_line) const {
    if (text_.delimiter() == ' ' || options_.header == Header::No || first.fields != 1 || !first.first_is_text() ||
        second.fields < 3)
      return false;
    const char* const third = text_.skip_ignored(text_.next_line(second_line));
    return third != text_.end() && text_.field_count(third) == second.fields;
  }

  LineShape shape_of(const char* line) const {
    LineShape shape;
    std::string scratch;
    double start = -1;  // of what may count the columns
    const Index fields = text_.field_count(line);
    CsvField field{.next = line};
    for (; !field.last; ++shape.fields) {
      field = text_.field_at(field.next, scratch);
      shape.last_is_empty = field.text.empty() && !field.quoted;
      const CsvNumber number = text_.number(field.text);
      const auto kind = number.kind;
      const bool is_text = kind == CsvNumber::Kind::Text;
      shape.is_text.push_back(is_text);
      if (is_set_apart(shape.fields, fields)) continue;
      shape.texts += is_text ? 1 : 0;
      shape.numbers += is_text || kind == CsvNumber::Kind::Missing ? 0 : 1;
      if (kind == CsvNumber::Kind::Finite) shape.values.push_back(number.value);
      if (shape.fields > 0) {
        const auto place = static_cast<double>(shape.fields);
        if (shape.fields == 1) start = number.value;
        const bool counts = (start == 0 || start == 1) && kind == CsvNumber::Kind::Finite;
        shape.others_count = shape.others_count && counts && number.value == start + place - 1;
        continue;
      }
      shape.first_is_empty = field.text.empty();
      shape.first_has_decimal_comma = is_text && has_decimal_comma(field.text);
      shape.first_is_quoted = field.quoted;
    }
    return shape;
  }

  /// Whether the numbers among the options, or the places that a model remembers, say that the column of a line of so
  /// many fields is no feature. Its content then tells nothing about the header.
  bool is_set_apart(Index column, Index fields) const {
    if (labels_.have_number(column) || dropped_.have_number(column) || ids_.have_number(column)) return true;
    if (!columns_.empty()) return !columns_.need_names() && !columns_.have_number(column);
    return has_remembered_places(fields) && !is_remembered(column);
  }

  /// Whether the file has as many columns as the training table, of which a model has some.
  bool has_remembered_places(Index fields) const {
    const ColumnChoice& trained = options_.trained;
    return trained.of == fields && std::ssize(trained.places) < fields && columns_.empty() && dropped_.empty();
  }
  bool is_remembered(Index column) const {
    const auto& places = options_.trained.places;
    return std::find(places.begin(), places.end(), column) != places.end();
  }
  /// Whether names tell the columns that a model knows. If none of them is here, the caller says so.
  bool is_matched_by_name() const {
    const auto& trained = options_.trained.names;
    for (Index column = 0; column < layout_.fields && !layout_.header.empty(); ++column)
      if (role(column) == ColumnRole::Feature &&
          std::find(trained.begin(), trained.end(), layout_.name(column)) != trained.end())
        return true;
    return false;
  }

  /// Whether the line may end with an extra delimiter; an empty last label is a missing label instead.
  bool may_trail(const LineShape& row) const {
    return row.last_is_empty && row.fields > 1 && !labels_.have_number(row.fields - 1);
  }

  void warn_of_header() {
    warnings_.push_back({"header-guessed",
                         fmt::format("{}: the first line is taken for names, though it has numbers too", text_.name()),
                         "say --header yes or --header no"});
  }

  bool has_header(const LineShape& first, const LineShape& second) {
    if (options_.header != Header::Auto) return options_.header == Header::Yes;
    for (const ColumnWords* words : {&labels_, &columns_, &dropped_, &ids_, &annotation_})
      if (words->need_names()) return true;
    // An empty corner before numbers of columns, as pandas writes a table without names, or before other numbers: as a
    // sample without a name the line would not be read.
    const bool has_numbers = second.first_is_text() && first.numbers + 1 == first.fields;
    if (first.first_is_empty && (first.others_count || has_numbers) && first.fields > 2 &&
        first.fields == second.fields && !second.first_is_empty) {
      if (!first.others_count && !is_scale(first.values)) warn_of_header();
      return true;
    }
    const bool as_r_writes = first.fields + 1 == second.fields && (second.first_is_text() || second.first_is_quoted);
    if (first.texts == 0 && !as_r_writes) {
      if (may_be_scale(first.values, second.values))
        warnings_.push_back({"header-guessed",
                             fmt::format("{}: the first line, {}, {}, {}, ..., is taken for a sample", text_.name(),
                                         first.values[0], first.values[1], first.values[2]),
                             "if it is names of columns, say --header yes; if not, --header no"});
      return false;
    }
    if (first.numbers > 0) warn_of_header();
    return true;
  }

  void place_header(const char* line, const LineShape& row) {
    std::string scratch;
    CsvField field{.next = line};
    while (!field.last) {
      field = text_.field_at(field.next, scratch);
      layout_.header.emplace_back(field.text);
    }
    auto names = static_cast<Index>(layout_.header.size());
    layout_.fields = row.fields;
    if (may_trail(row) && names == row.fields && layout_.header.back().empty()) {
      layout_.trailing_delimiter = true;
      layout_.header.pop_back();
      --names;
    } else if (may_trail(row) && names + 1 == row.fields && !row.first_is_text()) {
      layout_.trailing_delimiter = true;
    }
    if (layout_.trailing_delimiter) --layout_.fields;
    if (names + 1 == layout_.fields && (row.first_is_text() || row.first_is_quoted)) {  // R writes row names this way
      layout_.header.emplace(layout_.header.begin());
    } else if (names != layout_.fields) {
      text_.fail(layout_.first_row,
                 fmt::format("{} field{}, expected {}, as many as the header has names", layout_.fields,
                             layout_.fields == 1 ? "" : "s", names),
                 advice_on_fields(layout_.fields, names));
    }
  }

  void assign_roles(const LineShape& row) {
    layout_.roles.assign(static_cast<std::size_t>(layout_.fields), ColumnRole::Feature);
    const auto chosen = [&](const ColumnWords& words) {
      return words.columns(layout_.header, layout_.fields, text_.name());
    };
    const std::vector<Index> wanted = chosen(columns_), dropped = chosen(dropped_), ids = chosen(ids_);
    if (ids.size() > 1) fail_ids();
    const auto is_wanted = [&](Index column) {
      return std::find(wanted.begin(), wanted.end(), column) != wanted.end();
    };
    for (Index column = 0; column < layout_.fields; ++column)
      if (!wanted.empty() && !is_wanted(column)) role(column) = ColumnRole::LeftOut;
    for (const Index column : dropped) role(column) = ColumnRole::LeftOut;
    layout_.labels = chosen(labels_);
    for (const Index column : layout_.labels) role(column) = ColumnRole::Label;
    if (!ids.empty()) {
      role(ids.front()) = ColumnRole::RowName;
    } else if (std::find(dropped.begin(), dropped.end(), 0) == dropped.end() && !is_wanted(0)) {
      find_row_names(row);
    }
    layout_.asked_labels = std::ssize(layout_.labels);
    leave_out_unknown();
    for (const Index column : chosen(annotation_)) annotate(column, row);  // what was left out, too, can be one
  }

  /// A feature, a label or a row name has its content already.
  void annotate(Index column, const LineShape& row) {
    layout_.annotation = column;
    const ColumnRole now = role(column);
    const bool is_text = row.is_text[static_cast<std::size_t>(column)];
    if (now != ColumnRole::LeftOut && !(now == ColumnRole::Feature && is_text)) return;
    role(column) = ColumnRole::Label;
    layout_.labels.push_back(column);
  }

  /// What a model does not know is no feature: by name, or else by the place that it had in the training table.
  void leave_out_unknown() {
    const bool by_name = is_matched_by_name();
    if (!by_name && !has_remembered_places(layout_.fields)) return;
    const auto& names = options_.trained.names;
    for (Index column = 0; column < layout_.fields; ++column) {
      if (role(column) != ColumnRole::Feature) continue;
      const bool is_known =
          by_name ? std::find(names.begin(), names.end(), layout_.name(column)) != names.end() : is_remembered(column);
      if (is_known) continue;
      role(column) = ColumnRole::LeftOut;
      layout_.unknown.push_back(layout_.header.empty() ? fmt::format("{}", column + 1) : layout_.name(column));
    }
  }

  void find_row_names(const LineShape& row) {
    if (role(0) == ColumnRole::Label || (role(0) == ColumnRole::Feature && layout_.features() < 2)) return;
    const bool named_as_such = !layout_.header.empty() && (layout_.header[0].empty() || layout_.header[0] == "id");
    if (!named_as_such && (!row.first_is_text() || row.first_has_decimal_comma)) return;
    role(0) = ColumnRole::RowName;
    layout_.names_are_text = !named_as_such;
  }

  ColumnRole& role(Index column) { return layout_.roles[static_cast<std::size_t>(column)]; }
  ColumnRole role(Index column) const { return layout_.roles[static_cast<std::size_t>(column)]; }

  [[noreturn]] void fail(std::string_view what) const {
    throw Error(ErrorKind::InvalidData, {.who = text_.name(), .problem = std::string(what), .advice = kTableAdvice});
  }
  [[noreturn]] void fail_features() const {
    if (options_.drop.empty()) fail("no column of numbers");
    throw Error(ErrorKind::InvalidData, {.who = text_.name(),
                                         .problem = "no column of numbers is left",
                                         .advice = fmt::format("leave out fewer than drop={}", options_.drop),
                                         .option = "drop"});
  }
  [[noreturn]] void fail_ids() const {
    throw Error(ErrorKind::InvalidOption,
                {.who = text_.name(),
                 .problem = fmt::format("id_column={} must be one column", options_.id_column),
                 .option = "id_column"});
  }

  const CsvText& text_;
  const ReadOptions& options_;
  std::vector<Warning>& warnings_;
  ColumnWords labels_, columns_, dropped_, ids_, annotation_;
  CsvLayout layout_;
};

}  // namespace

bool CsvLayout::has(ColumnRole role) const { return std::find(roles.begin(), roles.end(), role) != roles.end(); }

Index CsvLayout::features() const { return std::count(roles.begin(), roles.end(), ColumnRole::Feature); }

std::string CsvLayout::name(Index column) const {
  return header.empty() ? "" : header[static_cast<std::size_t>(column)];
}

std::string CsvLayout::word(Index column) const {
  return header.empty() ? fmt::format("{}", column + 1) : quoted_for_message(name(column));
}

std::string CsvLayout::describe(Index column) const {
  return fmt::format("column {}", word(column)) + (header.empty() ? "" : fmt::format(" ({})", column + 1));
}

CsvLayout find_csv_layout(const CsvText& text, const ReadOptions& options, std::vector<Warning>& warnings) {
  return LayoutFinder(text, options, warnings).find();
}

}  // namespace unroll
