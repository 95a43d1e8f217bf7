#include "unroll/report/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <new>

#include "core/random.h"
#include "core/reported_as.h"
#include "data/feature_scaler.h"
#include "data/validate.h"
#include "report/comparison_plan.h"
#include "report/rank_curves.h"
#include "unroll/graph/graph_quantities.h"
#include "unroll/methods/spectral_clustering.h"
#include "unroll/quality/agreement.h"

namespace unroll {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Reports progress of a part of the work as progress of the whole. Stages within a method start from 0 again; the
/// whole does not.
Run part_of(const Run& run, std::string stage, double from, double to) {
  Run part = run;
  if (!run.progress) return part;
  part.progress = [&run, stage = std::move(stage), from, to, reached = 0.0](const Progress& progress) mutable {
    reached = std::max(reached, std::clamp(progress.fraction, 0.0, 1.0));
    return run.progress(
        {.stage = stage, .fraction = from + (to - from) * reached, .loss = progress.loss, .frame = progress.frame});
  };
  return part;
}

void add_to(std::vector<Warning>& all, const std::vector<Warning>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

/// The result of the work, or none where it fails; only cancelling throws.
template <class Work>
auto if_possible(Work&& work) -> std::optional<decltype(work())> {
  try {
    return work();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Cancelled) throw;
    return std::nullopt;
  }
}

/// Checks the input once before the first method, so that not every method reports the same error.
void check_comparison(PointsView points, const GroundTruth& known, const ComparisonOptions& options, const Run& run) {
  validate_options(options, ComparisonOptions::method_name);
  check_points(points, 2, run);
  if (options.metric == Metric::Precomputed) {
    check_square_distances(points.rows(), points.cols());
    check_scaling(InputKind::Distances, options.scale);
  }
  const Index n = points.rows(), labels = std::ssize(known.labels), truth = known.coordinates.rows();
  if (labels != 0 && labels != n)
    throw Error(ErrorKind::InvalidData, fmt::format("there are {} points but {} labels", n, labels),
                "give one label per point");
  if (truth == 0) return;
  if (truth != n)
    throw Error(ErrorKind::InvalidData, fmt::format("there are {} points but true coordinates of {}", n, truth),
                "give one row per point");
  check_points(known.coordinates, 2, run, "true coordinates");
}

QualityOptions measures_of(const ComparisonOptions& options, Index n) {
  constexpr std::int64_t kPairs = 300'000;  // for the correlation of distances: the error is below 0.002
  return {.measures = {QualityMeasure::Trustworthiness, QualityMeasure::Continuity},
          .n_neighbors = std::min<Index>(options.quality_neighbors, (n - 1) / 2),
          .metric = options.metric,
          .p = options.p,
          .max_points = options.max_points,
          .max_pairs = kPairs,
          .random_state = options.random_state};
}

}  // namespace

class Comparer::Work {
 public:
  Work(PointsView points, const GroundTruth& known, const ComparisonOptions& options, const Run& run)
      : points_(points),
        known_(known),
        options_(options),
        run_(run),
        scaled_(points, options.scale, run),
        measures_(measures_of(options, points.rows())),
        plan_(plan_comparison(options, known.labels, points.rows())),
        result_{.n_points = points.rows(),
                .n_features = points.cols(),
                .n_neighbors = measures_.n_neighbors,
                .planned = std::ssize(plan_.runs),
                .notes = plan_.notes} {}

  const ComparisonPlan& plan() const { return plan_; }
  Comparison& result() { return result_; }

  void measure_curves() {
    if (!can_measure()) return;
    auto curves = if_possible([&] { return rank_curves(scaled_.view(), result_.methods, measures_, run_); });
    if (curves)
      result_.curves = std::move(*curves);
    else
      result_.notes.emplace_back("R_NX over k is not measured: it takes more memory, or fewer threads");
  }

  bool next() {
    if (std::ssize(result_.methods) == result_.planned) return false;
    if (!is_prepared_) prepare();
    is_prepared_ = true;
    result_.methods.push_back(run_one(plan_.runs[result_.methods.size()]));
    if (const auto& quality = result_.methods.back().quality) result_.measured_points = quality->trustworthiness.sample;
    return true;
  }

 private:
  bool can_measure() const { return measures_.n_neighbors > 0; }

  /// What all methods and measures need, once.
  void prepare() {
    constexpr Index kEnoughForChance = 1000;  // the error is below 0.01
    find_neighbors();
    // No method has more coordinates than this: all will refuse so many.
    const Index most = std::max(points_.rows(), points_.cols());
    if (!can_measure() || !plan_.has(MethodKind::Map) || options_.n_components > most) return;
    const Random random(static_cast<std::uint64_t>(options_.random_state), "compare.random_map");
    Array2<double> map(points_.rows(), options_.n_components);
    for (Index i = 0; i < map.rows(); ++i)
      for (Index j = 0; j < map.cols(); ++j)
        map(i, j) = random.uniform(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(j));
    const Run run = part_of(run_, "a random map", done(-1, 0), done(-1, 1));
    QualityOptions few = measures_;
    few.max_points = std::min<Index>(options_.max_points, kEnoughForChance);
    result_.random = if_possible([&] { return quality(scaled_.view(), map, known_, few, run); });
  }

  /// Finds the neighbours of all points once, for all methods that begin with them and for all measures. If that fails,
  /// every method looks for its own and reports its own error.
  void find_neighbors() {
    const Index k = std::max<Index>(plan_.shared_neighbors, measures_.n_neighbors);
    if (k == 0) return;
    const auto start = Clock::now();
    const NeighborOptions search{
        .n_neighbors = k, .metric = options_.metric, .p = options_.p, .random_state = options_.random_state};
    const Run run = part_of(run_, "neighbors", done(-2, 0), done(-2, 1));
    neighbors_ = if_possible([&] { return neighbors(scaled_.view(), search, run); });
    if (!neighbors_) return;
    known_.neighbors = &*neighbors_;
    result_.notes.push_back(fmt::format("the {} nearest neighbors of every point were found once for all, in {:.2f} s",
                                        k, seconds_since(start)));
  }

  ComparedMethod run_one(const PlannedRun& planned) {
    ComparedMethod row{.name = planned.method->name,
                       .label = planned.label,
                       .title = planned.method->title,
                       .options = planned.options};
    try {
      fit(planned, row);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::Cancelled) throw;
      row.error = error;
    } catch (const std::bad_alloc&) {
      row.error = Error(ErrorKind::OutOfMemory, {.who = row.name, .problem = "out of memory"});
    }
    if (row.error) row.coordinates = {};
    return row;
  }

  void fit(const PlannedRun& planned, ComparedMethod& row) {
    constexpr double kShareOfFit = 0.7;
    const Index number = std::ssize(result_.methods);
    const std::string stage = fmt::format("{} ({} of {})", row.label, number + 1, result_.planned);
    const Run fit_run = part_of(run_, stage, done(number, 0), done(number, kShareOfFit));
    fit_run.report({.stage = stage});

    const auto start = Clock::now();
    Input input(planned.has_own_scale ? points_ : scaled_.view());
    if (planned.shares_neighbors) input.neighbors = known_.neighbors;
    const Model model = planned.method->fit(input, planned.options, fit_run);
    row.seconds = seconds_since(start);
    row.warnings = planned.warnings;
    add_to(row.warnings, model.embedding().warnings);
    row.coordinates = model.coordinates();
    row.eigenvalues = eigenvalues(planned, input, model, fit_run);
    const Run measure_run = part_of(run_, stage, done(number, kShareOfFit), done(number, 1));
    if (planned.method->kind == MethodKind::Clusters) return measure_clusters(model, measure_run, row);
    if (!can_measure()) return;
    row.quality = measured(row.coordinates, measure_run);
    add_to(row.warnings, row.quality->warnings);
  }

  /// Where a spectrum has its gap is seen in the eigenvalues behind those of the coordinates. A nested map has the same
  /// ones among more; some methods have no more than there are features.
  std::vector<double> eigenvalues(const PlannedRun& planned, const Input& input, const Model& model,
                                  const Run& run) const {
    std::vector<double> own = model.embedding().spectrum.values;
    const std::int64_t count = options_.n_eigenvalues.value_or(0);
    if (!planned.method->properties.nested || own.empty()) return own;
    for (const std::int64_t tried : {count, std::min<std::int64_t>(count, points_.cols())}) {
      if (tried <= std::ssize(own)) return own;
      OptionValues options = planned.options;
      std::erase_if(options, [](const NamedValue& option) { return option.name == "n_components"; });
      options.push_back({"n_components", tried});
      if (const auto more = if_possible([&] { return planned.method->fit(input, options, run); }))
        return more->embedding().spectrum.values;
    }
    return own;
  }

  Quality measured(const Array2<double>& map, const Run& run) const {
    return quality(scaled_.view(), map, known_, measures_, run);
  }

  void measure_clusters(const Model& model, const Run& run, ComparedMethod& row) {
    row.clusters.assign(model.labels().begin(), model.labels().end());
    if (!known_.labels.empty()) row.rand_index = adjusted_rand_index(row.clusters, known_.labels);
    row.conductance = if_possible([&] {
      if (!graph_) graph_ = nearest_points(run);
      double largest = 0;
      for (const Cut& cut : cuts_of(*graph_, model.labels(), run)) largest = std::max(largest, cut.conductance);
      return largest;
    });
  }

  /// The graph of the nearest points, in which all clusters are measured: that of spectral clustering by default.
  WeightedGraph nearest_points(const Run& run) const {
    Input input(scaled_.view());
    input.neighbors = known_.neighbors;
    return weighted_graph(input,
                          {.n_neighbors = std::min<Index>(options_.quality_neighbors, points_.rows() - 1),
                           .bandwidth = SpectralClusteringOptions().bandwidth,
                           .metric = options_.metric,
                           .p = options_.p,
                           .random_state = options_.random_state},
                          run);
  }

  /// The part of all work that is done when a part of this method is. The search before the methods, -2, and the random
  /// map, -1, count as one each.
  double done(Index method, double part) const {
    constexpr Index kBefore = 2;
    return (static_cast<double>(kBefore + method) + part) / static_cast<double>(kBefore + result_.planned);
  }

  PointsView points_;
  GroundTruth known_;
  ComparisonOptions options_;
  Run run_;
  ScaledPoints scaled_;
  QualityOptions measures_;
  ComparisonPlan plan_;
  Comparison result_;
  bool is_prepared_ = false;
  std::optional<Neighbors> neighbors_ = {};
  std::optional<WeightedGraph> graph_ = {};
};

Comparer::Comparer(PointsView points, const GroundTruth& known, const ComparisonOptions& options, const Run& run)
    : work_(reported_as(ComparisonOptions::method_name, [&] {
        check_comparison(points, known, options, run);
        return std::make_unique<Work>(points, known, options, run);
      })) {}

Comparer::~Comparer() = default;

std::vector<std::string> Comparer::labels() const {
  std::vector<std::string> all;
  for (const PlannedRun& run : work_->plan().runs) all.push_back(run.label);
  return all;
}

bool Comparer::has_clusters() const { return work_->plan().has(MethodKind::Clusters); }

bool Comparer::next() {
  return reported_as(ComparisonOptions::method_name, [&] { return work_->next(); });
}

void Comparer::measure_curves() {
  reported_as(ComparisonOptions::method_name, [&] { work_->measure_curves(); });
}

const Comparison& Comparer::result() const { return work_->result(); }

Comparison Comparer::take() { return std::move(work_->result()); }

Comparison compare(PointsView points, const GroundTruth& known, const ComparisonOptions& options, const Run& run) {
  Comparer comparer(points, known, options, run);
  while (comparer.next()) {
  }
  return comparer.take();
}

}  // namespace unroll
