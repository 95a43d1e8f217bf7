#include "learn/label_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/at.h"
#include "core/text.h"
#include "learn/label_transformer.h"

namespace unroll {
namespace {

/// Scales a row to the sum 1; false: it is 0.
bool scale_to_one(double* row, Index count) {
  const double largest = *std::max_element(row, row + count);
  if (!(largest > 0)) return false;
  for (Index c = 0; c < count; ++c) row[c] = std::max(0.0, row[c] / largest);  // rounding, or least squares
  const double sum = std::accumulate(row, row + count, 0.0);
  for (Index c = 0; c < count; ++c) row[c] /= sum;
  return true;
}

void normalize_class_mass(const KnownLabels& known, Array2<double>& p) {
  const Index count = p.cols();
  std::vector<double> shares(at(count)), masses(at(count));
  for (Index i = 0; i < p.rows(); ++i)
    if (const Index own = known.places[at(i)]; own >= 0) {
      ++shares[at(own)];
    } else {
      for (Index c = 0; c < count; ++c) masses[at(c)] += p(i, c);
    }
  for (Index i = 0; i < p.rows(); ++i) {
    for (Index c = 0; c < count; ++c)
      if (masses[at(c)] > 0) p(i, c) *= shares[at(c)] / masses[at(c)];
    scale_to_one(p.row(i), count);
  }
}

/// "row 6 and row 17": the first rows of the components without a label.
std::string first_rows(const std::vector<char>& labeled, const Components& components) {
  constexpr std::size_t kShown = 3;
  std::vector<std::string> rows;
  std::vector<char> is_told = labeled;
  for (std::size_t i = 0; i < components.labels.size() && rows.size() <= kShown; ++i)
    if (std::exchange(is_told[at(components.labels[i])], 1) == 0) rows.push_back(fmt::format("row {}", i + 1));
  if (rows.size() > kShown) rows.back() = "others";
  return listed(rows);
}

/// Where parts of the graph have no label, that is said here; other parts are no flaw.
void report_unlabeled(const KnownLabels& known, const Components& components, Index points, Embedding& embedding) {
  std::erase_if(embedding.warnings, [](const Warning& warning) { return warning.code == "graph-disconnected"; });
  const std::vector<char> labeled = labeled_components(known, components);
  const auto parts = std::count(labeled.begin(), labeled.end(), 0);
  embedding.attributes.emplace_back("unlabeled_points", std::int64_t{points});
  embedding.attributes.emplace_back("unlabeled_components", std::int64_t{parts});
  if (points == 0) return;
  const std::string what = parts > 0 ? fmt::format("{} of the graph {} no label (of {})", counted(parts, "component"),
                                                   parts == 1 ? "has" : "have", first_rows(labeled, components))
                                     : "weights vanish on the way from the labels";
  embedding.warnings.push_back({"unlabeled-points",
                                fmt::format("{}: {} equal probabilities and the label -1", what,
                                            points == 1 ? "1 point has" : fmt::format("{} points have", points)),
                                "give labels there, or use components=connect or more neighbors"});
}

}  // namespace

MethodFit label_fit(AffinityFit affinity, const KnownLabels& known, LabelScores found) {
  Array2<double> p = std::move(found.scores);
  const Index count = p.cols();
  std::vector<char> is_reached(at(p.rows()));
  for (Index i = 0; i < p.rows(); ++i) is_reached[at(i)] = scale_to_one(p.row(i), count) ? 1 : 0;
  if (found.class_mass_normalization) normalize_class_mass(known, p);
  MethodFit fit;
  std::int64_t relabeled = 0, unreached = 0;
  for (Index i = 0; i < p.rows(); ++i) {
    const Index place = most_likely(p.row(i), count), own = known.places[at(i)];
    fit.labels.push_back(is_reached[at(i)] != 0 ? known.classes[at(place)] : -1);
    if (is_reached[at(i)] == 0) std::fill_n(p.row(i), count, 1 / static_cast<double>(count));
    unreached += is_reached[at(i)] == 0 ? 1 : 0;
    relabeled += own >= 0 && own != place ? 1 : 0;
  }
  Embedding& embedding = fit.embedding;
  embedding.warnings = std::move(affinity.warnings);
  embedding.attributes = {{"classes", known.classes}, {"known_labels", std::int64_t{known.known()}}};
  report_unlabeled(known, affinity.affinity.components, unreached, embedding);
  embedding.attributes.emplace_back("relabeled", relabeled);
  embedding.attributes.insert(embedding.attributes.end(), affinity.attributes.begin(), affinity.attributes.end());
  embedding.coordinates = p;
  fit.transformer = std::make_shared<const LabelTransformer>(LabelTransformer::Parts{
      .rows = std::move(affinity.rows), .probabilities = std::move(p), .classes = known.classes, .labels = fit.labels});
  return fit;
}

void report_solution(const Smoothed& solution, const SmoothingSettings& settings, MethodFit& fit) {
  Embedding& embedding = fit.embedding;
  embedding.attributes.emplace_back("n_iter", std::int64_t{solution.iterations});
  embedding.attributes.emplace_back("residual", solution.residual);
  fit.chosen.push_back({"solver", std::string(name_of(solution.solver))});
  if (solution.converged) return;
  embedding.warnings.push_back({"not-converged",
                                fmt::format("max_iter={} was reached without convergence. The residual is {:.1e}",
                                            settings.max_iter, solution.residual),
                                "use a larger max_iter, or solver=factorize"});
}

}  // namespace unroll
