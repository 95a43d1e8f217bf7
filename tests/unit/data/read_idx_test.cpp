#include <cstdint>

#include "read_support.h"

namespace unroll {
namespace {

using testing_support::bytes_of;
using testing_support::failure_of_bytes;
using testing_support::gzipped;
using testing_support::has_warning;
using testing_support::read_bytes;
using testing_support::values_of;
using Values = std::vector<double>;

std::string idx(char type, const std::vector<std::uint32_t>& shape, std::string_view data) {
  std::string file{'\0', '\0', type, static_cast<char>(shape.size())};
  file += bytes_of(shape, true);
  file += data;
  return file;
}

TEST(ReadIdx, ImagesAreRowsOfPixels) {
  const std::string file = idx(0x08, {2, 2, 3}, "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\xff");
  const Table table = read_bytes("train-images-idx3-ubyte", file);
  EXPECT_EQ(table.format, "idx");
  EXPECT_TRUE(table.view().is_float());
  EXPECT_EQ(table.view().rows(), 2);
  EXPECT_EQ(table.view().cols(), 6);
  EXPECT_EQ(values_of(table), (Values{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 255}));
  EXPECT_EQ(read_bytes("images.gz", gzipped(file)).format, "idx+gzip");
}

TEST(ReadIdx, LabelsAreOneColumn) {
  const Table table = read_bytes("labels", idx(0x08, {3}, "\x05\x01\x04"));
  EXPECT_EQ(table.view().cols(), 1);
  EXPECT_EQ(values_of(table), (Values{5, 1, 4}));
}

TEST(ReadIdx, EveryType) {
  EXPECT_EQ(values_of(read_bytes("x", idx(0x09, {2}, "\xff\x7f"))), (Values{-1, 127}));
  EXPECT_EQ(values_of(read_bytes("x", idx(0x0b, {2}, bytes_of(std::vector<std::int16_t>{-2, 258}, true)))),
            (Values{-2, 258}));
  EXPECT_EQ(values_of(read_bytes("x", idx(0x0c, {1}, bytes_of(std::vector<std::int32_t>{-70000}, true)))),
            (Values{-70000}));
  EXPECT_EQ(values_of(read_bytes("x", idx(0x0d, {1}, bytes_of(std::vector<float>{0.5F}, true)))), (Values{0.5}));
  EXPECT_EQ(values_of(read_bytes("x", idx(0x0e, {1}, bytes_of(Values{0.1}, true)))), (Values{0.1}));
}

TEST(ReadIdx, SizesAreComparedBeforeMemoryIsTaken) {
  EXPECT_TRUE(
      failure_of_bytes("x", idx(0x08, {60000, 28, 28}, "abc")).says("header promises 47040000 bytes, file has 3"));
  EXPECT_TRUE(failure_of_bytes("x", idx(0x0e, {0xffffffff, 0xffffffff, 0xffffffff}, "abc")).says("larger than any"));
  EXPECT_TRUE(has_warning(read_bytes("x", idx(0x08, {2}, "abc")), "trailing-bytes"));
}

TEST(ReadIdx, BadHeaders) {
  EXPECT_TRUE(failure_of_bytes("x.idx", std::string("\0\0\x0a\1\0\0\0\1a", 9)).says("type 0x0a"));
  EXPECT_TRUE(failure_of_bytes("x.idx", std::string("\0\0\x08\0", 4)).says("no dimensions"));
  EXPECT_TRUE(failure_of_bytes("x.idx", std::string("\0\0\x08\2\0\0\0\1", 8)).says("ends inside its header"));
  EXPECT_TRUE(failure_of_bytes("x.idx", "hello").says("not an idx file"));
  EXPECT_TRUE(failure_of_bytes("x.idx", "ab").says("not an idx file"));
}

}  // namespace
}  // namespace unroll
