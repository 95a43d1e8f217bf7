#pragma once
#include <mpi.h>

#include <memory>
#include <optional>
#include <string>

#include "core/temporary_file.h"
#include "ranks.h"
#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll::cluster {

/// Throws InvalidOption unless that is the name of an .npy file.
void check_npy_output(const std::string& path);

/// One .npy file of doubles that all ranks write, each its rows at their places, by MPI-IO. The file has the name only
/// when it is complete: until then the root keeps it under a name of ours beside it, and removes it if anything fails.
/// Every function is collective.
class NpyOutput {
 public:
  NpyOutput(const Ranks& ranks, const std::string& path, Index rows, Index cols);
  NpyOutput(const NpyOutput&) = delete;
  NpyOutput& operator=(const NpyOutput&) = delete;
  /// Without a commit, the file never was.
  ~NpyOutput();

  Index cols() const { return cols_; }

  /// Rows from `first` on; ranks may give none.
  void write(Index first, const Array2<double>& values);
  void commit();

 private:
  void open(const std::string& name);
  void write_bytes(std::uint64_t place, const void* data, Index count, std::size_t item);
  void close();
  void check(int code) const;

  const Ranks& ranks_;
  std::string path_;
  std::optional<TemporaryFile> temporary_;  // the root's
  std::string header_ = {};
  Index cols_ = 0;
  MPI_File file_ = MPI_FILE_NULL;
};

}  // namespace unroll::cluster
