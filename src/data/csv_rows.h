#pragma once
#include <string>
#include <vector>

#include "data/csv_layout.h"
#include "data/csv_text.h"
#include "unroll/data/table.h"

namespace unroll {

/// A row with missing values, which are NaN until the reader has handled them.
struct IncompleteRow {
  Index row = 0;
  Index missing = 0;
  const char* line = nullptr;
};

struct CsvRows {
  Array2<double> values = {};
  std::vector<std::string> names = {};                ///< empty when the layout has none
  std::vector<std::vector<std::string>> labels = {};  ///< per column of labels
  std::vector<IncompleteRow> incomplete = {};
};

/// Parses all rows. The text is cut into pieces of about the same length, which are parsed in parallel; the error of
/// the first bad line is thrown. Missing values are an error unless `missing` says how to handle them.
CsvRows parse_csv_rows(const CsvText& text, const CsvLayout& layout, MissingValues missing, const Run& run);

}  // namespace unroll
