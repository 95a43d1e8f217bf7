#include <cmath>
#include <cstdint>

#include "read_support.h"
#include "zip_support.h"

/// Damaged files give a table or an error. Run with the sanitizers these are tests of memory safety.
namespace unroll {
namespace {

using testing_support::bytes_of;
using testing_support::gzipped;
using testing_support::npy;
using testing_support::TempFile;
using testing_support::zip;

/// Reads, and looks at every value; whether it was a table.
bool reads(const TempFile& file, const std::string& content, const ReadOptions& options = {}) {
  file.write(content);
  try {
    const Table table = read_table(file.path(), options, unroll::Run{.threads = 1, .memory_budget = 64 << 20});
    double largest = 0;
    table.view().visit([&](auto view) {
      if (view.cols == 0) return;
      for (Index i = 0; i < view.rows; ++i)
        for (Index j = 0; j < view.cols; ++j) largest = std::max(largest, std::abs(static_cast<double>(view(i, j))));
    });
    EXPECT_FALSE(largest < 0);
    EXPECT_TRUE(table.labels.empty() || static_cast<Index>(table.labels.size()) == table.view().rows());
    EXPECT_TRUE(table.row_names.empty() || static_cast<Index>(table.row_names.size()) == table.view().rows());
    EXPECT_TRUE(table.column_names.empty() || static_cast<Index>(table.column_names.size()) == table.view().cols());
    return true;
  } catch (const Error& error) {
    EXPECT_NE(error.kind(), ErrorKind::Internal) << error.what();
    return false;
  }
}

/// How many of the truncations are tables.
std::size_t truncations_read(std::string_view name, const std::string& good, const ReadOptions& options = {}) {
  const TempFile file(name);
  EXPECT_TRUE(reads(file, good, options));
  std::size_t count = 0;
  for (std::size_t length = 0; length < good.size(); ++length)
    count += reads(file, good.substr(0, length), options) ? 1U : 0U;
  return count;
}

void flip_every_bit(std::string_view name, const std::string& good, std::size_t bytes,
                    const ReadOptions& options = {}) {
  const TempFile file(name);
  for (std::size_t bit = 0; bit < 8 * bytes; ++bit) {
    std::string bad = good;
    bad[bit / 8] = static_cast<char>(static_cast<unsigned char>(bad[bit / 8]) ^ (1U << (bit % 8)));
    reads(file, bad, options);
  }
}

std::string some_npy(std::string_view type = "<f8", int major = 1) {
  return npy(type, "(2, 3)", bytes_of(std::vector<double>{1, 2, 3, 4, 5, 6}), false, major);
}
std::string some_idx() { return std::string("\0\0\x08\3\0\0\0\2\0\0\0\2\0\0\0\2", 16) + "abcdefgh"; }
std::string some_npz(bool deflate) {
  return zip({{.name = "a.npy", .content = some_npy(), .deflate = deflate, .zip64 = deflate}}, "", deflate);
}
constexpr const char* kMtx =
    "%%MatrixMarket matrix coordinate real symmetric\n% c\n3 3 3\n1 1 1\n2 1 -2.5\r\n3 2 1e3\n";
constexpr const char* kHostileText =
    "\xef\xbb\xbf# comment\r\nname,\"a \"\"q\"\"\",b,y\r\n\"r,1\",1.5,-2e3,u\r\n\r\nr2,NA,\"4\",\"v\nw\"\r\nr3, 5 "
    ",6,\r\n";
const ReadOptions kTextOptions{.missing = MissingValues::Mean, .label_column = "y"};

TEST(HostileFiles, TruncatedBinaryFilesAreErrors) {
  EXPECT_EQ(truncations_read("x.npy", some_npy()), 0U);
  EXPECT_EQ(truncations_read("x.npy", some_npy("<f8", 2)), 0U);
  EXPECT_EQ(truncations_read("x.npy", npy(">i2", "(2, 3)", "abcdefghijkl", true)), 0U);
  EXPECT_EQ(truncations_read("x.idx", some_idx()), 0U);
  EXPECT_EQ(truncations_read("x.npz", some_npz(false)), 0U);
  EXPECT_EQ(truncations_read("x.npz", some_npz(true)), 0U);
}

TEST(HostileFiles, TruncatedGzipFilesAreErrors) {
  EXPECT_EQ(truncations_read("x.gz", gzipped(some_npy())), 0U);
  EXPECT_EQ(truncations_read("x.gz", gzipped(some_idx())), 0U);
  EXPECT_EQ(truncations_read("x.gz", gzipped(kHostileText), kTextOptions), 0U);
}

TEST(HostileFiles, TruncatedTextsAreTablesOrErrors) {
  EXPECT_GT(truncations_read("x.csv", kHostileText, kTextOptions), 0U);
  EXPECT_GT(truncations_read("x.txt", "a b\n\"r1\" 1 2\n\"r2\" 3 4\n"), 0U);
  EXPECT_GT(truncations_read("x.txt", "1\t2\t\r3\t4\t\r"), 0U);
  EXPECT_EQ(truncations_read("x.mtx", kMtx), 2U) << "without the line end, and with 1 for 1e3";
}

TEST(HostileFiles, FlippedBits) {
  flip_every_bit("x.npy", some_npy(), 128);
  flip_every_bit("x.npy", some_npy("<f8", 2), 128);
  flip_every_bit("x.npy", npy("<f2", "(4, 2, 3)", std::string(48, 'a'), true, 3), 128);
  flip_every_bit("x.idx", some_idx(), 16);
  for (const bool deflate : {false, true}) flip_every_bit("x.npz", some_npz(deflate), some_npz(deflate).size());
  flip_every_bit("x.mtx", kMtx, std::string_view(kMtx).size());
  const std::string packed = gzipped(some_npy());
  flip_every_bit("x.gz", packed, packed.size());
  const std::string text = kHostileText;
  flip_every_bit("x.csv", text, text.size(), kTextOptions);
  flip_every_bit("x", text, text.size(), {.missing = MissingValues::Drop});
}

TEST(HostileFiles, EveryShortText) {
  // All texts of up to 4 characters that mean something.
  constexpr std::string_view kAlphabet = "1,\"\n\r# a";
  const TempFile file("x.csv");
  for (std::size_t length = 1; length <= 4; ++length) {
    std::size_t count = 1;
    for (std::size_t i = 0; i < length; ++i) count *= kAlphabet.size();
    for (std::size_t code = 0; code < count; ++code) {
      std::string text;
      for (std::size_t rest = code, i = 0; i < length; ++i, rest /= kAlphabet.size())
        text += kAlphabet[rest % kAlphabet.size()];
      reads(file, text, {.missing = MissingValues::Mean});
    }
  }
}

}  // namespace
}  // namespace unroll
