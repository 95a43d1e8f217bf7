#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "advice/advice_words.h"
#include "core/text.h"
#include "quality/independence.h"

namespace unroll {
namespace {

constexpr std::string_view kIslands =
    "Distances between clusters mean nothing, nor do their sizes and densities: read who is near whom.";
constexpr std::string_view kStretched =
    "The axes are scaled to equal variance: lengths and the outline's shape mean nothing; neighborhoods and the order "
    "along the sheet do.";
constexpr std::string_view kStraight =
    "Distances are those of the data, as far as so few coordinates can hold them; "
    "points that are far apart in the data may lie on each other.";

struct Aid {
  std::string_view method;
  std::string_view text;
};
constexpr std::array<Aid, 18> kAids{{
    {"pca", kStraight},
    {"mds", kStraight},
    {"metric_mds", kStraight},
    {"sammon", kStraight},
    {"nonmetric_mds", "The order of distances is that of the data, as far as possible; their lengths mean nothing."},
    {"isomap",
     "Distances are lengths of paths through the data. Holes look too wide, and a closed shape is pressed "
     "flat."},
    {"mvu", "Lengths of edges are those of the data; a closed shape is pressed flat."},
    {"lle", kStretched},
    {"mlle", kStretched},
    {"hlle", kStretched},
    {"ltsa", kStretched},
    {"laplacian_eigenmaps",
     "The axes are scaled to equal variance, and ends are crowded: read clusters and branches, not lengths."},
    {"diffusion_maps",
     "Distances are diffusion distances: small within a cluster, large across a bottleneck. They are no lengths."},
    {"kernel_pca", "Distances are those of the kernel's features, not of the data."},
    {"sne", kIslands},
    {"tsne", kIslands},
    {"umap", kIslands},
    {"autoencoder",
     "Lengths mean nothing: the network may stretch the data as it likes; neighborhoods are mostly kept."},
}};

/// "coordinate 2 repeats the first"
void add_repetitions(const Array2<double>& map, const Run& run, std::vector<std::string>& aids) {
  const std::vector<Index> judging = judging_points(map.rows(), 0);
  const Index count = std::min(map.cols(), most_judged(judging));
  if (count < 2) return;
  const Independence found = independence(map.view(), judging, count, run);
  std::vector<std::string> repeated;
  for (std::size_t j = 1; j < found.novelty.size(); ++j)
    if (found.novelty[j] < kHarmonic) repeated.push_back(fmt::format("{}", j + 1));
  if (!repeated.empty())
    aids.push_back(
        fmt::format("Coordinate {} of the map repeat{} those before: the points lie on a curve or a sheet of "
                    "fewer dimensions.",
                    listed(repeated), repeated.size() == 1 ? "s" : ""));
}

}  // namespace

std::vector<std::string> reading_aids(const ComparedMethod& tried, double area, const Run& run) {
  constexpr double kGood = 0.7, kPoor = 0.3;
  std::vector<std::string> aids;
  const auto aid = std::find_if(kAids.begin(), kAids.end(), [&](const Aid& one) { return one.method == tried.name; });
  if (aid != kAids.end()) aids.emplace_back(aid->text);
  add_repetitions(tried.coordinates, run, aids);
  if (area >= kGood) {
    aids.emplace_back("Most neighborhoods are kept: single points can be trusted.");
  } else if (area >= kPoor) {
    aids.emplace_back("Part of the neighborhoods is lost: read regions, not single points.");
  } else {
    aids.emplace_back(
        "Most neighborhoods are lost: look for clusters and the outline at most, or take more coordinates.");
  }
  return aids;
}

}  // namespace unroll
