#include "sources/patch_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "affinity/closed_groups.h"
#include "core/at.h"
#include "sources/landmark_embedding.h"

namespace unroll {
namespace {

/// The eigenvalue after those of the map's own dimensions; a fit may have asked for more pairs than it shows.
std::optional<double> next_value(const ComponentMap& map, const PatchRequest& request) {
  const std::vector<double>& values = map.spectrum.values;
  const std::size_t dimension = at(request.patches.dimension);
  return dimension < values.size() ? values[dimension] : map.next;
}

/// Whether the value after those of the map vanishes, too, or is so small that it counts as distinct only if it is
/// clearly larger than the last of the map. (Values of a fine curve are 1e-20 of the norm, but each is ten times the
/// one before.)
bool is_one_of_many(const ComponentMap& map, std::optional<double> next, double last) {
  constexpr double kDoubtfulShare = 1e-19, kDistinctRatio = 4;
  if (!next) return false;
  return *next <= kVanishes * map.norm || (*next <= kDoubtfulShare * map.norm && *next <= kDistinctRatio * last);
}

/// Components in one map are joined by no edge, or by one edge each.
std::string advice_for(const PatchRequest& request) {
  const bool has_parts = request.components > 1 || request.patches.joined;
  return has_parts ? "use components=separate, or a larger n_neighbors" : "use a larger n_neighbors";
}

/// Warns if more functions cost nothing than the map has coordinates. For closed groups of points the reason is known.
std::optional<Warning> null_space(const ComponentMap& map, const PatchProblem& problem, const PatchRequest& request,
                                  const Run& run) {
  const auto& values = map.spectrum.values;
  const Index groups = values.front() <= kRounding * map.norm ? closed_groups(problem.fits.patches, run) : 0;
  if (groups > Index{1})
    return Warning{
        "null-space",
        fmt::format("the map is not determined: {} groups of points have all their neighbors among themselves, so that "
                    "they can be moved freely against each other",
                    groups),
        advice_for(request) + ", or remove duplicates"};
  if (const auto close = mixed_by_rounding(map))
    return Warning{
        "mixed-by-rounding",
        fmt::format("eigenvalues {:.2g} and {:.2g} differ by less than a dense solver can tell apart, {:.0e} "
                    "of the norm: the map is mostly noise",
                    close->first, close->second, 1e-14),
        "use eigen_solver=shift_invert"};
  const std::size_t d = std::min(at(request.patches.dimension), values.size());
  if (!is_one_of_many(map, next_value(map, request), values[d - 1])) return {};
  return Warning{"null-space",
                 fmt::format("at least {} functions beside the constant fit all neighborhoods perfectly, to rounding: "
                             "which {} of them the map shows is not determined by the data",
                             d + 1, d),
                 advice_for(request)};
}

/// Warnings and attributes of a map; it has no coordinates.
Embedding report_of(const ComponentMap& map, const PatchProblem& problem, const PatchRequest& request, const Run& run) {
  Embedding report{.coordinates = Array2<double>(std::ssize(problem.points), 0)};
  if (map.factor_gib) report.attributes.emplace_back("factor_gib", *map.factor_gib);
  if (!map.landmarks.empty()) {
    const std::size_t count = map.landmarks.size();
    if (request.patches.n_landmarks) {
      report_landmarks(map.landmarks, map.landmark_error, report);
    } else {
      report_landmarks(map.landmarks, map.landmark_error, report,
                       fmt::format("use n_landmarks above {}, or a larger max_factor_gib", count));
      report.warnings.push_back(
          {"landmarks-took-over",
           fmt::format("the factor would take {:.3g} GiB, more than max_factor_gib={:g}: {} landmarks span the map, "
                       "whose residual is {:.1e}",
                       *map.factor_gib, request.patches.max_factor_gib, count,
                       *std::max_element(map.spectrum.residuals.begin(), map.spectrum.residuals.end())),
           "use a larger max_factor_gib for eigenvectors, or n_landmarks to choose their number"});
    }
  }
  if (map.corrected > 0)
    report.warnings.push_back({"not-euclidean",
                               fmt::format("the distances of {} points to landmarks are those of no points in a space: "
                                           "their inner products have a negative part, which was left out",
                                           map.corrected),
                               "use distances between points in a space, or leave out n_landmarks"});
  if (const auto warning = null_space(map, problem, request, run)) report.warnings.push_back(*warning);
  return report;
}

std::vector<double> constant_of(Index n) { return std::vector<double>(at(n), 1 / std::sqrt(static_cast<double>(n))); }

/// The largest eigenvalues need neither a factor nor the treatment of vanishing values.
OperatorPairs largest(const LocalFits& fits, Index count, const SpectralSettings& settings, const Run& run) {
  return operator_pairs(solve_eigenproblem(LocalFitsOperator(fits, run),
                                           {.end = SpectrumEnd::Largest,
                                            .count = count,
                                            .known = as_row(constant_of(fits.size())),
                                            .lowest = 0.0,
                                            .solver = settings.solver,
                                            .seed = settings.seed},
                                           run));
}

}  // namespace

bool PatchSource::is_one_point(Index component) const {
  return Source::is_one_point(component) || (!collapsed_.empty() && collapsed_[at(component)]);
}

Index PatchSource::most_pairs() const { return std::min(size(), settings_.n_landmarks.value_or(size())) - 1; }

void PatchSource::check(const Recipe& row) const {
  const OperatorRule own = of_weights_ ? OperatorRule::Residual : OperatorRule::AsGiven;
  if (row.operation != own)
    refuse_cell(name_of(row.operation), of_weights_ ? "W writes every point by its neighbors, and is not symmetric"
                                                    : "W is the matrix of all local fits already");
  if (row.density != Density::Keep) refuse_cell(name_of(row.density), "the density is that of weights of a graph");
  if (row.new_point != NewPointRule::Weights && row.new_point != NewPointRule::LocalMap)
    refuse_cell(name_of(row.new_point), "a new point is written by weights that sum to one");
}

OperatorPairs PatchSource::solve(const Recipe& row, const std::vector<Index>& points, Index count,
                                 const SpectralSettings& settings, const Run& run) const {
  std::vector<Index> all = points;
  if (points.empty()) {
    all.resize(at(size()));
    std::iota(all.begin(), all.end(), Index{0});
  }
  const Index n = std::ssize(all);
  OperatorPairs out{.trivial = constant_of(n)};
  if (count == 0) return out;
  std::optional<LocalFits> own;
  if (!points.empty()) own = part(fits_, points);
  const LocalFits& fits = own ? *own : fits_;
  if (row.order == Order::Largest) {
    out = largest(fits, count, settings, run);
    out.trivial = constant_of(n);
    return out;
  }
  PatchSettings patches = settings_;
  if (patches.n_landmarks && !points.empty()) {  // its share of the landmarks
    const double share = static_cast<double>(n) / static_cast<double>(size());
    const auto fair = static_cast<Index>(std::ceil(share * static_cast<double>(*patches.n_landmarks)));
    patches.n_landmarks = std::min(n, std::max(fair, count + 1));
  }
  const PatchRequest request{.settings = settings,
                             .patches = patches,
                             .count = count,
                             .components = settings.separate ? 1 : components_.count()};
  const PatchProblem problem{fits, all, as_row(out.trivial)};
  ComponentMap map = patch_map(problem, request, run);
  Embedding report = report_of(map, problem, request, run);
  out.warnings = std::move(report.warnings);
  out.attributes = std::move(report.attributes);
  out.values = std::move(map.spectrum.values);
  out.vectors = std::move(map.vectors);
  out.residuals = std::move(map.spectrum.residuals);
  out.iterations = map.spectrum.iterations;
  out.solver = std::move(map.spectrum.solver);
  out.tried = std::move(map.tried);
  out.norm = map.norm;
  return out;
}

}  // namespace unroll
