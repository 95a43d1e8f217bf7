#pragma once
#include <cstddef>
#include <vector>

#include "data/byte_source.h"
#include "unroll/data/table.h"

namespace unroll {

enum class Scalar { Bool, Int8, UInt8, Int16, UInt16, Int32, UInt32, Int64, UInt64, Float16, Float32, Float64 };

/// How the header of a binary file describes the numbers after it.
struct BinaryArray {
  Scalar scalar = Scalar::Float64;
  bool big_endian = false;
  bool column_major = false;      ///< the first index runs fastest
  std::vector<Index> shape = {};  ///< the first is rows; all others together are the features of a row
};

/// Reads the numbers of a table from `source`, which is positioned after the header. The promised size is compared with
/// the bytes available before memory is allocated. Sets values and warnings.
Table read_binary_array(ByteSource& source, const BinaryArray& array, const Run& run);

/// The same for one dimension, as doubles; integers beyond 2^53 are rounded.
std::vector<double> read_binary_reals(ByteSource& source, const BinaryArray& array, const Run& run);
/// The same for one dimension of integers, exact; an unsigned integer of 2^63 or more becomes negative.
std::vector<Index> read_binary_integers(ByteSource& source, const BinaryArray& array, const Run& run);

}  // namespace unroll
