#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return unroll::fuzz::read(unroll::fuzz::dense<unroll::read_idx>, data, size);
}
