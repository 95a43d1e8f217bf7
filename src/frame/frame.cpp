#include "frame/frame.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.h"
#include "data/validate.h"
#include "layout/layout_fit.h"
#include "neighbors/row_distance.h"
#include "unroll/core/error.h"

namespace unroll {

void check_kind(const Input& input, std::span<const InputKind> kinds, bool reduced) {
  const auto takes = [&](InputKind kind) { return std::find(kinds.begin(), kinds.end(), kind) != kinds.end(); };
  if (takes(input.kind())) return;
  if (input.kind() == InputKind::SparsePoints && takes(InputKind::Points)) {
    if (reduced) return;
    throw Error(ErrorKind::Unsupported, fmt::format("the input is {}", name_of(input.kind())),
                "reduce them first with the option pca, e.g. pca=50, or give points");
  }
  std::vector<std::string> taken;
  for (const InputKind kind : kinds) taken.emplace_back(name_of(kind));
  throw Error(ErrorKind::Unsupported, fmt::format("the input is {}", name_of(input.kind())),
              fmt::format("give {}", joined(taken, " or ")));
}

void check_values(const Input& input, Index min_points, const Run& run) {
  if (!input.has_points() && input.kind() != InputKind::Distances) return check_count(input.size(), min_points);
  check_points(input.full(), min_points, run);
  if (input.kind() == InputKind::Distances) check_square_distances(input.size(), input.columns());
}

void check_known_values(const Input& input, Index min_points, const Run& run) {
  if (input.kind() != InputKind::Distances) return check_values(input, min_points, run);
  check_count(input.size(), min_points);
  check_square_distances(input.size(), input.columns());
}

void refuse_pair_weights(const Input& input) {
  if (!input.pair_weights) return;
  throw Error(ErrorKind::Unsupported, "weights of pairs came with the input, but this method does not look at them",
              "leave them out");
}

void refuse_choice(std::string_view name, std::string_view choice, InputKind kind) {
  throw Error(ErrorKind::InvalidOption,
              {.problem = fmt::format("{}={} is for points, but the input is {}", name, choice, name_of(kind)),
               .advice = "leave it out",
               .option = std::string(name)});
}

void refuse_meaning(std::string_view name, InputKind kind) {
  throw Error(
      ErrorKind::InvalidOption,
      {.problem = fmt::format("{}=precomputed is for a matrix of pairs, but the input is {}", name, name_of(kind)),
       .advice = "leave it out, or give the matrix as what it is",
       .option = std::string(name)});
}

void check_given_neighbors(const Input& input, const PreparationOptions& options) {
  if (input.neighbors == nullptr) return;
  const auto refuse = [](std::string_view name, const std::string& value) {
    throw Error(
        ErrorKind::InvalidOption,
        {.problem = fmt::format("{}={} changes who is near whom, but neighbors came with the input", name, value),
         .advice = "scale the points before the neighbors are found, or leave these out",
         .option = std::string(name)});
  };
  if (options.scale != Scaling::None) refuse("scale", std::string(name_of(options.scale)));
  if (options.pca) refuse("pca", fmt::format("{}", *options.pca));
}

void check_at_most(std::string_view name, std::int64_t value, Index most, const std::string& limit,
                   std::string_view or_else) {
  if (value > most)
    throw Error(ErrorKind::InvalidOption, {.problem = fmt::format("{}={} must be at most {}", name, value, limit),
                                           .advice = fmt::format("use a smaller {}{}", name, or_else),
                                           .option = std::string(name)});
}

void check_n_components(std::int64_t n_components, Index n) {
  if (n_components < n) return;
  throw Error(ErrorKind::InvalidOption,
              {.problem = fmt::format("n_components={} must be less than the number of points, {}", n_components, n),
               .advice = "use a smaller n_components",
               .option = "n_components"});
}

void check_start(const Input& input, Index n_components, LayoutStart& start, const Run& run) {
  const bool is_said = start == LayoutStart::Given;
  if (!input.init) {
    if (is_said && input.resume == nullptr)
      throw Error(ErrorKind::InvalidOption, {.problem = "init=given, but no start came with the input",
                                             .advice = "give the coordinates to start from, or use another init",
                                             .option = "init"});
    return;
  }
  if (input.resume != nullptr)
    throw Error(ErrorKind::InvalidOption, "there are two starts: coordinates, and a model to go on from",
                "leave out one of them");
  if (!is_said && start != LayoutStart::Auto)
    throw Error(ErrorKind::InvalidOption,
                {.problem = fmt::format("init={}, but a start came with the input", name_of(start)),
                 .advice = "leave out one of them",
                 .option = "init"});
  const PointsView given = *input.init;
  if (given.rows() != input.size() || given.cols() != n_components)
    throw Error(ErrorKind::InvalidData,
                fmt::format("the start has {} rows and {} columns, but the map has {} points and {} components",
                            given.rows(), given.cols(), input.size(), n_components),
                "give one row per point and one column per component");
  check_points(given, 1, run, "start");
  start = LayoutStart::Given;
}

void refuse_given_start(const Input& input) {
  if (input.init)
    throw Error(ErrorKind::Unsupported, "a start came with the input, but this method does not optimise a map",
                "leave it out");
}

void refuse_start(const Input& input) {
  refuse_given_start(input);
  if (input.resume != nullptr)
    throw Error(ErrorKind::Unsupported,
                "a model to go on from came with the input, but this method does not optimise a map", "leave it out");
}

void refuse_targets(const Input& input) {
  if (input.labels.empty() && input.targets.empty()) return;
  throw Error(ErrorKind::Unsupported, "labels or targets came with the input, but this method does not look at them",
              "leave them out");
}

void check_labels(const Input& input) {
  if (!input.targets.empty())
    throw Error(ErrorKind::Unsupported, "targets came with the input, but this method looks at labels alone",
                "give classes as labels");
  if (std::ssize(input.labels) != input.size())
    throw Error(ErrorKind::InvalidData,
                fmt::format("there are {} labels, but {} points", input.labels.size(), input.size()),
                "give one per point, -1 where it is unknown");
  if (std::all_of(input.labels.begin(), input.labels.end(), [](std::int64_t label) { return label == -1; }))
    throw Error(ErrorKind::InvalidData, "no point has a label: all of them are -1",
                "give at least one point its class");
}

void check_resumed(const Input& input, Index features, std::string_view method, const OptionValues& options,
                   std::string_view iterations) {
  if (input.resume == nullptr) return;
  const Model& model = *input.resume;
  if (model.method() != method)
    throw Error(ErrorKind::InvalidOption, fmt::format("the model to go on from is of {}", model.method()),
                "give one of the same method");
  const Index done = resumed_state(model).iteration;
  if (model.coordinates().rows() != input.size() || model.n_features() != features)
    throw Error(ErrorKind::InvalidData,
                fmt::format("the model to go on from is of {} points with {} features, the input has {} with {}",
                            model.coordinates().rows(), model.n_features(), input.size(), features),
                "give the data of the model");
  for (const NamedValue& option : options) {
    if (option.name == iterations) {
      if (std::get<std::int64_t>(option.value) >= done) continue;
      throw Error(ErrorKind::InvalidOption,
                  {.problem = fmt::format("{}={} must be at least {}, the iterations of the model to go on from",
                                          option.name, to_text(option.value), done),
                   .advice = fmt::format("use a larger {}", option.name),
                   .option = option.name});
    }
    for (const NamedValue& old : model.options())
      if (old.name == option.name && old.value != option.value)
        throw Error(ErrorKind::InvalidOption,
                    {.problem = fmt::format("{}={}, but the model to go on from has {}", option.name,
                                            to_text(option.value), to_text(old.value)),
                     .advice = "use the options of the model",
                     .option = option.name});
  }
}

void check_directions(const Input& input, Metric metric, const Run& run, std::vector<Warning>& warnings) {
  if (metric != Metric::Correlation || input.is_sparse()) return;
  const Index rows = rows_of_rounding(input.full(), run);
  if (rows == 0) return;
  warnings.push_back(
      {"rows-of-rounding",
       fmt::format("all values of {} are equal but for rounding errors, and metric=correlation compares these errors",
                   counted(rows, "row")),
       "use metric=euclidean, or leave scale out"});
}

OptionValues effective_options(OptionValues options, const OptionValues& chosen) {
  for (const NamedValue& decided : chosen)
    for (NamedValue& option : options)
      if (option.name == decided.name) option.value = decided.value;
  return options;
}

}  // namespace unroll
