#include "frame/frame.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.h"
#include "data/validate.h"
#include "neighbors/row_distance.h"
#include "unroll/core/error.h"

namespace unroll {

void check_kind(const Input& input, std::span<const InputKind> kinds) {
  if (std::find(kinds.begin(), kinds.end(), input.kind()) != kinds.end()) return;
  std::vector<std::string> taken;
  for (const InputKind kind : kinds) taken.emplace_back(name_of(kind));
  throw Error(ErrorKind::Unsupported, fmt::format("the input is {}", name_of(input.kind())),
              fmt::format("give {}", joined(taken, " or ")));
}

void check_values(const Input& input, Index min_points, const Run& run) {
  if (input.kind() != InputKind::Points && input.kind() != InputKind::Distances)
    return check_count(input.size(), min_points);
  check_points(input.full(), min_points, run);
  if (input.kind() == InputKind::Distances) check_square_distances(input.size(), input.columns());
}

void refuse_choice(std::string_view name, std::string_view choice, InputKind kind) {
  throw Error(ErrorKind::InvalidOption,
              {.problem = fmt::format("{}={} is for points, but the input is {}", name, choice, name_of(kind)),
               .advice = "leave it out",
               .option = std::string(name)});
}

void check_given_neighbors(const Input& input, Scaling scale) {
  if (input.neighbors != nullptr && scale != Scaling::None)
    throw Error(
        ErrorKind::InvalidOption,
        {.problem = fmt::format("scale={} changes who is near whom, but neighbors came with the input", name_of(scale)),
         .advice = "scale the points before the neighbors are found, or leave these out",
         .option = "scale"});
}

void check_at_most(std::string_view name, std::int64_t value, Index most, const std::string& limit,
                   std::string_view or_else) {
  if (value > most)
    throw Error(ErrorKind::InvalidOption, {.problem = fmt::format("{}={} must be at most {}", name, value, limit),
                                           .advice = fmt::format("use a smaller {}{}", name, or_else),
                                           .option = std::string(name)});
}

void check_n_components(std::int64_t n_components, Index n) {
  if (n_components < n) return;
  throw Error(ErrorKind::InvalidOption,
              {.problem = fmt::format("n_components={} must be less than the number of points, {}", n_components, n),
               .advice = "use a smaller n_components",
               .option = "n_components"});
}

void check_directions(const Input& input, Metric metric, const Run& run, std::vector<Warning>& warnings) {
  if (metric != Metric::Correlation || input.is_sparse()) return;
  const Index rows = rows_of_rounding(input.full(), run);
  if (rows == 0) return;
  warnings.push_back(
      {"rows-of-rounding",
       fmt::format("the values of {} differ among themselves by rounding alone, so that metric=correlation "
                   "compares rounding errors",
                   counted(rows, "row")),
       "use metric=euclidean, or leave scale out"});
}

OptionValues effective_options(OptionValues options, const OptionValues& chosen) {
  for (const NamedValue& decided : chosen)
    for (NamedValue& option : options)
      if (option.name == decided.name) option.value = decided.value;
  return options;
}

}  // namespace unroll
