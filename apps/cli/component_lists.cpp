#include "component_lists.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.h"

namespace unroll::cli {
namespace {

/// If components have maps of their own, the table shows the first of them; otherwise all in one list.
std::string owner(const Embedding& embedding) {
  const ComponentSpectrum& largest = embedding.component_spectra.front();
  if (largest.values == embedding.spectrum.values)
    return fmt::format("component {}, the largest, of {} points", largest.component + 1, largest.points);
  return "all components together";
}

std::string values_text(const std::vector<double>& values) {
  constexpr std::size_t kShown = 20;
  std::vector<std::string> words;
  for (std::size_t i = 0; i < std::min(values.size(), kShown); ++i) words.push_back(fmt::format("{:.6g}", values[i]));
  return joined(words) + (values.size() > kShown ? ", ..." : "");
}

}  // namespace

std::vector<Definition> component_lines(const Embedding& embedding) {
  constexpr std::size_t kShown = 12;
  const std::vector<ComponentSpectrum>& parts = embedding.component_spectra;
  if (parts.empty()) return {};
  std::vector<Definition> lines{{"of", owner(embedding)}};
  for (std::size_t i = 0; i < std::min(parts.size(), kShown); ++i)
    lines.emplace_back(fmt::format("component {}", parts[i].component + 1),
                       fmt::format("{} points: {}", parts[i].points, values_text(parts[i].values)));
  if (parts.size() > kShown)
    lines.emplace_back("further", fmt::format("{}; --json lists all",
                                              counted(static_cast<Index>(parts.size() - kShown), "component")));
  return lines;
}

std::vector<OptionValues> component_lists(const Embedding& embedding) {
  std::vector<OptionValues> lists;
  for (const ComponentSpectrum& part : embedding.component_spectra)
    lists.push_back({{"component", part.component + 1},
                     {"points", part.points},
                     {"eigenvalues", part.values},
                     {"residuals", part.residuals}});
  return lists;
}

}  // namespace unroll::cli
