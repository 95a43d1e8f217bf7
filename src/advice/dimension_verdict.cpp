#include "advice/dimension_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.h"

namespace unroll {
namespace {

/// Estimates that differ by less than this part are taken for equal: boundary, density and chance do that much.
constexpr double kAlike = 0.15;
/// The change over the scales, from half the neighbours to four times as many, that noise or a fold makes.
constexpr double kChange = 1.2;
/// From so many dimensions on, the boundary lowers estimates by some 10 % and more.
constexpr double kBoundary = 4.5;

bool alike(double a, double b) { return std::abs(a - b) <= kAlike * std::max(a, b); }

class Judge {
 public:
  explicit Judge(DimensionReport& report) : report_(report), likelihood_(report.nearest.maximum_likelihood) {}

  void run() {
    if (likelihood_ == 0) return say("There is no estimate: no point has two neighbors at different distances.");
    choose_scale();
    report_.coordinates = std::max<Index>(std::llround(report_.dimension), 1);
    say(fmt::format("{} {} dimension{} near a point.", report_.dimension > kBoundary ? "At least" : "About",
                    report_.coordinates, report_.coordinates == 1 ? "" : "s"));
    say_whether_they_agree();
    say_why_scales_differ();
    say_what_limits();
    say_what_axes_tell();
    say_what_paths_tell();
  }

 private:
  void say(std::string sentence) { report_.verdict.push_back(std::move(sentence)); }

  double smallest() const { return report_.scales.front().dimension; }
  double largest() const { return report_.scales.back().dimension; }
  bool falls() const { return smallest() > kChange * largest(); }
  bool rises() const { return smallest() > 0 && largest() > kChange * smallest(); }

  /// Noise fills all directions, but only as far as it reaches: large neighbourhoods see beyond it. Folds and other
  /// parts of the data are seen by large neighbourhoods alone.
  void choose_scale() { report_.dimension = falls() ? largest() : rises() ? smallest() : likelihood_; }

  void say_whether_they_agree() {
    struct Other {
      std::string name;
      double value;
      std::string why;
    };
    std::vector<Other> others{
        {"TwoNN", report_.nearest.two_nn,
         "it looks at two neighbors alone, so that noise, duplicates and rounded values change it "
         "most"}};
    if (report_.correlation && report_.correlation->dimension > 0)
      others.push_back({"the correlation dimension", report_.correlation->dimension,
                        "it looks farther, and counts pairs, of which dense regions have most"});
    std::vector<std::string> alike_names{"Maximum likelihood"};
    for (const Other& other : others)
      if (alike(other.value, report_.dimension)) alike_names.push_back(other.name);
    if (alike_names.size() > 1 && alike(likelihood_, report_.dimension))
      say(fmt::format("{} agree within {:.0f} %.", listed(alike_names), 100 * kAlike));
    for (const Other& other : others)
      if (!alike(other.value, report_.dimension))
        say(fmt::format("Believe maximum likelihood rather than {}, {:.2f}: {}.", other.name, other.value, other.why));
  }

  std::string from_to() const {
    return fmt::format("from {:.2f} with {} neighbors to {:.2f} with {}", smallest(),
                       report_.scales.front().n_neighbors, largest(), report_.scales.back().n_neighbors);
  }

  void say_why_scales_differ() {
    if (falls())
      say(
          fmt::format("The estimate falls {}: noise fills all directions, but does not reach far. Believe the largest "
                      "neighborhoods, and take many neighbors for a map.",
                      from_to()));
    if (rises())
      say(
          fmt::format("The estimate rises {}: large neighborhoods reach over a fold, a gap or a crossing. Believe the "
                      "smallest ones, and take few neighbors for a map.",
                      from_to()));
  }

  /// N points that lie within the diameter have at most N^2 / 2 pairs, so that no slope above 2 log10 N can be seen
  /// over a decade of radii (Eckmann & Ruelle 1992).
  void say_what_limits() {
    if (report_.dimension > kBoundary)
      say("In so many dimensions most points are near the boundary of the data, which lowers all estimates: by some 10 "
          "% "
          "at 5, more above.");
    const double most = 2 * std::log10(static_cast<double>(report_.n_points));
    if (report_.dimension > most)
      say(fmt::format("{} points cannot tell more than about {:.0f} dimensions from each other; this is a guess.",
                      report_.n_points, most));
  }

  void say_what_axes_tell() {
    if (report_.local && report_.local->gap && *report_.local->gap != report_.coordinates)
      say(fmt::format("The axes of neighborhoods have their gap after {}: {}.", *report_.local->gap,
                      *report_.local->gap < report_.coordinates ? "the other directions are thin, as noise is"
                                                                : "within a neighborhood the data are already curved"));
    if (!report_.global || report_.global->axes_for_95 == 0) return;
    const Index axes = report_.global->axes_for_95;
    if (axes > report_.coordinates) {
      say(
          fmt::format("The whole needs {} principal axes for 95 % of its variance: it is curved, or has noise in many "
                      "features. PCA will not flatten it; methods on neighbors may.",
                      axes));
    } else {
      say(fmt::format("{} principal ax{} {} 95 % of the variance of the whole: it is flat, and PCA is enough.", axes,
                      axes == 1 ? "is" : "es", axes == 1 ? "holds" : "hold"));
    }
  }

  void say_what_paths_tell() {
    if (report_.residual_variance.empty()) return;
    if (!report_.elbow)
      return say("Isomap's residual variance has no elbow: no small number of coordinates holds the paths.");
    if (*report_.elbow > report_.coordinates)
      say(fmt::format(
          "Paths need {0} coordinates (the elbow of Isomap's residual variance): the shape is closed, curved "
          "like a ball, or short-circuited. Give a map {0} coordinates.",
          *report_.elbow));
    if (*report_.elbow < report_.coordinates)
      say(fmt::format(
          "{} coordinate{} hold{} the paths (the elbow of Isomap's residual variance): the other directions "
          "are short beside {}.",
          *report_.elbow, *report_.elbow == 1 ? "" : "s", *report_.elbow == 1 ? "s" : "",
          *report_.elbow == 1 ? "it" : "them"));
    if (*report_.elbow == report_.coordinates)
      say(fmt::format("Paths need as many coordinates, too: a map with {} should do.", report_.coordinates));
  }

  DimensionReport& report_;
  double likelihood_;
};

}  // namespace

void judge(DimensionReport& report) { Judge(report).run(); }

}  // namespace unroll
