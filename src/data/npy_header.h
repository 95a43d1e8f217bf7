#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "unroll/core/types.h"

namespace unroll {

/// The dictionary before the numbers of an .npy file.
struct NpyHeader {
  std::string descr;  ///< "<f8"
  bool fortran_order = false;
  std::vector<Index> shape;
};

/// Reads `{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }` and nothing else: the three keys, each once, in
/// any order. It is Python syntax, but untrusted data: a strict parser of this form cannot be made to run code.
/// `offset` is the place of the text in the file, for messages.
NpyHeader parse_npy_header(std::string_view text, const std::string& file, std::size_t offset);

/// The header of an .npy file of version 1.0: magic, version, length and dictionary, padded with blanks to a multiple
/// of 64.
std::string npy_header(std::string_view descr, const std::vector<Index>& shape);

}  // namespace unroll
