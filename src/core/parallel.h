#pragma once
#include <algorithm>
#include <functional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "unroll/core/run.h"

/// The only part of the library that uses threads. Work is cut into blocks that depend on its size alone, blocks write
/// to separate places, and partial results are combined in block order. So the bits of the answer do not depend on the
/// number of threads.
namespace unroll {

/// Threads this run may use: what it asks for, or one per core this process may run on.
UNROLL_API int thread_count(const Run& run);

namespace detail {
/// Calls block(0) .. block(count-1), each once, on the calling thread and workers. When blocks throw, the exception of
/// the lowest one reaches the caller. `stage`, if not empty, is reported as progress.
void run_blocks(const Run& run, Index count, std::string_view stage, const std::function<void(Index)>& block);
}  // namespace detail

inline Index block_count(Index n, Index grain) { return (n + grain - 1) / grain; }

/// Calls body(begin, end) for consecutive pieces of [0, n); all but the last are `grain` long.
template <class Body>
void parallel_for(const Run& run, Index n, Index grain, Body&& body, std::string_view stage = {}) {
  detail::run_blocks(run, block_count(n, grain), stage,
                     [&](Index b) { body(b * grain, std::min(n, (b + 1) * grain)); });
}

/// combine(...combine(combine(init, p0), p1)..., pm) with p_b = map(begin, end) of piece b.
template <class T, class Map, class Combine>
T parallel_reduce(const Run& run, Index n, Index grain, T init, Map&& map, Combine&& combine) {
  using Part = std::invoke_result_t<Map, Index, Index>;
  static_assert(!std::is_same_v<Part, bool>, "blocks would share the bytes of a vector<bool>");
  std::vector<Part> parts(static_cast<std::size_t>(block_count(n, grain)));
  detail::run_blocks(run, block_count(n, grain), {}, [&](Index b) {
    parts[static_cast<std::size_t>(b)] = map(b * grain, std::min(n, (b + 1) * grain));
  });
  for (auto& part : parts) init = combine(std::move(init), std::move(part));
  return init;
}

/// Runs `work`, which cannot be interrupted (a LAPACK call), so that a cancelled run returns at once: on its own
/// thread, which is abandoned when the caller stops waiting. `work` must own everything that it uses.
void run_abandonable(const Run& run, std::string_view stage, std::function<void()> work);

}  // namespace unroll
