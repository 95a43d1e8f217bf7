#include <cstring>
#include <limits>
#include <variant>

#include "core/random.h"
#include "data/file_writer.h"
#include "data/zip_writer.h"
#include "read_support.h"
#include "support/expect_error.h"
#include "support/scratch_folder.h"
#include "zip_support.h"

namespace unroll {
namespace {

using testing_support::little;
using testing_support::npy;
using testing_support::values_of;
using Values = std::vector<double>;

/// [[0 1.5 0], [0 0 0], [-2 0 0]], the last 0 explicit.
SparseMatrix sparse() {
  return {.rows = 3, .cols = 3, .offsets = {0, 1, 1, 3}, .columns = {1, 0, 2}, .values = {1.5, -2, 0}};
}

TEST(WriteNpz, ReadsBack) {
  const ScratchFolder folder;
  Array2<double> distances(2, 3);
  Array2<Index> indices(4, 1);
  for (Index i = 0; i < 6; ++i) distances.data()[i] = 0.1 * static_cast<double>(i);
  indices(3, 0) = Index{1} << 60;
  write_npz(folder / "a.npz", {{"other", indices.view()}, {"X", distances.view()}});
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.npz"});
  const Table read = read_table(folder / "a.npz");
  EXPECT_EQ(values_of(read), Values(distances.data(), distances.data() + 6));
  const std::string content = content_of(folder / "a.npz");
  const std::string stored =
      npy("<i8", "(4, 1)", std::string(reinterpret_cast<const char*>(indices.data()), 4 * sizeof(Index)));
  EXPECT_NE(content.find("other.npy" + stored), std::string::npos) << "as NumPy writes it, not compressed";
}

TEST(WriteNpz, StridedAndEmptyViews) {
  const ScratchFolder folder;
  const std::vector<float> numbers{1, 2, 3, 4, 5, 6};
  write_npz(folder / "a.npz", {{"a", MatrixView<float>{numbers.data(), 2, 2, 3}}});
  EXPECT_EQ(values_of(read_table(folder / "a.npz")), (Values{1, 2, 4, 5}));
  write_npz(folder / "b.npz", {{"a", MatrixView<double>{nullptr, 0, 4, 4}}});
  const Table second = read_table(folder / "b.npz");
  EXPECT_EQ(second.view().cols(), 4);
  write_npz(folder / "c.npz", {});
  EXPECT_EQ(content_of(folder / "c.npz"), "PK\5\6" + std::string(18, '\0'));
}

TEST(WriteNpz, TheSameBytesEachTime) {
  const ScratchFolder folder;
  write_sparse_npz(folder / "a.npz", sparse());
  write_sparse_npz(folder / "b.npz", sparse());
  EXPECT_EQ(content_of(folder / "a.npz"), content_of(folder / "b.npz"));
}

TEST(WriteSparseNpz, ReadsBack) {
  const ScratchFolder folder;
  write_sparse_npz(folder / "a.npz", sparse());
  const auto read = std::get<SparseTable>(read_matrix(folder / "a.npz"));
  EXPECT_EQ(read.values.rows, 3);
  EXPECT_EQ(read.values.cols, 3);
  EXPECT_EQ(read.values.offsets, sparse().offsets);
  EXPECT_EQ(read.values.columns, sparse().columns);
  EXPECT_EQ(read.values.values, sparse().values);
  EXPECT_TRUE(read.warnings.empty());
  write_sparse_npz(folder / "empty.npz", {});
  EXPECT_EQ(std::get<SparseTable>(read_matrix(folder / "empty.npz")).values.rows, 0);
}

TEST(WriteNpz, WhatIsRefused) {
  const ScratchFolder folder;
  const Array2<double> one(1, 1);
  for (const std::string name : {"a", "a.npy", "npz", "a.npz.gz"})
    expect_error(ErrorKind::InvalidOption, "are .npz", [&] { write_npz(folder / name, {{"a", one.view()}}); });
  expect_error(ErrorKind::InvalidOption, "two arrays called 'a'", [&] {
    write_npz(folder / "a.npz", {{"a", one.view()}, {"a", one.view()}});
  });
  expect_error(ErrorKind::InvalidOption, "1 to 1000 characters", [&] {
    write_npz(folder / "a.npz", {{"", one.view()}});
  });
  Array2<double> bad(2, 2);
  bad(1, 0) = std::numeric_limits<double>::infinity();
  expect_error(ErrorKind::InvalidData, "infinity in 'd' at row 2, column 1", [&] {
    write_npz(folder / "a.npz", {{"d", bad.view()}});
  });
  SparseMatrix matrix = sparse();
  matrix.values[1] = std::numeric_limits<double>::quiet_NaN();
  expect_error(ErrorKind::InvalidData, "NaN at row 3, column 1", [&] { write_sparse_npz(folder / "a.npz", matrix); });
  expect_error(ErrorKind::Io, "'/dev/full': No space left", [&] { write_sparse_npz("/dev/full", sparse()); });
  EXPECT_TRUE(folder.names().empty());
}

/// Real ZIP64 archives are too large for a test, so the limit is moved.
TEST(ZipWriter, Zip64) {
  const ScratchFolder folder;
  const std::string table = npy("<f8", "(1,)", little(0x3ff0000000000000, 8));
  for (const std::uint64_t limit : {std::uint64_t{0}, std::uint64_t{100}, std::uint64_t{200}, std::uint64_t{1} << 30}) {
    FileWriter file(folder / "a.npz", false);
    ZipWriter zip(file, limit);
    for (const char* name : {"a.txt", "b.npy", "c.txt"})
      zip.add(name, [&](const ZipWriter::Sink& sink) {
        sink(table.data(), 10);
        sink(table.data() + 10, table.size() - 10);
      });
    zip.finish();
    file.commit();
    EXPECT_EQ(values_of(read_table(folder / "a.npz")), Values{1}) << limit;
    EXPECT_EQ(content_of(folder / "a.npz").find("PK\6\6") != std::string::npos, limit <= 200);
  }
}

}  // namespace
}  // namespace unroll
