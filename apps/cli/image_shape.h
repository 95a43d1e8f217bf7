#pragma once
#include <string>

#include "unroll/core/types.h"
#include "unroll/data/table.h"

namespace unroll::cli {

/// Throws InvalidOption unless the text is auto, none, or ROWSxCOLUMNS.
void check_image_shape(const std::string& text);

/// The rows of pixels of rows that are grey images; 0: they are none. auto takes a square number of features, at least
/// 64, for pixels if they are named so, or all are whole numbers from 0 to 255 or numbers from 0 to 1. Throws
/// InvalidOption when the features are not ROWS * COLUMNS.
Index image_rows(const std::string& text, const Table& points);

}  // namespace unroll::cli
