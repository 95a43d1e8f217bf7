#include <gtest/gtest.h>
#include <zlib.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <locale>

#include "core/random.h"
#include "read_support.h"
#include "support/expect_error.h"
#include "support/not_finite.h"
#include "support/scratch_folder.h"
#include "unroll/data/table.h"

namespace unroll {
namespace {

using testing_support::bytes_of;

Array2<double> small_table() {
  Array2<double> values(2, 3);
  const double numbers[] = {1, -2.5, 0.1, 1e300, -0.0, 5e-324};
  std::copy(std::begin(numbers), std::end(numbers), values.data());
  return values;
}

std::string written(const std::string& name, PointsView values, const TableNames& names = {}) {
  const ScratchFolder folder;
  write_table(folder / name, values, names);
  EXPECT_EQ(folder.names(), std::vector<std::string>{name});
  return content_of(folder / name);
}

std::string column(const std::string& name, const std::vector<std::string>& values, const std::string& header) {
  const ScratchFolder folder;
  write_column(folder / name, values, header);
  return content_of(folder / name);
}

/// What zlib's own reader makes of a gzip file; fails when the checksum or the length at its end are wrong.
std::string unpacked(const std::string& packed) {
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, MAX_WBITS + 16), Z_OK);
  std::string input = packed;
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  std::string plain;
  int outcome = Z_OK;
  while (outcome == Z_OK) {
    std::string piece(100000, '\0');
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    outcome = inflate(&stream, Z_NO_FLUSH);
    plain += piece.substr(0, piece.size() - stream.avail_out);
  }
  EXPECT_EQ(outcome, Z_STREAM_END);
  EXPECT_EQ(stream.avail_in, 0U) << "something after the end";
  inflateEnd(&stream);
  return plain;
}

/// Every number of a text without quotes.
template <class T>
std::vector<T> numbers_in(const std::string& text, char delimiter) {
  std::vector<T> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    T value{};
    const auto [stop, error] = std::from_chars(at, end, value);
    EXPECT_EQ(error, std::errc());
    EXPECT_TRUE(stop < end && (*stop == delimiter || *stop == '\n'));
    numbers.push_back(value);
    at = stop + 1;
  }
  return numbers;
}

/// Doubles of every magnitude, from random bits.
Array2<double> any_doubles(Index rows, Index cols) {
  const Random random(7, "any doubles");
  Array2<double> values(rows, cols);
  std::uint64_t at = 0;
  for (Index i = 0; i < values.size(); ++i) {
    do {
      values.data()[i] = std::bit_cast<double>(random.bits(at++));
    } while (!std::isfinite(values.data()[i]));
  }
  return values;
}

// ---- npy

TEST(WriteNpy, TheBytesOfVersion1) {
  const Array2<double> small = small_table();
  const std::string file = written("a.npy", small);
  ASSERT_EQ(file.size(), 128U + 48U);
  EXPECT_EQ(file.substr(0, 10), std::string("\x93NUMPY\x01\x00\x76\x00", 10));
  EXPECT_EQ(file.substr(10, 60), "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), } ");
  EXPECT_EQ(file.find_first_not_of(' ', 69), 127U);
  EXPECT_EQ(file[127], '\n');
  EXPECT_EQ(file.substr(128), bytes_of(std::vector<double>(small.data(), small.data() + small.size())));
}

TEST(WriteNpy, FloatStaysFloat) {
  const std::vector<float> values{1.5F, -2};
  const std::string file = written("a.npy", PointsView(values.data(), 2, 1));
  ASSERT_EQ(file.size(), 128U + 8U);
  EXPECT_NE(file.find("'<f4'"), std::string::npos);
  EXPECT_NE(file.find("'shape': (2, 1)"), std::string::npos);
  EXPECT_EQ(file.substr(128), bytes_of(values));
}

TEST(WriteNpy, HeadersOfEveryLengthAreFilledUp) {
  for (const Index rows : {Index{0}, Index{9}, Index{10}, Index{999}, Index{12345}}) {
    const std::string file = written("a.npy", Array2<double>(rows, 1));
    const auto header = static_cast<std::size_t>(static_cast<unsigned char>(file[8]));
    EXPECT_EQ((10 + header) % 64, 0U);
    EXPECT_EQ(file[9 + header], '\n');
    EXPECT_EQ(file.size(), 10 + header + static_cast<std::size_t>(rows) * 8);
  }
}

TEST(WriteNpy, RowsWithGapsBetweenThemArePacked) {
  const std::vector<double> wide{1, 2, kNan, 3, 4, kNan};
  const std::vector<double> packed{1, 2, 3, 4};
  const std::string file = written("a.npy", MatrixView<double>{wide.data(), 2, 2, 3});
  ASSERT_EQ(file.size(), 128U + 32U);
  EXPECT_EQ(file.substr(128), bytes_of(packed));
}

// ---- text

TEST(WriteText, Delimiters) {
  EXPECT_EQ(written("a.csv", small_table()), "1,-2.5,0.1\n1e+300,-0,5e-324\n");
  EXPECT_EQ(written("a.tsv", small_table()), "1\t-2.5\t0.1\n1e+300\t-0\t5e-324\n");
  EXPECT_EQ(written("a.txt", small_table()), "1\t-2.5\t0.1\n1e+300\t-0\t5e-324\n");
  EXPECT_EQ(written("A.CSV", small_table()), "1,-2.5,0.1\n1e+300,-0,5e-324\n");
}

TEST(WriteText, Names) {
  const TableNames columns{.columns = {"x", "y", "z"}};
  EXPECT_EQ(written("a.csv", small_table(), columns), "x,y,z\n1,-2.5,0.1\n1e+300,-0,5e-324\n");
  const TableNames both{.columns = {"x", "y", "z"}, .rows = {"first", "second"}};
  EXPECT_EQ(written("a.csv", small_table(), both), "id,x,y,z\nfirst,1,-2.5,0.1\nsecond,1e+300,-0,5e-324\n");
  const TableNames rows{.rows = {"first", "second"}};
  EXPECT_EQ(written("a.csv", small_table(), rows), "first,1,-2.5,0.1\nsecond,1e+300,-0,5e-324\n");
  const TableNames renamed{.columns = {"x", "y", "z"}, .rows = {"1", "2"}, .row_header = "name"};
  EXPECT_EQ(written("a.tsv", small_table(), renamed), "name\tx\ty\tz\n1\t1\t-2.5\t0.1\n2\t1e+300\t-0\t5e-324\n");
}

TEST(WriteText, LabelsAreTheLastColumn) {
  const TableNames names{.columns = {"x", "y", "z"}, .rows = {"p", "q"}, .labels = {"a,b", ""}};
  EXPECT_EQ(written("a.csv", small_table(), names), "id,x,y,z,label\np,1,-2.5,0.1,\"a,b\"\nq,1e+300,-0,5e-324,\"\"\n");
  EXPECT_EQ(written("a.npy", small_table(), names), written("a.npy", small_table()));
}

TEST(TableFormat, IsToldByTheName) {
  EXPECT_EQ(table_format("a.NPY.gz"), TableFormat::Npy);
  EXPECT_EQ(table_format("a.tsv"), TableFormat::Text);
  EXPECT_EQ(table_format("-"), TableFormat::Text);
  expect_error(ErrorKind::InvalidOption, "cannot write 'a.xyz'", [] { table_format("a.xyz"); });
}

TEST(WriteText, QuotesWhereNeeded) {
  const Array2<double> row(1, 8);
  const std::vector<std::string> names{"plain", "a,b", "say \"hi\"", "two\nlines", "return\r", " blank", "", "\"\""};
  EXPECT_EQ(written("a.csv", row, {.columns = names}),
            "plain,\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",\"return\r\",\" blank\",\"\",\"\"\"\"\"\"\n"
            "0,0,0,0,0,0,0,0\n");
  EXPECT_EQ(written("a.tsv", Array2<double>(1, 2), {.columns = {"a,b", "a\tb"}}), "a,b\t\"a\tb\"\n0\t0\n");
}

TEST(WriteText, LongNamesPassTheBuffer) {
  for (const std::size_t size : {65535U, 65536U, 65537U, 200000U}) {
    const std::string name(size, 'n');
    std::string expected = name + R"(,""")";
    expected.append(name).append("\"\n0,0\n");
    EXPECT_EQ(written("a.csv", Array2<double>(1, 2), {.columns = {name, "\"" + name}}), expected);
  }
}

TEST(WriteText, EveryDoubleReadsBackToTheSameBits) {
  const auto values = any_doubles(20000, 5);
  const auto back = numbers_in<double>(written("a.csv", values), ',');
  ASSERT_EQ(back.size(), 100000U);
  EXPECT_EQ(std::memcmp(back.data(), values.data(), back.size() * sizeof(double)), 0);
}

TEST(WriteText, EveryFloatReadsBackToTheSameBits) {
  const std::vector<float> values{0.1F, 1.17549435e-38F, 1e-45F, 3.4028235e38F, -16777216.0F, 1.0F / 3};
  const std::string file = written("a.txt", PointsView(values.data(), 3, 2));
  EXPECT_EQ(file.substr(0, 4), "0.1\t");
  EXPECT_EQ(numbers_in<float>(file, '\t'), values);
}

/// A country that writes 1.000,5.
class Continental : public std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(WriteText, TheLocaleDoesNotMatter) {
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Continental));
  const Array2<double> values = [] {
    Array2<double> array(1, 2);
    array(0, 0) = 1234567.5;
    array(0, 1) = 1e6;
    return array;
  }();
  const std::string text = written("a.csv", values);
  const std::string npy = written("a.npy", Array2<double>(12345, 1));
  std::locale::global(before);
  EXPECT_EQ(text, "1234567.5,1e+06\n");
  EXPECT_NE(npy.find("(12345, 1)"), std::string::npos);
}

TEST(WriteColumn, TextWithQuotesAndHeader) {
  EXPECT_EQ(column("a.csv", {"1", "red, green", ""}, "label"), "label\n1\n\"red, green\"\n\"\"\n");
  EXPECT_EQ(column("a.txt", {"1", "red, green"}, ""), "1\nred, green\n");
  EXPECT_EQ(unpacked(column("a.csv.gz", {"1"}, "label")), "label\n1\n");
  EXPECT_EQ(column("a.csv", {}, ""), "");
  expect_error(ErrorKind::InvalidOption, "npy files hold numbers", [] { column("a.npy", {"1"}, ""); });
  expect_error(ErrorKind::InvalidOption, "a.dat", [] { column("a.dat", {"1"}, ""); });
}

// ---- gzip

TEST(WriteGzip, UnpacksToThePlainFile) {
  const auto values = any_doubles(5000, 4);
  for (const std::string name : {"a.npy", "a.csv", "a.tsv", "a.txt"}) {
    SCOPED_TRACE(name);
    const std::string packed = written(name + ".gz", values);
    EXPECT_EQ(packed.substr(0, 3), "\x1f\x8b\x08");
    EXPECT_EQ(unpacked(packed), written(name, values));
  }
  EXPECT_EQ(unpacked(written("a.csv.gz", Array2<double>(0, 2))), "");
  const auto one_row = any_doubles(1, 100000);  // in one piece larger than every buffer
  EXPECT_EQ(unpacked(written("a.npy.gz", one_row)), written("a.npy", one_row));
}

TEST(WriteGzip, KnowsNeitherTimeNorName) {
  const std::string packed = written("a.csv.gz", small_table());
  EXPECT_EQ(packed.substr(3, 5), std::string(5, '\0')) << "flags (a name would be one) and time";
  EXPECT_EQ(written("b.csv.gz", small_table()), packed);
}

// ---- what is refused

TEST(WriteTable, UnknownExtensionsListTheKnown) {
  const ScratchFolder folder;
  for (const std::string name : {"a", "a.dat", "a.gz", "a.npz", "a.csv.zip", "csv", ".csv.bz2", "a.csv.gz.gz"}) {
    SCOPED_TRACE(name);
    expect_error(ErrorKind::InvalidOption, ".npy, .csv, .tsv or .txt, each also with .gz",
                 [&] { write_table(folder / name, small_table()); });
  }
  EXPECT_TRUE(folder.names().empty());
}

TEST(WriteTable, NotFiniteIsNeverWritten) {
  const ScratchFolder folder;
  for (const std::string name : {"a.npy", "a.csv", "a.csv.gz"}) {
    put_content(folder / name, "old");
    auto values = small_table();
    values(1, 2) = kNan;
    expect_error(ErrorKind::InvalidData, "NaN at row 2, column 3; NaN and infinity are never written silently",
                 [&] { write_table(folder / name, values); });
    values(0, 1) = -std::numeric_limits<double>::infinity();
    expect_error(ErrorKind::InvalidData, name + "': infinity at row 1, column 2",
                 [&] { write_table(folder / name, values); });
    EXPECT_EQ(content_of(folder / name), "old");
  }
}

TEST(WriteTable, NamesMustFit) {
  const ScratchFolder folder;
  expect_error(ErrorKind::InvalidOption, "2 column names for 3 columns", [&] {
    write_table(folder / "a.csv", small_table(), {.columns = {"x", "y"}});
  });
  expect_error(ErrorKind::InvalidOption, "1 labels for 2 rows",
               [&] { write_table(folder / "a.csv", small_table(), {.labels = {"x"}}); });
  expect_error(ErrorKind::InvalidOption, "1 row names for 2 rows",
               [&] { write_table(folder / "a.csv", small_table(), {.rows = {"x"}}); });
  EXPECT_TRUE(folder.names().empty());
}

TEST(WriteTable, AFullDiskIsReported) {
  const Array2<double> big(10000, 10);
  expect_error(ErrorKind::Io, "'/dev/full': No space left", [&] { write_table("/dev/full", big); });
  expect_error(ErrorKind::Io, "'/dev/full': No space left", [&] { write_table("/dev/full", small_table()); });
  expect_error(ErrorKind::Io, "'/dev/full': No space left", [] { write_column("/dev/full", {"a"}, ""); });
}

TEST(WriteTable, MinusIsCsvOnStandardOutput) {
  testing::internal::CaptureStdout();
  write_table("-", small_table(), {.columns = {"x", "y", "z"}});
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "x,y,z\n1,-2.5,0.1\n1e+300,-0,5e-324\n");
}

}  // namespace
}  // namespace unroll
