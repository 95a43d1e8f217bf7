#include "data/binary_array.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>

#include "unroll/core/error.h"

namespace unroll {
namespace {

struct Half {
  std::uint16_t bits;
};
struct Boolean {
  std::uint8_t byte;
};

/// Calls f with a value of the C++ type that stores the scalar.
template <class F>
decltype(auto) with_stored_type(Scalar scalar, F&& f) {
  switch (scalar) {
    case Scalar::Bool: return f(Boolean{});
    case Scalar::Int8: return f(std::int8_t{});
    case Scalar::UInt8: return f(std::uint8_t{});
    case Scalar::Int16: return f(std::int16_t{});
    case Scalar::UInt16: return f(std::uint16_t{});
    case Scalar::Int32: return f(std::int32_t{});
    case Scalar::UInt32: return f(std::uint32_t{});
    case Scalar::Int64: return f(std::int64_t{});
    case Scalar::UInt64: return f(std::uint64_t{});
    case Scalar::Float16: return f(Half{});
    case Scalar::Float32: return f(float{});
    case Scalar::Float64: return f(double{});
  }
  throw Error(ErrorKind::Internal, "unknown scalar type");
}

/// float holds every value of the type exactly.
template <class Stored>
constexpr bool kFitsFloat = sizeof(Stored) <= 2 || std::is_same_v<Stored, float>;
template <class Stored>
using ResultOf = std::conditional_t<kFitsFloat<Stored>, float, double>;

template <class Stored>
constexpr bool kIsResult = std::is_same_v<Stored, ResultOf<Stored>>;

template <class T>
T byte_swapped(T value) {
  if constexpr (sizeof(T) == 1) {
    return value;
  } else if constexpr (sizeof(T) == 2) {
    return std::bit_cast<T>(__builtin_bswap16(std::bit_cast<std::uint16_t>(value)));
  } else if constexpr (sizeof(T) == 4) {
    return std::bit_cast<T>(__builtin_bswap32(std::bit_cast<std::uint32_t>(value)));
  } else {
    return std::bit_cast<T>(__builtin_bswap64(std::bit_cast<std::uint64_t>(value)));
  }
}

/// IEEE 754 binary16: 1 sign, 5 exponent (bias 15) and 10 fraction bits. binary32: 8 exponent (bias 127), 23 fraction.
float to_float(Half half) {
  const std::uint32_t sign = std::uint32_t{half.bits & 0x8000U} << 16;
  const std::uint32_t exponent = (half.bits >> 10) & 0x1fU;
  const std::uint32_t fraction = half.bits & 0x3ffU;
  if (exponent == 0) {  // subnormal: fraction * 2^-24
    const float magnitude = std::ldexp(static_cast<float>(fraction), -24);
    return sign != 0 ? -magnitude : magnitude;
  }
  const std::uint32_t wide = exponent == 0x1f ? 0xffU : exponent + 127 - 15;
  return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

template <class Stored>
ResultOf<Stored> to_result(Stored stored) {
  if constexpr (std::is_same_v<Stored, Half>) {
    return to_float(stored);
  } else if constexpr (std::is_same_v<Stored, Boolean>) {
    return stored.byte != 0 ? 1.0F : 0.0F;
  } else {
    return static_cast<ResultOf<Stored>>(stored);
  }
}

/// Integers that double may have rounded.
template <class Stored>
bool beyond_double(Stored value) {
  constexpr std::int64_t kLargestExact = std::int64_t{1} << 53;
  if constexpr (std::is_same_v<Stored, std::int64_t>) return value > kLargestExact || value < -kLargestExact;
  if constexpr (std::is_same_v<Stored, std::uint64_t>) return value > std::uint64_t{kLargestExact};
  return false;
}

/// The feature that the m-th column in the file becomes. In a column-major file the first index runs fastest; in the
/// features of a row the last one does. So the digits of m, in the mixed base of the trailing dimensions, are reversed.
Index feature_of_file_column(Index m, const std::vector<Index>& shape) {
  Index feature = 0;
  for (std::size_t axis = 1; axis < shape.size(); ++axis) {
    feature = feature * shape[axis] + m % shape[axis];
    m /= shape[axis];
  }
  return feature;
}

struct Sizes {
  Index rows = 0;
  Index cols = 1;
  Index bytes = 0;
};

std::string in_brackets(const std::vector<Index>& shape) { return fmt::format("({})", fmt::join(shape, ", ")); }

Sizes checked_sizes(const ByteSource& source, const BinaryArray& array, std::size_t item) {
  Sizes sizes{.rows = array.shape.at(0)};
  bool overflow = false;
  for (std::size_t axis = 1; axis < array.shape.size(); ++axis)
    overflow |= __builtin_mul_overflow(sizes.cols, array.shape[axis], &sizes.cols);
  overflow |= __builtin_mul_overflow(sizes.rows, sizes.cols, &sizes.bytes);
  overflow |= __builtin_mul_overflow(sizes.bytes, static_cast<Index>(item), &sizes.bytes);
  if (overflow)
    throw Error(ErrorKind::InvalidData,
                {.who = source.name(),
                 .problem = fmt::format("shape {} is larger than any memory", in_brackets(array.shape)),
                 .advice = "the header is damaged"});
  return sizes;
}

void check_promise(const ByteSource& source, std::uint64_t promised, std::uint64_t left) {
  if (promised > left)
    throw Error(ErrorKind::InvalidData,
                {.who = source.name(),
                 .problem = fmt::format("header promises {} bytes, file has {}", promised, left),
                 .advice = "it is cut short or its header is damaged"});
}

template <class Stored>
class ArrayReader {
 public:
  using Result = ResultOf<Stored>;

  ArrayReader(ByteSource& source, const BinaryArray& array, const Run& run)
      : source_(source),
        array_(array),
        run_(run),
        sizes_(checked_sizes(source, array, sizeof(Stored))),
        swap_(array.big_endian != (std::endian::native == std::endian::big)) {}

  Table read() {
    const std::uint64_t left = source_.bytes_left();
    const auto promised = static_cast<std::uint64_t>(sizes_.bytes);
    check_promise(source_, promised, left);
    MemoryPlan(source_.name())
        .add("the table", static_cast<double>(sizes_.rows), static_cast<double>(sizes_.cols), sizeof(Result))
        .add("the file", 1, static_cast<double>(source_.bytes_held()), 1)
        .add("columns to turn into rows", static_cast<double>(sizes_.rows), static_cast<double>(columns_at_once()),
             sizeof(Stored))
        .require(run_, "give it a larger memory budget, or a table of fewer rows");
    values_ = Array2<Result>::uninitialized(sizes_.rows, sizes_.cols);
    if (values_.size() > 0 && array_.column_major) {
      read_columns();
    } else if (values_.size() > 0) {
      read_rows();
    }
    Table table;
    table.values = std::move(values_);
    add_warnings(table, left - promised);
    return table;
  }

 private:
  void read_rows() {
    if constexpr (kIsResult<Stored>) {
      read_exactly(values_.data(), values_.size());
      if (swap_) std::transform(values_.data(), values_.data() + values_.size(), values_.data(), byte_swapped<Stored>);
    } else {
      constexpr Index kPiece = 1 << 16;
      const auto piece = std::make_unique_for_overwrite<Stored[]>(kPiece);
      for (Index first = 0; first < values_.size(); first += kPiece) {
        const Index count = std::min(kPiece, values_.size() - first);
        read_exactly(piece.get(), count);
        for (Index i = 0; i < count; ++i) values_.data()[first + i] = decoded(piece[static_cast<std::size_t>(i)]);
      }
    }
  }

  /// Enough that a row's part of them fills cache lines, few enough to take little memory.
  static constexpr Index kColumns = 16;
  Index columns_at_once() const { return array_.column_major ? std::min(kColumns, sizes_.cols) : 0; }

  void read_columns() {
    const Index rows = sizes_.rows;
    const auto piece = std::make_unique_for_overwrite<Stored[]>(static_cast<std::size_t>(rows * columns_at_once()));
    for (Index first = 0; first < sizes_.cols; first += kColumns) {
      const Index count = std::min(kColumns, sizes_.cols - first);
      read_exactly(piece.get(), rows * count);
      std::array<Index, kColumns> feature{};
      for (Index j = 0; j < count; ++j)
        feature[static_cast<std::size_t>(j)] = feature_of_file_column(first + j, array_.shape);
      for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < count; ++j)
          values_(i, feature[static_cast<std::size_t>(j)]) = decoded(piece[static_cast<std::size_t>(j * rows + i)]);
    }
  }

  void read_exactly(Stored* to, Index count) {
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(Stored);
    if (source_.read(reinterpret_cast<char*>(to), bytes) != bytes)
      throw Error(ErrorKind::InvalidData, {.who = source_.name(), .problem = "the file ends too early"});
  }

  Result decoded(Stored stored) {
    if (swap_) stored = byte_swapped(stored);
    inexact_ += beyond_double(stored) ? 1 : 0;
    return to_result(stored);
  }

  void add_warnings(Table& table, std::uint64_t trailing) const {
    if (inexact_ > 0)
      table.warnings.push_back(
          {"precision", fmt::format("{}: {} integers beyond 2^53 are rounded to 53 bits", source_.name(), inexact_),
           "subtract an offset before saving if the last digits matter"});
    if (trailing > 0)
      table.warnings.push_back({"trailing-bytes",
                                fmt::format("{}: {} bytes behind the table of shape {} are ignored", source_.name(),
                                            trailing, in_brackets(array_.shape)),
                                "check that the file is what you think it is"});
  }

  ByteSource& source_;
  const BinaryArray& array_;
  const Run& run_;
  Sizes sizes_;
  bool swap_;
  Index inexact_ = 0;
  Array2<Result> values_;
};

/// A vector, piece by piece.
template <class Result, class Stored>
std::vector<Result> read_vector(ByteSource& source, const BinaryArray& array, const Run& run) {
  constexpr std::size_t kPiece = 1 << 13;
  const Sizes sizes = checked_sizes(source, array, sizeof(Stored));
  check_promise(source, static_cast<std::uint64_t>(sizes.bytes), source.bytes_left());
  MemoryPlan(source.name())
      .add("the array", static_cast<double>(sizes.rows), 1, sizeof(Result))
      .add("the file", 1, static_cast<double>(source.bytes_held()), 1)
      .require(run, "give it a larger memory budget");
  const bool swap = array.big_endian != (std::endian::native == std::endian::big);
  std::vector<Result> values(static_cast<std::size_t>(sizes.rows));
  std::array<Stored, kPiece> piece;
  for (std::size_t first = 0; first < values.size(); first += kPiece) {
    const std::size_t count = std::min(kPiece, values.size() - first);
    if (source.read(reinterpret_cast<char*>(piece.data()), count * sizeof(Stored)) != count * sizeof(Stored))
      throw Error(ErrorKind::InvalidData, {.who = source.name(), .problem = "the file ends too early"});
    for (std::size_t i = 0; i < count; ++i) {
      const Stored stored = swap ? byte_swapped(piece[i]) : piece[i];
      if constexpr (std::is_same_v<Result, double>) {
        values[first + i] = to_result(stored);
      } else {
        values[first + i] = static_cast<Result>(stored);  // NOLINT(bugprone-signed-char-misuse): a number
      }
    }
  }
  return values;
}

}  // namespace

std::vector<double> read_binary_reals(ByteSource& source, const BinaryArray& array, const Run& run) {
  return with_stored_type(array.scalar,
                          [&](auto stored) { return read_vector<double, decltype(stored)>(source, array, run); });
}

std::vector<Index> read_binary_integers(ByteSource& source, const BinaryArray& array, const Run& run) {
  return with_stored_type(array.scalar, [&](auto stored) -> std::vector<Index> {
    if constexpr (std::is_integral_v<decltype(stored)>) {
      return read_vector<Index, decltype(stored)>(source, array, run);
    } else {
      throw Error(ErrorKind::InvalidData, {.who = source.name(), .problem = "holds no integers, and should"});
    }
  });
}

Table read_binary_array(ByteSource& source, const BinaryArray& array, const Run& run) {
  return with_stored_type(array.scalar,
                          [&](auto stored) { return ArrayReader<decltype(stored)>(source, array, run).read(); });
}

}  // namespace unroll
