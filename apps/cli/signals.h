#pragma once
#include <atomic>

namespace unroll::cli {

/// From here on Ctrl-C and SIGTERM end the process with exit code 130 or 143. Files that it was writing do not come to
/// be: core/file.h sees to that, however a process ends.
void watch_signals();

/// The first signal only asks the work to stop, by setting the flag returned; the second one ends the process.
const std::atomic<bool>& let_work_stop();
/// While `can` was said last, the first Ctrl-C asks the work to finish with what it has, instead. Returns whether it
/// has been asked to.
bool let_work_finish(bool can);
/// From here on the first signal ends the process again: the flag is not read any more.
void let_signals_end();

/// Whether the signal that asked to stop was SIGTERM.
bool was_terminated();

}  // namespace unroll::cli
