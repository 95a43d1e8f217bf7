#pragma once

// The run-time parts of the sanitizers; null where the program is linked without them. A test may be linked with a
// library that is sanitized without being so itself, so that no macro of the compiler tells.
extern "C" {
void __asan_init() __attribute__((weak));  // NOLINT: their names
void __tsan_init() __attribute__((weak));  // NOLINT
}

namespace unroll {

inline bool is_sanitized() { return __asan_init != nullptr || __tsan_init != nullptr; }

}  // namespace unroll
