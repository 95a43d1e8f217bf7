#include "ranks.h"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "core/at.h"

namespace unroll::cluster {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 30;  // MPI counts in int

std::string host_name() {
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int length = 0;
  MPI_Get_processor_name(name.data(), &length);
  return {name.data(), at(length)};
}

/// The parts of an error as bytes, each text with its length before it.
std::vector<std::byte> packed(const Error& error) {
  std::vector<std::byte> bytes;
  const auto put = [&](const void* data, std::size_t size) {
    const auto* first = static_cast<const std::byte*>(data);
    bytes.insert(bytes.end(), first, first + size);
  };
  const std::array<std::int64_t, 2> numbers{static_cast<std::int64_t>(error.kind()), error.row()};
  put(numbers.data(), sizeof numbers);
  for (const std::string* text : {&error.who(), &error.problem(), &error.advice(), &error.option()}) {
    const std::size_t size = text->size();
    put(&size, sizeof size);
    put(text->data(), size);
  }
  return bytes;
}

Error unpacked(const std::vector<std::byte>& bytes) {
  const std::byte* place = bytes.data();
  const auto take = [&](void* to, std::size_t size) {
    std::memcpy(to, place, size);
    place += size;
  };
  std::array<std::int64_t, 2> numbers{};
  take(numbers.data(), sizeof numbers);
  Error::Parts parts{.row = numbers[1]};
  for (std::string* text : {&parts.who, &parts.problem, &parts.advice, &parts.option}) {
    std::size_t size = 0;
    take(&size, sizeof size);
    text->resize(size);
    take(text->data(), size);
  }
  return {static_cast<ErrorKind>(numbers[0]), parts};
}

/// What the system refuses on one host it may grant on others.
bool is_of_a_host(ErrorKind kind) { return kind == ErrorKind::Io || kind == ErrorKind::OutOfMemory; }

}  // namespace

Ranks::Ranks(MPI_Comm world) : world_(world) {
  int rank = 0, count = 0, on_host = 0;
  MPI_Comm_rank(world_, &rank);
  MPI_Comm_size(world_, &count);
  MPI_Comm_split_type(world_, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &host_);
  MPI_Comm_size(host_, &on_host);
  rank_ = rank, count_ = count, on_host_ = on_host;
}

Ranks::~Ranks() { MPI_Comm_free(&host_); }

int Ranks::cores_of_host() const {
  cpu_set_t own, all;
  CPU_ZERO(&own);
  CPU_ZERO(&all);
  sched_getaffinity(0, sizeof own, &own);
  MPI_Allreduce(&own, &all, sizeof own, MPI_BYTE, MPI_BOR, host_);
  return std::max(1, CPU_COUNT(&all));
}

std::string Ranks::name() const { return fmt::format("rank {} of {} on {}", rank_, count_, host_name()); }

void Ranks::agree(const std::optional<Error>& error) const {
  const auto own = static_cast<int>(error ? rank_ : count_);
  int lowest = 0;
  MPI_Allreduce(&own, &lowest, 1, MPI_INT, MPI_MIN, world_);
  if (lowest == count_) return;
  std::vector<std::byte> bytes;
  if (lowest == rank_) {
    const bool says_where = rank_ > 0 && is_of_a_host(error->kind());
    bytes = packed(!says_where ? *error
                               : Error(error->kind(), {.who = error->who(),
                                                       .problem = fmt::format("{} ({})", error->problem(), name()),
                                                       .advice = error->advice(),
                                                       .option = error->option(),
                                                       .row = error->row()}));
  }
  std::size_t size = bytes.size();
  broadcast_bytes(&size, sizeof size, lowest);
  bytes.resize(size);
  broadcast_bytes(bytes.data(), size, lowest);
  throw SharedError(unpacked(bytes));
}

Index Ranks::sum(Index value) const {
  Index result = 0;
  MPI_Allreduce(&value, &result, 1, MPI_INT64_T, MPI_SUM, world_);
  return result;
}

std::vector<Index> Ranks::sum(std::vector<Index> values) const {
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_INT64_T, MPI_SUM, world_);
  return values;
}

Index Ranks::largest(Index value) const {
  Index result = 0;
  MPI_Allreduce(&value, &result, 1, MPI_INT64_T, MPI_MAX, world_);
  return result;
}

double Ranks::largest(double value) const {
  double result = 0;
  MPI_Allreduce(&value, &result, 1, MPI_DOUBLE, MPI_MAX, world_);
  return result;
}

std::vector<Index> Ranks::all(Index value) const {
  std::vector<Index> values(at(count_));
  MPI_Allgather(&value, 1, MPI_INT64_T, values.data(), 1, MPI_INT64_T, world_);
  return values;
}

void Ranks::broadcast_bytes(void* data, std::size_t size, Index from) const {
  auto* place = static_cast<std::byte*>(data);
  for (; size > 0; place += std::min(size, kPiece), size -= std::min(size, kPiece))
    MPI_Bcast(place, static_cast<int>(std::min(size, kPiece)), MPI_BYTE, static_cast<int>(from), world_);
}

std::vector<Index> Ranks::received_offsets(const std::vector<Index>& sent) const {
  std::vector<Index> to(at(count_)), from(at(count_));
  for (std::size_t r = 0; r < to.size(); ++r) to[r] = sent[r + 1] - sent[r];
  MPI_Alltoall(to.data(), 1, MPI_INT64_T, from.data(), 1, MPI_INT64_T, world_);
  std::vector<Index> offsets(1, 0);
  for (const Index count : from) offsets.push_back(offsets.back() + count);
  return offsets;
}

/// In round s every rank sends to the rank s places after it and hears from the one s places before it, so that at most
/// one piece for each is on its way.
void Ranks::exchange_bytes(const void* sent, const std::vector<Index>& sent_offsets, void* received,
                           const std::vector<Index>& received_offsets, std::size_t item) const {
  for (Index s = 0; s < count_; ++s) {
    const Index to = (rank_ + s) % count_, from = (rank_ - s + count_) % count_;
    const auto* out = static_cast<const std::byte*>(sent) + at(sent_offsets[at(to)]) * item;
    auto* in = static_cast<std::byte*>(received) + at(received_offsets[at(from)]) * item;
    std::size_t out_size = at(sent_offsets[at(to) + 1] - sent_offsets[at(to)]) * item;
    std::size_t in_size = at(received_offsets[at(from) + 1] - received_offsets[at(from)]) * item;
    if (s == 0) {
      std::copy_n(out, out_size, in);
      continue;
    }
    while (out_size > 0 || in_size > 0) {
      const std::size_t out_piece = std::min(out_size, kPiece), in_piece = std::min(in_size, kPiece);
      MPI_Sendrecv(out, static_cast<int>(out_piece), MPI_BYTE, out_piece > 0 ? static_cast<int>(to) : MPI_PROC_NULL, 0,
                   in, static_cast<int>(in_piece), MPI_BYTE, in_piece > 0 ? static_cast<int>(from) : MPI_PROC_NULL, 0,
                   world_, MPI_STATUS_IGNORE);
      out += out_piece, in += in_piece, out_size -= out_piece, in_size -= in_piece;
    }
  }
}

}  // namespace unroll::cluster
