#include "layout/layout_state.h"

#include <fmt/format.h>

namespace unroll {
namespace {

std::string array_section(Index i) { return fmt::format("layout.array.{}", i); }

}  // namespace

void save_layout_state(ArchiveWriter& archive, const LayoutState& state) {
  archive.put("layout.iteration", std::int64_t{state.iteration});
  archive.put("layout.converged", std::int64_t{state.is_converged});
  archive.put("layout.numbers", state.numbers);
  archive.put("layout.arrays", std::int64_t{std::ssize(state.arrays)});
  for (std::size_t i = 0; i < state.arrays.size(); ++i)
    archive.put(array_section(static_cast<Index>(i)), state.arrays[i].view());
}

LayoutState load_layout_state(const ArchiveReader& archive, const Array2<double>& map) {
  LayoutState state{.iteration = archive.integer("layout.iteration"),
                    .is_converged = archive.flag("layout.converged"),
                    .numbers = archive.reals("layout.numbers")};
  if (state.iteration < 0) archive.fail("layout.iteration", "must not be negative");
  const Index count = archive.integer("layout.arrays");
  if (count < 0) archive.fail("layout.arrays", "must not be negative");
  for (Index i = 0; i < count; ++i) {
    const std::string section = array_section(i);
    if (!archive.has(section)) archive.fail("layout.arrays", "are more than there are");
    state.arrays.push_back(archive.matrix(section));
    if (state.arrays.back().rows() != map.rows() || state.arrays.back().cols() != map.cols())
      archive.fail(section, "is not of the shape of the coordinates");
  }
  return state;
}

}  // namespace unroll
