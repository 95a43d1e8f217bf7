#include "affinity/heat_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/archive.h"

namespace unroll {
namespace {

/// "We take the 7th" (Zelnik-Manor & Perona).
constexpr std::size_t kWidthNeighbor = 7;

std::vector<double> positive_lengths(const NeighborGraph& graph) {
  std::vector<double> lengths;
  for (const double length : graph.distances)
    if (length > 0) lengths.push_back(length);
  return lengths;
}

/// A width of zero (a point with many copies) becomes the point's smallest positive distance, or else the smallest of
/// all.
void mend_widths(const NeighborGraph& nearest, double floor, HeatKernel& kernel, std::vector<Warning>& warnings) {
  Index mended = 0;
  for (Index i = 0; i < nearest.size(); ++i) {
    double& width = kernel.widths[static_cast<std::size_t>(i)];
    if (width > 0) continue;
    const auto distances = nearest.distances_of(i);
    const auto positive = std::find_if(distances.begin(), distances.end(), [](double d) { return d > 0; });
    width = positive != distances.end() ? *positive : floor;
    ++mended;
  }
  if (mended == 0) return;
  warnings.push_back(
      {"zero-width",
       fmt::format("{} so many copies that {} own width is zero; it was taken from the next other point",
                   mended == 1 ? "1 point has" : fmt::format("{} points have", mended), mended == 1 ? "its" : "their"),
       "drop duplicates, or use bandwidth=median"});
}

}  // namespace

double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// d log S / d log sigma = sum d^2/sigma^2 e / sum e, on a grid of quarter octaves around the median. The grid scales
/// with the data, so that a power-of-two change of unit changes nothing.
double berry_harlim_sigma(const std::vector<double>& distances, Index points) {
  constexpr int kLow = -32, kHigh = 16;
  const double middle = median(distances);
  double best = middle, steepest = -1;
  for (int step = kLow; step <= kHigh; ++step) {
    const double sigma = middle * std::exp2(0.25 * step);
    double sum = 0, slope = 0;
    for (const double d : distances) {
      const double squared = (d / sigma) * (d / sigma), e = std::exp(-0.5 * squared);
      sum += e;
      slope += squared * e;
    }
    // The sum counts the points themselves, at distance 0: without them the slope would grow without bound.
    const double relative = slope / (sum + static_cast<double>(points));
    if (relative > steepest) steepest = relative, best = sigma;
  }
  return best;
}

double HeatKernel::width_of(std::span<const double> nearest) const {
  if (widths.empty() || nearest.empty()) return sigma;
  const double width = nearest[std::min(kWidthNeighbor, nearest.size()) - 1];
  if (width > 0) return width;
  const auto positive = std::find_if(nearest.begin(), nearest.end(), [](double d) { return d > 0; });
  return positive != nearest.end() ? *positive : sigma;
}

double HeatKernel::weight(double d, Index j, double own) const {
  // Below this, 1 / sqrt(d_i d_j) of two degrees d leaves the range of double: such points are not joined.
  constexpr double kLeastWeight = 1e-290;
  if (weights == EdgeWeights::Binary) return 1;
  const double exponent =
      widths.empty() ? 0.5 * (d / sigma) * (d / sigma) : (d / own) * (d / widths[static_cast<std::size_t>(j)]);
  const double weight = std::exp(-exponent);
  return weight < kLeastWeight ? 0 : weight;
}

double HeatKernel::joining_weight(double d, Index j, double own) const {
  return std::max(weight(d, j, own), std::exp(-0.5));
}

ChosenKernel choose_kernel(EdgeWeights weights, Bandwidth bandwidth, std::optional<double> sigma,
                           const NeighborGraph& nearest, const NeighborGraph& graph) {
  ChosenKernel chosen{.kernel = {.weights = weights, .sigma = sigma.value_or(1)}};
  if (weights == EdgeWeights::Binary || sigma) return chosen;
  std::vector<double> lengths = positive_lengths(graph);
  if (lengths.empty()) return chosen;  // all points are one: every weight is 1
  if (bandwidth == Bandwidth::BerryHarlim) {
    chosen.kernel.sigma = berry_harlim_sigma(lengths, graph.size());
    return chosen;
  }
  chosen.kernel.sigma = median(lengths);
  if (bandwidth != Bandwidth::SelfTuning) return chosen;
  const double floor = *std::min_element(lengths.begin(), lengths.end());
  for (Index i = 0; i < nearest.size(); ++i) {
    const auto distances = nearest.distances_of(i);
    chosen.kernel.widths.push_back(distances.empty() ? chosen.kernel.sigma
                                                     : distances[std::min(kWidthNeighbor, distances.size()) - 1]);
  }
  chosen.kernel.sigma = floor;
  mend_widths(nearest, floor, chosen.kernel, chosen.warnings);
  return chosen;
}

void HeatKernel::save(ArchiveWriter& archive) const {
  archive.put("kernel.weights", name_of(weights));
  archive.put("kernel.sigma", sigma);
  archive.put("kernel.widths", widths);
}

HeatKernel HeatKernel::load(const ArchiveReader& archive, Index size) {
  HeatKernel kernel{.weights = load_choice<EdgeWeights>(archive, "kernel.weights"),
                    .sigma = archive.real("kernel.sigma"),
                    .widths = archive.reals("kernel.widths")};
  if (!(kernel.sigma > 0)) archive.fail("kernel.sigma", "must be positive");
  if (!kernel.widths.empty() && std::ssize(kernel.widths) != size)
    archive.fail("kernel.widths", "are not as many as there are points");
  if (!std::all_of(kernel.widths.begin(), kernel.widths.end(), [](double w) { return w > 0; }))
    archive.fail("kernel.widths", "must be positive");
  return kernel;
}

}  // namespace unroll
