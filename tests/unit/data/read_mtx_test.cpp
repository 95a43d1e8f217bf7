#include <string>
#include <variant>

#include "read_support.h"

namespace unroll {
namespace {

using testing_support::Failure;
using testing_support::failure_of_bytes;
using testing_support::gzipped;
using testing_support::has_warning;
using testing_support::read_bytes;
using testing_support::TempFile;
using testing_support::values_of;
using Values = std::vector<double>;
using Indices = std::vector<Index>;

std::string mtx(const std::string& kind, const std::string& rest) {
  return "%%MatrixMarket matrix " + kind + "\n" + rest;
}

std::string message_of(const std::string& content, ErrorKind kind = ErrorKind::InvalidData) {
  const Failure failure = failure_of_bytes("x.mtx", content);
  EXPECT_EQ(failure.kind, kind) << failure.message;
  return failure.message;
}

TEST(ReadMtx, CoordinateStaysSparse) {
  const TempFile file("x",
                      mtx("coordinate real general", "% a comment\n\n2 3 3\n2 3 3e0\r\n% another\n1 3 2\n 1\t1  +1 "));
  const auto read = std::get<SparseTable>(read_matrix(file.path()));
  EXPECT_EQ(read.values.rows, 2);
  EXPECT_EQ(read.values.cols, 3);
  EXPECT_EQ(read.values.offsets, (Indices{0, 2, 3}));
  EXPECT_EQ(read.values.columns, (Indices{0, 2, 2}));
  EXPECT_EQ(read.values.values, (Values{1, 2, 3}));
  EXPECT_EQ(read.format, "mtx");
  EXPECT_EQ(values_of(read_table(file.path())), (Values{1, 0, 2, 0, 0, 3}));
}

TEST(ReadMtx, ArrayIsByColumns) {
  const Table read = read_bytes("x", mtx("array real general", "2 3\n1\n4\n2\n5\n3\n6\n"));
  EXPECT_EQ(values_of(read), (Values{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(read.format, "mtx");
  EXPECT_EQ(read_bytes("x.gz", gzipped(mtx("array real general", "1 1\n1\n"))).format, "mtx+gzip");
  EXPECT_EQ(testing_support::cols_of(read_bytes("x", mtx("array real general", "0 3\n"))), 3);
}

TEST(ReadMtx, BannerInAnyCase) {
  EXPECT_EQ(values_of(read_bytes("x", "%%MatrixMarket MATRIX Array Double GENERAL\n1 1\n7\n")), (Values{7}));
}

TEST(ReadMtx, IntegersAndPatterns) {
  EXPECT_EQ(values_of(read_bytes("x", mtx("array integer general", "1 2\n-3\n4\n"))), (Values{-3, 4}));
  EXPECT_EQ(values_of(read_bytes("x", mtx("coordinate pattern general", "2 2 1\n2 1\n"))), (Values{0, 0, 1, 0}));
  EXPECT_TRUE(has_warning(read_bytes("x", mtx("array integer general", "1 1\n9007199254740993\n")), "precision"));
  EXPECT_EQ(message_of(mtx("array integer general", "1 1\n1.5\n")), "x.mtx:3: cannot read '1.5' as an integer (value)");
}

TEST(ReadMtx, Symmetric) {
  EXPECT_EQ(values_of(read_bytes("x", mtx("coordinate real symmetric", "2 2 2\n1 1 5\n2 1 3\n"))),
            (Values{5, 3, 3, 0}));
  EXPECT_EQ(values_of(read_bytes("x", mtx("coordinate real skew-symmetric", "2 2 1\n2 1 3\n"))), (Values{0, -3, 3, 0}));
  EXPECT_EQ(values_of(read_bytes("x", mtx("array real symmetric", "2 2\n1\n2\n3\n"))), (Values{1, 2, 2, 3}));
  EXPECT_EQ(values_of(read_bytes("x", mtx("array real skew-symmetric", "2 2\n2\n"))), (Values{0, -2, 2, 0}));
  EXPECT_EQ(message_of(mtx("coordinate real symmetric", "2 2 2\n1 1 5\n1 2 3\n")),
            "x.mtx:4: row 1, column 2; a symmetric matrix has entries below the diagonal and on it alone");
  EXPECT_EQ(message_of(mtx("coordinate real skew-symmetric", "2 2 1\n1 1 5\n")),
            "x.mtx:3: row 1, column 1; a skew-symmetric matrix has entries below the diagonal alone");
  EXPECT_EQ(message_of(mtx("array real symmetric", "2 3\n1\n2\n3\n")),
            "x.mtx:2: 2 rows and 3 columns; a symmetric matrix has as many rows as columns");
}

TEST(ReadMtx, DuplicatesAreSummed) {
  const Table read = read_bytes("x", mtx("coordinate real general", "1 1 2\n1 1 5\n1 1 3\n"));
  EXPECT_EQ(values_of(read), (Values{8}));
  EXPECT_TRUE(has_warning(read, "duplicates-summed"));
}

TEST(ReadMtx, TheNumberOfEntriesIsATruth) {
  const std::string kind = "coordinate real general";
  EXPECT_EQ(message_of(mtx(kind, "2 2 2\n1 1 1.0000\n")), "x.mtx:3: the file ends after 1 of 2 entries");
  EXPECT_EQ(message_of(mtx(kind, "2 2 1\n1 1 1\n\n2 2 1\n")), "x.mtx:5: more than the 1 entries that were promised");
  EXPECT_EQ(message_of(mtx("array real general", "1 2\n1.000\n")), "x.mtx:3: the file ends after 1 of 2 entries");
  EXPECT_EQ(message_of(mtx("array real general", "1 1\n1\n2\n")),
            "x.mtx:4: more than the 1 entries that were promised");
  EXPECT_EQ(message_of(mtx(kind, "9 9 1000000000000\n1 1 1\n")),
            "x.mtx:2: promises 1000000000000 entries, and 6 bytes follow; the file is cut short or the line is wrong");
  EXPECT_EQ(message_of(mtx("array real general", "4000000000 4000000000\n1\n")),
            "x.mtx:2: 4000000000 x 4000000000 entries are more than any memory has");
  EXPECT_EQ(message_of(mtx("array real symmetric", "9223372036854775807 9223372036854775807\n1\n")).find("x.mtx:2: "),
            0U);
}

TEST(ReadMtx, PlacesAreCountedFromOne) {
  const std::string kind = "coordinate real general";
  EXPECT_EQ(message_of(mtx(kind, "2 3 2\n1 1 1\n0 1 1\n")), "x.mtx:4: row 0; rows are counted from 1 to 2");
  EXPECT_EQ(message_of(mtx(kind, "2 3 1\n3 1 1\n")), "x.mtx:3: row 3; rows are counted from 1 to 2");
  EXPECT_EQ(message_of(mtx(kind, "2 3 1\n1 4 1\n")), "x.mtx:3: column 4; columns are counted from 1 to 3");
  EXPECT_EQ(message_of(mtx(kind, "2 3 1\n1 -1 1\n")), "x.mtx:3: column -1; columns are counted from 1 to 3");
  EXPECT_EQ(message_of(mtx(kind, "2 3 1\n1 99999999999999999999 1\n")),
            "x.mtx:3: '99999999999999999999' is beyond 2^63");
  EXPECT_EQ(message_of(mtx(kind, "2 3 1\n1.0 1 1\n")), "x.mtx:3: cannot read '1.0' as an integer (row)");
}

TEST(ReadMtx, LinesThatDoNotFit) {
  const std::string kind = "coordinate real general";
  EXPECT_EQ(message_of(mtx(kind, "2 2 1\n1 1\n\n\n")), "x.mtx:3: 2 fields, expected 3: row, column, value");
  EXPECT_EQ(message_of(mtx(kind, "2 2 1\n1 1 1 1\n")), "x.mtx:3: 4 fields, expected 3: row, column, value");
  EXPECT_EQ(message_of(mtx("coordinate pattern general", "2 2 1\n1 1 1\n")),
            "x.mtx:3: 3 fields, expected 2: row, column");
  EXPECT_EQ(message_of(mtx(kind, "2\n")), "x.mtx:2: 1 field, expected 3: rows, columns, entries");
  EXPECT_EQ(message_of(mtx(kind, "2 -2 1\n")), "x.mtx:2: -2 columns; it must be at least 0");
  EXPECT_EQ(message_of(mtx(kind, "")), "x.mtx:1: the file ends before the line of sizes");
  EXPECT_EQ(message_of("%%MatrixMarket matrix array\n"),
            "x.mtx:1: the first line should be: %%MatrixMarket matrix FORMAT FIELD SYMMETRY");
  EXPECT_EQ(message_of("1 1 1\n"), "x.mtx: not a MatrixMarket file: it should start with %%MatrixMarket");
}

TEST(ReadMtx, NumbersAreFinite) {
  const auto with = [](const std::string& number) { return mtx("array real general", "1 1\n" + number + "\n"); };
  EXPECT_EQ(message_of(with("inf")), "x.mtx:3: 'inf' is infinite; values must be finite");
  EXPECT_EQ(message_of(with("1e400")), "x.mtx:3: '1e400' is out of range, beyond the largest double, 1.8e308");
  for (const char* word : {"nan", "NA", "1,5", "0x1p3", "1.5x"})
    EXPECT_EQ(message_of(with(word)), "x.mtx:3: cannot read '" + std::string(word) + "' as a number");
  EXPECT_EQ(values_of(read_bytes("x", with("1e-400"))), (Values{0}));
}

TEST(ReadMtx, KindsThatAreNotRead) {
  const auto refused = [](const std::string& kind) {
    return message_of(mtx(kind, "1 1 1\n1 1 1\n"), ErrorKind::Unsupported);
  };
  EXPECT_EQ(refused("coordinate complex general"),
            "x.mtx:1: MatrixMarket files of field 'complex' are not supported; known: real, integer and (with "
            "coordinate) pattern");
  EXPECT_NE(refused("coordinate real hermitian").find("symmetry 'hermitian'"), std::string::npos);
  EXPECT_NE(refused("array pattern general").find("field 'pattern'"), std::string::npos);
  EXPECT_NE(refused("coordinate pattern skew-symmetric").find("symmetry 'skew-symmetric'"), std::string::npos);
  EXPECT_NE(refused("sparse real general").find("format 'sparse'"), std::string::npos);
  EXPECT_NE(message_of("%%MatrixMarket vector array real general\n", ErrorKind::Unsupported).find("object 'vector'"),
            std::string::npos);
}

TEST(ReadMtx, TheBudgetIsPlannedBeforeMemoryIsTaken) {
  const unroll::Run run{.memory_budget = 1 << 20};
  const Failure rows =
      failure_of_bytes("x.mtx", mtx("coordinate pattern general", "1000000000000 1 1\n1 1\n"), {}, run);
  EXPECT_EQ(rows.kind, ErrorKind::OutOfMemory) << rows.message;
  const Failure dense = failure_of_bytes("x.mtx", mtx("coordinate pattern general", "1000 1000 1\n1 1\n"), {}, run);
  EXPECT_EQ(dense.kind, ErrorKind::OutOfMemory);
  EXPECT_TRUE(dense.says("for the table with its zeros")) << dense.message;
}

}  // namespace
}  // namespace unroll
