#include "spectral/local_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "spectral/spectral_embedding.h"

namespace unroll {
namespace {

/// Whether the value after those of the map vanishes, too, or is so near to nothing that a value of its own would have
/// to be clearly larger than the last of the map. (Values of a fine curve are a 1e-20th of the norm, but grow tenfold.)
bool is_one_of_many(const PartMap& map) {
  constexpr double kDoubtful = 1e-19, kClearly = 4;
  if (!map.next) return false;
  return *map.next <= kVanishes * map.norm ||
         (*map.next <= kDoubtful * map.norm && *map.next <= kClearly * map.spectrum.values.back());
}

/// Parts that are held in one map are tied to each other by nothing, or by an edge each.
std::string way_out(const Part& part, const LocalSettings& settings) {
  const bool has_parts = part.known.rows() > 1 || settings.joined;
  return has_parts ? "components=separate, or a larger n_neighbors" : "a larger n_neighbors";
}

/// More functions may cost nothing than the map has coordinates. Of groups without a tie to others the reason is known.
std::optional<Warning> null_space(const PartMap& map, const Part& part, const LocalSettings& settings) {
  const auto& values = map.spectrum.values;
  const Index groups = values.front() <= kRounding * map.norm ? closed_groups(part.fits.patches) : 0;
  if (groups > std::max<Index>(1, part.known.rows()))
    return Warning{
        "null-space",
        fmt::format("{} groups of points are fitted to themselves alone, as copies of one point are: so many functions "
                    "cost nothing, and what the map does between the groups is arbitrary",
                    groups),
        fmt::format("use {}, or remove duplicates", way_out(part, settings))};
  if (!is_one_of_many(map)) return {};
  const std::size_t d = values.size();
  return Warning{"null-space",
                 fmt::format("at least {} functions beside the constant fit all neighborhoods perfectly, to rounding: "
                             "which {} of them the map shows is not determined by the data",
                             d + 1, d),
                 fmt::format("use {}", way_out(part, settings))};
}

template <class T>
void keep_larger(const std::optional<T>& other, std::optional<T>& value) {
  if (other) value = std::max(value.value_or(*other), *other);
}

}  // namespace

std::vector<Warning> LocalReport::warnings_of(const PartMap& map, const Part& part) const {
  Embedding said{.coordinates = Array2<double>(std::ssize(part.points), 0)};
  report_solvers(map.tried, map.spectrum.solver, said);
  if (!map.landmarks.empty()) {
    report_landmarks(map.landmarks, map.landmark_error, said);
    if (!settings_.n_landmarks) {
      for (Warning& few : said.warnings)
        if (few.code == "few-landmarks")
          few.hint = fmt::format("use n_landmarks above {}, or a larger max_factor_gib", map.landmarks.size());
      said.warnings.push_back(
          {"landmarks-took-over",
           fmt::format("the factor would take {:.3g} GiB, more than max_factor_gib={:g}: {} landmarks span the map, "
                       "whose residual is {:.1e}",
                       *map.factor_gib, settings_.max_factor_gib, map.landmarks.size(),
                       *std::max_element(map.spectrum.residuals.begin(), map.spectrum.residuals.end())),
           "use a larger max_factor_gib for eigenvectors, or n_landmarks to choose their number"});
    }
  }
  if (map.corrected > 0)
    said.warnings.push_back({"not-euclidean",
                             fmt::format("the distances of {} points to landmarks are those of no points in a space: "
                                         "their inner products have a negative part, which was left out",
                                         map.corrected),
                             "use distances between points in a space, or leave out n_landmarks"});
  if (const auto warning = null_space(map, part, settings_)) said.warnings.push_back(*warning);
  return std::move(said.warnings);
}

void LocalReport::add(const PartMap& map, const Part& part, std::optional<Index> component) {
  for (Warning& warning : warnings_of(map, part)) {
    const auto known = std::find_if(findings_.begin(), findings_.end(),
                                    [&](const Finding& finding) { return finding.warning.code == warning.code; });
    if (known == findings_.end()) {
      findings_.push_back({std::move(warning), component, std::ssize(part.points), 0});
    } else {
      ++known->others;
    }
  }
  if (tried_.empty()) tried_ = map.tried;
  keep_larger(map.factor_gib, factor_gib_);
  keep_larger(map.landmark_error, landmark_error_);
  landmarks_.insert(landmarks_.end(), map.landmarks.begin(), map.landmarks.end());
}

void LocalReport::write(Embedding& embedding) const {
  Diagnostics& diagnostics = embedding.diagnostics;
  if (!tried_.empty()) diagnostics.emplace_back("solvers_tried", fmt::format("{}", fmt::join(tried_, "; ")));
  if (factor_gib_) diagnostics.emplace_back("factor_gib", *factor_gib_);
  if (!landmarks_.empty())
    diagnostics.emplace_back("landmarks", std::vector<double>(landmarks_.begin(), landmarks_.end()));
  if (landmark_error_) diagnostics.emplace_back("landmark_error", *landmark_error_);
  for (const Finding& finding : findings_) {
    Warning warning = finding.warning;
    if (finding.component) {
      warning.message =
          fmt::format("component {}, of {} points: {}", *finding.component + 1, finding.points, warning.message);
      if (finding.others > 0)
        warning.message +=
            fmt::format("; so it is in {} other component{}", finding.others, finding.others > 1 ? "s" : "");
    }
    embedding.warnings.push_back(std::move(warning));
  }
}

}  // namespace unroll
