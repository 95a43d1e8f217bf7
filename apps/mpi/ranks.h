#pragma once
#include <mpi.h>

#include <cstddef>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "unroll/core/error.h"
#include "unroll/core/types.h"

/// The processes that work on one run, and what they say to each other. Every function without another word is
/// collective: all ranks call it, in one order. Counts have 64 bits: longer messages go in pieces.
namespace unroll::cluster {

/// An error that all ranks have thrown together, so that none waits for another.
class SharedError : public Error {
 public:
  explicit SharedError(const Error& error) : Error(error) {}
};

/// Items of several ranks, one after the other: those of rank r are [offsets[r], offsets[r + 1]).
template <class T>
struct ByRank {
  std::vector<T> items = {};
  std::vector<Index> offsets = {};
};

class Ranks {
 public:
  explicit Ranks(MPI_Comm world);
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
  ~Ranks();

  MPI_Comm world() const { return world_; }
  Index rank() const { return rank_; }
  Index count() const { return count_; }
  bool is_root() const { return rank_ == 0; }
  /// How many of them are on this host.
  Index on_host() const { return on_host_; }
  /// The cores of this host that they may use together.
  int cores_of_host() const;
  /// "rank 3 of 4 on node7"
  std::string name() const;

  /// The first of `n` items that belong to a rank, if all ranks have the same number, or one more.
  Index begin_of(Index rank, Index n) const { return rank * (n / count_) + std::min(rank, n % count_); }

  /// The result of `work`, which speaks to no other rank. If it throws on some ranks, all throw the error of the
  /// lowest.
  template <class Work>
  auto together(Work&& work) const {
    using Result = std::invoke_result_t<Work>;
    if constexpr (std::is_void_v<Result>) {
      agree(error_of([&] { work(); }));
    } else {
      std::optional<Result> result;
      agree(error_of([&] { result.emplace(work()); }));
      return std::move(*result);
    }
  }

  Index sum(Index value) const;
  /// Entry by entry; all have as many.
  std::vector<Index> sum(std::vector<Index> values) const;
  Index largest(Index value) const;
  double largest(double value) const;
  /// The value of every rank.
  std::vector<Index> all(Index value) const;
  /// All ranks get the items of the root.
  template <class T>
  void share(std::vector<T>& items) const {
    static_assert(std::is_trivially_copyable_v<T>);
    Index size = std::ssize(items);
    broadcast_bytes(&size, sizeof size);
    items.resize(static_cast<std::size_t>(size));
    broadcast_bytes(items.data(), items.size() * sizeof(T));
  }

  /// Sends items [offsets[r], offsets[r + 1]) to rank r; returns what came from every rank.
  template <class T>
  ByRank<T> exchange(const ByRank<T>& sent) const {
    static_assert(std::is_trivially_copyable_v<T>);
    ByRank<T> received{.offsets = received_offsets(sent.offsets)};
    received.items.resize(static_cast<std::size_t>(received.offsets.back()));
    exchange_bytes(sent.items.data(), sent.offsets, received.items.data(), received.offsets, sizeof(T));
    return received;
  }
  /// The items of all ranks, for all of them.
  template <class T>
  ByRank<T> gather(const std::vector<T>& own) const {
    ByRank<T> sent{.offsets = std::vector<Index>(1, 0)};
    for (Index r = 0; r < count_; ++r) {
      sent.items.insert(sent.items.end(), own.begin(), own.end());
      sent.offsets.push_back(std::ssize(sent.items));
    }
    return exchange(sent);
  }
  /// The items of all ranks, for the root; none for others.
  template <class T>
  ByRank<T> gather_at_root(const std::vector<T>& own) const {
    ByRank<T> sent{.items = own, .offsets = std::vector<Index>(static_cast<std::size_t>(count_) + 1, std::ssize(own))};
    sent.offsets.front() = 0;
    return exchange(sent);
  }

 private:
  /// What `work` throws, as an Error.
  template <class Work>
  static std::optional<Error> error_of(Work&& work) {
    try {
      work();
      return std::nullopt;
    } catch (const Error& error) {
      return error;
    } catch (const std::bad_alloc&) {
      return Error(ErrorKind::OutOfMemory, "out of memory");
    } catch (const std::exception& error) {
      return Error(ErrorKind::Internal, error.what());
    }
  }
  /// Throws the error of the lowest rank that has one, on all ranks.
  void agree(const std::optional<Error>& error) const;
  void broadcast_bytes(void* data, std::size_t size, Index from = 0) const;
  std::vector<Index> received_offsets(const std::vector<Index>& sent) const;
  void exchange_bytes(const void* sent, const std::vector<Index>& sent_offsets, void* received,
                      const std::vector<Index>& received_offsets, std::size_t item) const;

  MPI_Comm world_;
  MPI_Comm host_ = MPI_COMM_NULL;
  Index rank_ = 0;
  Index count_ = 1;
  Index on_host_ = 1;
};

}  // namespace unroll::cluster
