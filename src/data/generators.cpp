#include "unroll/data/generators.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/reported_as.h"
#include "core/text.h"
#include "data/generators_curves.h"
#include "data/generators_graphs.h"
#include "data/generators_images.h"
#include "data/generators_linear.h"
#include "data/generators_rolls.h"
#include "data/generators_surfaces.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

template <class Options>
Generator entry() {
  return {Options::kName, Options::kTitle, describe_options<Options>(),
          [](std::int64_t n_samples, std::uint64_t seed, const OptionValues& options) {
            return reported_as(Options::kName, [&] {
              return generate(n_samples, seed, make_options<Options>(options, Options::kName));
            });
          }};
}

[[noreturn]] void throw_unknown_generator(std::string_view name) {
  std::vector<std::string> names;
  for (const Generator& generator : generators()) names.emplace_back(generator.name);
  throw Error(ErrorKind::InvalidOption,
              {.who = "datasets",
               .problem = fmt::format("there is no data set '{}'{}", name, did_you_mean(name, names)),
               .advice = fmt::format("there are: {}", joined(names))});
}

}  // namespace

const std::vector<Generator>& generators() {
  static const std::vector<Generator> all = {
      entry<SwissRollOptions>(),       entry<SCurveOptions>(),    entry<RollClustersOptions>(),
      entry<PuncturedSphereOptions>(), entry<TwinPeaksOptions>(), entry<MobiusStripOptions>(),
      entry<TorusOptions>(),           entry<HelixOptions>(),     entry<TrefoilOptions>(),
      entry<CirclesOptions>(),         entry<MoonsOptions>(),     entry<LinearSubspaceOptions>(),
      entry<CycleGraphOptions>(),      entry<PathGraphOptions>(), entry<GridOptions>(),
      entry<TranslatedFaceOptions>(),
  };
  return all;
}

Dataset make_dataset(std::string_view name, std::int64_t n_samples, std::uint64_t seed, const OptionValues& options) {
  std::string wanted(name);
  std::replace(wanted.begin(), wanted.end(), '-', '_');  // "swiss-roll", as command lines spell it
  for (const Generator& generator : generators())
    if (generator.name == wanted) return generator.make(n_samples, seed, options);
  throw_unknown_generator(wanted);
}

}  // namespace unroll
