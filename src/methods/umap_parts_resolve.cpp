#include <fmt/format.h>

#include <cmath>

#include "methods/umap_parts.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

[[noreturn]] void refuse_option(std::string_view option, std::string problem, std::string_view advice) {
  throw Error(ErrorKind::InvalidOption,
              {.problem = std::move(problem), .advice = std::string(advice), .option = std::string(option)});
}

void check_targets(const Input& input) {
  const auto check = [&](std::size_t count, std::string_view what) {
    if (count == 0 || std::ssize(input.labels) + std::ssize(input.targets) == input.size()) return;
    throw Error(ErrorKind::InvalidData, fmt::format("there are {} {}, but {} points", count, what, input.size()),
                "give one per point");
  };
  check(input.labels.size(), "labels");
  check(input.targets.size(), "targets");
  for (std::size_t i = 0; i < input.targets.size(); ++i)
    if (!std::isfinite(input.targets[i]))
      throw Error(ErrorKind::InvalidData, {.problem = "has a target that is not finite",
                                           .advice = "leave out such points",
                                           .row = static_cast<Index>(i)});
}

}  // namespace

void resolve_umap(const Input& input, UmapOptions& options) {
  constexpr Index kFewPoints = 10'000, kFewPointsEpochs = 500, kEpochs = 200;
  check_targets(input);
  if (options.a.has_value() != options.b.has_value())
    refuse_option(options.a ? "a" : "b", "a and b are given together or not at all", "give both, or min_dist");
  if (options.min_dist > options.spread)
    refuse_option("min_dist",
                  fmt::format("min_dist={:g} must be at most spread={:g}", options.min_dist, options.spread),
                  "use a smaller min_dist or a larger spread");
  if (!options.a) {
    const UmapCurve curve = fit_umap_curve(options.min_dist, options.spread);
    options.a = curve.a, options.b = curve.b;
  }
  if (!input.is_sparse()) options.n_neighbors = UmapOptions::needed_neighbors(options, input.size());
  if (!options.n_epochs) options.n_epochs = input.size() <= kFewPoints ? kFewPointsEpochs : kEpochs;
  if (options.init == LayoutStart::Auto) options.init = LayoutStart::Spectral;
  if (options.init == LayoutStart::Pca && input.kind() != InputKind::Points)
    refuse_option("init", fmt::format("init=pca is for points, but the input is {}", name_of(input.kind())),
                  "use init=spectral");
}

}  // namespace unroll
