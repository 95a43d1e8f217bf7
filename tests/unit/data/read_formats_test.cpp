#include "read_support.h"

namespace unroll {
namespace {

using testing_support::bytes_of;
using testing_support::Failure;
using testing_support::failure_of_bytes;
using testing_support::gzipped;
using testing_support::npy;
using testing_support::read_bytes;

TEST(ReadFormats, ContentComesBeforeTheName) {
  const std::string array = npy("<f8", "(1,)", bytes_of(std::vector<double>{1}));
  for (const char* name : {"x", "x.csv", "x.idx", "x.txt.gz", ".npy.x"})
    EXPECT_EQ(read_bytes(name, array).format, "npy");
  EXPECT_EQ(read_bytes("x.npy", std::string("\0\0\x08\1\0\0\0\1a", 9)).format, "idx");
}

TEST(ReadFormats, NamesDecideWhereContentDoesNot) {
  EXPECT_EQ(read_bytes("no_ending", "1 2\n").format, "csv");
  EXPECT_EQ(read_bytes("x.unknown", "1 2\n").format, "csv");
  EXPECT_TRUE(failure_of_bytes("x.NPY", "1 2\n").says("not an .npy file"));
  EXPECT_TRUE(failure_of_bytes("x.npy.gz", gzipped("1 2\n")).says("not an .npy file"));
  EXPECT_TRUE(failure_of_bytes("a-ubyte", "1 2\n").says("not an idx file"));
  EXPECT_TRUE(failure_of_bytes("x.Csv", std::string("1,\0", 3)).says("NUL"));
}

TEST(ReadFormats, GarbageIsNoFormat) {
  for (const std::string& garbage :
       {std::string("\x7f"
                    "ELF\2\1\1\0",
                    8),
        std::string("\x89PNG\r\n\x1a\n\0", 9), std::string("\x80\x04\x95\x01", 4), std::string("\0\0\0\0", 4)}) {
    const Failure failure = failure_of_bytes("x", garbage);
    EXPECT_EQ(failure.kind, ErrorKind::InvalidData);
    EXPECT_EQ(
        failure.message,
        "x: not a format I know; known are npy (NumPy), npz (NumPy, SciPy), MatrixMarket, idx (MNIST), text (csv, "
        "tsv, blanks), each also gzipped");
  }
}

TEST(ReadFormats, KnownAndNotRead) {
  for (const char* content : {"BZh91AY", "\xfd\x37zXZ", "\x28\xb5\x2f\xfd", "\x89HDF\r\n"}) {
    const Failure failure = failure_of_bytes("x", content);
    EXPECT_EQ(failure.kind, ErrorKind::Unsupported) << content;
    EXPECT_TRUE(failure.says("not supported")) << failure.message;
  }
  EXPECT_EQ(failure_of_bytes("x.gz", gzipped(gzipped("1\n"))).kind, ErrorKind::Unsupported);
}

TEST(ReadFormats, LabelsAreForText) {
  const Failure failure = failure_of_bytes("x", npy("|u1", "(1,)", "a"), {.label_column = "y"});
  EXPECT_EQ(failure.kind, ErrorKind::InvalidOption);
  EXPECT_TRUE(failure.says("label_column=y is for text; npy files")) << failure.message;
}

}  // namespace
}  // namespace unroll
