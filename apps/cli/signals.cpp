#include "signals.h"

#include <csignal>

namespace unroll::cli {
namespace {

// A signal handler reaches nothing but globals.
std::atomic<bool> stop{false};
std::atomic<int> received{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

void on_signal(int signal) {
  received.store(signal, std::memory_order_relaxed);
  stop.store(true, std::memory_order_relaxed);
}

/// A signal that our parent had us ignore (nohup) stays ignored.
void watch(int signal) {
  struct sigaction action {};
  if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) return;
  action.sa_handler = on_signal;
  // The second signal finds the default action. No SA_RESTART: a read that waits for input must wake up.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(signal, &action, nullptr);
}

}  // namespace

void watch_signals() {
  watch(SIGINT);
  watch(SIGTERM);
}

const std::atomic<bool>& stop_requested() { return stop; }

bool was_terminated() { return received.load(std::memory_order_relaxed) == SIGTERM; }

}  // namespace unroll::cli
