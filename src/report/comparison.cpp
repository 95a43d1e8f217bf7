#include "unroll/report/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <optional>
#include <set>

#include "core/reported_as.h"
#include "core/text.h"
#include "data/validate.h"
#include "unroll/methods/spectral_clustering.h"
#include "unroll/quality/agreement.h"
#include "unroll/registry.h"

namespace unroll {
namespace {

constexpr std::int64_t kNeighbors = 10;   // the default of the methods
constexpr std::int64_t kPairs = 300'000;  // for the correlation of distances: the error is below 0.002
/// More labels than this, or labels of fewer points, are names or measurements rather than classes to find.
constexpr Index kMostClasses = 40, kPointsPerClass = 5;

const OptionInfo* find_option(const Method& method, std::string_view name) {
  const auto found = std::find_if(method.options.begin(), method.options.end(),
                                  [&](const OptionInfo& info) { return info.name == name; });
  return found == method.options.end() ? nullptr : &*found;
}

/// The metric says what the numbers mean; a method without a metric would misread them.
bool takes_metric(const Method& method, Metric metric) {
  if (metric == Metric::Euclidean) return true;
  const OptionInfo* info = find_option(method, "metric");
  return info != nullptr &&
         std::find(info->choices.begin(), info->choices.end(), name_of(metric)) != info->choices.end();
}

/// All methods that can take such points; `notes` says why the others cannot.
std::vector<const Method*> possible(Metric metric, Index n, std::vector<std::string>& notes) {
  std::vector<const Method*> result;
  std::vector<std::string> no_metric, too_few;
  for (const Method& method : methods()) {
    if (!takes_metric(method, metric)) {
      no_metric.push_back(method.name);
    } else if (method.properties.min_points > n) {
      too_few.push_back(method.name);
    } else {
      result.push_back(&method);
    }
  }
  if (!no_metric.empty())
    notes.push_back(fmt::format("{}: not run, without metric={}", joined(no_metric), name_of(metric)));
  if (!too_few.empty()) notes.push_back(fmt::format("{}: not run, {} points are too few", joined(too_few), n));
  return result;
}

/// The named methods, each once; or all that can take such points.
std::vector<const Method*> chosen(const ComparisonOptions& options, Index n, std::vector<std::string>& notes) {
  if (options.methods.empty()) return possible(options.metric, n, notes);
  std::vector<const Method*> result;
  for (const std::string& name : options.methods) {
    const Method& method = find_method(name);
    if (!takes_metric(method, options.metric))
      throw Error(ErrorKind::Unsupported, fmt::format("{} has no metric {}", method.name, name_of(options.metric)),
                  "leave it out of the methods");
    if (std::find(result.begin(), result.end(), &method) == result.end()) result.push_back(&method);
  }
  return result;
}

/// The options of the comparison that the method has, without n_components for a clustering: it has as many coordinates
/// as clusters.
OptionValues options_for(const Method& method, const ComparisonOptions& options) {
  OptionValues given;
  for (const auto& [name, value] : option_values(options)) {
    const bool counts = find_option(method, name) != nullptr && !std::holds_alternative<std::monostate>(value);
    if (counts && !(method.kind == MethodKind::Clusters && name == "n_components")) given.push_back({name, value});
  }
  return given;
}

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

class Work {
 public:
  Work(PointsView points, const GroundTruth& known, const ComparisonOptions& options, Index methods, const Run& run)
      : points_(points), known_(known), options_(options), run_(run), methods_(methods), steps_(methods) {
    const Index k = std::min<Index>(options.n_neighbors.value_or(kNeighbors), (points.rows() - 1) / 2);
    quality_ = {.measures = {QualityMeasure::Trustworthiness, QualityMeasure::Continuity},
                .n_neighbors = k,
                .metric = options.metric,
                .p = options.p,
                .max_points = options.max_points,
                .max_pairs = kPairs,
                .random_state = options.random_state};
    if (!options.n_clusters && !known.labels.empty()) count_clusters();
    if (!options_.n_clusters) options_.n_clusters = std::min(SpectralClusteringOptions().n_clusters, points.rows());
  }

  std::int64_t n_neighbors() const { return quality_.n_neighbors; }

  /// Finds the neighbours of all points once, for all methods that begin with them. If that fails, every method looks
  /// for its own and reports its own error.
  void find_neighbors(const std::vector<const Method*>& methods, std::vector<std::string>& notes) {
    // Above this, hlle needs more neighbours than the default; then every method finds as many as it needs.
    constexpr std::int64_t kMostComponents = 3;
    const auto begins_with_them = [](const Method* method) { return find_option(*method, "n_neighbors") != nullptr; };
    const bool is_default = !options_.n_neighbors;
    if (std::count_if(methods.begin(), methods.end(), begins_with_them) < 2 || options_.scale != Scaling::None ||
        (is_default && options_.n_components > kMostComponents))
      return;
    const Index k = std::min<Index>(options_.n_neighbors.value_or(kNeighbors), points_.rows() - 1);
    const auto start = std::chrono::steady_clock::now();
    const NeighborOptions search{
        .n_neighbors = k, .metric = options_.metric, .p = options_.p, .random_state = options_.random_state};
    steps_ = methods_ + 1;
    try {
      neighbors_ = neighbors(points_, search, part_of(run_, "neighbors", 0, done(-1, 1)));
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::Cancelled) throw;
      return;
    }
    notes.push_back(fmt::format("the {} neighbors of every point were found once for all methods, in {:.2f} s", k,
                                std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()));
  }

  ComparedMethod operator()(const Method& method, std::size_t index, std::size_t count) const {
    ComparedMethod result{.name = method.name, .title = method.title, .options = options_for(method, options_)};
    try {
      fit(method, index, count, result);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::Cancelled) throw;
      result.error = error;
    } catch (const std::bad_alloc&) {
      result.error = Error(ErrorKind::OutOfMemory, {.who = method.name, .problem = "out of memory"});
    }
    if (result.error) result.coordinates = {};
    return result;
  }

 private:
  /// Uses as many clusters as labels, if these can be classes.
  void count_clusters() {
    const Index labels = std::ssize(std::set<std::int64_t>(known_.labels.begin(), known_.labels.end()));
    if (labels <= std::min(kMostClasses, points_.rows() / kPointsPerClass)) {
      options_.n_clusters = labels;
    } else if (labels > 1) {
      about_clusters_.push_back({"many-labels",
                                 fmt::format("{} labels of {} points are too many to be clusters (at most {}, of {} "
                                             "points each on average): n_clusters has its default",
                                             labels, points_.rows(), kMostClasses, kPointsPerClass),
                                 "use n_clusters"});
    }
  }

  void fit(const Method& method, std::size_t index, std::size_t count, ComparedMethod& result) const {
    const bool finds_clusters = method.kind == MethodKind::Clusters;
    constexpr double kShareOfFit = 0.7;
    const std::string stage = fmt::format("{} ({} of {})", result.name, index + 1, count);
    const auto number = static_cast<Index>(index);
    const Run fit_run = part_of(run_, stage, done(number, 0), done(number, kShareOfFit));
    fit_run.report({.stage = stage});

    const auto start = std::chrono::steady_clock::now();
    Input input(points_);
    if (neighbors_) input.neighbors = &*neighbors_;
    const Model model = method.fit(input, result.options, fit_run);
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (finds_clusters) result.warnings = about_clusters_;
    add_to(result.warnings, model.embedding().warnings);
    result.coordinates = model.coordinates();
    if (finds_clusters) return add_clusters(model, result);
    if (quality_.n_neighbors < 1) return;
    const Run measure_run = part_of(run_, stage, done(number, kShareOfFit), done(number, 1));
    result.quality = quality(points_, result.coordinates, known_, quality_, measure_run);
    add_to(result.warnings, result.quality->warnings);
  }

  /// The part of all work that is done when a part of this method is; the search before the methods counts as one.
  double done(Index method, double part) const {
    const Index before = steps_ - methods_;
    return (static_cast<double>(before + method) + part) / static_cast<double>(steps_);
  }

  static void add_to(std::vector<Warning>& all, const std::vector<Warning>& more) {
    all.insert(all.end(), more.begin(), more.end());
  }

  void add_clusters(const Model& model, ComparedMethod& result) const {
    result.clusters.assign(model.labels().begin(), model.labels().end());
    if (!known_.labels.empty()) result.rand_index = adjusted_rand_index(result.clusters, known_.labels);
    for (const auto& [name, value] : model.embedding().attributes)
      if (const auto* number = std::get_if<double>(&value); name == "largest_conductance" && number != nullptr)
        result.conductance = *number;
  }

  PointsView points_;
  const GroundTruth& known_;
  ComparisonOptions options_;
  const Run& run_;
  Index methods_, steps_;  // a search that is done once is a step, too
  QualityOptions quality_;
  std::vector<Warning> about_clusters_ = {};
  std::optional<Neighbors> neighbors_ = {};
};

/// Checks the input once before the first method, so that not every method reports the same error.
void check_input(PointsView points, const GroundTruth& known, const ComparisonOptions& options, const Run& run) {
  validate_options(options, ComparisonOptions::method_name);
  check_points(points, 2, run);
  if (options.metric == Metric::Precomputed) check_square_distances(points.rows(), points.cols());
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

}  // namespace

Comparison compare(PointsView points, const GroundTruth& known, const ComparisonOptions& options, const Run& run) {
  return reported_as(ComparisonOptions::method_name, [&] {
    check_input(points, known, options, run);
    Comparison result{.n_points = points.rows(), .n_features = points.cols()};
    const std::vector<const Method*> methods = chosen(options, points.rows(), result.notes);
    Work work(points, known, options, std::ssize(methods), run);
    result.n_neighbors = work.n_neighbors();
    work.find_neighbors(methods, result.notes);
    for (const Method* method : methods) {
      result.methods.push_back(work(*method, result.methods.size(), methods.size()));
      if (const auto& quality = result.methods.back().quality) result.measured_points = quality->trustworthiness.sample;
    }
    return result;
  });
}

}  // namespace unroll
