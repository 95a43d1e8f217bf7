#pragma once

/// What the process asks of, and knows about, its own surroundings.
namespace unroll::cli {

/// Makes sure that descriptors 0, 1 and 2 are taken, so that no file of ours gets the number of a closed one and
/// receives what was meant for a terminal. Using the stand-in of a closed one fails, as it should.
void hold_standard_descriptors();

/// Whatever our parent made of them: a reader that goes away (`unroll embed ... | head`) ends the process quietly, and
/// a file that passes the limit on its size is an error of the write, not the end of the process.
void set_write_signals();

/// The most memory this process has held, in MB (10^6 bytes).
double peak_memory_mb();

/// By a clock that never goes back; only differences mean something.
double seconds_now();

}  // namespace unroll::cli
