#include "report/comparison_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <utility>

#include "core/text.h"
#include "unroll/methods/spectral_clustering.h"
#include "unroll/quality/agreement.h"

namespace unroll {
namespace {

constexpr Index kDefaultNeighbors = 10;  // of the methods
/// More labels than this, or labels of fewer points, are names or measurements rather than classes to find.
constexpr Index kMostClasses = 40, kPointsPerClass = 5;
/// Of methods that take long on all points.
constexpr std::int64_t kComparedLandmarks = 1000;

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

/// "name it among the methods" or "name them ...".
std::string advice_to_name(const std::vector<std::string>& methods, std::string_view what_for) {
  const char* them = methods.size() > 1 ? "them" : "it";
  return fmt::format("name {} among the methods to run {} {}", them, them, what_for);
}

/// All methods that can take such points, by landmarks where all points take long; `notes` says so, and why others are
/// left out. Where points are placed by iterations, landmarks would save no time.
std::vector<ListedMethod> possible(Metric metric, Index n, std::vector<std::string>& notes) {
  std::vector<ListedMethod> result;
  std::vector<std::string> no_metric, too_few, too_many, by_landmarks;
  for (const Method& method : methods()) {
    if (method.kind == MethodKind::Labels) continue;  // a map or clusters need no labels
    if (!takes_metric(method, metric)) {
      no_metric.push_back(method.name);
    } else if (method.properties.min_points > n) {
      too_few.push_back(method.name);
    } else if (n <= method.most_compared.value_or(n)) {
      result.push_back({.method = &method});
    } else if (find_option(method, "n_landmarks") != nullptr && method.transform != TransformKind::Optimized) {
      by_landmarks.push_back(method.name);
      result.push_back({.method = &method, .options = {{"n_landmarks", kComparedLandmarks}}});
    } else {
      too_many.push_back(method.name);
    }
  }
  // What takes long on fewer points takes longer: the cheapest maps come first, clusters last.
  const auto rank = [](const ListedMethod& listed) {
    constexpr Index kNoLimit = std::numeric_limits<Index>::max();
    return std::pair(listed.method->kind == MethodKind::Clusters, -listed.method->most_compared.value_or(kNoLimit));
  };
  std::stable_sort(result.begin(), result.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  if (!no_metric.empty())
    notes.push_back(fmt::format("{}: not run, without metric={}", joined(no_metric), name_of(metric)));
  if (!too_few.empty()) notes.push_back(fmt::format("{}: not run, {} points are too few", joined(too_few), n));
  if (!by_landmarks.empty())
    notes.push_back(fmt::format("{}: run by {} landmarks, {} points take long; {}", joined(by_landmarks),
                                kComparedLandmarks, n, advice_to_name(by_landmarks, "on all")));
  if (!too_many.empty())
    notes.push_back(
        fmt::format("{}: not run, {} points take long; {}", joined(too_many), n, advice_to_name(too_many, "anyway")));
  return result;
}

std::vector<ListedMethod> chosen(const ComparisonOptions& options, Index n, std::vector<std::string>& notes) {
  if (options.methods.empty()) return possible(options.metric, n, notes);
  std::vector<ListedMethod> result = listed_methods(options.methods);
  for (const ListedMethod& listed : result)
    if (!listed.has("metric") && !takes_metric(*listed.method, options.metric))
      throw Error(ErrorKind::Unsupported,
                  {.problem = fmt::format("{} has no metric {}", listed.method->name, name_of(options.metric)),
                   .advice = "leave it out of the methods",
                   .option = "methods"});
  return result;
}

bool says(const ListedMethod& listed, std::string_view option, std::string_view value) {
  return std::any_of(listed.options.begin(), listed.options.end(), [&](const NamedValue& own) {
    return own.name == option && own.value == OptionValue(std::string(value));
  });
}

/// Whether options of its own say who is a neighbour of whom, or that all points are joined.
bool has_own_neighborhoods(const ListedMethod& listed) {
  return listed.has("n_neighbors") || listed.has("radius") || says(listed, "graph", "full") ||
         says(listed, "weights", "precomputed");
}

/// Whether the neighbours found once for all are those that the run would find. Landmarks have neighbours among
/// themselves.
bool can_share_neighbors(const ListedMethod& listed) {
  constexpr std::array<std::string_view, 7> kOthers{
      "radius", "metric", "p", "scale", "n_landmarks", "random_state", "neighbors_algorithm"};
  const bool has_neighbors = listed.method->min_neighbors != nullptr || listed.method->needed_neighbors != nullptr;
  return has_neighbors && !says(listed, "graph", "full") && !says(listed, "weights", "precomputed") &&
         std::none_of(kOthers.begin(), kOthers.end(), [&](auto option) { return listed.has(option); });
}

/// The options of the comparison that the method has, and its own; without n_components for a clustering, which has as
/// many coordinates as clusters.
OptionValues options_for(const ListedMethod& listed, const ComparisonOptions& options) {
  constexpr std::array<std::string_view, 5> kForAll{"n_components", "n_clusters", "metric", "p", "random_state"};
  OptionValues given;
  for (const auto& [name, value] : option_values(options)) {
    const bool is_for_all = std::find(kForAll.begin(), kForAll.end(), name) != kForAll.end();
    const bool is_count_of_clusters = listed.method->kind == MethodKind::Clusters && name == "n_components";
    if (is_for_all && !is_count_of_clusters && find_option(*listed.method, name) != nullptr && !listed.has(name))
      given.push_back({name, value});
  }
  given.insert(given.end(), listed.options.begin(), listed.options.end());
  return given;
}

std::int64_t integer_of(const OptionValues& options, std::string_view name, std::int64_t otherwise) {
  for (const NamedValue& option : options)
    if (const auto* value = std::get_if<std::int64_t>(&option.value); option.name == name && value != nullptr)
      return *value;
  return otherwise;
}

/// Neighbours per point that the run asks for: as it says, or as many as methods take if nothing is said.
Index needed_neighbors(const PlannedRun& run, Index n) {
  if (run.method->needed_neighbors != nullptr) return run.method->needed_neighbors(run.options, n);
  const Index d = std::min<Index>(integer_of(run.options, "n_components", 1), n);
  const Index least = std::max(kDefaultNeighbors, run.method->min_neighbors(d));
  return std::min<Index>(integer_of(run.options, "n_neighbors", least), n - 1);
}

class Planner {
 public:
  Planner(const ComparisonOptions& options, Index n, std::vector<Warning> of_clusters)
      : options_(options), n_(n), of_clusters_(std::move(of_clusters)) {}

  void add(const ListedMethod& listed, std::string label) {
    PlannedRun run{.method = listed.method,
                   .label = std::move(label),
                   .options = options_for(listed, options_),
                   .has_own_scale = listed.has("scale"),
                   .shares_neighbors = can_share_neighbors(listed)};
    const bool is_there = std::any_of(plan.runs.begin(), plan.runs.end(),
                                      [&](const PlannedRun& other) { return other.label == run.label; });
    if (is_there) return;
    if (listed.method->kind == MethodKind::Clusters && !listed.has("n_clusters")) run.warnings = of_clusters_;
    if (run.shares_neighbors) plan.shared_neighbors = std::max(plan.shared_neighbors, needed_neighbors(run, n_));
    plan.runs.push_back(std::move(run));
  }

  /// The run for every number of neighbours, if the method uses them.
  void add_all(const ListedMethod& listed) {
    const bool is_repeated = listed.method->min_neighbors != nullptr && !has_own_neighborhoods(listed);
    if (!is_repeated || options_.n_neighbors.empty()) return add(listed, listed.text());
    for (const std::int64_t k : options_.n_neighbors) {
      ListedMethod one = listed;
      one.options.push_back({"n_neighbors", k});
      add(one, options_.n_neighbors.size() > 1 ? one.text() : listed.text());
    }
  }

  ComparisonPlan plan = {};

 private:
  const ComparisonOptions& options_;
  Index n_;
  std::vector<Warning> of_clusters_;  // about n_clusters, for runs that have none of their own
};

/// As many clusters as labels, if these can be classes; else the default, with a warning.
std::int64_t clusters_for(const std::vector<std::int64_t>& labels, Index n, std::vector<Warning>& warnings) {
  std::set<std::int64_t> classes(labels.begin(), labels.end());
  classes.erase(kNoLabel);
  const Index different = std::ssize(classes);
  if (different > 0 && different <= std::min(kMostClasses, n / kPointsPerClass)) return different;
  if (different > 1)
    warnings.push_back({"many-labels",
                        fmt::format("{} labels of {} points are too many to be clusters (at most {}, of {} "
                                    "points each on average): n_clusters has its default",
                                    different, n, kMostClasses, kPointsPerClass),
                        "use n_clusters"});
  return std::min(SpectralClusteringOptions().n_clusters, n);
}

}  // namespace

bool ComparisonPlan::has(MethodKind kind) const {
  return std::any_of(runs.begin(), runs.end(), [&](const PlannedRun& run) { return run.method->kind == kind; });
}

ComparisonPlan plan_comparison(const ComparisonOptions& given, const std::vector<std::int64_t>& labels, Index n) {
  ComparisonOptions options = given;
  std::vector<Warning> of_clusters;
  if (!options.n_clusters) options.n_clusters = clusters_for(labels, n, of_clusters);
  Planner planner(options, n, std::move(of_clusters));
  for (const ListedMethod& listed : chosen(options, n, planner.plan.notes)) planner.add_all(listed);
  return std::move(planner.plan);
}

}  // namespace unroll
