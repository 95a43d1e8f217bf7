#pragma once
#include <string>

/// What stands around the sections of a page: its head, style and script (web/).
namespace unroll {

/// A page without sections.
std::string empty_page();

/// The page in that file, or an empty one if there is no such file.
std::string page_of(const std::string& path);

/// The page with one more section. Throws InvalidData in the name of `origin` when it is not one of ours.
std::string with_section(std::string page, const std::string& origin, const std::string& section);

}  // namespace unroll
