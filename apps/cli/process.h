#pragma once

/// The environment of the process: descriptors, signals, memory, time.
namespace unroll::cli {

/// Makes sure that descriptors 0, 1 and 2 are open, so that none of our files gets the number of a closed one and
/// receives text meant for a terminal. Reading or writing the replacement of a closed one fails, as it should.
void hold_standard_descriptors();

/// Sets SIGPIPE and SIGXFSZ, whatever the parent process chose: a reader that closes its pipe (`unroll embed ... |
/// head`) ends the process quietly, and a file above its size limit is an error of the write, not the end of the
/// process.
void set_write_signals();

/// Keeps up to 2 GB of freed memory for what is allocated next. Where one method follows another, the kernel's clearing
/// of fresh pages takes longer than some methods compute.
void keep_freed_memory();

/// The most memory this process has held, in MB (10^6 bytes).
double peak_memory_mb();

/// The time of a monotonic clock; only differences have a meaning.
double seconds_now();

}  // namespace unroll::cli
