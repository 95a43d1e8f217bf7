#include "learn/known_labels.h"

#include <algorithm>
#include <iterator>

#include "core/at.h"

namespace unroll {

Index KnownLabels::known() const {
  return std::count_if(places.begin(), places.end(), [](Index place) { return place >= 0; });
}

KnownLabels known_labels(std::span<const std::int64_t> labels) {
  KnownLabels result;
  std::copy_if(labels.begin(), labels.end(), std::back_inserter(result.classes),
               [](auto label) { return label != -1; });
  std::sort(result.classes.begin(), result.classes.end());
  result.classes.erase(std::unique(result.classes.begin(), result.classes.end()), result.classes.end());
  for (const std::int64_t label : labels) {
    const auto place = std::lower_bound(result.classes.begin(), result.classes.end(), label);
    result.places.push_back(label == -1 ? -1 : place - result.classes.begin());
  }
  return result;
}

std::vector<char> labeled_components(const KnownLabels& known, const Components& components) {
  std::vector<char> labeled(components.sizes.size());
  for (std::size_t i = 0; i < known.places.size(); ++i)
    if (known.places[i] >= 0) labeled[at(components.labels[i])] = 1;
  return labeled;
}

std::vector<Index> reached_points(const KnownLabels& known, const Components& components, bool all) {
  const std::vector<char> labeled = labeled_components(known, components);
  std::vector<Index> points;
  for (std::size_t i = 0; i < known.places.size(); ++i)
    if (labeled[at(components.labels[i])] != 0 && (all || known.places[i] < 0)) points.push_back(static_cast<Index>(i));
  return points;
}

}  // namespace unroll
