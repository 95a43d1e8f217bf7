#pragma once
#include "data/binary_array.h"
#include "data/byte_source.h"
#include "data/npy_header.h"

/// The steps of read_npy, for arrays that are part of something larger.
namespace unroll {

/// Reads the header before the numbers.
NpyHeader read_npy_header(ByteSource& source);

/// The layout of the numbers; throws InvalidData if they are of a kind that is not supported.
BinaryArray npy_layout(const NpyHeader& header, const ByteSource& source);

}  // namespace unroll
