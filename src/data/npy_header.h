#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "unroll/core/types.h"

namespace unroll {

/// The dictionary in front of an .npy file's numbers.
struct NpyHeader {
  std::string descr;  ///< "<f8"
  bool fortran_order = false;
  std::vector<Index> shape;
};

/// Reads `{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }` and nothing else: the three keys, each once, in
/// any order. It looks like Python and is written by Python, but it is data from outside: a strict parser of this form
/// cannot be made to run anything. `offset` is where the text stands in the file, for messages.
NpyHeader parse_npy_header(std::string_view text, const std::string& file, std::size_t offset);

/// All that stands in front of the numbers of an .npy file of version 1.0: magic, version, length and dictionary,
/// filled up with blanks to a multiple of 64.
std::string npy_header(std::string_view descr, const std::vector<Index>& shape);

}  // namespace unroll
