#include "scree.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

#include "eigen/explained_variance.h"
#include "unroll/registry.h"
#include "unroll/spectral/recipe_table.h"

namespace unroll::cli {
namespace {

/// The gap is searched among the eigenvalues that hold this share of the sum: the others are noise.
constexpr double kHeld = 0.999;

template <class T>
const T* find(const Model& model, std::string_view name) {
  for (const auto& [key, value] : model.embedding().attributes)
    if (key == name) return std::get_if<T>(&value);
  return nullptr;
}

bool reads_smallest(const std::string& method) {
  return std::any_of(recipe_table().begin(), recipe_table().end(),
                     [&](const RecipeWords& row) { return row.method == method && row.order == "smallest"; });
}

/// Drops eigenvalues that are only rounding, but keeps at least one.
void drop_zeros(Scree& scree, Index n) {
  const double rounding = 0x1p-52 * static_cast<double>(n) * std::abs(scree.values.front());
  while (scree.values.size() > 1 && std::abs(scree.values.back()) <= rounding) scree.values.pop_back();
}

/// The ratio of a positive value to the next; infinite if the next is not positive.
double ratio(double value, double next) {
  if (value <= 0) return std::numeric_limits<double>::quiet_NaN();
  return next > 0 ? value / next : std::numeric_limits<double>::infinity();
}

void set_ratios(Scree& scree, bool zeros_follow) {
  for (std::size_t i = 0; i + 1 < scree.values.size(); ++i)
    scree.ratio.push_back(ratio(scree.values[i], scree.values[i + 1]));
  scree.ratio.push_back(zeros_follow ? ratio(scree.values.back(), 0) : std::numeric_limits<double>::quiet_NaN());
}

void set_shares(Scree& scree, const std::vector<double>* of_total) {
  scree.of_total = of_total != nullptr;
  double sum = 0;
  for (const double value : scree.values) sum += std::max(value, 0.0);
  for (std::size_t i = 0; i < scree.values.size(); ++i)
    scree.share.push_back(of_total != nullptr ? (*of_total)[i] : sum > 0 ? std::max(scree.values[i], 0.0) / sum : 0);
  std::partial_sum(scree.share.begin(), scree.share.end(), std::back_inserter(scree.cumulative));
}

/// Suggests the number of eigenvalues before the largest gap, whose ratio this is.
void suggest(Scree& scree, std::int64_t after, double ratio) {
  if (after == 0 || !(ratio >= kTellableGap)) {
    scree.reason = scree.values.front() > 0 ? "no eigenvalue is twice as large as the next" : "there is no extent";
    return;
  }
  scree.suggested = after;
  scree.reason = std::isinf(ratio)
                     ? "all eigenvalues behind are zero or less"
                     : fmt::format("eigenvalue {} is {:.3g} times eigenvalue {}", after, ratio, after + 1);
}

void suggest_by_gap(Scree& scree) {
  double largest = 0, held = 0;
  std::int64_t after = 0;
  for (std::size_t i = 0; i < scree.values.size() && held < kHeld; ++i) {
    held += scree.share[i];
    if (scree.ratio[i] > largest) largest = scree.ratio[i], after = static_cast<std::int64_t>(i) + 1;
  }
  suggest(scree, after, largest);
}

void suggest_by_residual_variance(Scree& scree, const std::vector<double>& left, const std::int64_t* elbow) {
  if (elbow == nullptr) {
    const bool falls = left.size() > 1 && left[left.size() - 2] >= kTellableGap * left.back();
    scree.reason = falls ? "the last dimension still halves the residual variance; ask for more of them"
                         : "no dimension halves the residual variance";
    return;
  }
  const auto at = static_cast<std::size_t>(*elbow);
  scree.suggested = *elbow;
  scree.reason = fmt::format("the last that halves the residual variance, from {:.3g} to {:.3g}",
                             at > 1 ? left[at - 2] : 1.0, left[at - 1]);
}

}  // namespace

Scree scree_of(const Model& model, Index most, bool with_zeros) {
  const Spectrum& spectrum = model.embedding().spectrum;
  Scree scree{.values = spectrum.values, .residuals = spectrum.residuals};
  if (scree.values.empty()) return scree;
  if (reads_smallest(model.method())) {
    set_ratios(scree, false);
    scree.reason = find_method(model.method()).properties.nested
                       ? "the small eigenvalues of this method have no gap to tell it by"
                       : "this method presumes a dimension, n_components, and cannot tell it";
    return scree;
  }
  const auto computed = scree.values.size();
  if (!with_zeros) drop_zeros(scree, model.coordinates().rows());
  scree.residuals.resize(scree.values.size());
  set_ratios(scree, scree.values.size() < computed && std::ssize(scree.values) < most);
  const auto* of_total = find<std::vector<double>>(model, "explained_variance_ratio");
  if (of_total == nullptr) of_total = find<std::vector<double>>(model, "explained_ratio");
  // A kernel that is not positive semidefinite may have a trace of zero, which has no shares.
  if (of_total != nullptr && of_total->front() <= 0 && scree.values.front() > 0) of_total = nullptr;
  set_shares(scree, of_total);
  const auto* suggested = find<std::int64_t>(model, "suggested_components");
  if (const auto* left = find<std::vector<double>>(model, "residual_variance")) {
    const auto shown = std::min(left->size(), scree.values.size());
    scree.residual_variance.assign(left->begin(), left->begin() + static_cast<std::ptrdiff_t>(shown));
    suggest_by_residual_variance(scree, *left, suggested);
  } else if (const auto* gap = find<double>(model, "spectral_gap")) {  // of all eigenvalues, also those not shown
    suggest(scree, suggested == nullptr ? 0 : *suggested, *gap);
  } else {
    suggest_by_gap(scree);
  }
  return scree;
}

std::optional<TrivialEigenvalue> trivial_eigenvalue(const std::string& method) {
  for (const RecipeWords& row : recipe_table()) {
    if (row.method != method) continue;
    const bool is_centered = row.operation == "J W J";
    return TrivialEigenvalue{.value = row.operation == "D^-1 W" ? 1.0 : 0.0, .comes_first = !is_centered};
  }
  return {};
}

void add_trivial(const TrivialEigenvalue& trivial, Scree& scree) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  std::size_t at = 0;
  while (!trivial.comes_first && at < scree.values.size() && scree.values[at] > trivial.value) ++at;
  const auto insert = [&](std::vector<double>& column, double value) {
    if (at <= column.size()) column.insert(column.begin() + static_cast<std::ptrdiff_t>(at), value);
  };
  if (!scree.share.empty()) insert(scree.share, kNone), insert(scree.cumulative, kNone);
  if (!scree.residual_variance.empty()) insert(scree.residual_variance, kNone);
  insert(scree.residuals, 0);
  insert(scree.ratio, kNone);
  insert(scree.values, trivial.value);
  scree.trivial = at;
}

}  // namespace unroll::cli
