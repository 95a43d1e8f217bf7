#include "spectral/eigenvalue_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/at.h"
#include "linalg/symmetric_eigen.h"
#include "spectral/bottleneck.h"
#include "spectral/component_pairs.h"

namespace unroll {
namespace {

constexpr std::string_view kRepeated = "repeated-eigenvalue";

/// The first kept column whose eigenvalue occurs more often than it was kept, as a place among the kept columns.
std::optional<Index> cut_group(const double* values, const MapEnd& end, double trivial,
                               const std::vector<Index>& columns) {
  std::vector<double> all(values, values + end.count);
  all.push_back(all.empty() || all.front() <= all.back() ? end.norm : -end.norm);  // as the eigensolver judges
  const auto place = [&](Index k) { return std::find(columns.begin(), columns.end(), k) - columns.begin(); };
  for (Index first = 0; first < end.count;) {
    const Index last = std::min(end.count, end_of_group(all, first));
    Index kept = 0, shown = std::ssize(columns);
    for (Index k = first; k < last; ++k) {
      kept += place(k) < std::ssize(columns) ? 1 : 0;
      shown = std::min<Index>(shown, place(k));
    }
    const bool is_whole = kept == last - first && !(last == end.count && end.last_group_is_cut);
    // Components and near-components have warnings of their own.
    const bool is_trivial = std::abs(all[at(first)] - trivial) <= kTrivialRounding * end.norm;
    if (kept > 0 && !is_whole && !is_trivial) return shown;
    first = last;
  }
  return {};
}

/// Fractional powers of negative numbers are not real.
void warn_of_negative(const Recipe& row, const std::vector<double>& values, double time,
                      std::vector<Warning>& warnings) {
  if (row.coordinates != CoordinateRule::Diffusion || time == std::floor(time)) return;
  const auto negative = std::count_if(values.begin(), values.end(), [](double value) { return value < 0; });
  if (negative == 0) return;
  warnings.push_back({"negative-eigenvalues",
                      fmt::format("{} negative: lambda^t is not a real number for t={}, and {} zero",
                                  negative == 1 ? "1 eigenvalue is" : fmt::format("{} eigenvalues are", negative), time,
                                  negative == 1 ? "its coordinate is" : "their coordinates are"),
                      "use a whole t, or graph=full, whose kernel is positive"});
}

/// If the kernel is the same for all pairs, only the trivial eigenvalue is not 0.
void warn_of_rounding(const Recipe& row, const std::vector<double>& values, std::vector<Warning>& warnings) {
  constexpr double kRounding = 1e-12;
  const auto is_rounding = [](double value) { return std::abs(value) <= kRounding; };
  if (row.coordinates != CoordinateRule::Diffusion || !std::all_of(values.begin(), values.end(), is_rounding)) return;
  warnings.push_back({"vanishing-eigenvalues",
                      "all eigenvalues but the trivial one are 0 to rounding: the kernel hardly differs from pair to "
                      "pair, and the map is rounding",
                      "use a smaller sigma"});
}

}  // namespace

void report_eigenvalues(const Recipe& row, const OperatorPairs& solution, Index components,
                        const SpectralSettings& settings, std::vector<Warning>& warnings) {
  if (solution.degrees.empty()) return;  // no graph
  warn_of_rounding(row, solution.values, warnings);
  warn_of_negative(row, solution.values, settings.time, warnings);
  if (auto warning = bottleneck_warning(
          solution.trivial_value, solution.norm, components, keeps_trivial(row) ? 0 : 1, solution.values,
          settings.given_weights ? "give more weight to the edges between the parts, or take each part by itself"
                                 : "use a larger sigma or more neighbors"))
    warnings.push_back(std::move(*warning));
}

void warn_of_cut_groups(const std::vector<std::vector<Index>>& columns, SpectralFit& fit) {
  if (fit.placing.values.rows() == 0) return;  // no graph
  std::erase_if(fit.warnings, [](const Warning& warning) { return warning.code == kRepeated; });
  const double trivial = fit.placing.rule == NewPointRule::Markov ? 1 : 0;
  for (std::size_t c = 0; c < fit.ends.size(); ++c) {
    const double* values = fit.placing.values.row(static_cast<Index>(c));
    const std::optional<Index> first = cut_group(values, fit.ends[c], trivial, columns[c]);
    if (!first) continue;
    const auto value = [&](Index k) { return values[columns[c][at(k)]]; };
    const bool is_all = *first == 0 || value(*first - 1) == trivial;
    fit.warnings.push_back(
        {std::string(kRepeated),
         fmt::format("the eigenvalue {:.6g} of coordinate {} occurs more often than coordinates are kept: which of its "
                     "directions are shown is arbitrary, and says nothing of the data",
                     value(*first), *first + 1),
         is_all ? std::string("use weights that differ more, such as those of a smaller sigma or fewer neighbors, or "
                              "more n_components")
                : fmt::format("use n_components={}, or more of them", *first)});
    return;
  }
}

}  // namespace unroll
