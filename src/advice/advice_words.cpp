#include "advice/advice_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "advice/trials.h"
#include "core/text.h"
#include "unroll/registry.h"

namespace unroll {
namespace {

/// Areas that differ by less are about the same.
constexpr double kAbout = 0.02;
/// Maps that agree by less have little in common.
constexpr double kUnstable = 0.5;

class Words {
 public:
  Words(const AdviceOptions& options, Advice& advice)
      : options_(options), advice_(advice), best_(advice.tried[advice.best]) {}

  void say_all() {
    say_which_is_best();
    say_how_far_sizes_matter();
    say_how_far_seeds_matter();
    say_what_graphs_tell();
    say_how_many_dimensions();
    if (advice_.sample < advice_.n_points)
      say(fmt::format(
          "A random sample of {} of the {} points was tried. Points are denser in the whole: more neighbors "
          "reach as far.",
          advice_.sample, advice_.n_points));
  }

 private:
  void say(std::string sentence) { advice_.evidence.push_back(std::move(sentence)); }

  void say_which_is_best() {
    const double area = *best_.area;
    const TriedMap* other = nullptr;
    for (const TriedMap& map : advice_.tried)
      if (map.area && map.run.name != best_.run.name && (other == nullptr || *map.area > *other->area)) other = &map;
    std::string text = fmt::format(
        "{} keeps neighborhoods of all sizes with {:.3f} (area under R_NX: 1 is all, 0 chance)", best_.run.label, area);
    if (other == nullptr) return say(text + ".");
    if (*other->area > area)
      return say(fmt::format("{}; {} has {:.3f}, which is no more than a tie, and is not as simple.", text,
                             other->run.label, *other->area));
    const bool is_close = area - *other->area < kAbout;
    say(fmt::format("{}; the best other method is {}, with {:.3f}{}.", text, other->run.label, *other->area,
                    is_close ? ": it does about as well" : ""));
  }

  void say_how_far_sizes_matter() {
    if (!best_.size) return;
    double low = *best_.size, high = low;
    for (const TriedMap& map : advice_.tried) {
      const bool is_alike = map.size && map.area && map.run.name == best_.run.name && *map.area > *best_.area - kAbout;
      if (is_alike) low = std::min(low, *map.size), high = std::max(high, *map.size);
    }
    if (low < high)
      say(fmt::format("{} from {:g} to {:g} does about as well.", size_name(), low, high));
    else if (!advice_.sizes.empty())
      say(fmt::format("It depends on {}: the next ones tried lose more than {:g}.", size_name(), kAbout));
    if (advice_.sizes.empty()) return;
    const auto least = std::min_element(advice_.sizes.begin(), advice_.sizes.end(),
                                        [](const auto& a, const auto& b) { return a.agreement < b.agreement; });
    say(fmt::format("The map {}: it shares {:.2f} of its neighborhoods with that of {} (1 is all, 0 chance).",
                    least->agreement < kUnstable ? "changes much with it" : "is stable", least->agreement,
                    least->label));
  }

  std::string_view size_name() const { return size_option(find_method(best_.run.name)); }

  void say_how_far_seeds_matter() {
    if (advice_.seeds.empty()) return;
    double low = *best_.area, high = low, least = 1;
    for (const Agreement& other : advice_.seeds) {
      low = std::min(low, other.area), high = std::max(high, other.area);
      least = std::min(least, other.agreement);
    }
    if (least > 1 - 1e-9) return say("Other seeds give the same map.");
    say(fmt::format(
        "With other seeds the area is {:.3f} to {:.3f}, and maps share {:.2f} of their neighborhoods: {}.", low, high,
        least, least < kUnstable ? "look at several before you believe a detail" : "what they show is no accident"));
  }

  void say_what_graphs_tell() {
    const auto split = std::find_if(advice_.graphs.rbegin(), advice_.graphs.rend(),
                                    [](const GraphFinding& graph) { return graph.components > 1; });
    if (split != advice_.graphs.rend())
      say(fmt::format("n_neighbors={} splits the data in {} parts; {}.", split->n_neighbors, split->components,
                      advice_.smallest_connecting_k
                          ? fmt::format("from {} on all points hang together", *advice_.smallest_connecting_k)
                          : "no usual number joins them: they are separate"));
    const auto first = std::find_if(advice_.graphs.begin(), advice_.graphs.end(),
                                    [](const GraphFinding& graph) { return graph.short_circuits > 0; });
    if (first == advice_.graphs.end()) return;
    say(fmt::format("With n_neighbors={} {} the surface of the points, and short-circuit{} paths.", first->n_neighbors,
                    first->short_circuits == 1 ? "an edge leaves" : "edges leave",
                    first->short_circuits == 1 ? "s" : ""));
    if (is_short_circuited(best_)) say_what_unrolls();
  }

  static bool is_short_circuited(const TriedMap& map) {
    return std::any_of(map.run.warnings.begin(), map.run.warnings.end(),
                       [](const Warning& warning) { return warning.code == "short-circuit"; });
  }

  /// Near points in space need not be near along the surface, and the area counts those in space.
  void say_what_unrolls() {
    std::string text =
        "The recommended map has short circuits, too: it keeps nearness in space and does not unroll the "
        "surface";
    const auto other = std::find_if(advice_.tried.begin(), advice_.tried.end(), [&](const TriedMap& map) {
      return map.area && map.run.name == best_.run.name && !is_short_circuited(map);
    });
    if (other != advice_.tried.end()) text += fmt::format("; {} may, with {:.3f}", other->run.label, *other->area);
    say(text + ".");
  }

  void say_how_many_dimensions() {
    if (advice_.dimension == 0) return;
    const auto needed = static_cast<Index>(std::llround(advice_.dimension));
    if (needed > options_.n_components)
      say(fmt::format("The data have about {} dimensions near a point: {} cannot keep all neighborhoods.", needed,
                      counted(options_.n_components, "coordinate")));
    else
      say(fmt::format("The data have about {} near a point: {} can hold them, unless the shape is closed.",
                      counted(needed, "dimension"), counted(options_.n_components, "coordinate")));
  }

  const AdviceOptions& options_;
  Advice& advice_;
  const TriedMap& best_;
};

}  // namespace

void put_in_words(const AdviceOptions& options, const Run& run, Advice& advice) {
  Words(options, advice).say_all();
  const TriedMap& best = advice.tried[advice.best];
  advice.reading = reading_aids(best.run, *best.area, run);
}

}  // namespace unroll
