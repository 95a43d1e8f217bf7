#pragma once
#include <atomic>

namespace unroll::cli {

/// From here on the first Ctrl-C, or SIGTERM, asks the work to stop; a second one ends the process at once.
void watch_signals();

/// Set when a signal has asked the work to stop.
const std::atomic<bool>& stop_requested();

/// The signal was SIGTERM.
bool was_terminated();

}  // namespace unroll::cli
