#pragma once
#include <string>
#include <vector>

namespace parts {

/// An object of both lists.
std::string text_by_nlohmann(const std::vector<double>& numbers, const std::vector<std::string>& names);

}  // namespace parts
