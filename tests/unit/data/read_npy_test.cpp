#include <cmath>
#include <cstdint>
#include <limits>

#include "data/npy_header.h"
#include "read_support.h"

namespace unroll {
namespace {

using testing_support::bytes_of;
using testing_support::Failure;
using testing_support::failure_of;
using testing_support::failure_of_bytes;
using testing_support::gzipped;
using testing_support::has_warning;
using testing_support::npy;
using testing_support::npy_with_header;
using testing_support::read_bytes;
using testing_support::values_of;
using Values = std::vector<double>;

const Values kOneToSix{1, 2, 3, 4, 5, 6};
const std::string kSixDoubles = bytes_of(kOneToSix);

TEST(ReadNpy, DoublesAndTheirShape) {
  const Table table = read_bytes("x.npy", npy("<f8", "(2, 3)", kSixDoubles));
  EXPECT_EQ(table.format, "npy");
  EXPECT_EQ(table.view().rows(), 2);
  EXPECT_EQ(table.view().cols(), 3);
  EXPECT_FALSE(table.view().is_float());
  EXPECT_EQ(values_of(table), kOneToSix);
  EXPECT_TRUE(table.warnings.empty());
  EXPECT_TRUE(table.column_names.empty());
}

TEST(ReadNpy, VersionsOneToThree) {
  for (const int major : {1, 2, 3})
    EXPECT_EQ(values_of(read_bytes("x.npy", npy("<f8", "(2, 3)", kSixDoubles, false, major))), kOneToSix) << major;
}

/// Every type, in both byte orders, as it is written by this machine for the values given.
template <class T>
void expect_type(const std::string& code, const std::vector<T>& numbers, bool as_float) {
  for (const bool big : {false, true}) {
    const std::string type = (sizeof(T) == 1 ? "|" : big ? ">" : "<") + code;
    const std::string shape = "(" + std::to_string(numbers.size()) + ",)";
    const Table table = read_bytes("x.npy", npy(type, shape, bytes_of(numbers, big)));
    EXPECT_EQ(table.view().is_float(), as_float) << type;
    EXPECT_EQ(table.view().cols(), 1) << type;
    EXPECT_EQ(values_of(table), Values(numbers.begin(), numbers.end())) << type;
  }
}

TEST(ReadNpy, EveryNumericType) {
  expect_type<std::int8_t>("i1", {-128, -1, 0, 127}, true);
  expect_type<std::uint8_t>("u1", {0, 1, 255}, true);
  expect_type<std::int16_t>("i2", {-32768, 258, 32767}, true);
  expect_type<std::uint16_t>("u2", {0, 258, 65535}, true);
  expect_type<std::int32_t>("i4", {std::numeric_limits<std::int32_t>::min(), 16909060, 2147483647}, false);
  expect_type<std::uint32_t>("u4", {0, 16909060, 4294967295U}, false);
  expect_type<std::int64_t>("i8", {-9007199254740992, 72623859790382856 % 9007199254740992, 0}, false);
  expect_type<std::uint64_t>("u8", {0, 9007199254740992U}, false);
  expect_type<float>("f4", {1.5F, -3.25e-30F, 0.1F}, true);
  expect_type<double>("f8", {1.5, -3.25e-300, 0.1}, false);
}

TEST(ReadNpy, NativeByteOrderMayBeWrittenAsEquals) {
  EXPECT_EQ(values_of(read_bytes("x.npy", npy("=f8", "(2, 3)", kSixDoubles))), kOneToSix);
}

TEST(ReadNpy, Booleans) {
  EXPECT_EQ(values_of(read_bytes("x.npy", npy("|b1", "(2, 2)", std::string("\0\1\1\0", 4)))), (Values{0, 1, 1, 0}));
}

TEST(ReadNpy, HalfFloats) {
  // 1, -2, largest, smallest normal, largest and smallest subnormal, zeros, 1/3
  const std::vector<std::uint16_t> halves{0x3c00, 0xc000, 0x7bff, 0x0400, 0x03ff, 0x0001, 0x0000, 0x3555};
  const Values expected{1, -2, 65504, std::ldexp(1, -14), std::ldexp(1023, -24), std::ldexp(1, -24), 0, 0.333251953125};
  for (const bool big : {false, true}) {
    const Table table = read_bytes("x.npy", npy(big ? ">f2" : "<f2", "(8,)", bytes_of(halves, big)));
    EXPECT_TRUE(table.view().is_float());
    EXPECT_EQ(values_of(table), expected);
  }
  const Values special = values_of(
      read_bytes("x.npy", npy("<f2", "(4,)", bytes_of(std::vector<std::uint16_t>{0x7c00, 0xfc00, 0x7e00, 0x8000}))));
  EXPECT_EQ(special[0], std::numeric_limits<double>::infinity());
  EXPECT_EQ(special[1], -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(special[2]));
  EXPECT_TRUE(special[3] == 0 && std::signbit(special[3]));
}

TEST(ReadNpy, NonFiniteValuesAreKeptForTheGate) {
  const Values numbers{1, std::nan(""), std::numeric_limits<double>::infinity()};
  const Values read = values_of(read_bytes("x.npy", npy("<f8", "(3, 1)", bytes_of(numbers))));
  EXPECT_TRUE(std::isnan(read[1]));
  EXPECT_TRUE(std::isinf(read[2]));
}

TEST(ReadNpy, IntegersBeyondTwoToThe53AreAWarning) {
  const std::vector<std::int64_t> numbers{9007199254740993, -9007199254740993, 5};
  const Table table = read_bytes("x.npy", npy("<i8", "(3,)", bytes_of(numbers)));
  ASSERT_TRUE(has_warning(table, "precision"));
  EXPECT_NE(table.warnings[0].message.find("2 integers"), std::string::npos);
  const std::vector<std::uint64_t> large{18446744073709551615U};
  EXPECT_TRUE(has_warning(read_bytes("x.npy", npy("<u8", "(1,)", bytes_of(large))), "precision"));
  const std::vector<std::uint64_t> exact{9007199254740992U};
  EXPECT_FALSE(has_warning(read_bytes("x.npy", npy("<u8", "(1,)", bytes_of(exact))), "precision"));
}

TEST(ReadNpy, FortranOrder) {
  EXPECT_EQ(values_of(read_bytes("x.npy", npy("<f8", "(2, 3)", bytes_of(Values{1, 4, 2, 5, 3, 6}), true))), kOneToSix);
  const std::vector<std::int16_t> integers{1, 4, 2, 5, 3, 6};
  EXPECT_EQ(values_of(read_bytes("x.npy", npy(">i2", "(2, 3)", bytes_of(integers, true), true))), kOneToSix);
}

TEST(ReadNpy, FortranOrderOfManyColumns) {
  constexpr Index kRows = 7, kCols = 50;
  Values columns, rows;
  for (Index j = 0; j < kCols; ++j)
    for (Index i = 0; i < kRows; ++i) columns.push_back(static_cast<double>(100 * i + j));
  for (Index i = 0; i < kRows; ++i)
    for (Index j = 0; j < kCols; ++j) rows.push_back(static_cast<double>(100 * i + j));
  EXPECT_EQ(values_of(read_bytes("x.npy", npy("<f8", "(7, 50)", bytes_of(columns), true))), rows);
}

TEST(ReadNpy, TrailingDimensionsAreFeatures) {
  Values count(24);
  for (std::size_t i = 0; i < count.size(); ++i) count[i] = static_cast<double>(i);
  const Table table = read_bytes("x.npy", npy("<f8", "(2, 3, 4)", bytes_of(count)));
  EXPECT_EQ(table.view().rows(), 2);
  EXPECT_EQ(table.view().cols(), 12);
  EXPECT_EQ(values_of(table), count);
  // Entry (i, j, k) is 12 i + 4 j + k; in Fortran order i runs fastest.
  Values fortran;
  for (int k = 0; k < 4; ++k)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 2; ++i) fortran.push_back(12 * i + 4 * j + k);
  EXPECT_EQ(values_of(read_bytes("x.npy", npy("<f8", "(2, 3, 4)", bytes_of(fortran), true))), count);
}

TEST(ReadNpy, EmptyShapesAreTables) {
  const Table no_rows = read_bytes("x.npy", npy("<f8", "(0, 5)", ""));
  EXPECT_EQ(no_rows.view().rows(), 0);
  EXPECT_EQ(no_rows.view().cols(), 5);
  const Table no_columns = read_bytes("x.npy", npy("<f8", "(5, 0)", "", true));
  EXPECT_EQ(no_columns.view().rows(), 5);
  EXPECT_EQ(no_columns.view().cols(), 0);
  EXPECT_EQ(testing_support::rows_of(read_bytes("x.npy", npy("<f8", "(0, 1099511627776)", "", true))), 0);
}

TEST(ReadNpy, RefusedTypesSayWhy) {
  const auto refusal = [](std::string_view type) { return failure_of_bytes("x.npy", npy(type, "(1,)", "12345678")); };
  EXPECT_TRUE(refusal("|O").says("object arrays (pickle) are never loaded")) << refusal("|O").message;
  EXPECT_TRUE(refusal("<c16").says("Complex data not supported"));
  EXPECT_TRUE(refusal("<U3").says("strings"));
  EXPECT_TRUE(refusal("|S8").says("strings"));
  EXPECT_TRUE(refusal("<M8[ns]").says("dates"));
  EXPECT_TRUE(refusal("<m8").says("dates"));
  EXPECT_TRUE(refusal("|V8").says("structured"));
  EXPECT_TRUE(refusal("<f16").says("float64"));
  EXPECT_TRUE(refusal("<g").says("float64"));
  for (const char* type : {"<f3", "<i16", "f", "", "<", "x8", "<f8 ", "<<f8"})
    EXPECT_EQ(refusal(type).kind, ErrorKind::InvalidData) << type;
  const std::string structured = "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }";
  EXPECT_TRUE(failure_of_bytes("x.npy", npy_with_header(structured, "12345678")).says("structured"));
}

TEST(ReadNpy, ASingleNumberIsNoTable) {
  EXPECT_TRUE(failure_of_bytes("x.npy", npy("<f8", "()", "12345678")).says("0-d"));
}

TEST(ReadNpy, SizesAreComparedBeforeMemoryIsTaken) {
  const std::string many = npy("<f8", "(1000000000, 1000)", "0123456789");
  EXPECT_EQ(failure_of_bytes("x.npy", many).message,
            "x.npy: header promises 8000000000000 bytes, file has 10; it is cut short or its header is damaged");
  EXPECT_EQ(failure_of_bytes("x.npy.gz", gzipped(many)).kind, ErrorKind::InvalidData);
  std::string short_by_one = npy("<f8", "(2, 3)", kSixDoubles);
  short_by_one.pop_back();
  EXPECT_TRUE(failure_of_bytes("x.npy", short_by_one).says("header promises 48 bytes, file has 47"));
}

TEST(ReadNpy, ProductsThatOverflow) {
  for (const char* shape : {"(1099511627776, 1048576)", "(4294967296, 4294967296)", "(1, 4294967296, 4294967296)",
                            "(0, 4294967296, 4294967296)", "(9223372036854775807, 9223372036854775807)"}) {
    const Failure failure = failure_of_bytes("x.npy", npy("<f8", shape, "12345678"));
    EXPECT_EQ(failure.kind, ErrorKind::InvalidData) << shape;
    EXPECT_TRUE(failure.says("larger than any memory") || failure.says("header promises")) << failure.message;
  }
}

TEST(ReadNpy, TrailingBytesAreAWarning) {
  const Table table = read_bytes("x.npy", npy("<f8", "(2, 3)", kSixDoubles + "abc"));
  EXPECT_EQ(values_of(table), kOneToSix);
  ASSERT_TRUE(has_warning(table, "trailing-bytes"));
  EXPECT_NE(table.warnings[0].message.find("3 bytes"), std::string::npos);
}

TEST(ReadNpy, BadMagicAndVersion) {
  EXPECT_TRUE(failure_of_bytes("x.npy", "\x93NUMPX garbage garbage").says("not an .npy file: at offset 0"));
  EXPECT_TRUE(failure_of_bytes("x.npy", "\x93NUM").says("not an .npy file"));
  std::string wrong = npy("<f8", "(2, 3)", kSixDoubles);
  wrong[6] = wrong[7] = 9;
  EXPECT_TRUE(failure_of_bytes("x.npy", wrong).says("not an .npy file of a known version: at offset 6 it says 9.9"));
}

TEST(ReadNpy, HeaderLengthIsCheckedAgainstTheFile) {
  const std::string huge = std::string("\x93NUMPY\x02\x00\xf0\xff\xff\xff", 12);
  EXPECT_TRUE(failure_of_bytes("x.npy", huge).says("4294967280 bytes long"));
  const std::string longer = std::string("\x93NUMPY\x01\x00\xf0\x0f{}", 12);
  EXPECT_TRUE(failure_of_bytes("x.npy", longer).says("file has 2"));
  const std::string padded = "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }" + std::string(1 << 20, ' ');
  EXPECT_TRUE(failure_of_bytes("x.npy", npy_with_header(padded, "12345678", 2)).says("more than 65536"));
}

TEST(ReadNpy, MemoryBudget) {
  const std::string zeros(1 << 20, '\0');
  const unroll::Run small{.memory_budget = 1 << 19};
  const Failure failure = failure_of_bytes("x.npy", npy("<f8", "(131072,)", zeros), {}, small);
  EXPECT_EQ(failure.kind, ErrorKind::OutOfMemory);
  EXPECT_TRUE(failure.says("512.0 KiB")) << failure.message;
  // 1 MiB of bytes becomes 4 MiB of floats.
  const unroll::Run medium{.memory_budget = 3 << 20};
  EXPECT_EQ(failure_of_bytes("x.npy", npy("|u1", "(1048576,)", zeros), {}, medium).kind, ErrorKind::OutOfMemory);
  EXPECT_EQ(testing_support::rows_of(read_bytes("x.npy", npy("<f8", "(131072,)", zeros), {}, medium)), 131072);
}

TEST(NpyHeader, AcceptsEveryWayOfWritingTheThreeKeys) {
  for (const char* text : {"{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }   \n",
                           "{'shape':(3,4),'fortran_order':False,'descr':'<f8'}",
                           "{\"descr\": \"<f8\", 'fortran_order': "
                           "False, 'shape': (3L, 4L,)}",
                           " {\t'descr' : '<f8' , 'fortran_order' : False , 'shape' : ( 3 , 4 ) }"}) {
    const NpyHeader header = parse_npy_header(text, "f", 0);
    EXPECT_EQ(header.descr, "<f8");
    EXPECT_FALSE(header.fortran_order);
    EXPECT_EQ(header.shape, (std::vector<Index>{3, 4}));
  }
  EXPECT_TRUE(parse_npy_header("{'descr': '<f8', 'fortran_order': True, 'shape': ()}", "f", 0).shape.empty());
}

TEST(NpyHeader, RefusesEverythingElse) {
  const std::string deep(10000, '(');
  std::string dimensions = "(";
  for (int i = 0; i < 65; ++i) dimensions += "1,";
  for (const std::string& text :
       std::vector<std::string>{"",
                                "{}",
                                "{",
                                "[]",
                                "None",
                                "__import__('os').system('true')",
                                "{'descr': '<f8'}",
                                "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4)",
                                "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4)} x",
                                std::string("{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4)}\0", 58),
                                "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), 'extra': 1}",
                                "{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (3, 4)}",
                                "{'descr': '<f8', 'fortran_order': 0, 'shape': (3, 4)}",
                                "{'descr': '<f8', 'fortran_order': False, 'shape': (-3, 4)}",
                                "{'descr': '<f8', 'fortran_order': False, 'shape': (-0, 4)}",
                                "{'descr': '<f8', 'fortran_order': False, 'shape': (True, 4)}",
                                "{'descr': '<f8', 'fortran_order': False, 'shape': (3)}",
                                "{'descr': '<f8', 'fortran_order': False, 'shape': [3, 4]}",
                                "{'descr': '<f8', 'fortran_order': False, 'shape': (3 4)}",
                                "{'descr': '<f8', 'fortran_order': False, 'shape': (3.5, 4)}",
                                "{'descr': '<f8', 'fortran_order': False, 'shape': (2*3, 4)}",
                                "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999, 4)}",
                                "{'descr': '<f8', 'fortran_order': False, 'shape': \xc3\xa9}",
                                "{'descr': '<f8' 'fortran_order': False, 'shape': (3, 4)}",
                                "{'descr: <f8, fortran_order: False}",
                                "{'descr': " + deep + "}",
                                "{'descr': '<f8', 'fortran_order': False, 'shape': " + deep,
                                "{'descr': '<f8', 'fortran_order': False, 'shape': " + dimensions + ")}"}) {
    const Failure failure = failure_of([&] { parse_npy_header(text, "f.npy", 10); });
    EXPECT_TRUE(failure.thrown) << text;
    EXPECT_TRUE(failure.says("f.npy: bad .npy header at offset ")) << failure.message;
  }
}

}  // namespace
}  // namespace unroll
