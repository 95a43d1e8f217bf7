#pragma once
#include <cstdint>
#include <optional>
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

/// Labels, one per point of the input, from a file of one column of whole numbers or words.
std::vector<std::string> read_labels(Job& job, std::string_view verb, const std::string& path,
                                     const std::string& input_path, Index rows);

/// Says how many rows have no label.
void note_no_labels(Job& job, const std::vector<std::string>& labels);
/// Numbers the distinct words 0, 1, ... in natural order; an empty one is kNoLabel.
std::vector<std::int64_t> numbered_words(const std::vector<std::string>& words);

/// Labels that are measurements rather than classes: numbers of many different values, or with fractions. Nothing if
/// they are classes.
std::optional<std::vector<double>> measured_labels(const std::vector<std::string>& labels);

}  // namespace unroll::cli
