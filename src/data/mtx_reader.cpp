#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "data/csv_number.h"
#include "data/csv_text.h"
#include "data/mtx_text.h"
#include "data/sparse_build.h"
#include "data/table_reader.h"
#include "unroll/core/error.h"

/// MatrixMarket, as NIST describes it (Boisvert, Pozo, Remington: The Matrix Market Exchange Formats, 1996):
///
///   %%MatrixMarket matrix coordinate|array real|integer|pattern general|symmetric|skew-symmetric
///   % comments
///   rows columns entries                          (array: rows columns)
///   row column value                              (counted from 1; pattern: no value, 1; array: value, by columns)
///
/// For a symmetric matrix the file has the lower triangle with the diagonal, for a skew-symmetric one without it.
/// As SciPy does, we also accept blank lines and comments anywhere, and add up entries of one place.
namespace unroll {
namespace {

enum class Field { Real, Integer, Pattern };
enum class Symmetry { General, Symmetric, Skew };

class MtxReader {
 public:
  MtxReader(MtxText text, const Run& run) : text_(std::move(text)), held_(text_.bytes_left()), run_(run) {}

  TableOrSparse read() {
    read_banner();
    read_sizes();
    TableOrSparse table = coordinate_ ? TableOrSparse(read_entries()) : TableOrSparse(read_array());
    if (inexact_ > 0)
      std::visit(
          [&](auto& any) {
            any.warnings.push_back(
                {"precision", fmt::format("{}: {} integers beyond 2^53 are rounded to 53 bits", text_.name(), inexact_),
                 "subtract an offset before saving if the last digits matter"});
          },
          table);
    return table;
  }

 private:
  void read_banner() {
    constexpr std::string_view kBanner = "%%MatrixMarket";
    if (!text_.next_raw(line_) || line_.count == 0 || line_[0] != kBanner)
      throw Error(
          ErrorKind::InvalidData,
          {.who = text_.name(), .problem = fmt::format("not a MatrixMarket file: it should start with {}", kBanner)});
    if (line_.count != 5) text_.fail("the first line should be: %%MatrixMarket matrix FORMAT FIELD SYMMETRY");
    const std::string object = word(1), format = word(2), field = word(3), symmetry = word(4);
    if (object != "matrix") refuse("object", object, "matrix");
    coordinate_ = format == "coordinate";
    if (!coordinate_ && format != "array") refuse("format", format, "coordinate and array");
    if (field == "integer" || field == "unsigned-integer") {
      field_ = Field::Integer;
    } else if (field == "pattern" && coordinate_) {
      field_ = Field::Pattern;
    } else if (field != "real" && field != "double") {
      refuse("field", field, "real, integer and (with coordinate) pattern");
    }
    if (symmetry == "symmetric") {
      symmetry_ = Symmetry::Symmetric;
    } else if (symmetry == "skew-symmetric" && field_ != Field::Pattern) {
      symmetry_ = Symmetry::Skew;
    } else if (symmetry != "general") {
      refuse("symmetry", symmetry, "general, symmetric and (with numbers) skew-symmetric");
    }
  }

  /// A word of the banner, lower case.
  std::string word(std::size_t i) const {
    std::string lower(line_[i]);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return lower;
  }

  void read_sizes() {
    const std::size_t expected = coordinate_ ? 3 : 2;
    if (!text_.next(line_)) text_.fail("the file ends before the line of sizes");
    if (line_.count != expected)
      text_.fail(fmt::format("{} field{}, expected {}: rows, columns{}", line_.count, line_.count == 1 ? "" : "s",
                             expected, coordinate_ ? ", entries" : ""));
    rows_ = size(0, "rows");
    cols_ = size(1, "columns");
    if (symmetry_ != Symmetry::General && rows_ != cols_)
      text_.fail(fmt::format("{} rows and {} columns; a symmetric matrix has as many rows as columns", rows_, cols_));
    promised_ = coordinate_ ? size(2, "entries") : array_entries();
    // Checked before memory is allocated: the fewest bytes of an entry; the last one may lack its line end.
    const std::size_t shortest = !coordinate_ ? 2 : field_ == Field::Pattern ? 4 : 6;
    if (static_cast<std::uint64_t>(promised_) > (text_.bytes_left() + 1) / shortest)
      text_.fail(fmt::format("promises {} entries, and {} bytes follow; the file is cut short or the line is wrong",
                             promised_, text_.bytes_left()));
  }

  Index size(std::size_t i, std::string_view what) const {
    const Index value = integer(line_[i], what);
    if (value < 0) text_.fail(fmt::format("{} {}; it must be at least 0", value, what));
    return value;
  }

  Index array_entries() const {
    Index entries = 0;
    if (__builtin_mul_overflow(rows_, cols_, &entries))
      text_.fail(fmt::format("{} x {} entries are more than any memory has", rows_, cols_));
    if (symmetry_ == Symmetry::General) return entries;
    const Index below_diagonal = (entries - rows_) / 2;
    return symmetry_ == Symmetry::Symmetric ? below_diagonal + rows_ : below_diagonal;
  }

  SparseTable read_entries() {
    const double copies = symmetry_ == Symmetry::General ? 1 : 2;
    MemoryPlan(text_.name())
        .add("the entries", copies * static_cast<double>(promised_), 1, 2 * sizeof(Index) + sizeof(double))
        .add("the file", 1, static_cast<double>(held_), 1)
        .require(run_, "give it a larger memory budget");
    Triplets entries{.rows = rows_, .cols = cols_};
    const auto capacity = static_cast<std::size_t>(copies) * static_cast<std::size_t>(promised_);
    entries.row.reserve(capacity);
    entries.col.reserve(capacity);
    entries.value.reserve(capacity);
    const auto add = [&](Index row, Index col, double value) {
      entries.row.push_back(row);
      entries.col.push_back(col);
      entries.value.push_back(value);
    };
    const bool pattern = field_ == Field::Pattern;
    for (Index i = 0; i < promised_; ++i) {
      next_entry(i, pattern ? 2 : 3, pattern ? "row, column" : "row, column, value");
      const Index row = place(0, "row", rows_), col = place(1, "column", cols_);
      const double value = pattern ? 1 : number(line_[2]);
      if (symmetry_ != Symmetry::General) check_triangle(row, col);
      add(row, col, value);
      if (symmetry_ != Symmetry::General && row != col) add(col, row, symmetry_ == Symmetry::Skew ? -value : value);
    }
    check_end();
    return sparse_table(entries, {text_.name(), held_}, run_);
  }

  /// Column by column.
  Table read_array() {
    MemoryPlan(text_.name())
        .add("the table", static_cast<double>(rows_), static_cast<double>(cols_), sizeof(double))
        .add("the file", 1, static_cast<double>(held_), 1)
        .require(run_, "give it a larger memory budget, or a table of fewer rows");
    Array2<double> values(rows_, cols_);
    Index i = 0;
    for (Index col = 0; col < cols_; ++col) {
      const Index first = symmetry_ == Symmetry::General ? 0 : symmetry_ == Symmetry::Symmetric ? col : col + 1;
      for (Index row = first; row < rows_; ++row) {
        next_entry(i++, 1, "a value");
        values(row, col) = number(line_[0]);
        if (symmetry_ == Symmetry::Symmetric) values(col, row) = values(row, col);
        if (symmetry_ == Symmetry::Skew) values(col, row) = -values(row, col);
      }
    }
    check_end();
    Table table;
    table.values = std::move(values);
    return table;
  }

  void next_entry(Index i, std::size_t fields, std::string_view expected) {
    constexpr Index kLinesAtOnce = 1 << 16;
    if (i % kLinesAtOnce == 0) run_.check_cancelled();
    if (!text_.next(line_)) text_.fail(fmt::format("the file ends after {} of {} entries", i, promised_));
    if (line_.count != fields)
      text_.fail(
          fmt::format("{} field{}, expected {}: {}", line_.count, line_.count == 1 ? "" : "s", fields, expected));
  }

  void check_end() {
    if (text_.next(line_)) text_.fail(fmt::format("more than the {} entries that were promised", promised_));
  }

  /// A row or column, counted from 0.
  Index place(std::size_t i, std::string_view what, Index limit) const {
    const Index value = integer(line_[i], what);
    if (value < 1 || value > limit)
      text_.fail(fmt::format("{} {}; {}s are counted from 1 to {}", what, value, what, limit));
    return value - 1;
  }

  void check_triangle(Index row, Index col) const {
    const bool skew = symmetry_ == Symmetry::Skew;
    if (row > col || (row == col && !skew)) return;
    text_.fail(fmt::format("row {}, column {}; a {} matrix has entries below the diagonal{} alone", row + 1, col + 1,
                           skew ? "skew-symmetric" : "symmetric", skew ? "" : " and on it"));
  }

  Index integer(std::string_view field, std::string_view what) const {
    Index value = 0;
    const char* const end = field.data() + field.size();
    const auto parsed = std::from_chars(field.data(), end, value);
    if (parsed.ec == std::errc::result_out_of_range && parsed.ptr == end)
      text_.fail(fmt::format("{} is beyond 2^63", quoted_for_message(field)));
    if (parsed.ec != std::errc() || parsed.ptr != end)
      text_.fail(fmt::format("cannot read {} as an integer ({})", quoted_for_message(field), what));
    return value;
  }

  double number(std::string_view field) {
    if (field_ == Field::Integer) {
      constexpr Index kLargestExact = Index{1} << 53;
      const Index value = integer(field, "value");
      inexact_ += value > kLargestExact || value < -kLargestExact ? 1 : 0;
      return static_cast<double>(value);
    }
    using Kind = CsvNumber::Kind;
    const CsvNumber parsed = parse_csv_number(field);
    if (parsed.kind == Kind::Finite) return parsed.value;
    const std::string shown = quoted_for_message(field);
    if (parsed.kind == Kind::Infinite) text_.fail(fmt::format("{} is infinite; values must be finite", shown));
    if (parsed.kind == Kind::TooLarge)
      text_.fail(fmt::format("{} is out of range, beyond the largest double, 1.8e308", shown));
    text_.fail(fmt::format("cannot read {} as a number", shown));
  }

  [[noreturn]] void refuse(std::string_view what, const std::string& got, std::string_view known) const {
    throw Error(ErrorKind::Unsupported,
                {.who = text_.name() + ":1",
                 .problem = fmt::format("MatrixMarket files of {} {} are not supported", what, quoted_for_message(got)),
                 .advice = fmt::format("known: {}", known)});
  }

  MtxText text_;
  std::size_t held_;
  const Run& run_;
  MtxText::Line line_;
  bool coordinate_ = false;
  Field field_ = Field::Real;
  Symmetry symmetry_ = Symmetry::General;
  Index rows_ = 0;
  Index cols_ = 0;
  Index promised_ = 0;
  Index inexact_ = 0;
};

}  // namespace

TableOrSparse read_mtx(ByteSource& source, const ReadOptions&, const Run& run) {
  const Bytes bytes = source.read_all(0);
  return MtxReader(MtxText(source.name(), {bytes.data.get(), bytes.size}), run).read();
}

}  // namespace unroll
