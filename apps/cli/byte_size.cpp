#include "byte_size.h"

#include <fmt/core.h>

#include <array>
#include <charconv>
#include <optional>

#include "unroll/core/error.h"

namespace unroll::cli {
namespace {

struct Unit {
  std::string_view name;
  double bytes;
};
constexpr double kKibi = 1024, kMebi = kKibi * kKibi, kGibi = kMebi * kKibi, kTebi = kGibi * kKibi;
constexpr std::array kUnits{
    Unit{"", 1},        Unit{"B", 1},       Unit{"K", kKibi}, Unit{"KB", 1e3},    Unit{"kB", 1e3},
    Unit{"KiB", kKibi}, Unit{"M", kMebi},   Unit{"MB", 1e6},  Unit{"MiB", kMebi}, Unit{"G", kGibi},
    Unit{"GB", 1e9},    Unit{"GiB", kGibi}, Unit{"T", kTebi}, Unit{"TB", 1e12},   Unit{"TiB", kTebi},
};

std::optional<double> bytes_in(std::string_view unit) {
  for (const auto& [name, bytes] : kUnits)
    if (name == unit) return bytes;
  return std::nullopt;
}

}  // namespace

std::uint64_t parse_byte_size(std::string_view text, std::string_view option) {
  constexpr double kMostBytes = 0x1p63;
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  if (unit.starts_with(' ')) unit.remove_prefix(1);
  const auto bytes = bytes_in(unit);
  if (error != std::errc() || !bytes || !(number >= 0) || !(number * *bytes < kMostBytes))
    throw Error(ErrorKind::InvalidOption,
                {.problem = fmt::format("{}={} must be a size such as 500MB, 4GiB or 1073741824", option, text),
                 .option = std::string(option)});
  return static_cast<std::uint64_t>(number * *bytes);
}

}  // namespace unroll::cli
