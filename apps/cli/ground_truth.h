#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "job.h"
#include "unroll/data/table.h"

/// Reads files with what users know about their points beside the features.
namespace unroll::cli {

/// Throws InvalidData in the verb's name unless both tables have a row per point.
void check_same_rows(std::string_view verb, const std::string& path, Index rows, const std::string& other_path,
                     Index other_rows);

/// Labels as whole numbers, one per point of the input, from a file of one column.
std::vector<std::int64_t> read_labels(Job& job, std::string_view verb, const std::string& path,
                                      const std::string& input_path, Index rows);

/// Numbers the distinct words 0, 1, ... in alphabetical order.
std::vector<std::int64_t> numbered_words(const std::vector<std::string>& words);

}  // namespace unroll::cli
