#include "shared_npy.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <variant>

#include "core/at.h"
#include "data/npy_reader.h"
#include "data/table_reader.h"

namespace unroll::cluster {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& problem, const std::string& advice) {
  throw Error(ErrorKind::Unsupported, {.who = path, .problem = problem, .advice = advice});
}

/// The bytes of one number: the digits behind its kind, as in "<f8".
std::size_t number_bytes(const std::string& descr) { return at(descr.back() - '0'); }

}  // namespace

SharedNpy::SharedNpy(const Ranks& ranks, const std::string& path, const ReadOptions& options, const Run& run)
    : path_(path), options_(options) {
  ranks.together([&] {
    open(run);
    check_layout();
  });
  check_same(ranks);
}

void SharedNpy::open(const Run& run) {
  file_ = open_at(AT_FDCWD, path_, O_RDONLY);
  struct stat status {};
  if (!file_ || fstat(file_.number(), &status) != 0) throw_io_error("read", path_, errno);
  if (!S_ISREG(status.st_mode))
    refuse(path_, "ranks read rows at their places, which only a regular file has",
           "give the name of an .npy file that all hosts share");
  size_ = static_cast<std::uint64_t>(status.st_size);
  ByteSource source(path_, run);
  constexpr std::string_view kMagic = "\x93NUMPY";
  if (source.is_gzip() || source.peek(kMagic.size()) != kMagic)
    refuse(path_, "ranks read .npy alone, where the place of every row is known",
           "convert it first, e.g. with numpy.save");
  header_ = read_npy_header(source);
  static_cast<void>(npy_layout(header_, source));  // refuses numbers of other kinds
  data_ = size_ - source.bytes_left();
}

void SharedNpy::check_layout() const {
  if (header_.shape.size() != 2)
    refuse(path_, fmt::format("an array of {} dimensions", header_.shape.size()), "reshape it to (rows, columns)");
  if (header_.fortran_order)
    refuse(path_, "the array is stored column by column, so that no rank finds its rows in one place",
           "save numpy.ascontiguousarray(x)");
  if (header_.descr.ends_with("i8") || header_.descr.ends_with("u8"))
    refuse(path_, "integers of 64 bits may not be exact as numbers", "save them with .astype('float64')");
  const double promised = static_cast<double>(rows()) * static_cast<double>(row_bytes());
  if (promised <= static_cast<double>(size_ - data_)) return;
  throw Error(ErrorKind::InvalidData,
              {.who = path_,
               .problem = fmt::format("header promises {:.0f} bytes, file has {}", promised, size_ - data_),
               .advice = "it is cut short or its header is damaged"});
}

/// Of hosts that do not share a folder, each may have a file of that name.
void SharedNpy::check_same(const Ranks& ranks) const {
  std::vector<std::uint64_t> root(1, ranks.together([&] { return fingerprint(); }));
  const std::uint64_t own = root.front();
  ranks.share(root);
  ranks.together([&] {
    if (own != root.front())
      throw Error(ErrorKind::Io, {.who = path_,
                                  .problem = "this is another file than rank 0 has",
                                  .advice = "put it into a folder that all hosts share"});
  });
}

/// Of the size, the beginning and the end.
std::uint64_t SharedNpy::fingerprint() const {
  constexpr std::uint64_t kEnd = 1 << 16;
  std::array<char, kEnd> bytes{};
  const auto add = [&](uLong sum, std::uint64_t place) {
    const std::size_t count = read_at(bytes.data(), std::min(kEnd, size_ - place), place);
    return crc32(sum, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(count));
  };
  const uLong sum = add(add(0, 0), size_ - std::min(kEnd, size_));
  return size_ << 32U ^ sum;
}

std::size_t SharedNpy::row_bytes() const { return at(cols()) * number_bytes(header_.descr); }

std::size_t SharedNpy::read_at(char* to, std::size_t count, std::uint64_t place) const {
  std::size_t done = 0;
  while (done < count) {
    const auto got = pread(file_.number(), to + done, count - done, static_cast<off_t>(place + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw_io_error("read", path_, errno);
    if (got == 0) break;
    done += at(got);
  }
  return done;
}

Table SharedNpy::read(Index first, Index count, const Run& run) const {
  const std::string header = npy_header(header_.descr, {count, cols()});
  const std::uint64_t size = header.size() + static_cast<std::uint64_t>(count) * row_bytes();
  const std::uint64_t origin = data_ + static_cast<std::uint64_t>(first) * row_bytes();
  std::uint64_t place = 0;  // in a file of these rows alone, which the reader sees
  const auto input = [&](char* to, std::size_t wanted) {
    std::size_t done = 0;
    if (place < header.size()) {
      done = std::min(wanted, header.size() - static_cast<std::size_t>(place));
      std::copy_n(header.data() + place, done, to);
    } else {
      done = read_at(to, static_cast<std::size_t>(std::min<std::uint64_t>(wanted, size - place)),
                     origin + place - header.size());
    }
    place += done;
    return done;
  };
  ByteSource source(path_, size, input, 0, run);
  return std::get<Table>(read_source(source, path_, options_, run));
}

}  // namespace unroll::cluster
