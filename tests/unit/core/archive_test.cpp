#include "core/archive.h"

#include <cmath>
#include <functional>
#include <limits>

#include "support/archive_surgeon.h"
#include "support/expect_error.h"
#include "support/not_finite.h"

namespace unroll {
namespace {

using S = ArchiveSurgeon;

// The sections of the file that the tests damage.
constexpr std::size_t kCount = 0, kPi = 1, kNote = 2, kReals = 3, kIntegers = 4, kMatrix = 5, kEmpty = 6, kFloats = 7;
constexpr std::size_t kSectionCount = 8;

std::vector<std::byte> sample_file() {
  Array2<double> matrix(2, 3);
  for (Index i = 0; i < 6; ++i) matrix.data()[i] = static_cast<double>(i) / 8;
  Array2<float> floats(3, 2);
  for (Index i = 0; i < 6; ++i) floats.data()[i] = static_cast<float>(i) * 0.5F;
  ArchiveWriter writer;
  writer.put("count", std::int64_t{42});
  writer.put("pi", 3.25);
  writer.put("note", "hello");
  writer.put("some.reals", std::vector<double>{1, 2, 3});
  writer.put("some-integers", std::vector<std::int64_t>{-1, 2});
  writer.put("matrix_2", matrix.view());
  writer.put("empty", Array2<double>(0, 4).view());
  writer.put("floats", floats.view());
  return writer.bytes();
}

/// Reads everything as what it should be.
void read_all(std::vector<std::byte> bytes) {
  const ArchiveReader reader(std::move(bytes), "m.unroll");
  reader.integer("count");
  reader.real("pi");
  reader.text("note");
  reader.reals("some.reals");
  reader.integers("some-integers");
  reader.matrix("matrix_2");
  reader.matrix("empty");
  reader.matrix_f32("floats");
}

TEST(Archive, GivesBackWhatWasPut) {
  const ArchiveReader reader(sample_file(), "m.unroll");
  EXPECT_EQ(reader.integer("count"), 42);
  EXPECT_EQ(reader.real("pi"), 3.25);
  EXPECT_EQ(reader.text("note"), "hello");
  EXPECT_EQ(reader.reals("some.reals"), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(reader.integers("some-integers"), (std::vector<std::int64_t>{-1, 2}));
  const auto matrix = reader.matrix("matrix_2");
  EXPECT_EQ(matrix.rows(), 2);
  EXPECT_EQ(matrix.cols(), 3);
  EXPECT_EQ(matrix(1, 2), 5.0 / 8);
  EXPECT_EQ(reader.rows("matrix_2"), 2);
  EXPECT_EQ(reader.cols("matrix_2"), 3);
  EXPECT_EQ(reader.matrix("empty").rows(), 0);
  EXPECT_EQ(reader.matrix("empty").cols(), 4);
  EXPECT_EQ(reader.matrix_f32("floats")(2, 1), 2.5F);
  EXPECT_TRUE(reader.has("note"));
  EXPECT_FALSE(reader.has("not"));
}

TEST(Archive, ExtremeValuesSurvive) {
  const std::vector<double> reals{0.0, -0.0, 5e-324, -1.7976931348623157e308, 0.1};
  const std::vector<std::int64_t> integers{std::numeric_limits<std::int64_t>::min(),
                                           std::numeric_limits<std::int64_t>::max()};
  const std::string text("a\0b\r\n\xff", 6);
  ArchiveWriter writer;
  writer.put("r", reals);
  writer.put("i", integers);
  writer.put("t", text);
  writer.put("nothing", "");
  const ArchiveReader reader(writer.bytes(), "m.unroll");
  const auto back = reader.reals("r");
  ASSERT_EQ(back.size(), reals.size());
  EXPECT_EQ(std::memcmp(back.data(), reals.data(), reals.size() * sizeof(double)), 0);
  EXPECT_EQ(reader.integers("i"), integers);
  EXPECT_EQ(reader.text("t"), text);
  EXPECT_EQ(reader.text("nothing"), "");
}

TEST(Archive, AFlagIsZeroOrOne) {
  ArchiveWriter writer;
  writer.put("no", std::int64_t{0});
  writer.put("yes", std::int64_t{1});
  writer.put("perhaps", std::int64_t{2});
  const ArchiveReader reader(writer.bytes(), "m.unroll");
  EXPECT_FALSE(reader.flag("no"));
  EXPECT_TRUE(reader.flag("yes"));
  expect_error(ErrorKind::InvalidData, "section 'perhaps': 2 is neither 0 nor 1", [&] { reader.flag("perhaps"); });
}

TEST(Archive, OnlyAMatrixHasAShape) {
  const ArchiveReader reader(sample_file(), "m.unroll");
  expect_error(ErrorKind::InvalidData, "section 'some.reals': holds a list", [&] { reader.rows("some.reals"); });
  expect_error(ErrorKind::InvalidData, "section 'none': missing", [&] { reader.cols("none"); });
}

TEST(Archive, RowsWithGapsBetweenThemArePacked) {
  const std::vector<double> wide{1, 2, -1, 3, 4, -1};
  ArchiveWriter writer;
  writer.put("m", MatrixView<double>{wide.data(), 2, 2, 3});
  const auto matrix = ArchiveReader(writer.bytes(), "m.unroll").matrix("m");
  EXPECT_EQ(std::vector<double>(matrix.data(), matrix.data() + 4), (std::vector<double>{1, 2, 3, 4}));
}

TEST(Archive, WithoutSections) {
  const auto bytes = ArchiveWriter().bytes();
  EXPECT_EQ(bytes.size(), 32U);
  EXPECT_FALSE(ArchiveReader(bytes, "m.unroll").has("a"));
}

TEST(Archive, ThePiecesAreTheFile) {
  ArchiveWriter writer;
  writer.put("a", "text");
  writer.put("b", 1.5);
  std::string pieces;
  writer.write([&](const void* data, std::size_t size) { pieces.append(static_cast<const char*>(data), size); });
  const auto bytes = writer.bytes();
  EXPECT_EQ(pieces, std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

/// Format 1, byte by byte: files of this version must stay readable for ever.
TEST(Archive, TheBytesOfFormat1) {
  ArchiveWriter writer;
  writer.put("ab", std::int64_t{0x0102030405060708});
  const auto bytes = writer.bytes();
  std::string hex;
  for (const std::byte b : bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    hex += kDigits[std::to_integer<std::size_t>(b) >> 4U];
    hex += kDigits[std::to_integer<std::size_t>(b) & 15U];
  }
  const std::string zeros(108, '0');  // of 54 bytes
  EXPECT_EQ(hex,
            "89756e720d0a1a0a"
            "01000000"
            "04030201"
            "8800000000000000"
            "01000000"
            "0ee9c5dc"
            "6162" +
                zeros +
                "01000000"
                "25edcca5"
                "0100000000000000"
                "0100000000000000"
                "8000000000000000"
                "0800000000000000"
                "0807060504030201");
}

TEST(ArchiveWriter, RefusesWhatItsReaderWould) {
  ArchiveWriter writer;
  writer.put("a", 1.0);
  const double nan = std::nan("");
  const std::vector<double> infinite{1, std::numeric_limits<double>::infinity()};
  const std::vector<float> floats{1, std::numeric_limits<float>::quiet_NaN()};
  expect_error(ErrorKind::Internal, "'a': put twice", [&] { writer.put("a", 2.0); });
  for (const std::string name : {"", "A", "a b", "a/b", "\xc3\xa4"})
    expect_error(ErrorKind::Internal, "not a name", [&] { writer.put(name, 2.0); });
  expect_error(ErrorKind::Internal, "not a name", [&] { writer.put(std::string(57, 'n'), 2.0); });
  expect_error(ErrorKind::Internal, "'b': not finite", [&] { writer.put("b", nan); });
  expect_error(ErrorKind::Internal, "'b': not finite", [&] { writer.put("b", infinite); });
  expect_error(ErrorKind::Internal, "'b': not finite", [&] {
    writer.put("b", MatrixView<float>{floats.data(), 1, 2, 2});
  });
  writer.put(std::string(56, 'n'), 2.0);
  EXPECT_EQ(ArchiveReader(writer.bytes(), "m.unroll").real(std::string(56, 'n')), 2.0);
}

TEST(ArchiveReader, ATruncatedFileIsRefusedAtEveryByte) {
  const auto whole = sample_file();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    SCOPED_TRACE(size);
    const std::vector<std::byte> part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    expect_error(ErrorKind::InvalidData, "m.unroll: ", [&] { read_all(part); });
  }
}

/// Also when the file says that it is as short as it is.
TEST(ArchiveReader, ATruncatedFileIsRefusedByItsStructureToo) {
  const auto whole = sample_file();
  for (std::size_t size = 32; size < whole.size(); ++size) {
    SCOPED_TRACE(size);
    S part({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)});
    part.set(S::kSize, std::uint64_t{size});
    part.fix_checksums();
    expect_error(ErrorKind::InvalidData, "m.unroll: ", [&] { read_all(part.bytes); });
  }
}

TEST(ArchiveReader, NoBitCanChangeUnnoticed) {
  auto bytes = sample_file();
  read_all(bytes);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      SCOPED_TRACE(testing::Message() << "byte " << i << ", bit " << bit);
      const std::byte flip{static_cast<unsigned char>(1U << bit)};
      bytes[i] ^= flip;
      expect_error(ErrorKind::InvalidData, "m.unroll: ", [&] { read_all(bytes); });
      bytes[i] ^= flip;
    }
  }
}

TEST(ArchiveReader, TellsForeignFilesAndTextTransfers) {
  const auto refuse = [](std::string_view content, const std::string& part) {
    const auto* data = reinterpret_cast<const std::byte*>(content.data());
    expect_error(ErrorKind::InvalidData, part, [&] { read_all({data, data + content.size()}); });
  };
  refuse("", "m.unroll: the file is empty");
  refuse("x", "m.unroll: not an unroll model file");
  refuse("x,y\n1,2\n", "not an unroll model file");
  refuse("\x93NUMPY\x01", "not an unroll model file");
  refuse(std::string(1000, '\0'), "not an unroll model file");
  refuse("\x89unr\n\x1a\n", "transfer it as binary");
  refuse("\x89unr\r\r\n\x1a\r\n", "transfer it as binary");
  refuse("\x09unr\r\n\x1a\n", "not an unroll model file");
  refuse("\x89unr\r\n\x1a\n", "truncated: 8 bytes");
}

struct Damage {
  const char* name;
  const char* message;
  std::function<void(S&)> inflict;
};

template <class T>
std::function<void(S&)> set_field(std::size_t section, std::size_t field, T value) {
  return [=](S& file) { file.set(S::field(section, field), value); };
}
template <class T>
std::function<void(S&)> set_header(std::size_t field, T value) {
  return [=](S& file) { file.set(field, value); };
}
std::function<void(S&)> set_shape(std::size_t section, std::uint64_t rows, std::uint64_t cols, std::uint64_t length) {
  return [=](S& file) {
    file.set(S::field(section, S::kRows), rows);
    file.set(S::field(section, S::kCols), cols);
    file.set(S::field(section, S::kLength), length);
  };
}
std::function<void(S&)> rename(std::size_t section, std::string_view name) {
  return [=](S& file) { file.set_name(section, name); };
}
template <class T>
std::function<void(S&)> set_value(std::size_t section, std::size_t index, T value) {
  return [=](S& file) { file.set(file.payload(section) + index * sizeof(T), value); };
}
std::function<void(S&)> move_by(std::size_t section, std::uint64_t distance) {
  return [=](S& file) { file.set(S::field(section, S::kOffset), file.payload(section) + distance); };
}

constexpr std::uint64_t kHuge = std::numeric_limits<std::uint64_t>::max();

/// Each with right checksums, so that the check named by its message is the only one left to find it.
const std::vector<Damage>& damages() {
  static const std::vector<Damage> all{
      {"a newer version", "newer unroll (format 2, this one reads up to 1)", set_header(S::kVersion, 2U)},
      {"the newest version", "newer unroll (format 4294967295", set_header(S::kVersion, ~0U)},
      {"version 0", "format version is 0", set_header(S::kVersion, 0U)},
      {"big-endian", "big-endian", set_header(S::kByteOrder, 0x04030201U)},
      {"no byte order", "byte order mark", set_header(S::kByteOrder, 0U)},
      {"half a byte order", "byte order mark", set_header(S::kByteOrder, 0x02010403U)},
      {"size 0", "it should have 0", set_header(S::kSize, std::uint64_t{0})},
      {"size too large by 1", "truncated: ", [](S& file) { file.set(S::kSize, std::uint64_t{file.bytes.size()} + 1); }},
      {"size too small by 1", "it should have ",
       [](S& file) { file.set(S::kSize, std::uint64_t{file.bytes.size()} - 1); }},
      {"largest size", "truncated: ", set_header(S::kSize, kHuge)},
      {"no sections", "after the last section", set_header(S::kSections, 0U)},
      {"a section less", "starts at byte", set_header(S::kSections, std::uint32_t{kSectionCount - 1})},
      {"a section more", "section 'count': starts at byte", set_header(S::kSections, std::uint32_t{kSectionCount + 1})},
      {"most sections", "does not fit", set_header(S::kSections, ~0U)},
      {"sections that just do not fit", "does not fit",
       [](S& file) {
         file.set(S::kSections, static_cast<std::uint32_t>((file.bytes.size() - S::kTable) / S::kEntrySize + 1));
       }},

      {"no name", "name of section 1", rename(kCount, "")},
      {"a zero in the name", "name of section 3", rename(kNote, std::string_view("no\0te", 5))},
      {"a zero before the name", "name of section 3", rename(kNote, std::string_view("\0note", 5))},
      {"upper case", "name of section 3", rename(kNote, "Note")},
      {"a blank in the name", "name of section 3", rename(kNote, "no te")},
      {"a slash in the name", "name of section 3", rename(kNote, "../note")},
      {"a line end in the name", "name of section 3", rename(kNote, "note\n")},
      {"not ASCII", "name of section 3", rename(kNote, "n\xc3\xb6te")},
      {"a quote in the name", "name of section 3", rename(kNote, "note'")},
      {"the same name twice", "section 'pi': appears twice", rename(kNote, "pi")},
      {"another name", "section 'note': missing", rename(kNote, "nose")},
      {"a name without an end", "section 'note': missing",
       rename(kNote, "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn")},

      {"type 0", "section 'pi': unknown type 0", set_field(kPi, S::kType, 0U)},
      {"type 8", "section 'pi': unknown type 8", set_field(kPi, S::kType, 8U)},
      {"type 99", "section 'pi': unknown type 99", set_field(kPi, S::kType, 99U)},
      {"largest type", "section 'pi': unknown type 4294967295", set_field(kPi, S::kType, ~0U)},
      {"an integer as real", "section 'count': holds a real number, should hold an integer",
       set_field(kCount, S::kType, 2U)},
      {"a real as integer", "section 'pi': holds an integer, should hold a real number", set_field(kPi, S::kType, 1U)},
      {"reals as integers", "section 'some.reals': holds a list of integers", set_field(kReals, S::kType, 4U)},
      {"integers as reals", "section 'some-integers': holds a list of real numbers",
       set_field(kIntegers, S::kType, 5U)},
      {"a list as matrix", "section 'some.reals': holds a matrix", set_field(kReals, S::kType, 6U)},
      {"text as integer", "section 'note': 5 x 1 values in 5 bytes are not an integer", set_field(kNote, S::kType, 1U)},
      {"text as reals", "section 'note': 5 x 1 values in 5 bytes are not a list", set_field(kNote, S::kType, 5U)},
      {"a matrix as text", "section 'matrix_2': 2 x 3 values in 48 bytes are not text",
       set_field(kMatrix, S::kType, 3U)},
      {"a matrix as list", "section 'matrix_2': 2 x 3 values", set_field(kMatrix, S::kType, 5U)},
      {"double as single", "section 'matrix_2': 2 x 3 values in 48 bytes are not a single-precision",
       set_field(kMatrix, S::kType, 7U)},
      {"single as double", "section 'floats': 3 x 2 values in 24 bytes are not a matrix",
       set_field(kFloats, S::kType, 6U)},

      {"a row more", "section 'matrix_2': 3 x 3 values", set_field(kMatrix, S::kRows, std::uint64_t{3})},
      {"a row less", "section 'matrix_2': 1 x 3 values", set_field(kMatrix, S::kRows, std::uint64_t{1})},
      {"no columns", "section 'matrix_2': 2 x 0 values", set_field(kMatrix, S::kCols, std::uint64_t{0})},
      {"most rows", "section 'matrix_2': 18446744073709551615 x 3 values", set_field(kMatrix, S::kRows, kHuge)},
      {"rows * columns is 0 modulo 2^64", "section 'matrix_2': 4294967296 x 4294967296",
       set_shape(kMatrix, std::uint64_t{1} << 32U, std::uint64_t{1} << 32U, 0)},
      {"bytes are right modulo 2^64", "section 'matrix_2': 2305843009213693958 x 1",
       set_shape(kMatrix, (std::uint64_t{1} << 61U) + 6, 1, 48)},
      {"negative rows, no columns", "section 'empty': 18446744073709551615 x 0", set_shape(kEmpty, kHuge, 0, 0)},
      {"no rows, negative columns", "section 'empty': 0 x 9223372036854775808",
       set_shape(kEmpty, 0, std::uint64_t{1} << 63U, 0)},
      {"very many rows, no columns", "section 'empty': 4294967297 x 0",
       set_shape(kEmpty, (std::uint64_t{1} << 32U) + 1, 0, 0)},
      {"two integers in one", "section 'count': 2 x 1 values", set_shape(kCount, 2, 1, 16)},
      {"no integer at all", "section 'count': 0 x 1 values", set_shape(kCount, 0, 1, 0)},
      {"a row of integers", "section 'some-integers': 1 x 2 values", set_shape(kIntegers, 1, 2, 16)},
      {"a text of two columns", "section 'note': 5 x 0 values", set_shape(kNote, 5, 0, 0)},

      {"length longer than its shape", "section 'some.reals': 3 x 1 values in 32 bytes",
       set_field(kReals, S::kLength, std::uint64_t{32})},
      {"largest length", "section 'some.reals': 3 x 1 values in 18446744073709551615",
       set_field(kReals, S::kLength, kHuge)},
      {"offset + length passes 2^64", "section 'floats': starts at byte 18446744073709551552",
       set_field(kFloats, S::kOffset, kHuge - 63)},
      {"largest offset", "section 'floats': starts at byte 18446744073709551615",
       set_field(kFloats, S::kOffset, kHuge)},
      {"not aligned", "section 'some.reals': starts at byte", move_by(kReals, 8)},
      {"off by one", "section 'some.reals': starts at byte", move_by(kReals, 1)},
      {"a gap", "section 'some.reals': starts at byte", move_by(kReals, 64)},
      {"an overlap", "section 'some.reals': starts at byte", move_by(kReals, 0 - std::uint64_t{64})},
      {"over the header", "section 'some.reals': starts at byte 0", set_field(kReals, S::kOffset, std::uint64_t{0})},
      {"two sections exchanged", "section 'some.reals': starts at byte",
       [](S& file) {
         const auto reals = file.payload(kReals), integers = file.payload(kIntegers);
         file.set(S::field(kReals, S::kOffset), std::uint64_t{integers});
         file.set(S::field(kIntegers, S::kOffset), std::uint64_t{reals});
       }},
      {"past the end", "section 'floats': 32 bytes from byte", set_shape(kFloats, 4, 2, 32)},
      {"far past the end", "section 'floats': 4611686018427387904 bytes from byte",
       set_shape(kFloats, std::uint64_t{1} << 60U, 1, std::uint64_t{1} << 62U)},
      {"past 2^64", "section 'note': 18446744073709551415 bytes from byte",
       set_shape(kNote, kHuge - 200, 1, kHuge - 200)},
      {"the last section shorter", "after the last section", set_shape(kFloats, 2, 2, 16)},
      {"a section longer", "section 'some-integers': starts at byte", set_shape(kReals, 20, 1, 160)},
      {"something between sections", "section 'pi': damaged: the bytes before it are not zero",
       [](S& file) { file.set(file.payload(kPi) - 1, char{1}); }},
      {"something behind the table", "section 'count': damaged: the bytes before it are not zero",
       [](S& file) { file.set(S::field(kSectionCount, 0), char{1}); }},
      {"bytes at the end", "64 bytes after the last section",
       [](S& file) {
         file.bytes.resize(file.bytes.size() + 64);
         file.set(S::kSize, std::uint64_t{file.bytes.size()});
       }},

      {"NaN", "section 'pi': NaN at row 1, column 1", set_value(kPi, 0, kNan)},
      {"infinity", "section 'pi': infinity", set_value(kPi, 0, kInfinity)},
      {"NaN in a list", "section 'some.reals': NaN at row 3", set_value(kReals, 2, kNan)},
      {"minus infinity in a list", "section 'some.reals': infinity at row 1", set_value(kReals, 0, -kInfinity)},
      {"NaN in a matrix", "section 'matrix_2': NaN at row 2, column 1", set_value(kMatrix, 3, kNan)},
      {"infinity in a matrix", "section 'matrix_2': infinity at row 1, column 3", set_value(kMatrix, 2, kInfinity)},
      {"NaN in single precision", "section 'floats': NaN at row 3, column 2",
       set_value(kFloats, 5, std::numeric_limits<float>::quiet_NaN())},
  };
  return all;
}

TEST(ArchiveReader, EveryFieldIsCheckedBehindTheChecksums) {
  for (const auto& damage : damages()) {
    SCOPED_TRACE(damage.name);
    S file(sample_file());
    damage.inflict(file);
    file.fix_checksums();
    expect_error(ErrorKind::InvalidData, damage.message, [&] { read_all(file.bytes); });
  }
  EXPECT_GE(damages().size(), 60U);
}

TEST(ArchiveReader, ATableThatEndsBehindTheFileIsRefusedAtEverySize) {
  for (std::size_t length = 0; length < S::kEntrySize; ++length) {
    ArchiveWriter writer;
    writer.put("a", std::string(length, 'a'));
    S file(writer.bytes());
    const std::size_t fitting = (file.bytes.size() - S::kTable) / S::kEntrySize;
    file.set(S::kSections, static_cast<std::uint32_t>(fitting + 1));
    expect_error(ErrorKind::InvalidData, "does not fit", [&] { ArchiveReader(file.bytes, "m.unroll"); });
  }
}

TEST(ArchiveReader, ChecksumsAreCheckedAndNameTheSection) {
  for (const auto& [section, name] : {std::pair{kNote, "note"}, {kMatrix, "matrix_2"}, {kFloats, "floats"}}) {
    S file(sample_file());
    file.set(file.payload(section), char{0x55});
    expect_error(ErrorKind::InvalidData, std::string("section '") + name + "': damaged: its checksum",
                 [&] { read_all(file.bytes); });
  }
  S entry(sample_file());
  entry.set(S::field(kNote, S::kChecksum), 0U);
  expect_error(ErrorKind::InvalidData, "checksum of its section table", [&] { read_all(entry.bytes); });
  entry.fix_table_checksum();
  expect_error(ErrorKind::InvalidData, "section 'note': damaged: its checksum", [&] { read_all(entry.bytes); });
}

TEST(ArchiveReader, TheSurgeonLeavesHealthyFilesHealthy) {
  S file(sample_file());
  file.fix_checksums();
  EXPECT_EQ(file.bytes, sample_file());
}

TEST(ArchiveReader, FailNamesFileAndSection) {
  const ArchiveReader reader(sample_file(), "folder/m.unroll");
  expect_error(ErrorKind::InvalidData, "folder/m.unroll: section 'pi': too large",
               [&] { reader.fail("pi", "too large"); });
  expect_error(ErrorKind::InvalidData, "folder/m.unroll: section 'x': missing", [&] { reader.integer("x"); });
}

}  // namespace
}  // namespace unroll
