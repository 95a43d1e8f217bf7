#include "data/generators_graphs.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "unroll/core/error.h"

namespace unroll {
namespace {

constexpr Index kLongestGrid = 4;

/// The shorter side of the lattice of n points that is nearest to a square; nothing if all lattices are too long.
std::optional<Index> shorter_side(Index n) {
  for (auto side = static_cast<Index>(std::sqrt(static_cast<double>(n))); side > 0; --side) {
    const Index other = n / side;
    if (other > kLongestGrid * side) return std::nullopt;
    if (side * other == n) return side;
  }
  return std::nullopt;
}

[[noreturn]] void throw_no_lattice(Index n_samples, std::string_view why, Index below, Index above) {
  const std::string nearest = below > 0 ? fmt::format("{} or {}", below, above) : fmt::format("{}", above);
  throw Error(ErrorKind::InvalidOption, fmt::format("n_samples={} {}", n_samples, why),
              fmt::format("use n_samples={}, or set columns", nearest));
}

Index grid_columns(Index n_samples, const GridOptions& options) {
  if (options.columns) {
    const Index columns = *options.columns;
    const Index excess = n_samples % columns;
    if (excess != 0)
      throw_no_lattice(n_samples, fmt::format("is not a multiple of columns={}", columns), n_samples - excess,
                       n_samples - excess + columns);
    return columns;
  }
  if (const auto side = shorter_side(n_samples)) return n_samples / *side;
  Index below = n_samples - 1, above = n_samples + 1;  // squares are lattices, so both searches are short
  while (!shorter_side(below)) --below;
  while (!shorter_side(above)) ++above;
  throw_no_lattice(n_samples, fmt::format("makes no lattice at most {} times as long as wide", kLongestGrid), below,
                   above);
}

}  // namespace

Dataset generate(Index n_samples, std::uint64_t, const CycleGraphOptions&) {
  Dataset data = blank_dataset(n_samples, 2, {"position"});
  const double angle = 2 * std::numbers::pi / static_cast<double>(n_samples);
  const double radius = n_samples == 1 ? 0 : 1 / (2 * std::sin(angle / 2));
  for (Index i = 0; i < n_samples; ++i) {
    const auto position = static_cast<double>(i);
    data.points(i, 0) = radius * std::cos(angle * position);
    data.points(i, 1) = radius * std::sin(angle * position);
    data.truth(i, 0) = position;
  }
  return data;
}

Dataset generate(Index n_samples, std::uint64_t, const PathGraphOptions&) {
  Dataset data = blank_dataset(n_samples, 1, {"position"});
  for (Index i = 0; i < n_samples; ++i) data.points(i, 0) = data.truth(i, 0) = static_cast<double>(i);
  return data;
}

Dataset generate(Index n_samples, std::uint64_t, const GridOptions& options) {
  Dataset data = blank_dataset(n_samples, 2, {"row", "column"});
  const Index columns = grid_columns(n_samples, options);
  for (Index i = 0; i < n_samples; ++i) {
    const Index row = i / columns, column = i % columns;
    data.points(i, 0) = data.truth(i, 0) = static_cast<double>(row);
    data.points(i, 1) = data.truth(i, 1) = static_cast<double>(column);
  }
  return data;
}

}  // namespace unroll
