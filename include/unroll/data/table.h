#pragma once
#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "unroll/core/error.h"
#include "unroll/core/options.h"
#include "unroll/core/run.h"
#include "unroll/core/sparse.h"
#include "unroll/core/types.h"

/// Tables of numbers in files: npy, npz (NumPy's, and SciPy's sparse matrices), MatrixMarket, csv/tsv/whitespace text,
/// idx (MNIST); each also gzipped, and from standard input.
namespace unroll {

enum class MissingValues { Error, Drop, Mean };
constexpr auto enum_names(MissingValues) {
  return std::array{Named{MissingValues::Error, "error"}, Named{MissingValues::Drop, "drop"},
                    Named{MissingValues::Mean, "mean"}};
}

enum class Header { Auto, Yes, No };
constexpr auto enum_names(Header) {
  return std::array{Named{Header::Auto, "auto"}, Named{Header::Yes, "yes"}, Named{Header::No, "no"}};
}

/// Which columns of a file are features: their names, if it has names, their places from 0, and the columns in all.
/// A model remembers it, so that new rows are read as the training rows were.
struct ColumnChoice {
  std::vector<std::string> names = {};
  std::vector<Index> places = {};
  Index of = 0;
};

/// Columns are told by name, by a number from 1 or by a range of numbers ("2-5", "7-"), several separated by commas.
struct ReadOptions {
  Header header = Header::Auto;                  ///< text: is the first line names?
  std::optional<char> delimiter = {};            ///< text: none = detect among , ; tab and runs of blanks
  MissingValues missing = MissingValues::Error;  ///< text: empty fields, NA, nan...
  std::string label_column = {};  ///< text: labels, not numbers; the first of several is the one that methods use
  bool keep_missing = false;      ///< text: under `mean`, missing values stay NaN for a caller with means of its own
  std::string columns = {};       ///< the features; empty: all other columns
  std::string drop = {};          ///< columns that are left out
  std::string id_column = {};     ///< text: the names of rows
  std::string annotation = {};    ///< a column that is kept, as text if it is no feature
  ColumnChoice trained = {};      ///< of a model: other columns are left out
  bool transpose = false;         ///< samples are in columns; all choices above are of the file's columns
  std::vector<std::string> na_values = {};  ///< text: further words for a missing value
  char decimal = '.';                       ///< text: or ','
};

/// A column of a text that is no feature.
struct TextColumn {
  std::string name = {};  ///< empty: it has none
  std::vector<std::string> values = {};
};

/// One row per sample.
struct Table {
  /// float where every value of the file is exact in float (float32, float16, 8- and 16-bit integers, booleans).
  std::variant<Array2<double>, Array2<float>> values;
  std::vector<std::string> column_names;   ///< empty: the file has none; Model::with_features keeps them in a model
  std::vector<std::string> row_names;      ///< empty: the file has none
  std::string id_name;                     ///< the name of the column of row names; empty: it has none
  std::vector<std::string> labels;         ///< of `label_column`, one per row; empty: none asked for
  std::string label_name;                  ///< the name of that column; empty: it has none
  std::vector<TextColumn> more_labels;     ///< of further columns of labels
  TextColumn annotation;                   ///< empty: none asked for, or it is a feature
  std::optional<Index> annotated_feature;  ///< the column of `values` that is the annotation
  std::vector<Index> places;               ///< of the features among the columns of the file, from 0
  Index file_columns = 0;
  std::vector<std::string> unknown;  ///< columns left out because `trained` lacks them
  std::string format;                ///< "npy", "npz", "mtx", "csv", "idx", with "+gzip" where it was compressed
  std::vector<Warning> warnings;
  std::vector<std::string> notes;  ///< what the reader took the file for, if that may not be meant

  PointsView view() const& UNROLL_VIEWED {
    return std::visit([](const auto& array) { return PointsView(array); }, values);
  }
  /// A view of a table that is gone at once would be of no use: keep the table.
  PointsView view() && = delete;
};

/// A sparse matrix. Entries that the file gives twice are summed, with a warning.
struct SparseTable {
  SparseMatrix values = {};
  std::string format = {};  ///< as in Table
  std::vector<Warning> warnings = {};
};

/// Reads a table; its content shows the format, or else its extension. "-" is standard input. A sparse matrix is made
/// dense if the memory budget allows it. Errors: Io when the system refuses; InvalidData, with the place and the text
/// found, when the content is bad.
///
/// If an .npz file holds several arrays, the table is the only one that has two or more dimensions. If several have, it
/// is the one called X, else data, else arr_0. Arrays of one dimension count only when there are no others.
UNROLL_API Table read_table(const std::string& path, const ReadOptions& options = {}, const Run& run = {});

/// Leaves these columns of the numbers, counted from 0, in this order.
UNROLL_API void keep_columns(Table& table, const std::vector<Index>& columns);

/// The words of a text file with one per line, such as labels, quoted or not; throws InvalidData if a line has several.
/// `rows` is the number that is expected: one line more is a name above them.
UNROLL_API std::vector<std::string> read_words(const std::string& path, Index rows, const Run& run = {});

/// The same for callers that can use a sparse matrix: a matrix that is sparse in the file stays sparse.
UNROLL_API std::variant<Table, SparseTable> read_matrix(const std::string& path, const ReadOptions& options = {},
                                                        const Run& run = {});

/// Names that are written with a table.
struct TableNames {
  std::vector<std::string> columns = {};     ///< empty: none
  std::vector<std::string> rows = {};        ///< empty: none
  std::vector<std::string> labels = {};      ///< text: a last column, one label per row; empty: none
  std::string row_header = "id";             ///< text: the name of the column of row names
  std::string label_header = "label";        ///< text: the name of the column of labels
  std::vector<TextColumn> more_labels = {};  ///< text: columns behind that one
};

enum class TableFormat {
  Npy,   ///< numbers alone, without any names
  Text,  ///< csv, tsv and the like
};

/// The format that write_table uses for a file of that name; throws InvalidOption, as write_table does, for an unknown
/// extension.
UNROLL_API TableFormat table_format(const std::string& path);

/// Writes .npy or .csv/.tsv/.txt as the extension says, each also .gz; "-" is csv on standard output.
/// Atomic: the file appears complete or not at all. Numbers have the digits that read back to the same bits.
UNROLL_API void write_table(const std::string& path, PointsView values, const TableNames& names = {});
/// One text column, for labels.
UNROLL_API void write_column(const std::string& path, const std::vector<std::string>& values, const std::string& name);

/// An array of an .npz file; the numbers stay with the caller.
struct NpzArray {
  std::string name;
  std::variant<MatrixView<double>, MatrixView<float>, MatrixView<Index>> values;
};

/// Writes what numpy.load reads as a dictionary of arrays, atomically, not compressed; "-" is standard output. NaN and
/// infinity are refused, as by write_table.
UNROLL_API void write_npz(const std::string& path, const std::vector<NpzArray>& arrays);
/// Writes what scipy.sparse.load_npz reads as a csr matrix, in the same way.
UNROLL_API void write_sparse_npz(const std::string& path, const SparseMatrix& matrix);

}  // namespace unroll
