#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.h"
#include "unroll/report/figures.h"

namespace unroll {
namespace {

const Figure& figure_of(const std::vector<Figure>& all, std::string_view name) {
  return *std::find_if(all.begin(), all.end(), [&](const Figure& figure) { return figure.name == name; });
}

/// The mean of trustworthiness and continuity.
Figure kept_neighborhoods(const std::vector<Figure>& all) {
  const Figure &trust = figure_of(all, "trustworthiness"), &continuity = figure_of(all, "continuity");
  Figure kept{.name = "kept"};
  const auto mean = [](std::optional<double> a, std::optional<double> b) {
    return a && b ? std::optional((*a + *b) / 2) : std::nullopt;
  };
  for (std::size_t i = 0; i < trust.values.size(); ++i) {
    kept.values.push_back(mean(trust.values[i], continuity.values[i]));
    // Both look at the same points: their errors may add up.
    kept.uncertainty.push_back((trust.uncertainty[i] + continuity.uncertainty[i]) / 2);
  }
  kept.random = mean(trust.random, continuity.random);
  return kept;
}

/// The methods in the order of a figure, best first; those without a value are left out.
std::vector<std::size_t> ranking(const Figure& figure) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < figure.values.size(); ++i)
    if (figure.values[i]) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return *figure.values[a] > *figure.values[b]; });
  return order;
}

class Verdict {
 public:
  explicit Verdict(const Comparison& comparison)
      : comparison_(comparison), figures_(figures(comparison, true)), kept_(kept_neighborhoods(figures_)) {}

  std::vector<std::string> sentences() {
    say_who_keeps_neighborhoods();
    say_who_keeps("label_accuracy", "labels together",
                  "the share of points with the label of most of their neighbors is");
    say_who_keeps("true_distance_pearson", "the true distances", "their correlation is");
    say_what_is_chance();
    say_what_was_warned_of();
    say_what_failed();
    return std::move(sentences_);
  }

 private:
  const std::string& label(std::size_t method) const { return comparison_.methods[method].label; }
  std::vector<std::string> labels(const std::vector<std::size_t>& some) const {
    std::vector<std::string> names;
    names.reserve(some.size());
    for (const std::size_t i : some) names.push_back(label(i));
    return names;
  }

  std::string above_chance(double value) const {
    return kept_.random ? fmt::format("{:.2f} above a random map", value - *kept_.random) : "";
  }

  /// "trust 0.9532 and continuity 0.9848"
  std::string both(std::size_t method) const {
    const Figure &trust = figure_of(figures_, "trustworthiness"), &continuity = figure_of(figures_, "continuity");
    return fmt::format("trust {} and continuity {}", trust.text(trust.values[method]),
                       continuity.text(continuity.values[method]));
  }

  void say_who_keeps_neighborhoods() {
    const std::vector<std::size_t> order = ranking(kept_);
    if (order.empty()) return;
    const double most = *kept_.values[order.front()];
    std::vector<std::string> margins;
    if (order.size() == 1) {
      if (kept_.random) margins.push_back(above_chance(most));
      sentences_.push_back(fmt::format("{} keeps neighborhoods with {}{}{}.", label(order.front()), both(order.front()),
                                       margins.empty() ? "" : ": their mean is ", joined(margins)));
      return;
    }
    std::vector<std::size_t> best, others;
    for (const std::size_t i : order) (kept_.is_best(i) ? best : others).push_back(i);
    if (!best.empty() && !others.empty())
      margins.push_back(fmt::format("{:.2g} above {}", most - *kept_.values[others.front()], label(others.front())));
    if (kept_.random) margins.push_back(above_chance(most));
    const std::string mean = margins.empty() ? "" : fmt::format(": their mean is {}", listed(margins));
    if (best.size() == 1) {
      sentences_.push_back(
          fmt::format("{} keeps neighborhoods best, with {}{}.", label(best.front()), both(best.front()), mean));
    } else if (!best.empty()) {
      sentences_.push_back(fmt::format("{} keep neighborhoods best and about alike, {} with {}{}.",
                                       listed(labels(best)), label(best.front()), both(best.front()), mean));
    } else {
      sentences_.push_back(fmt::format("No map keeps neighborhoods clearly better than the others; {} has {}{}.",
                                       label(order.front()), both(order.front()), mean));
    }
  }

  /// Where something is known of the points: who keeps it best.
  void say_who_keeps(std::string_view figure_name, std::string_view what, std::string_view measure) {
    const Figure& figure = figure_of(figures_, figure_name);
    const std::vector<std::size_t> order = ranking(figure);
    if (order.empty()) return;
    std::vector<std::size_t> best;
    std::copy_if(order.begin(), order.end(), std::back_inserter(best), [&](auto i) { return figure.is_best(i); });
    std::string text = fmt::format("{} {}", measure, figure.text(figure.values[order.front()]));
    if (figure.data) text += fmt::format(", in the data themselves {}", figure.text(figure.data));
    if (figure.random) text += fmt::format(", in a random map {}", figure.text(figure.random));
    const std::string& first = label(order.front());
    if (order.size() == 1) {
      sentences_.push_back(fmt::format("{} keeps {}: {}.", first, what, text));
    } else if (best.empty()) {
      sentences_.push_back(fmt::format("No map keeps {} clearly better than the others; {}: {}.", what, first, text));
    } else {
      const std::string_view verb = best.size() == 1 ? "keeps" : "keep";
      sentences_.push_back(fmt::format("{} {} {} best: {}.", listed(labels(best)), verb, what, text));
    }
  }

  /// Maps that keep no more than chance does.
  void say_what_is_chance() {
    std::vector<std::size_t> some;
    for (std::size_t i = 0; kept_.random && i < kept_.values.size(); ++i)
      if (kept_.values[i] && *kept_.values[i] - *kept_.random <= kept_.uncertainty[i]) some.push_back(i);
    if (!some.empty())
      sentences_.push_back(fmt::format("Not to be trusted: {}, which {} neighborhoods no better than a random map.",
                                       listed(labels(some)), some.size() == 1 ? "keeps" : "keep"));
  }

  void say_what_was_warned_of() {
    Groups groups;
    for (const ComparedMethod& method : comparison_.methods) {
      std::vector<std::string> codes;
      for (const Warning& warning : method.warnings)
        if (std::find(codes.begin(), codes.end(), warning.code) == codes.end()) codes.push_back(warning.code);
      if (!method.error && !codes.empty()) add(joined(codes), method.label, groups);
    }
    std::vector<std::string> some;
    for (const auto& [codes, names] : groups) some.push_back(fmt::format("{} ({})", listed(names), codes));
    if (!some.empty())
      sentences_.push_back(fmt::format("To be read with care, for their warnings: {}.", joined(some, "; ")));
  }

  void say_what_failed() {
    Groups groups;
    for (const ComparedMethod& method : comparison_.methods)
      if (method.error) add(method.error->with_who("").what(), method.label, groups);
    for (const auto& [reason, names] : groups)
      sentences_.push_back(fmt::format("{} failed: {}.", listed(names), reason));
  }

  /// Methods of which the same can be said.
  using Groups = std::vector<std::pair<std::string, std::vector<std::string>>>;
  static void add(const std::string& said, const std::string& label, Groups& groups) {
    const auto same =
        std::find_if(groups.begin(), groups.end(), [&](const auto& group) { return group.first == said; });
    if (same != groups.end()) {
      same->second.push_back(label);
    } else {
      groups.push_back({said, {label}});
    }
  }

  const Comparison& comparison_;
  std::vector<Figure> figures_;
  Figure kept_;
  std::vector<std::string> sentences_ = {};
};

}  // namespace

std::vector<bool> worthless_maps(const Comparison& comparison) {
  const Figure kept = kept_neighborhoods(figures(comparison, true));
  std::vector<bool> worthless;
  for (const auto& value : kept.values)
    worthless.push_back(value && kept.random && *value - *kept.random < kWorthSomething * (1 - *kept.random));
  return worthless;
}

std::vector<std::string> verdict(const Comparison& comparison) { return Verdict(comparison).sentences(); }

}  // namespace unroll
