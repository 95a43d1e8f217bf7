#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <new>
#include <string_view>

#include "core/memory.h"
#include "core/text.h"
#include "data/byte_source.h"
#include "data/column_words.h"
#include "data/table_reader.h"
#include "unroll/core/error.h"
#include "unroll/data/table.h"

namespace unroll {
namespace {

/// The number of bytes that are examined to find the format.
constexpr std::size_t kHead = 4096;

bool starts_with(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }
bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

bool looks_like_npy(std::string_view head) { return starts_with(head, "\x93NUMPY"); }
bool looks_like_zip(std::string_view head) {
  return starts_with(head, "PK\x03\x04") || starts_with(head, "PK\x05\x06");  // the second has no members
}
bool looks_like_mtx(std::string_view head) { return starts_with(head, "%%MatrixMarket"); }
bool looks_like_idx(std::string_view head) {
  constexpr std::string_view kTypes = "\x08\x09\x0b\x0c\x0d\x0e";
  return head.size() >= 4 && head[0] == 0 && head[1] == 0 && kTypes.find(head[2]) != std::string_view::npos &&
         head[3] != 0;
}
/// Text has no signature: it counts as text if it has no control characters except those that move the cursor.
bool looks_like_text(std::string_view head) {
  return starts_with(head, "\xff\xfe") || starts_with(head, "\xfe\xff") ||  // UTF-16: the reader refuses it
         std::none_of(head.begin(), head.end(), [](char c) {
           return (static_cast<unsigned char>(c) < 0x20 && (c < '\t' || c > '\r')) || c == 0x7f;
         });
}
bool never(std::string_view) { return false; }

template <Table (*Read)(ByteSource&, const ReadOptions&, const Run&)>
TableOrSparse dense(ByteSource& source, const ReadOptions& options, const Run& run) {
  return Read(source, options, run);
}

/// A new format is a new line here and its reader.
struct Format {
  std::string_view name;
  std::string_view description;
  bool (*has_signature)(std::string_view head);
  std::array<std::string_view, 6> endings;  ///< of the file's name, lower case, without .gz; filled up with ""
  TableOrSparse (*read)(ByteSource&, const ReadOptions&, const Run&);
};
constexpr std::array kFormats{
    Format{"npy", "npy (NumPy)", looks_like_npy, {".npy"}, dense<read_npy>},
    Format{"npz", "npz (NumPy, SciPy)", looks_like_zip, {".npz"}, read_npz},
    Format{"mtx", "MatrixMarket", looks_like_mtx, {".mtx", ".mm"}, read_mtx},
    Format{"idx", "idx (MNIST)", looks_like_idx, {".idx", "-ubyte", ".idx1", ".idx2", ".idx3"}, dense<read_idx>},
    Format{"csv", "text (csv, tsv, blanks)", never, {".csv", ".tsv", ".txt", ".dat", ".data", ".tab"}, dense<read_csv>},
};
constexpr const Format& kText = kFormats.back();

/// Formats that are recognised but not supported.
struct UnreadFormat {
  std::string_view signature;
  std::string_view what;
  std::string_view advice;
};
constexpr std::array kUnread{
    UnreadFormat{"BZh", "bzip2 is not supported", "use bzip2 -dc FILE | unroll ... -"},
    UnreadFormat{"\xfd\x37zXZ", "xz is not supported", "use xz -dc FILE | unroll ... -"},
    UnreadFormat{"\x28\xb5\x2f\xfd", "zstd is not supported", "use zstd -dc FILE | unroll ... -"},
    UnreadFormat{"\x89HDF\r\n", "HDF5 is not supported", "save the table as .npy"},
    UnreadFormat{"\x1f\x8b", "this is gzip inside gzip", "unpack it once"},
};

/// Spreadsheets are zip files, too, or have a signature of their own.
void refuse_spreadsheet(const ByteSource& source, std::string_view head) {
  const bool is_excel =
      head.find("[Content_Types].xml") != std::string_view::npos || starts_with(head, "\xd0\xcf\x11\xe0");
  const bool is_open = head.find("opendocument.spreadsheet") != std::string_view::npos;
  if (!is_excel && !(looks_like_zip(head) && is_open)) return;
  throw Error(ErrorKind::Unsupported,
              {.who = source.name(),
               .problem = fmt::format("this is {}", is_excel ? "an Excel workbook" : "a spreadsheet"),
               .advice = "save the sheet as CSV UTF-8"});
}

std::string lower_without_gz(std::string path) {
  std::transform(path.begin(), path.end(), path.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (ends_with(path, ".gz")) path.resize(path.size() - 3);
  return path;
}

/// The format by content, else by the name's ending, else text if it can be text.
const Format& format_of(ByteSource& source) {
  const std::string_view head = source.peek(kHead);
  if (head.empty())
    throw Error(ErrorKind::InvalidData, {.who = source.name(), .problem = "the file is empty", .advice = kTableAdvice});
  refuse_spreadsheet(source, head);
  for (const Format& format : kFormats)
    if (format.has_signature(head)) return format;
  for (const UnreadFormat& format : kUnread)
    if (starts_with(head, format.signature))
      throw Error(ErrorKind::Unsupported,
                  {.who = source.name(), .problem = std::string(format.what), .advice = std::string(format.advice)});
  const std::string name = lower_without_gz(source.name());
  for (const Format& format : kFormats)
    for (const std::string_view ending : format.endings)
      if (!ending.empty() && ends_with(name, ending)) return format;
  if (looks_like_text(head)) return kText;
  std::vector<std::string> known;
  known.reserve(kFormats.size());
  for (const Format& format : kFormats) known.emplace_back(format.description);
  throw Error(ErrorKind::InvalidData, {.who = source.name(),
                                       .problem = "not a format I know",
                                       .advice = fmt::format("known are {}, each also gzipped", joined(known))});
}

/// Leaves the chosen columns of a table without names: those asked for, or else those that a model remembers.
void choose_columns(Table& table, const ReadOptions& options, const std::string& path) {
  const Index count = table.view().cols();
  if (options.columns.empty() && options.drop.empty() && options.annotation.empty() && options.trained.of != count)
    return;
  const ColumnWords wanted("columns", options.columns), dropped("drop", options.drop);
  std::vector<bool> is_kept(static_cast<std::size_t>(count), wanted.empty());
  for (const Index column : wanted.columns({}, count, path)) is_kept[static_cast<std::size_t>(column)] = true;
  for (const Index column : dropped.columns({}, count, path)) is_kept[static_cast<std::size_t>(column)] = false;
  const ColumnChoice& trained = options.trained;
  if (wanted.empty() && dropped.empty() && trained.of == count && std::ssize(trained.places) < count) {
    is_kept.assign(is_kept.size(), false);
    for (const Index column : trained.places) is_kept[static_cast<std::size_t>(column)] = true;
    for (Index column = 0; column < count; ++column)
      if (!is_kept[static_cast<std::size_t>(column)]) table.unknown.push_back(fmt::format("{}", column + 1));
  }
  for (Index column = 0; column < count; ++column)
    if (is_kept[static_cast<std::size_t>(column)]) table.places.push_back(column);
  table.file_columns = count;
  for (const Index column : ColumnWords("color_by", options.annotation).columns({}, count, path))
    if (const auto place = std::find(table.places.begin(), table.places.end(), column); place != table.places.end())
      table.annotated_feature = place - table.places.begin();
  if (table.places.empty() && count > 0)
    throw Error(ErrorKind::InvalidOption, {.who = path,
                                           .problem = fmt::format("drop={} leaves no column", options.drop),
                                           .advice = "leave one",
                                           .option = "drop"});
  if (std::ssize(table.places) < count) keep_columns(table, table.places);
}

}  // namespace

TableOrSparse read_source(ByteSource& source, const std::string& path, const ReadOptions& options, const Run& run) {
  const Format& format = format_of(source);
  const bool is_text = &format == &kText;
  for (const auto& [option, value] :
       {std::pair("label_column", options.label_column), std::pair("id_column", options.id_column)})
    if (!value.empty() && !is_text)
      throw Error(
          ErrorKind::InvalidOption,
          {.who = source.name(),
           .problem = fmt::format("{}={} is for text; {} files have no columns of text", option, value, format.name),
           .option = option});
  if (options.missing != MissingValues::Error && !is_text)
    throw Error(ErrorKind::InvalidOption,
                {.who = source.name(),
                 .problem = fmt::format("--na {} is for text; missing values of {} tables must be dealt with before",
                                        name_of(options.missing), format.name),
                 .option = "na"});
  TableOrSparse table = format.read(source, options, run);
  std::visit([&](auto& any) { any.format = std::string(format.name) + (source.is_gzip() ? "+gzip" : ""); }, table);
  if (auto* dense = std::get_if<Table>(&table); dense != nullptr && !is_text) choose_columns(*dense, options, path);
  return table;
}

namespace {

TableOrSparse read(const std::string& path, const ReadOptions& options, const Run& run) {
  ByteSource source(path, run);
  return read_source(source, path, options, run);
}

/// Calls `call` with a run whose memory budget is fixed at the beginning, whatever the call has allocated since.
template <class Call>
auto within_budget(const std::string& path, Run run, Call&& call) {
  run.memory_budget = memory_budget(run);
  try {
    return call(run);
  } catch (const std::bad_alloc&) {
    throw Error(
        ErrorKind::OutOfMemory,
        {.who = path, .problem = "not enough memory to read it", .advice = "use a smaller table or a larger machine"});
  }
}

}  // namespace

void keep_columns(Table& table, const std::vector<Index>& columns) {
  std::visit(
      [&]<class T>(Array2<T>& values) {
        auto kept = Array2<T>::uninitialized(values.rows(), std::ssize(columns));
        for (Index i = 0; i < values.rows(); ++i)
          for (std::size_t j = 0; j < columns.size(); ++j) kept(i, static_cast<Index>(j)) = values(i, columns[j]);
        values = std::move(kept);
      },
      table.values);
  if (table.column_names.empty()) return;
  std::vector<std::string> names;
  names.reserve(columns.size());
  for (const Index column : columns) names.push_back(table.column_names[static_cast<std::size_t>(column)]);
  table.column_names = std::move(names);
}

std::variant<Table, SparseTable> read_matrix(const std::string& path, const ReadOptions& options, const Run& run) {
  if (options.transpose)
    throw Error(ErrorKind::InvalidOption,
                {.who = path,
                 .problem = "transpose is for tables, but this is a matrix of pairs of points",
                 .advice = "leave it out",
                 .option = "transpose"});
  return within_budget(path, run, [&](const Run& planned) {
    TableOrSparse matrix = read(path, options, planned);
    if (std::holds_alternative<SparseTable>(matrix) && !(options.columns.empty() && options.drop.empty()))
      throw Error(ErrorKind::Unsupported, {.who = path,
                                           .problem = "the columns of a sparse matrix cannot be chosen",
                                           .advice = "leave columns and drop out",
                                           .option = options.columns.empty() ? "drop" : "columns"});
    return matrix;
  });
}

Table read_table(const std::string& path, const ReadOptions& options, const Run& run) {
  if (options.transpose) return read_transposed(path, options, run);
  return within_budget(path, run, [&](const Run& planned) {
    TableOrSparse table = read(path, options, planned);
    const auto* sparse = std::get_if<SparseTable>(&table);
    if (sparse == nullptr) return std::get<Table>(std::move(table));
    Table dense = made_dense(*sparse, path, planned);
    choose_columns(dense, options, path);
    return dense;
  });
}

}  // namespace unroll
