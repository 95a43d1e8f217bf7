#include "unroll/advice/advise.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "advice/advice_words.h"
#include "advice/graph_study.h"
#include "advice/trials.h"
#include "core/at.h"
#include "core/owned_points.h"
#include "core/random.h"
#include "core/reported_as.h"
#include "core/text.h"
#include "data/feature_scaler.h"
#include "data/validate.h"
#include "report/method_list.h"

namespace unroll {
namespace {

constexpr Index kMinPoints = 20;
/// Not tried unless they are asked for: their maps resemble those of a faster method, or need care of their own.
constexpr std::array<std::string_view, 5> kOnRequest{"mvu", "nonmetric_mds", "sne", "autoencoder", "kernel_pca"};
/// Methods of which further sizes are tried, and by how much their area may be below the best one.
constexpr std::size_t kMostRefined = 3;
constexpr double kNearlyBest = 0.15;
constexpr int kOtherSeeds = 2;

/// Perplexities, about sqrt(2) apart as kNeighbors are.
constexpr std::array<std::int64_t, 8> kPerplexities{5, 10, 15, 20, 30, 50, 80, 120};

std::string with_option(const std::string& label, std::string_view name, std::int64_t value) {
  const char sign = label.find(':') == std::string::npos ? ':' : ',';
  return fmt::format("{}{}{}={}", label, sign, name, value);
}

/// As an unsigned number: the largest seed has followers, too.
std::int64_t other_seed(std::int64_t seed, int more) {
  return static_cast<std::int64_t>((static_cast<std::uint64_t>(seed) + static_cast<std::uint64_t>(more)) & INT64_MAX);
}

class Adviser {
 public:
  Adviser(PointsView points, const AdviceOptions& options, const Run& run)
      : points_(points), options_(options), run_(run), trials_(points, options, run) {}

  Advice run() {
    advice_.sample = points_.rows();
    study_graphs(points_, options_, run_, advice_);
    trials_.add(first_round());
    for (const std::string& method : nearly_best()) trials_.add(other_sizes(method));
    check_any();
    const std::size_t best = best_of(trials_.maps());
    add_neighbors_in_size(best);
    add_other_seeds(best);
    order_maps(std::string(trials_.maps()[best].run.label));
    return std::move(advice_);
  }

 private:
  /// The usual sizes that this method can have, ascending.
  std::vector<std::int64_t> sizes_of(const Method& method) const {
    const bool is_perplexity = size_option(method) == "perplexity";
    const Index most = is_perplexity ? (points_.rows() - 1) / 3 : points_.rows() - 1;
    const Index least = method.min_neighbors != nullptr ? method.min_neighbors(options_.n_components) : 1;
    std::vector<std::int64_t> sizes;
    for (const std::int64_t size : is_perplexity ? kPerplexities : kNeighbors)
      if (size >= least && size <= most) sizes.push_back(size);
    return sizes;
  }

  /// A size to begin with: 10 neighbours or a perplexity of 30, or as near to it as the method and the points allow.
  std::string begun(const ListedMethod& listed) const {
    const std::string_view option = size_option(*listed.method);
    if (option.empty() || listed.has(option)) return listed.text();
    const std::int64_t usual = option == "perplexity" ? 30 : 10;
    const std::vector<std::int64_t> sizes = sizes_of(*listed.method);
    if (sizes.empty()) return listed.text();
    const auto at_least_usual = std::find_if(sizes.begin(), sizes.end(), [&](auto size) { return size >= usual; });
    return label_of(listed, at_least_usual == sizes.end() ? sizes.back() : *at_least_usual);
  }

  std::string label_of(const ListedMethod& listed, std::int64_t size) const {
    return listed_methods({with_option(listed.text(), size_option(*listed.method), size)}).front().text();
  }

  std::vector<std::string> first_round() {
    std::vector<std::string> list = options_.methods;
    if (list.empty()) {
      for (const Method* method : methods_of(MethodKind::Map)) {
        const bool is_usual = std::find(kOnRequest.begin(), kOnRequest.end(), method->name) == kOnRequest.end();
        const bool is_fast = points_.rows() <= method->most_compared.value_or(points_.rows());
        if (is_usual && is_fast && takes_metric(*method)) list.push_back(method->name);
      }
      advice_.notes.push_back(fmt::format("not tried, for their time: {}; name them with methods to try them",
                                          joined(std::vector<std::string>(kOnRequest.begin(), kOnRequest.end()))));
    }
    std::vector<std::string> labels;
    for (const ListedMethod& listed : listed_methods(list)) labels.push_back(begun(listed));
    return labels;
  }

  bool takes_metric(const Method& method) const {
    if (options_.metric == Metric::Euclidean) return true;
    for (const OptionInfo& info : method.options)
      if (info.name == "metric")
        return std::find(info.choices.begin(), info.choices.end(), name_of(options_.metric)) != info.choices.end();
    return false;
  }

  double best_area() const {
    double best = -1;
    for (const TriedMap& map : trials_.maps()) best = std::max(best, map.area.value_or(-1));
    return best;
  }

  /// The labels of the best maps that have a size, if this is one of the usual list.
  std::vector<std::string> nearly_best() const {
    std::vector<std::pair<double, std::string>> found;
    for (const TriedMap& map : trials_.maps())
      if (map.area && map.size && *map.area > best_area() - kNearlyBest) found.emplace_back(-*map.area, map.run.label);
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> labels;
    for (std::size_t i = 0; i < std::min(found.size(), kMostRefined); ++i) labels.push_back(found[i].second);
    return labels;
  }

  /// The same method with all of the usual sizes.
  std::vector<std::string> other_sizes(const std::string& label) const {
    ListedMethod listed = listed_methods({label}).front();
    const std::string_view option = size_option(*listed.method);
    std::erase_if(listed.options, [&](const NamedValue& own) { return own.name == option; });
    std::vector<std::string> labels;
    for (const std::int64_t size : sizes_of(*listed.method)) labels.push_back(label_of(listed, size));
    return labels;
  }

  void check_any() const {
    for (const TriedMap& map : trials_.maps())
      if (map.area) return;
    for (const TriedMap& map : trials_.maps())
      if (map.run.error) throw Error(*map.run.error);
    throw Error(
        ErrorKind::InvalidOption,
        {.problem = "methods names none that makes a map", .advice = "name one, such as isomap", .option = "methods"});
  }

  std::vector<Agreement> agreements(std::size_t best, const std::vector<std::size_t>& others) const {
    const std::vector<double> shared = trials_.agreement(best, others);
    std::vector<Agreement> result;
    for (std::size_t i = 0; i < others.size(); ++i)
      result.push_back({trials_.maps()[others[i]].run.label, *trials_.maps()[others[i]].area, shared[i]});
    return result;
  }

  /// The maps of the same method with the next smaller and the next larger size.
  void add_neighbors_in_size(std::size_t best) {
    const TriedMap& chosen = trials_.maps()[best];
    if (!chosen.size) return;
    const std::vector<std::string> ladder = other_sizes(chosen.run.label);
    const auto place = std::find(ladder.begin(), ladder.end(), chosen.run.label);
    if (place == ladder.end()) return;
    std::vector<std::size_t> others;
    const auto add = [&](const std::string& label) {
      const std::size_t map = trials_.find(label);
      if (map < trials_.maps().size() && trials_.maps()[map].area) others.push_back(map);
    };
    if (place != ladder.begin()) add(*(place - 1));
    if (place + 1 != ladder.end()) add(*(place + 1));
    advice_.sizes = agreements(best, others);
  }

  void add_other_seeds(std::size_t best) {
    const std::string label = trials_.maps()[best].run.label;
    const ListedMethod listed = listed_methods({label}).front();
    if (!listed.method->is_optimized || listed.has("random_state")) return;
    const bool has_seed = std::any_of(listed.method->options.begin(), listed.method->options.end(),
                                      [](const OptionInfo& info) { return info.name == "random_state"; });
    if (!has_seed) return;
    std::vector<std::string> labels;
    for (int more = 1; more <= kOtherSeeds; ++more)
      labels.push_back(
          listed_methods({with_option(label, "random_state", other_seed(options_.random_state, more))}).front().text());
    trials_.add(labels);
    std::vector<std::size_t> others;
    for (const std::string& other : labels)
      if (const std::size_t map = trials_.find(other); trials_.maps()[map].area) others.push_back(map);
    advice_.seeds = agreements(best, others);
  }

  /// `best` is a label of its own: those of the maps move.
  void order_maps(std::string&& best) {
    for (const std::string& note : trials_.notes()) advice_.notes.push_back(note);
    advice_.tried = trials_.take();
    std::stable_sort(advice_.tried.begin(), advice_.tried.end(),
                     [](const TriedMap& a, const TriedMap& b) { return a.area.value_or(-2) > b.area.value_or(-2); });
    for (std::size_t i = 0; i < advice_.tried.size(); ++i)
      if (advice_.tried[i].run.label == best) advice_.best = i;
  }

  PointsView points_;
  AdviceOptions options_;
  Run run_;
  Trials trials_;
  Advice advice_ = {};
};

/// Some points, or the distances among them.
OwnedPoints sampled(PointsView points, const AdviceOptions& options) {
  const std::vector<Index> rows = Random(static_cast<std::uint64_t>(options.random_state), "advise.sample")
                                      .sample(points.rows(), options.max_points);
  if (options.metric != Metric::Precomputed) return copied(points, rows);
  Array2<double> some(std::ssize(rows), std::ssize(rows));
  points.visit([&](auto all) {
    for (Index i = 0; i < some.rows(); ++i)
      for (Index j = 0; j < some.cols(); ++j) some(i, j) = static_cast<double>(all(rows[at(i)], rows[at(j)]));
  });
  return some;
}

void check_input(PointsView points, const AdviceOptions& options, const Run& run) {
  validate_options(options, AdviceOptions::method_name);
  check_points(points, kMinPoints, run);
  if (points.is_sparse())
    throw Error(ErrorKind::Unsupported, "sparse points cannot be tried by all methods",
                "reduce them first: embed with method=pca and n_components=50");
  if (options.metric != Metric::Precomputed) return;
  check_square_distances(points.rows(), points.cols());
  check_scaling(InputKind::Distances, options.scale);
}

}  // namespace

Advice advise(PointsView points, const AdviceOptions& options, const Run& run) {
  return reported_as_if_unnamed(AdviceOptions::method_name, [&] {
    check_input(points, options, run);
    const ScaledPoints scaled(points, options.scale, run);
    OwnedPoints sample;
    PointsView tried = scaled.view();
    if (points.rows() > options.max_points) {
      sample = sampled(tried, options);
      tried = view_of(sample);
    }
    Advice advice = Adviser(tried, options, run).run();
    advice.n_points = points.rows();
    // The methods were given scaled points; who runs one of them on the points themselves must have it scale them.
    if (options.scale != Scaling::None)
      for (TriedMap& map : advice.tried) map.run.options.push_back({"scale", std::string(name_of(options.scale))});
    put_in_words(options, run, advice);
    return advice;
  });
}

}  // namespace unroll
