#include "core/unfinished_file.h"

#include <unistd.h>
#include <climits>

#include <array>
#include <atomic>
#include <cerrno>

#include "core/file.h"

namespace unroll {
namespace {

/// Free -> Filling -> Armed -> Free by the owner; Armed -> Removing -> Armed by a signal handler, for which the owner
/// waits before it lets go. The handler may interrupt any thread anywhere, so nothing here locks or allocates.
enum class State { Free, Filling, Armed, Removing };

struct Slot {
  std::atomic<State> state{State::Free};
  pid_t process = 0;  // a forked child inherits the list, but the files are its parent's
  int folder = -1;
  std::array<char, NAME_MAX + 1> name{};
};
static_assert(std::atomic<State>::is_always_lock_free);

constexpr int kSlots = 64;
std::array<Slot, kSlots> slots;

bool advance(Slot& slot, State from, State to) { return slot.state.compare_exchange_strong(from, to); }

}  // namespace

UnfinishedFile::UnfinishedFile(int folder, const std::string& name) {
  if (name.size() > NAME_MAX) return;
  for (int i = 0; i < kSlots; ++i) {
    Slot& slot = slots[static_cast<std::size_t>(i)];
    if (!advance(slot, State::Free, State::Filling)) continue;
    slot.process = getpid();
    slot.folder = folder;
    name.copy(slot.name.data(), name.size());
    slot.name[name.size()] = '\0';
    slot.state = State::Armed;
    slot_ = i;
    return;
  }
}

UnfinishedFile::~UnfinishedFile() {
  if (slot_ < 0) return;
  while (!advance(slots[static_cast<std::size_t>(slot_)], State::Armed, State::Free)) {
  }
}

void remove_unfinished_files() noexcept {
  const int saved_errno = errno;
  const pid_t process = getpid();
  for (Slot& slot : slots) {
    if (!advance(slot, State::Armed, State::Removing)) continue;
    if (slot.process == process) unlinkat(slot.folder, slot.name.data(), 0);
    slot.state = State::Armed;
  }
  errno = saved_errno;
}

}  // namespace unroll
