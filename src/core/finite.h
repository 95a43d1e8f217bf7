#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "unroll/core/export.h"
#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

/// A place in a matrix, counted from 0.
struct Cell {
  Index row = 0;
  Index col = 0;
};

/// The first entry in row order that is NaN or infinite; nothing when all are finite.
std::optional<Cell> first_non_finite(PointsView values, const Run& run = {.threads = 1});

/// The entry of that cell.
double value_at(PointsView values, Cell cell);

/// "NaN" or "infinity": the entry of that cell.
const char* non_finite_name(PointsView values, Cell cell);

/// Throws InvalidData, "distances overflow (above 1.8e308); rescale the data, e.g. divide by 1024", unless all are
/// finite.
void require_finite(PointsView values, std::string_view what,
                    std::string_view advice = "rescale the data, e.g. divide by 1024", const Run& run = {.threads = 1});
UNROLL_API void require_finite(const std::vector<double>& values, std::string_view what,
                               std::string_view advice = "rescale the data, e.g. divide by 1024");

}  // namespace unroll
