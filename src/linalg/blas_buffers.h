#pragma once
#include <cstdint>

namespace unroll {

/// Debian's serial OpenBLAS is built without USE_LOCKING: its table of work buffers has no lock, and two threads that
/// call it at once can be handed the same buffer. One product in a hundred is then wrong (measured: 4 threads, 64 x 64
/// x 300; OpenBLAS #2126, #2711). The threaded flavours have the lock but start threads when loaded or bring OpenMP. So
/// this file defines the two functions through which OpenBLAS takes and returns buffers, with a lock; the dynamic
/// linker prefers our definitions to OpenBLAS's own.

/// How often OpenBLAS has taken a buffer from us.
std::uint64_t blas_buffers_taken();

/// Makes sure that a buffer is available; throws OutOfMemory otherwise, which C code could not do.
void reserve_blas_buffer();

}  // namespace unroll
