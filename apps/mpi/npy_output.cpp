#include "npy_output.h"

#include <fcntl.h>
#include <fmt/core.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "core/at.h"
#include "core/finite.h"
#include "data/npy_header.h"

namespace unroll::cluster {
namespace {

/// Other processes can open a file by its name alone.
int open_with_name(int folder, const char* name, int flags, ...) {
  if ((flags & O_TMPFILE) == O_TMPFILE) {
    errno = EOPNOTSUPP;
    return -1;
  }
  return ::openat(folder, name, flags, mode_t{0666});
}

/// Takes the room on the disk before hours of work, where the file system can.
void take_room(const TemporaryFile& file, const std::string& path, std::uint64_t size) {
  while (size > 0 && fallocate(file.descriptor(), 0, 0, static_cast<off_t>(size)) != 0) {
    if (errno == EOPNOTSUPP || errno == ENOSYS) return;
    if (errno != EINTR) throw_io_error("write", path, errno);
  }
}

/// The whole path of an open file, behind all links.
std::string place_of(const TemporaryFile& file) {
  return std::filesystem::read_symlink(fmt::format("/proc/self/fd/{}", file.descriptor())).string();
}

}  // namespace

void check_npy_output(const std::string& path) {
  if (path.ends_with(".npy")) return;
  throw Error(ErrorKind::InvalidOption,
              {.problem = path.empty() ? "-o FILE.npy is missing: ranks write one file together"
                                       : "cannot write '" + path + "': ranks write .npy alone, each its rows",
               .advice = "give -o a name that ends with .npy",
               .option = "output"});
}

NpyOutput::NpyOutput(const Ranks& ranks, const std::string& path, Index rows, Index cols)
    : ranks_(ranks), path_(path), header_(npy_header("<f8", {rows, cols})), cols_(cols) {
  std::vector<char> name;
  ranks_.together([&] {
    if (!ranks_.is_root()) return;
    temporary_.emplace(path_, FileCalls{.openat = open_with_name});
    take_room(*temporary_, path_, header_.size() + static_cast<std::uint64_t>(rows * cols) * sizeof(double));
    const std::string place = place_of(*temporary_);
    name.assign(place.begin(), place.end());
  });
  ranks_.share(name);
  try {
    open({name.begin(), name.end()});
    write_bytes(0, header_.data(), ranks_.is_root() ? std::ssize(header_) : 0, 1);
  } catch (...) {
    close();
    throw;
  }
}

NpyOutput::~NpyOutput() { close(); }

void NpyOutput::open(const std::string& name) {
  // A rank that cannot open it must say so before the others do so together.
  ranks_.together([&] {
    if (open_at(AT_FDCWD, name, O_WRONLY)) return;
    if (errno != ENOENT) throw_io_error("write", path_, errno);
    throw_io_error("write", path_, "this host does not see the folder in which rank 0 has begun it");
  });
  const int code = MPI_File_open(ranks_.world(), name.c_str(), MPI_MODE_WRONLY, MPI_INFO_NULL, &file_);
  ranks_.together([&] { check(code); });
}

void NpyOutput::write(Index first, const Array2<double>& values) {
  ranks_.together([&] {
    if (const auto bad = first_non_finite(values))
      throw Error(ErrorKind::InvalidData,
                  {.who = path_, .problem = "NaN and infinity are never written", .row = first + bad->row});
  });
  const std::size_t row = at(cols_) * sizeof(double);
  write_bytes(header_.size() + at(first) * row, values.data(), values.rows(), row);
}

/// Rows as items: their number fits MPI's int where that of bytes may not.
void NpyOutput::write_bytes(std::uint64_t place, const void* data, Index count, std::size_t item) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(static_cast<int>(item), MPI_BYTE, &type);
  MPI_Type_commit(&type);
  MPI_Status status;
  const int code =
      MPI_File_write_at_all(file_, static_cast<MPI_Offset>(place), data, static_cast<int>(count), type, &status);
  int written = 0;
  if (code == MPI_SUCCESS) MPI_Get_count(&status, type, &written);
  MPI_Type_free(&type);
  ranks_.together([&] {
    check(code);
    if (written != count) throw_io_error("write", path_, ENOSPC);
  });
}

void NpyOutput::commit() {
  const int code = MPI_File_sync(file_);
  ranks_.together([&] { check(code); });
  close();
  ranks_.together([&] {
    if (temporary_) temporary_->replace_target();
  });
}

void NpyOutput::close() {
  if (file_ != MPI_FILE_NULL) MPI_File_close(&file_);
}

void NpyOutput::check(int code) const {
  if (code == MPI_SUCCESS) return;
  int kind = 0;
  MPI_Error_class(code, &kind);
  if (kind == MPI_ERR_NO_SPACE) throw_io_error("write", path_, ENOSPC);
  if (kind == MPI_ERR_QUOTA) throw_io_error("write", path_, EDQUOT);
  if (kind == MPI_ERR_ACCESS) throw_io_error("write", path_, EACCES);
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  throw_io_error("write", path_, std::string_view(text.data(), at(length)));
}

}  // namespace unroll::cluster
