#pragma once
#include <vector>

namespace unroll {

/// Whether whole numbers go up or down in equal steps, or, where they are many, go up or down at all.
bool is_scale(const std::vector<double>& values);

/// Whether the first line of a table may be names that are numbers, such as wavelengths or years, above a sample: a
/// scale of whole numbers, while the second line has decimals, or nothing but smaller numbers.
bool may_be_scale(const std::vector<double>& first, const std::vector<double>& second);

}  // namespace unroll
