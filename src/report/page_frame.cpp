#include "report/page_frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "core/file.h"
#include "report/compare_template.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

/// Marks our pages, with the version of the format that this script can draw: increase the number when the content of a
/// section changes.
constexpr std::string_view kSignature = R"(<meta name="generator" content="unroll compare, page 4">)";
/// Occurs once in a page: '<' is escaped in the content of sections.
constexpr std::string_view kNextSection = "<!-- the next section goes here -->\n";

}  // namespace

std::string empty_page() { return std::string(kCompareTemplate); }

std::string page_of(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return empty_page();
  const std::vector<std::byte> bytes = read_file(path);
  std::string page(bytes.size(), '\0');
  std::transform(bytes.begin(), bytes.end(), page.begin(), [](std::byte byte) { return static_cast<char>(byte); });
  return page;
}

std::string with_section(std::string page, const std::string& origin, const std::string& section) {
  const std::size_t place = page.find(kNextSection);
  if (page.find(kSignature) == std::string::npos || place == std::string::npos)
    throw Error(
        ErrorKind::InvalidData,
        fmt::format("{} is not a page that this version of 'unroll compare' has written, and is left as it is", origin),
        "write to another file");
  page.insert(place, section);
  return page;
}

}  // namespace unroll
