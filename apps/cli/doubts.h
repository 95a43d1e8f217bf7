#pragma once
#include <string>
#include <vector>

#include "unroll/data/table.h"

namespace unroll::cli {

/// What looks like a mistake in a table of points, in sentences for people. None of it is an error: it may be meant so.
/// Features in different units are none if they will be scaled.
std::vector<std::string> doubts_about(const Table& table, const std::string& path, bool is_scaled);

}  // namespace unroll::cli
