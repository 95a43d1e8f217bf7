#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/finite.h"
#include "core/text.h"
#include "help.h"
#include "method_command.h"
#include "unroll/core/error.h"
#include "unroll/core/option_field.h"
#include "unroll/graph/graph_quantities.h"

namespace unroll::cli {
namespace {

constexpr std::string_view kGraph = "graph";

struct QuantityOptions {
  std::optional<Laplacian> laplacian = {};
  std::optional<std::int64_t> from = {};
  std::string values = {};
  std::string labels = {};
  double t = 1;
  double beta = 1;
  double alpha = 1;
  std::string output = {};

  // The list of quantities below says which quantity takes which option.
  static OptionFields fields() {
    using O = QuantityOptions;
    return {
        field<&O::laplacian>(
            "laplacian", any_value(),
            "I - D^-1 W, I - D^-1/2 W D^-1/2, or D - W. Auto: the first for fiedler and sweep, the last for others."),
        field<&O::from>("from", at_least(0), "A point, from 0: of distances, or of all heat."),
        field<&O::values>("values", any_value(), "Heat at the points, a row each; columns flow by themselves."),
        field<&O::labels>("labels", any_value(), "The sides of a cut: a number per point."),
        field<&O::t>("t", at_least(0), "Time of heat, steps of diffusion walks."),
        field<&O::beta>("beta", at_least(0), "Of the diffusion kernel exp(-beta L)."),
        field<&O::alpha>("alpha", between(0, 1), "Of diffusion distances, as in diffusion maps."),
        field<&O::output>("output", any_value(), "The table: .csv, .tsv, .txt or .npy[.gz]."),
    };
  }
};

/// The results of a quantity: columns to write, facts for people, and the same for programs.
struct Findings {
  Array2<double> table = {};
  TableNames names = {};
  std::vector<Definition> facts = {};
  OptionValues values = {};
  std::vector<Warning> warnings = {};
  bool has_row_per_point = true;
};

/// What a quantity is computed from.
struct Question {
  const WeightedGraph& graph;
  const MethodInput& input;
  const QuantityOptions& options;
  const WeightedGraphOptions& graph_options;
  Job& job;

  Laplacian laplacian(Laplacian usual) const { return options.laplacian.value_or(usual); }
  /// Throws InvalidOption if --from is missing.
  Index source(std::string_view why, std::string_view advice) const {
    if (options.from) return *options.from;
    throw Error(
        ErrorKind::InvalidOption,
        {.problem = fmt::format("--from is missing: {}", why), .advice = std::string(advice), .option = "from"});
  }
};

Array2<double> as_column(const std::vector<double>& values) {
  Array2<double> column = Array2<double>::uninitialized(std::ssize(values), 1);
  std::copy(values.begin(), values.end(), column.data());
  return column;
}

Findings fiedler(const Question& ask) {
  const Laplacian laplacian = ask.laplacian(Laplacian::RandomWalk);
  Fiedler found = fiedler_vector(ask.graph, laplacian, ask.job.run());
  return {.table = as_column(found.vector),
          .names = {.columns = {"fiedler"}},
          .facts = {{"lambda_2", fmt::format("{:.10g} of the {} Laplacian", found.lambda2, name_of(laplacian))},
                    {"residual", fmt::format("{:.0e}", found.residual)}},
          .values = {{"lambda2", found.lambda2}, {"residual", found.residual}},
          .warnings = std::move(found.warnings)};
}

void describe_cut(const Cut& cut, Findings& found) {
  found.facts.emplace_back("conductance", fmt::format("{:.10g}, cut / the smaller volume", cut.conductance));
  found.facts.emplace_back("normalized cut", fmt::format("{:.10g}", cut.normalized_cut));
  found.facts.emplace_back("cut", fmt::format("{:.10g}", cut.cut));
  found.facts.emplace_back("volumes", fmt::format("{:.10g} and {:.10g}", cut.volume, cut.other_volume));
  found.values.push_back({"conductance", cut.conductance});
  found.values.push_back({"normalized_cut", cut.normalized_cut});
  found.values.push_back({"cut", cut.cut});
  found.values.push_back({"volumes", std::vector<double>{cut.volume, cut.other_volume}});
}

/// The values along which the sweep goes: for the symmetric Laplacian's vector v, Cheeger's inequality holds for f =
/// D^-1/2 v.
std::vector<double> levels(const WeightedGraph& graph, std::vector<double> vector, Laplacian laplacian) {
  if (laplacian != Laplacian::Symmetric) return vector;
  for (std::size_t i = 0; i < vector.size(); ++i)
    if (const double degree = graph.degrees()[i]; degree > 0) vector[i] /= std::sqrt(degree);
  return vector;
}

Findings sweep(const Question& ask) {
  const Laplacian laplacian = ask.laplacian(Laplacian::RandomWalk);
  Fiedler line = fiedler_vector(ask.graph, laplacian, ask.job.run());
  const SweepCut best = sweep_cut(ask.graph, levels(ask.graph, line.vector, laplacian));
  const Index n = ask.graph.size();
  Findings found{.table = Array2<double>(n, 2),
                 .names = {.columns = {"fiedler", "side"}},
                 .facts = {{"lambda_2", fmt::format("{:.10g}", line.lambda2)},
                           {"sides", fmt::format("{} and {}", best.size, counted(n - best.size, "point"))}},
                 .values = {{"lambda2", line.lambda2}, {"sizes", std::vector<std::int64_t>{best.size, n - best.size}}},
                 .warnings = std::move(line.warnings)};
  for (Index i = 0; i < n; ++i) {
    found.table(i, 0) = line.vector[static_cast<std::size_t>(i)];
    found.table(i, 1) = best.side[static_cast<std::size_t>(i)];
  }
  describe_cut(best.cut, found);
  OptionValue bounds;
  if (laplacian != Laplacian::Unnormalized) {
    const CheegerBounds h = cheeger_bounds(line);
    bounds = std::vector<double>{h.lower, h.upper};
    found.facts.emplace_back("Cheeger", fmt::format("the lowest conductance of all cuts is in [{:.6g}, {:.6g}]",
                                                    h.lower, std::min(h.upper, best.cut.conductance)));
  }
  found.values.push_back({"cheeger_bounds", std::move(bounds)});
  return found;
}

/// Labels from a column of the input, or from a file of numbers.
std::vector<std::string> labels_of(const Question& ask) {
  const Table& table = names_of(ask.input);
  if (ask.options.labels.empty()) {
    if (!table.labels.empty()) return table.labels;
    throw Error(ErrorKind::InvalidOption, {.problem = "conductance needs the sides of a cut",
                                           .advice = "use --labels FILE or --label-column",
                                           .option = "labels"});
  }
  const Table beside = ask.job.read_beside(ask.options.labels);
  const PointsView view = beside.view();
  if (view.cols() != 1 || view.rows() != ask.graph.size())
    throw Error(ErrorKind::InvalidData,
                {.problem = fmt::format("'{}' is {} x {} numbers", ask.options.labels, view.rows(), view.cols()),
                 .advice = fmt::format("labels are one column of {}", ask.graph.size()),
                 .option = "labels"});
  std::vector<std::string> labels;
  view.visit([&](auto entries) {
    for (Index i = 0; i < entries.rows; ++i) labels.push_back(fmt::format("{}", entries(i, 0)));
  });
  return labels;
}

/// The cut of every label against all others; two labels have one cut.
Findings conductance(const Question& ask) {
  const std::vector<std::string> labels = labels_of(ask);
  std::vector<std::string> distinct;
  std::map<std::string, Index> number;
  for (const auto& label : labels)
    if (number.emplace(label, std::ssize(distinct)).second) distinct.push_back(label);
  Findings found{.table = Array2<double>(std::ssize(distinct), 5),
                 .names = {.columns = {"points", "cut", "volume", "conductance", "normalized_cut"}, .rows = distinct},
                 .has_row_per_point = false};
  std::vector<Index> numbers, sizes(distinct.size());
  for (const auto& label : labels) {
    numbers.push_back(number[label]);
    ++sizes[static_cast<std::size_t>(numbers.back())];
  }
  const std::vector<Cut> cuts = cuts_of(ask.graph, numbers, ask.job.run());
  std::vector<double> all;
  for (std::size_t c = 0; c < cuts.size(); ++c) {
    const Cut& cut = cuts[c];
    const std::array row{static_cast<double>(sizes[c]), cut.cut, cut.volume, cut.conductance, cut.normalized_cut};
    std::copy(row.begin(), row.end(), found.table.row(static_cast<Index>(c)));
    all.push_back(cut.conductance);
    if (distinct.size() > 2)
      found.facts.emplace_back(distinct[c],
                               fmt::format("conductance {:.10g}, {}", cut.conductance, counted(sizes[c], "point")));
  }
  if (distinct.size() == 2) {
    describe_cut(cuts.front(), found);
  } else {
    found.values.push_back({"conductance", all});
  }
  found.values.push_back({"labels", distinct});
  return found;
}

std::vector<double> column_sums(PointsView values) {
  std::vector<double> sums(static_cast<std::size_t>(values.cols()));
  values.visit([&](auto view) {
    for (Index i = 0; i < view.rows; ++i)
      for (Index k = 0; k < view.cols; ++k) sums[static_cast<std::size_t>(k)] += static_cast<double>(view(i, k));
  });
  return sums;
}

Findings heat(const Question& ask) {
  const Laplacian laplacian = ask.laplacian(Laplacian::Unnormalized);
  Table begin;
  if (!ask.options.values.empty() && ask.options.from)
    throw Error(ErrorKind::InvalidOption,
                Error::Parts{.problem = "give either --from or --values, not both", .option = "values"});
  if (!ask.options.values.empty()) {
    begin = ask.job.read_beside(ask.options.values);
  } else {
    const Index source = ask.source("heat needs a beginning", "give the point that has it all, or --values FILE");
    if (source >= ask.graph.size())
      throw Error(ErrorKind::InvalidOption, {.problem = fmt::format("point {} is not there: the points are 0 to {}",
                                                                    source, ask.graph.size() - 1),
                                             .option = "from"});
    Array2<double> unit(ask.graph.size(), 1);
    unit(source, 0) = 1;
    begin.values = std::move(unit);
  }
  Heat found = heat_diffusion(ask.graph, begin.view(), ask.options.t, laplacian, ask.job.run());
  const std::vector<double> before = column_sums(begin.view()), after = column_sums(found.values);
  for (const auto* sums : {&before, &after}) require_finite(*sums, "sums of heat");
  const auto [least, most] = std::minmax_element(found.values.data(), found.values.data() + found.values.size());
  Findings result{.names = {.columns = begin.column_names},
                  .facts = {{"heat", fmt::format("{:.6g} to {:.6g} at t={:g}", *least, *most, ask.options.t)},
                            {"sum", fmt::format("{:.10g}, {:.10g} at the beginning", after[0], before[0])},
                            {"products", fmt::format("{} with the {} Laplacian", found.products, name_of(laplacian))}},
                  .values = {{"sums_before", before}, {"sums", after}, {"products", found.products}}};
  if (result.names.columns.empty())
    for (Index k = 0; k < found.values.cols(); ++k) result.names.columns.push_back(fmt::format("heat{}", k));
  result.table = std::move(found.values);
  return result;
}

Findings kernel(Array2<double> matrix) {
  double trace = 0;
  for (Index i = 0; i < matrix.rows(); ++i) trace += matrix(i, i);
  Findings found{
      .facts = {{"kernel", fmt::format("{} x {}, for kernel_pca --kernel precomputed", matrix.rows(), matrix.cols())},
                {"trace", fmt::format("{:.10g}", trace)}},
      .values = {{"trace", trace}}};
  for (Index j = 0; j < matrix.cols(); ++j) found.names.columns.push_back(fmt::format("kernel{}", j));
  found.table = std::move(matrix);
  return found;
}

Findings diffusion_kernel_of(const Question& ask) {
  return kernel(diffusion_kernel(ask.graph, ask.options.beta, ask.laplacian(Laplacian::Unnormalized), ask.job.run()));
}

Findings inverse(const Question& ask) {
  return kernel(laplacian_inverse(ask.graph, ask.laplacian(Laplacian::Unnormalized), ask.job.run()));
}

Findings distances(const Question& ask) {
  const Index source = ask.source("distances are those from one point", "give its number, from 0");
  const Run& run = ask.job.run();
  const auto* table = std::get_if<Table>(&ask.input);
  const bool has_points = table != nullptr && ask.graph_options.metric != Metric::Precomputed &&
                          ask.graph_options.weights != EdgeWeights::Precomputed;
  DiffusionDistances diffusion = diffusion_distances(ask.graph, source, ask.options.t, ask.options.alpha, run);
  std::vector<std::pair<std::string, std::vector<double>>> metrics;
  if (has_points)
    metrics.emplace_back("euclidean", euclidean_distances(table->view(), source, ask.graph_options.scale, run));
  if (ask.graph.has_lengths()) metrics.emplace_back("geodesic", path_lengths(ask.graph, source, run));
  metrics.emplace_back("diffusion", std::move(diffusion.values));
  Findings found{.table = Array2<double>(ask.graph.size(), std::ssize(metrics)),
                 .warnings = std::move(diffusion.warnings)};
  for (Index k = 0; k < std::ssize(metrics); ++k) {
    const auto& [name, values] = metrics[static_cast<std::size_t>(k)];
    const auto farthest = std::max_element(values.begin(), values.end());
    found.facts.emplace_back(name,
                             fmt::format("up to {:.6g}, of point {} (from 0)", *farthest, farthest - values.begin()));
    found.values.push_back({"farthest_" + name, std::int64_t{farthest - values.begin()}});
    found.values.push_back({"largest_" + name, *farthest});
    found.names.columns.push_back(name);
    for (Index i = 0; i < found.table.rows(); ++i) found.table(i, k) = values[static_cast<std::size_t>(i)];
  }
  return found;
}

struct Quantity {
  std::string_view name;
  Findings (*find)(const Question&);
  std::array<std::string_view, 4> options;  ///< the QuantityOptions that it takes, beside output

  bool takes(std::string_view option) const {
    return option == "output" || std::find(options.begin(), options.end(), option) != options.end();
  }
};
constexpr std::array kQuantities{
    Quantity{"fiedler", fiedler, {"laplacian"}},
    Quantity{"sweep", sweep, {"laplacian"}},
    Quantity{"conductance", conductance, {"labels"}},
    Quantity{"heat", heat, {"laplacian", "from", "values", "t"}},
    Quantity{"diffusion_kernel", diffusion_kernel_of, {"laplacian", "beta"}},
    Quantity{"inverse", inverse, {"laplacian"}},
    Quantity{"distances", distances, {"from", "t", "alpha"}},
};

std::vector<std::string> quantity_names() {
  std::vector<std::string> names;
  names.reserve(kQuantities.size());
  for (const auto& quantity : kQuantities) names.push_back(to_kebab(quantity.name));
  return names;
}

const Quantity& chosen_quantity(const std::string& word) {
  const auto found = std::find_if(kQuantities.begin(), kQuantities.end(),
                                  [&](const Quantity& quantity) { return quantity.name == to_snake(word); });
  if (found != kQuantities.end()) return *found;
  throw Error(ErrorKind::InvalidOption,
              fmt::format("there is no quantity '{}'{}", word, did_you_mean(word, quantity_names())),
              fmt::format("the quantities are: {}", joined(quantity_names())));
}

/// An option that would be ignored is an error.
void check_taken(const Quantity& quantity, const Arguments& arguments) {
  for (const OptionInfo& option : describe_options<QuantityOptions>()) {
    if (!arguments.has(option.name) || quantity.takes(option.name)) continue;
    std::vector<std::string> takers;
    for (const Quantity& other : kQuantities)
      if (other.takes(option.name)) takers.push_back(to_kebab(other.name));
    throw Error(ErrorKind::InvalidOption,
                {.problem = fmt::format("--{} applies to {}, not to {}", to_kebab(option.name), listed(takers),
                                        to_kebab(quantity.name)),
                 .advice = "leave it out",
                 .option = option.name});
  }
}

WeightedGraph graph_of(const MethodInput& input, const WeightedGraphOptions& options, const Run& run) {
  const auto* sparse = std::get_if<SparseTable>(&input);
  if (sparse == nullptr) return weighted_graph(std::get<Table>(input).view(), options, run);
  return weighted_graph(sparse_input(sparse->values, option_values(options)), options, run);
}

void describe_graph_itself(const WeightedGraph& graph, Findings& found, Report& report) {
  const Index components = graph.components().count(), edges = graph.edges();
  found.facts.insert(found.facts.begin(),
                     Definition{"graph", joined({counted(graph.size(), "point"), counted(edges, "edge"),
                                                 counted(components, "component")})});
  OptionValues values{
      {"points", graph.size()}, {"edges", edges}, {"components", components}, {"volume", graph.volume()}};
  for (const auto& [name, value] : graph.attributes())
    if (const auto* sigma = std::get_if<double>(&value); name == "sigma" && sigma != nullptr)
      values.push_back({"sigma", *sigma});
  report.results.emplace_back("graph", std::move(values));
}

}  // namespace

Command describe_graph(const Arguments&) {
  Command command{
      .name = "graph",
      .summary = "tell what a graph of points tells: cuts, heat, kernels, distances",
      .usage = " INPUT QUANTITY [-k K] [options]",
      .examples = {{"unroll graph roll.npy distances --from 0 -o from0.csv", "three metrics"},
                   {"unroll graph roll.npy sweep -k 10", "where is it thinnest?"},
                   {"unroll graph weights.npz inverse --weights precomputed -o kernel.npy"}},
      .arguments = {{"INPUT", "A table, samples in rows; - is standard input."},
                    {.name = "QUANTITY", .help = joined(quantity_names()) + ".", .choices = quantity_names()}},
      .notes =
          "fiedler: the second eigenvector of the Laplacian. sweep: its best cut, with Cheeger's bounds. "
          "conductance: of the cut that --labels or --label-column give. heat: exp(-t L) f. diffusion-kernel: "
          "exp(-beta L). inverse: the pseudo-inverse of L. distances: from one point, straight, along the graph "
          "(of given weights: in steps), and by diffusion, for which every point has a loop, unless --no-loops.",
  };
  command.groups.push_back({"Options", make_flags<QuantityOptions>()});
  command.groups.push_back(
      {"Options of the graph", make_algorithm_flags(describe_options<WeightedGraphOptions>()), false});
  add_job_flags(command);
  return command;
}

void run_graph(const Arguments& arguments, const Console& console) {
  const auto options = arguments.get<QuantityOptions>(kGraph);
  auto graph_options = arguments.get<WeightedGraphOptions>(kGraph);
  const Quantity& quantity = chosen_quantity(arguments.positional(1));
  check_taken(quantity, arguments);
  if (quantity.name == "distances" && !arguments.has("loops")) graph_options.loops = true;
  Job job(kGraph, arguments, console, options.output);

  const bool is_matrix =
      graph_options.metric == Metric::Precomputed || graph_options.weights == EdgeWeights::Precomputed;
  const MethodInput input =
      is_matrix ? job.read_matrix(arguments.positional(0)) : MethodInput(job.read(arguments.positional(0)));
  const WeightedGraph graph = job.compute([&] { return graph_of(input, graph_options, job.run()); });
  job.warn(graph.warnings());
  job.report().params = graph.options();
  for (const auto& [name, value] : option_values(options))
    if (name != "output" && quantity.takes(name)) job.report().params.push_back({name, value});

  const Question ask{graph, input, options, graph_options, job};
  Findings found = job.compute([&] { return quantity.find(ask); });
  job.warn(found.warnings);
  describe_graph_itself(graph, found, job.report());
  job.report().results.emplace_back(std::string(quantity.name), found.values);
  if (options.output.empty()) {
    job.print_summary(definition_list(found.facts, text_width()));
  } else {
    TableNames names = found.has_row_per_point ? names_beside(names_of(input)) : found.names;
    names.columns = found.names.columns;
    job.write(quantity.name, found.table, names);
  }
  job.finish();
}

}  // namespace unroll::cli
