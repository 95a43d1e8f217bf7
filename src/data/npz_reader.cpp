#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/text.h"
#include "data/csv_text.h"
#include "data/npy_reader.h"
#include "data/sparse_build.h"
#include "data/table_reader.h"
#include "data/zip_archive.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

constexpr std::string_view kEnding = ".npy";

/// An .npy file inside the archive, inflated while it is read.
class MemberSource {
 public:
  MemberSource(const ZipMember& member, const std::string& file, std::size_t held, const Run& run)
      : reader_(member, fmt::format("{}: member {}", file, quoted_for_message(member.name))),
        source_(
            reader_.name(), reader_.size(), [this](char* to, std::size_t count) { return reader_.read(to, count); },
            held, run) {}

  ByteSource& source() { return source_; }
  /// Reads the remaining bytes, so that the checksum of the whole member is compared.
  void finish() {
    std::array<char, 1 << 12> rest;
    while (source_.read(rest.data(), rest.size()) > 0) continue;
  }

 private:
  ZipMemberReader reader_;
  ByteSource source_;
};

class NpzReader {
 public:
  NpzReader(const std::string& file, std::string_view bytes, const Run& run)
      : file_(file), archive_(bytes, file), archive_bytes_(bytes.size()), held_(bytes.size()), run_(run) {}

  TableOrSparse read() {
    if (archive_.find("format.npy") != nullptr && archive_.find("shape.npy") != nullptr) return read_sparse();
    return read_dense();
  }

 private:
  struct Candidate {
    const ZipMember* member = nullptr;
    std::string name = {};  ///< without .npy
    std::optional<NpyHeader> header = {};

    std::size_t dimensions() const { return header ? header->shape.size() : 0; }
    std::string describe() const {
      if (!header) return fmt::format("{} (no plain array)", quoted_for_message(name));
      return fmt::format("{} ({}, {} dimension{})", quoted_for_message(name), header->descr, dimensions(),
                         dimensions() == 1 ? "" : "s");
    }
  };

  Table read_dense() const {
    MemberSource member(choose(), file_, held_, run_);
    Table table = read_npy(member.source(), {}, run_);
    member.finish();
    return table;
  }

  /// Chooses the table by the rule in table.h.
  const ZipMember& choose() const {
    const std::vector<Candidate> all = candidates();
    if (all.empty()) fail(fmt::format("has no array; its {} members are not .npy files", archive_.members().size()));
    std::vector<const Candidate*> tables;
    for (const std::size_t fewest : {2U, 1U}) {
      for (const Candidate& candidate : all)
        if (candidate.dimensions() >= fewest) tables.push_back(&candidate);
      if (!tables.empty()) break;
    }
    if (tables.empty() && all.size() == 1) return *all.front().member;  // reading it gives the error
    if (tables.size() == 1) return *tables.front()->member;
    for (const std::string_view name : {"X", "data", "arr_0"})
      for (const Candidate* candidate : tables)
        if (candidate->name == name) return *candidate->member;
    constexpr std::size_t kShown = 10;
    std::vector<std::string> shown;
    for (std::size_t i = 0; i < std::min(kShown, all.size()); ++i) shown.push_back(all[i].describe());
    fail(fmt::format("has {} arrays, none of them called X, data or arr_0: {}{}; save the table alone, or as X",
                     all.size(), joined(shown), all.size() > kShown ? ", ..." : ""));
  }

  std::vector<Candidate> candidates() const {
    std::vector<Candidate> found;
    for (const ZipMember& member : archive_.members()) {
      if (!member.name.ends_with(kEnding)) continue;
      Candidate candidate{&member, std::string(member.name.substr(0, member.name.size() - kEnding.size()))};
      try {
        MemberSource start(member, file_, held_, run_);
        candidate.header = read_npy_header(start.source());
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::InvalidData) throw;
        // Structured arrays beside the table are ignored.
      }
      found.push_back(std::move(candidate));
    }
    return found;
  }

  SparseTable read_sparse() {
    const std::string format = read_word("format.npy");
    const std::vector<Index> shape = read_integers("shape.npy");
    if (shape.size() != 2 || shape[0] < 0 || shape[1] < 0)
      fail(fmt::format("shape.npy should have two sizes, and has ({})", fmt::join(shape, ", ")));
    if (format == "csr") return read_csr(shape[0], shape[1]);
    if (format == "csc") return read_csc(shape[0], shape[1]);
    if (format == "coo") return read_coo(shape[0], shape[1]);
    throw Error(ErrorKind::Unsupported,
                {.who = file_,
                 .problem = fmt::format("sparse matrices of format {} are not supported", quoted_for_message(format)),
                 .advice = "csr, csc and coo are: save it with scipy.sparse.save_npz(file, matrix.tocsr())"});
  }

  SparseTable read_csr(Index rows, Index cols) {
    SparseMatrix matrix{.rows = rows, .cols = cols, .offsets = read_integers("indptr.npy")};
    matrix.columns = read_integers("indices.npy");
    matrix.values = read_reals("data.npy");
    check_starts(matrix.offsets, rows, matrix.columns.size());
    check_indices("indices.npy", matrix.columns, cols);
    check_length("data.npy", matrix.values.size(), matrix.columns.size());
    return sparse_table(std::move(matrix), {file_, archive_bytes_}, run_);
  }

  SparseTable read_csc(Index rows, Index cols) {
    const std::vector<Index> starts = read_integers("indptr.npy");
    Triplets entries{.rows = rows, .cols = cols, .row = read_integers("indices.npy")};
    entries.value = read_reals("data.npy");
    check_starts(starts, cols, entries.row.size());
    check_indices("indices.npy", entries.row, rows);
    check_length("data.npy", entries.value.size(), entries.row.size());
    MemoryPlan(file_)
        .add("the columns of the entries", static_cast<double>(entries.row.size()), 1, sizeof(Index))
        .add("the file", 1, static_cast<double>(held_), 1)
        .require(run_, "give it a larger memory budget");
    entries.col.resize(entries.row.size());
    for (std::size_t j = 0; j + 1 < starts.size(); ++j)
      std::fill(entries.col.begin() + starts[j], entries.col.begin() + starts[j + 1], static_cast<Index>(j));
    return sparse_table(entries, {file_, archive_bytes_ + starts.size() * sizeof(Index)}, run_);
  }

  SparseTable read_coo(Index rows, Index cols) {
    Triplets entries{.rows = rows, .cols = cols, .row = read_integers("row.npy")};
    entries.col = read_integers("col.npy");
    entries.value = read_reals("data.npy");
    check_length("col.npy", entries.col.size(), entries.row.size());
    check_length("data.npy", entries.value.size(), entries.row.size());
    check_indices("row.npy", entries.row, rows);
    check_indices("col.npy", entries.col, cols);
    return sparse_table(entries, {file_, archive_bytes_}, run_);
  }

  const ZipMember& member(std::string_view name) const {
    const ZipMember* found = archive_.find(name);
    if (found == nullptr) fail(fmt::format("looks like a sparse matrix of SciPy, but lacks {}", name));
    return *found;
  }

  /// A 0-d array of a short string, bytes or UCS-4.
  std::string read_word(std::string_view name) const {
    constexpr std::size_t kLongest = 64;
    MemberSource word(member(name), file_, held_, run_);
    const NpyHeader header = read_npy_header(word.source());
    std::array<char, kLongest> bytes;
    const std::size_t size = word.source().read(bytes.data(), bytes.size());
    if (!header.shape.empty() || header.descr.find_first_of("SU") == std::string::npos || size == kLongest)
      fail(fmt::format("{} should be one short word", name));
    std::string text(bytes.data(), size);
    std::erase(text, '\0');
    return text;
  }

  /// A 1-d array; `read` is one of read_binary_....
  template <class Read>
  auto read_vector(std::string_view name, Read&& read) {
    MemberSource array(member(name), file_, held_, run_);
    const NpyHeader header = read_npy_header(array.source());
    if (header.shape.size() != 1)
      fail(fmt::format("{} should have one dimension, and has {}", name, header.shape.size()));
    auto values = read(array.source(), npy_layout(header, array.source()), run_);
    array.finish();
    held_ += values.size() * sizeof(values[0]);
    return values;
  }
  std::vector<Index> read_integers(std::string_view name) { return read_vector(name, read_binary_integers); }
  std::vector<double> read_reals(std::string_view name) { return read_vector(name, read_binary_reals); }

  /// Requires that starts ascend from 0 to the number of entries.
  void check_starts(const std::vector<Index>& starts, Index lines, std::size_t entries) const {
    if (starts.empty() || static_cast<Index>(starts.size()) - 1 != lines)
      fail(fmt::format("indptr.npy has {} entries for {} rows or columns; it should have one more", starts.size(),
                       lines));
    if (starts.front() != 0 || starts.back() != static_cast<Index>(entries) ||
        !std::is_sorted(starts.begin(), starts.end()))
      fail(fmt::format("indptr.npy should rise from 0 to {}, the length of indices.npy", entries));
  }

  void check_indices(std::string_view name, const std::vector<Index>& indices, Index limit) const {
    const auto bad = std::find_if(indices.begin(), indices.end(), [&](Index i) { return i < 0 || i >= limit; });
    if (bad != indices.end())
      fail(fmt::format("{} has {} at place {}; it must be at least 0 and below {}", name, *bad,
                       bad - indices.begin() + 1, limit));
  }

  void check_length(std::string_view name, std::size_t length, std::size_t expected) const {
    if (length != expected) fail(fmt::format("{} has {} entries, expected {}", name, length, expected));
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::InvalidData, {.who = file_, .problem = what});
  }

  const std::string& file_;
  ZipArchive archive_;
  std::size_t archive_bytes_;
  std::size_t held_;  ///< the archive, and the arrays read so far
  const Run& run_;
};

}  // namespace

TableOrSparse read_npz(ByteSource& source, const ReadOptions&, const Run& run) {
  const Bytes bytes = source.read_all(0);
  return NpzReader(source.name(), {bytes.data.get(), bytes.size}, run).read();
}

}  // namespace unroll
