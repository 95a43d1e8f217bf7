#pragma once
#include <string>

#include "core/descriptor.h"
#include "data/npy_header.h"
#include "ranks.h"
#include "unroll/core/run.h"
#include "unroll/data/table.h"

namespace unroll::cluster {

/// One .npy file that every rank has opened. Each reads rows of its own at their places, without a word to the others.
class SharedNpy {
 public:
  /// Collective. Throws Unsupported for a file that has no rows at known places, InvalidData if it is cut short, Io if
  /// the ranks see different files.
  SharedNpy(const Ranks& ranks, const std::string& path, const ReadOptions& options, const Run& run);

  const std::string& path() const { return path_; }
  Index rows() const { return header_.shape.front(); }
  /// Of the file: the reading may leave some out.
  Index cols() const { return header_.shape.back(); }

  /// These rows, as read_table would give them.
  Table read(Index first, Index count, const Run& run) const;

 private:
  void open(const Run& run);
  void check_layout() const;
  void check_same(const Ranks& ranks) const;
  std::uint64_t fingerprint() const;
  std::size_t row_bytes() const;
  std::size_t read_at(char* to, std::size_t count, std::uint64_t place) const;

  std::string path_;
  ReadOptions options_;
  Descriptor file_;
  NpyHeader header_ = {};
  std::uint64_t data_ = 0;  ///< where the numbers begin
  std::uint64_t size_ = 0;  ///< of the file
};

}  // namespace unroll::cluster
