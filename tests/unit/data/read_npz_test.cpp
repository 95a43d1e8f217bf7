#include <cmath>
#include <cstdint>
#include <variant>

#include "read_support.h"
#include "zip_support.h"

namespace unroll {
namespace {

using testing_support::bytes_of;
using testing_support::Failure;
using testing_support::failure_of;
using testing_support::failure_of_bytes;
using testing_support::gzipped;
using testing_support::has_warning;
using testing_support::npy;
using testing_support::read_bytes;
using testing_support::TempFile;
using testing_support::values_of;
using testing_support::zip;
using testing_support::ZipEntry;
using Values = std::vector<double>;
using Indices = std::vector<Index>;

const Values kNpzValues{1, 2, 3, 4};
std::string table() { return npy("<f8", "(2, 2)", bytes_of(kNpzValues)); }
std::string vector_of(const Indices& values, std::string_view type = "<i8") {
  const std::string shape = "(" + std::to_string(values.size()) + ",)";
  if (type == "<i4") return npy(type, shape, bytes_of(std::vector<std::int32_t>(values.begin(), values.end())));
  return npy(type, shape, bytes_of(values));
}
std::string vector_of(const Values& values) {
  return npy("<f8", "(" + std::to_string(values.size()) + ",)", bytes_of(values));
}

/// [[1 0 2], [0 0 3]] unless told otherwise.
struct Sparse {
  std::string format = npy("|S3", "()", "csr");
  Indices shape = {2, 3};
  Indices starts = {0, 2, 3};
  Indices indices = {0, 2, 2};
  Values data = {1, 2, 3};
  std::string type = "<i4";

  std::vector<ZipEntry> entries(bool deflate = false) const {
    return {{.name = "indices.npy", .content = vector_of(indices, type), .deflate = deflate},
            {.name = "indptr.npy", .content = vector_of(starts, type), .deflate = deflate},
            {.name = "format.npy", .content = format, .deflate = deflate},
            {.name = "shape.npy", .content = vector_of(shape), .deflate = deflate},
            {.name = "data.npy", .content = vector_of(data), .deflate = deflate}};
  }
};
std::string coo(const Indices& shape, const Indices& row, const Indices& col, const Values& data) {
  return zip({{.name = "row.npy", .content = vector_of(row)},
              {.name = "col.npy", .content = vector_of(col)},
              {.name = "format.npy", .content = npy("<U3", "()", bytes_of(std::vector<std::uint32_t>{'c', 'o', 'o'}))},
              {.name = "shape.npy", .content = vector_of(shape)},
              {.name = "data.npy", .content = vector_of(data)}});
}

SparseTable read_sparse(std::string_view content, const unroll::Run& run = {}) {
  const TempFile file("x.npz", content);
  return std::get<SparseTable>(read_matrix(file.path(), {}, run));
}
Failure failure_of_sparse(const Sparse& sparse) { return failure_of_bytes("x.npz", zip(sparse.entries())); }

TEST(ReadNpz, OneArrayHoweverItIsStored) {
  for (const ZipEntry& entry : {ZipEntry{}, ZipEntry{.deflate = true}, ZipEntry{.descriptor = true},
                                ZipEntry{.zip64 = true}, ZipEntry{.deflate = true, .descriptor = true, .zip64 = true}})
    for (const bool zip64_end : {false, true})
      for (const char* comment : {"", "a comment", "PK\5\6 PK\5\6"}) {
        ZipEntry with_content = entry;
        with_content.name = "some.npy";
        with_content.content = table();
        const Table read = read_bytes("x", zip({with_content}, comment, zip64_end));
        EXPECT_EQ(values_of(read), kNpzValues);
        EXPECT_EQ(read.format, "npz");
        EXPECT_TRUE(read.warnings.empty());
      }
}

TEST(ReadNpz, Gzipped) {
  const Table read = read_bytes("x.npz.gz", gzipped(zip({{.name = "a.npy", .content = table(), .deflate = true}})));
  EXPECT_EQ(values_of(read), kNpzValues);
  EXPECT_EQ(read.format, "npz+gzip");
}

TEST(ReadNpz, OfOneDimensionAndOfThree) {
  const Table column = read_bytes("x", zip({{.name = "a.npy", .content = vector_of(kNpzValues)}}));
  EXPECT_EQ(column.view().rows(), 4);
  EXPECT_EQ(column.view().cols(), 1);
  const Table images = read_bytes("x", zip({{.name = "a.npy", .content = npy("|u1", "(2, 2, 1)", "abcd")}}));
  EXPECT_EQ(images.view().cols(), 2);
  EXPECT_TRUE(images.view().is_float());
}

TEST(ReadNpz, TheTableAmongSeveralArrays) {
  const ZipEntry labels{.name = "y.npy", .content = vector_of(Indices{1, 2})};
  const ZipEntry other{.name = "other.npy", .content = npy("|u1", "(1, 2)", "ab")};
  const auto named = [&](const char* name) { return ZipEntry{.name = name, .content = table()}; };
  EXPECT_EQ(values_of(read_bytes("x", zip({labels, named("z.npy")}))), kNpzValues) << "the only one of 2 dimensions";
  for (const char* name : {"X.npy", "data.npy", "arr_0.npy"})
    EXPECT_EQ(values_of(read_bytes("x", zip({other, labels, named(name)}))), kNpzValues) << name;
  EXPECT_EQ(values_of(read_bytes("x", zip({{.name = "arr_0.npy", .content = other.content}, named("X.npy")}))),
            kNpzValues);
  EXPECT_EQ(values_of(read_bytes("x", zip({{.name = "X.npy", .content = vector_of(Values{7, 8})}, labels}))),
            (Values{7, 8}));
  const Failure failure = failure_of_bytes("x.npz", zip({other, labels, named("z.npy")}));
  EXPECT_EQ(failure.kind, ErrorKind::InvalidData);
  EXPECT_TRUE(
      failure.says("x.npz: has 3 arrays, none of them called X, data or arr_0: 'other' (|u1, 2 dimensions), "
                   "'y' (<i8, 1 dimension), 'z' (<f8, 2 dimensions); save the table alone, or as X"))
      << failure.message;
}

TEST(ReadNpz, OtherMembersDoNotMatter) {
  const ZipEntry text{.name = "../../etc/readme.txt", .content = "hello"};
  const ZipEntry objects{.name = "labels.npy", .content = npy("|O", "(2,)", "\x80\4.")};
  const ZipEntry records{.name = "r.npy", .content = npy("', [('a', '<f8')], '", "(2,)", "")};
  const ZipEntry member{.name = "/../../a.npy", .content = table()};
  EXPECT_EQ(values_of(read_bytes("x", zip({text, objects, records, member}))), kNpzValues);
}

TEST(ReadNpz, NothingToRead) {
  EXPECT_TRUE(failure_of_bytes("x", zip({})).says("has no array"));
  EXPECT_TRUE(failure_of_bytes("x", zip({{.name = "a.txt", .content = "1 2"}})).says("has no array"));
  EXPECT_TRUE(failure_of_bytes("x.npz", "1 2\n").says("not a sound zip archive"));
  const Failure objects = failure_of_bytes("x", zip({{.name = "a.npy", .content = npy("|O", "(2,)", "\x80\4.")}}));
  EXPECT_TRUE(objects.says("x: member 'a.npy': cannot read numbers of type '|O': object arrays (pickle) are never"))
      << objects.message;
}

// ---- archives that lie

TEST(ZipFaults, ChecksumsAndSizes) {
  const auto failure_with = [](ZipEntry entry) {
    entry.name = "a.npy";
    if (entry.content.empty()) entry.content = table();
    const Failure failure = failure_of_bytes("x.npz", zip({entry}));
    EXPECT_EQ(failure.kind, ErrorKind::InvalidData) << failure.message;
    return failure.message;
  };
  const std::uint64_t size = table().size();
  EXPECT_NE(failure_with({.checksum = 7}).find("member 'a.npy': its checksum is"), std::string::npos);
  EXPECT_NE(failure_with({.deflate = true, .checksum = 7}).find("it should be 00000007"), std::string::npos);
  EXPECT_NE(failure_with({.size = size + 1}).find("which is impossible"), std::string::npos);
  EXPECT_NE(failure_with({.deflate = true, .size = size + 8}).find("unpacks to less than it says"), std::string::npos);
  EXPECT_NE(failure_with({.deflate = true, .size = size - 1}).find("header promises 32 bytes, file has 31"),
            std::string::npos);
  EXPECT_NE(failure_with({.content = table() + "?", .deflate = true, .size = size}).find("more than it says"),
            std::string::npos);
  EXPECT_NE(failure_with({.deflate = true, .size = std::uint64_t{1} << 31}).find("which is impossible"),
            std::string::npos);
  EXPECT_NE(failure_with({.deflate = true, .zip64 = true, .size = std::uint64_t{1} << 62}).find("impossible"),
            std::string::npos);
  EXPECT_NE(failure_with({.zip64 = true, .size = 1U << 31, .packed_size = 1U << 31}).find("it has no"),
            std::string::npos);
  EXPECT_NE(failure_with({.size = size + 9, .packed_size = size + 9}).find("runs into the directory"),
            std::string::npos);
  EXPECT_NE(failure_with({.offset = 3}).find("not where its directory says"), std::string::npos);
  EXPECT_NE(failure_with({.zip64 = true, .offset = ~std::uint64_t{0} - 10}).find("it has no"), std::string::npos);
  EXPECT_NE(failure_with({.local_name = "b.npy"}).find("not where its directory says"), std::string::npos);
}

TEST(ZipFaults, TrailingBytesInAMemberAreCheckedToo) {
  const std::string longer = table() + std::string(100000, 'x');
  EXPECT_TRUE(has_warning(read_bytes("x", zip({{.name = "a.npy", .content = longer}})), "trailing-bytes"));
  EXPECT_TRUE(failure_of_bytes("x", zip({{.name = "a.npy", .content = longer, .checksum = 1}})).says("checksum"));
}

TEST(ZipFaults, DuplicatesAndOverlaps) {
  const ZipEntry entry{.name = "a.npy", .content = table()};
  EXPECT_TRUE(failure_of_bytes("x", zip({entry, entry})).says("it has several members called 'a.npy'"));
  EXPECT_TRUE(failure_of_bytes("x", zip({entry, {.name = "b.npy", .content = table(), .offset = 0, .local_name = "a"}}))
                  .says("not where its directory says"));
  // b is a zip inside a: one place for the bytes of both.
  std::string inner = zip({{.name = "b.npy", .content = table()}});
  const std::uint64_t local = 30 + 5 + table().size();
  ZipEntry outer{.name = "a.txt", .content = inner.substr(0, local)};
  ZipEntry overlapping{.name = "b.npy", .content = table(), .offset = 30 + 5};
  EXPECT_TRUE(failure_of_bytes("x", zip({outer, overlapping})).says("its members overlap"));
}

TEST(ZipFaults, EncryptionAndOtherMethodsAreRefused) {
  const Failure encrypted = failure_of_bytes("x", zip({{.name = "a.npy", .content = table(), .flags = 1}}));
  EXPECT_EQ(encrypted.kind, ErrorKind::Unsupported);
  EXPECT_TRUE(encrypted.says("x: member 'a.npy' is encrypted")) << encrypted.message;
  const Failure bzip2 = failure_of_bytes("x", zip({{.name = "a.npy", .content = table(), .method = 12}}));
  EXPECT_EQ(bzip2.kind, ErrorKind::Unsupported);
  EXPECT_TRUE(bzip2.says("is compressed by method 12; stored and deflated members are read")) << bzip2.message;
}

TEST(ZipFaults, BombsStopAtTheBudget) {
  const unroll::Run run{.memory_budget = 1 << 20};
  const std::string bomb =
      zip({{.name = "a.npy", .content = npy("<f8", "(4194304,)", std::string(32U << 20, '\0')), .deflate = true}});
  EXPECT_LT(bomb.size(), 100000U);
  const Failure failure = failure_of_bytes("x", bomb, {}, run);
  EXPECT_EQ(failure.kind, ErrorKind::OutOfMemory);
  EXPECT_TRUE(failure.says("needs 32.0 MiB of memory")) << failure.message;
  Sparse sparse;
  std::vector<ZipEntry> entries = sparse.entries(true);
  entries[0].content = npy("|i1", "(4194304,)", std::string(4U << 20, '\0'));
  EXPECT_EQ(failure_of_bytes("x", zip(entries), {}, run).kind, ErrorKind::OutOfMemory);
}

TEST(ZipFaults, GarbageAroundTheArchive) {
  const std::string good = zip({{.name = "a.npy", .content = table()}});
  EXPECT_TRUE(failure_of_bytes("x.npz", good + "x").says("its directory is not at its end"));
  EXPECT_TRUE(failure_of_bytes("x.npz", "x" + good).says("something stands before the archive"));
}

// ---- sparse matrices

TEST(ReadSparse, CsrStaysSparse) {
  for (const bool deflate : {false, true})
    for (const char* type : {"<i4", "<i8"}) {
      Sparse sparse;
      sparse.type = type;
      const SparseTable read = read_sparse(zip(sparse.entries(deflate)));
      EXPECT_EQ(read.format, "npz");
      EXPECT_EQ(read.values.rows, 2);
      EXPECT_EQ(read.values.cols, 3);
      EXPECT_EQ(read.values.offsets, sparse.starts);
      EXPECT_EQ(read.values.columns, sparse.indices);
      EXPECT_EQ(read.values.values, sparse.data);
      EXPECT_TRUE(read.warnings.empty());
    }
}

TEST(ReadSparse, IsMadeDenseForATable) {
  const Table read = read_bytes("x", zip(Sparse{}.entries()));
  EXPECT_EQ(values_of(read), (Values{1, 0, 2, 0, 0, 3}));
  EXPECT_EQ(read.format, "npz");
}

TEST(ReadSparse, CscAndCoo) {
  Sparse csc;
  csc.format = npy("|S3", "()", "csc");
  csc.starts = {0, 1, 1, 3};
  csc.indices = {0, 1, 0};
  csc.data = {1, 3, 2};
  for (const std::string& content : {zip(csc.entries()), coo({2, 3}, {1, 0, 0}, {2, 2, 0}, {3, 2, 1})}) {
    const SparseTable read = read_sparse(content);
    EXPECT_EQ(read.values.offsets, (Indices{0, 2, 3}));
    EXPECT_EQ(read.values.columns, (Indices{0, 2, 2}));
    EXPECT_EQ(read.values.values, (Values{1, 2, 3}));
  }
}

TEST(ReadSparse, RowsAreSortedAndDuplicatesSummed) {
  Sparse sparse;
  sparse.starts = {0, 4, 5};
  sparse.indices = {2, 0, 2, 1, 0};
  sparse.data = {5, 1, 0.5, 0, 7};
  const SparseTable read = read_sparse(zip(sparse.entries()));
  EXPECT_EQ(read.values.offsets, (Indices{0, 3, 4}));
  EXPECT_EQ(read.values.columns, (Indices{0, 1, 2, 0}));
  EXPECT_EQ(read.values.values, (Values{1, 0, 5.5, 7})) << "the explicit zero stays";
  ASSERT_EQ(read.warnings.size(), 1U);
  EXPECT_EQ(read.warnings[0].code, "duplicates-summed");
  EXPECT_NE(read.warnings[0].message.find("1 entry is added"), std::string::npos);
  EXPECT_TRUE(has_warning(read_bytes("x", coo({1, 1}, {0, 0, 0}, {0, 0, 0}, {1, 2, 3})), "duplicates-summed"));
}

TEST(ReadSparse, EmptyOnes) {
  Sparse sparse{.shape = {0, 3}, .starts = {0}, .indices = {}, .data = {}};
  EXPECT_EQ(read_sparse(zip(sparse.entries())).values.cols, 3);
  sparse = {.shape = {3, 0}, .starts = {0, 0, 0, 0}, .indices = {}, .data = {}};
  EXPECT_EQ(read_sparse(zip(sparse.entries())).values.rows, 3);
}

TEST(ReadSparse, IndicesAreChecked) {
  const auto message = [](const Sparse& sparse) {
    const Failure failure = failure_of_sparse(sparse);
    EXPECT_EQ(failure.kind, ErrorKind::InvalidData) << failure.message;
    return failure.message;
  };
  EXPECT_EQ(message({.indices = {0, 3, 2}}), "x.npz: indices.npy has 3 at place 2; it must be at least 0 and below 3");
  EXPECT_EQ(message({.indices = {0, 2, -1}}),
            "x.npz: indices.npy has -1 at place 3; it must be at least 0 and below 3");
  EXPECT_EQ(message({.starts = {0, 3}}),
            "x.npz: indptr.npy has 2 entries for 2 rows or columns; it should have one more");
  for (const Indices& starts : {Indices{0, 4, 3}, {1, 2, 3}, {0, 2, 2}, {0, 2, 4}, {0, -1, 3}})
    EXPECT_EQ(message({.starts = starts}), "x.npz: indptr.npy should rise from 0 to 3, the length of indices.npy");
  EXPECT_EQ(message({.data = {1, 2}}), "x.npz: data.npy has 2 entries, expected 3");
  EXPECT_EQ(message({.shape = {2}}), "x.npz: shape.npy should have two sizes, and has (2)");
  EXPECT_EQ(message({.shape = {-2, 3}}), "x.npz: shape.npy should have two sizes, and has (-2, 3)");
  EXPECT_EQ(message({.format = npy("<f8", "()", "abcdefgh")}), "x.npz: format.npy should be one short word");
  const auto coo_message = [](const Indices& row, const Indices& col, const Values& data) {
    return failure_of_bytes("x.npz", coo({2, 2}, row, col, data)).message;
  };
  EXPECT_EQ(coo_message({0, 2}, {0, 0}, {1, 1}), "x.npz: row.npy has 2 at place 2; it must be at least 0 and below 2");
  EXPECT_EQ(coo_message({0, 1}, {0, 2}, {1, 1}), "x.npz: col.npy has 2 at place 2; it must be at least 0 and below 2");
  EXPECT_EQ(coo_message({0, 1}, {0}, {1, 1}), "x.npz: col.npy has 1 entries, expected 2");
}

TEST(ReadSparse, WhatIsMissingOrOfAnotherKind) {
  const Failure bsr = failure_of_sparse({.format = npy("|S3", "()", "bsr")});
  EXPECT_EQ(bsr.kind, ErrorKind::Unsupported);
  EXPECT_TRUE(bsr.says("sparse matrices of format 'bsr' are not supported; csr, csc and coo are")) << bsr.message;
  std::vector<ZipEntry> entries = Sparse{}.entries();
  entries[1].name = "indptr.txt";
  EXPECT_TRUE(failure_of_bytes("x", zip(entries)).says("looks like a sparse matrix of SciPy, but lacks indptr.npy"));
  entries = Sparse{}.entries();
  entries[0].content = vector_of(Values{0, 2, 2});
  EXPECT_TRUE(failure_of_bytes("x", zip(entries)).says("member 'indices.npy': holds no integers, and should"));
  entries[0].content = npy("<i8", "(3, 1)", std::string(24, '\0'));
  EXPECT_TRUE(failure_of_bytes("x", zip(entries)).says("indices.npy should have one dimension, and has 2"));
  entries[0].content = npy("|O", "(3,)", "\x80\4.");
  EXPECT_TRUE(failure_of_bytes("x", zip(entries)).says("object arrays (pickle) are never loaded"));
}

TEST(ReadSparse, TheBudgetIsPlannedBeforeMemoryIsTaken) {
  const unroll::Run run{.memory_budget = 1 << 20};
  const Index many = Index{1} << 40;
  const Failure rows = failure_of([&] { read_sparse(coo({many, 1}, {0}, {0}, {1}), run); });
  EXPECT_EQ(rows.kind, ErrorKind::OutOfMemory);
  EXPECT_TRUE(rows.says("8192.0 GiB") || rows.says("8.0 TiB")) << rows.message;
  EXPECT_EQ(read_sparse(coo({1, many}, {0}, {many - 1}, {1}), run).values.columns, (Indices{many - 1}));
  const Failure dense = failure_of_bytes("x.npz", coo({1000, 1000}, {0}, {0}, {1}), {}, run);
  EXPECT_EQ(dense.kind, ErrorKind::OutOfMemory);
  EXPECT_TRUE(dense.says("7.6 MiB for the table with its zeros")) << dense.message;
}

}  // namespace
}  // namespace unroll
