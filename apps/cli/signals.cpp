#include "signals.h"

#include <unistd.h>

#include <csignal>

namespace unroll::cli {
namespace {

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): a signal handler reaches nothing else
std::atomic<bool> work_can_stop{false};
std::atomic<bool> stop_requested{false};
std::atomic<bool> work_can_finish{false};
std::atomic<bool> finish_requested{false};
std::atomic<int> received{0};
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

void on_signal(int signal) {
  received.store(signal);
  if (signal == SIGINT && work_can_finish.load() && !finish_requested.exchange(true)) return;
  if (work_can_stop.load() && !stop_requested.exchange(true)) return;
  constexpr int kSignalBase = 128;
  _exit(kSignalBase + signal);
}

void watch(int signal) {
  struct sigaction action {};
  // A signal that the parent process ignores (nohup) stays ignored.
  if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) return;
  action.sa_handler = on_signal;
  action.sa_flags = 0;  // no SA_RESTART: a read that waits for input must wake up
  sigaction(signal, &action, nullptr);
}

}  // namespace

void watch_signals() {
  watch(SIGINT);
  watch(SIGTERM);
}

const std::atomic<bool>& let_work_stop() {
  work_can_stop.store(true);
  return stop_requested;
}

bool let_work_finish(bool can) {
  work_can_finish.store(can);
  return finish_requested.load();
}

void let_signals_end() {
  work_can_finish.store(false);
  work_can_stop.store(false);
}

bool was_terminated() { return received.load() == SIGTERM; }

}  // namespace unroll::cli
