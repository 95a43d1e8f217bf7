#include <array>

#include "fuzz.h"

/// The first byte chooses the options, the rest is the text.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const unsigned choice = data[0];
  unroll::ReadOptions options;
  options.header = std::array{unroll::Header::Auto, unroll::Header::Yes, unroll::Header::No}[choice % 3];
  options.missing = std::array{unroll::MissingValues::Error, unroll::MissingValues::Drop,
                               unroll::MissingValues::Mean}[choice / 3 % 3];
  if (choice / 9 % 4 > 0) options.delimiter = std::array{',', ' ', '\t'}[choice / 9 % 4 - 1];
  options.label_column = std::array{"", "y", "1"}[choice / 36 % 3];
  return unroll::fuzz::read(unroll::fuzz::dense<unroll::read_csv>, data + 1, size - 1, options);
}
