#pragma once
#include "core/archive.h"
#include "layout/layout.h"

/// The sections of a model file that keep how far an optimiser came.
namespace unroll {

void save_layout_state(ArchiveWriter& archive, const LayoutState& state);
/// Fails unless its arrays have the shape of the map.
LayoutState load_layout_state(const ArchiveReader& archive, const Array2<double>& map);

}  // namespace unroll
