#pragma once
#include "data/binary_array.h"
#include "data/byte_source.h"
#include "data/npy_header.h"

/// The steps of read_npy, for arrays that are part of something larger.
namespace unroll {

/// Reads what stands in front of the numbers.
NpyHeader read_npy_header(ByteSource& source);

/// What the header says about the numbers; throws InvalidData when they are of a kind that is not read.
BinaryArray npy_layout(const NpyHeader& header, const ByteSource& source);

}  // namespace unroll
