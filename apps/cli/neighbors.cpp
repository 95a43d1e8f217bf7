#include "unroll/neighbors/neighbors.h"

#include <algorithm>

#include "graph_summary.h"
#include "job.h"
#include "neighbors/graph_findings.h"
#include "unroll/core/error.h"
#include "unroll/core/option_field.h"
#include "unroll/neighbors/components.h"
#include "unroll/neighbors/intrinsic_dimension.h"
#include "verb.h"

namespace unroll::cli {
namespace {

struct GraphOptions {
  std::string output = {};
  Symmetrization symmetrize = Symmetrization::None;
  bool components = false;

  static OptionFields fields() {
    return {
        field<&GraphOptions::output>(
            "output", any_value(),
            "The graph: .npz is SciPy's sparse matrix of distances; .csv, .tsv, .txt or .npy[.gz] have a row per edge: "
            "point, neighbor (from 0), distance."),
        field<&GraphOptions::symmetrize>(
            "symmetrize", any_value(),
            "Edges that one end alone has among its nearest: none leaves them, union gives them to both ends, "
            "mutual removes them, average gives both ends half their length: (A + A') / 2."),
        field<&GraphOptions::components>("components", any_value(),
                                         "Write the number of every point's component instead of the edges."),
    };
  }
};

/// A graph, its components, and all other findings.
struct GraphFindings {
  NeighborGraph graph = {};
  Components components = {};
  GraphSummary summary = {};
};

/// (A + A') / 2: an edge that only one end has is half as long.
void halve_one_sided(const NeighborGraph& directed, NeighborGraph& united) {
  const std::vector<double> weights = symmetric_weights(directed, united);
  for (std::size_t e = 0; e < weights.size(); ++e) united.distances[e] *= weights[e];
}

GraphFindings explore(Neighbors found, Connectivity growth, Symmetrization rule, const Run& run) {
  GraphFindings result{.summary = {.search = std::move(found.report),
                                   .connectivity = std::move(growth),
                                   .dimension = intrinsic_dimension(found.graph, run)}};
  result.graph = rule == Symmetrization::None ? std::move(found.graph) : symmetrized(found.graph, rule, run);
  if (rule == Symmetrization::Average) halve_one_sided(found.graph, result.graph);
  result.components = connected_components(result.graph, run);
  result.summary.points = result.graph.size();
  result.summary.degrees = degrees_of(result.graph);
  result.summary.component_sizes = result.components.sizes;
  return result;
}

constexpr std::string_view kMatrixExtension = ".npz";

/// Writes the graph as a sparse matrix of distances, or edge by edge.
void write_graph(Job& job, const NeighborGraph& graph, const std::string& path) {
  if (path.ends_with(kMatrixExtension)) {
    job.write_with("graph", graph.size(), graph.size(),
                   [&](const std::string& name) { write_sparse_npz(name, to_sparse(graph, job.run())); });
    return;
  }
  Array2<double> edges = Array2<double>::uninitialized(graph.edges(), 3);
  Index e = 0;
  for (Index i = 0; i < graph.size(); ++i)
    for (std::size_t r = 0; r < graph.neighbors_of(i).size(); ++r, ++e) {
      edges(e, 0) = static_cast<double>(i);
      edges(e, 1) = static_cast<double>(graph.neighbors_of(i)[r]);
      edges(e, 2) = graph.distances_of(i)[r];
    }
  job.write("edges", edges, {.columns = {"point", "neighbor", "distance"}});
}

void write_components(Job& job, const Components& components, const Table& table) {
  Array2<double> column(static_cast<Index>(components.labels.size()), 1);
  std::copy(components.labels.begin(), components.labels.end(), column.data());
  TableNames names = names_beside(table);
  names.columns = {"component"};
  job.write("components", column, names);
}

/// A table, sparse features with --sparse, or a matrix of distances.
std::variant<Table, SparseTable> read_points(Job& job, const std::string& path, bool is_matrix) {
  if (is_matrix) return job.read_matrix(path);
  if (job.keeps_sparse()) return job.read_sparse(path);
  return job.read(path);
}

}  // namespace

Command describe_neighbors(const Arguments&) {
  Command command{
      .name = "neighbors",
      .summary = "find the nearest points of every point, and what they tell",
      .usage = " INPUT [-k K] [--radius R] [options]",
      .examples = {{"unroll neighbors roll.npy -k 10", "components, dimension, which k connects"},
                   {"unroll neighbors roll.npy -k 10 --symmetrize union -o graph.npz"},
                   {"unroll neighbors roll.npy -k 10 -o edges.csv"},
                   {"unroll neighbors data.csv --radius 0.5 --metric cosine --json | jq .graph"},
                   {"unroll neighbors distances.npz --metric precomputed -k 5", "dense or sparse"},
                   {"unroll neighbors words.npz --sparse features --metric cosine -k 10"}},
      .arguments = {{"INPUT", "A table, samples in rows; - is standard input."}},
      .notes =
          "Without -o a summary is printed. The components are those of the graph that is written; 'components by "
          "k' and 'connected from' are about the union graph of the first k neighbors of every point.",
  };
  command.groups.push_back({"Options", make_flags<GraphOptions>()});
  command.groups.push_back({"Options of the search", make_algorithm_flags(describe_options<NeighborOptions>())});
  add_job_flags(command);
  return command;
}

void run_neighbors(const Arguments& arguments, const Console& console) {
  const auto graph_options = arguments.get<GraphOptions>("neighbors");
  const auto options = arguments.get<NeighborOptions>("neighbors");
  Job job("neighbors", arguments, console, graph_options.output,
          graph_options.components ? std::string_view() : kMatrixExtension);
  job.report().params = option_values(options);
  job.report().params.push_back({"symmetrize", std::string(name_of(graph_options.symmetrize))});

  const auto input = read_points(job, arguments.positional(0), options.metric == Metric::Precomputed);
  const GraphFindings found = job.compute([&] {
    const auto* sparse = std::get_if<SparseTable>(&input);
    if (sparse != nullptr && options.metric == Metric::Precomputed) {
      Neighbors near = neighbors(sparse->values, options, job.run());
      Connectivity growth = connectivity(near.graph, job.run());
      return explore(std::move(near), std::move(growth), graph_options.symmetrize, job.run());
    }
    const PointsView points =
        sparse != nullptr ? PointsView(SparseRows(sparse->values)) : std::get<Table>(input).view();
    Neighbors near = neighbors(points, options, job.run());
    Connectivity growth = connectivity(points, near.graph, options, job.run());
    return explore(std::move(near), std::move(growth), graph_options.symmetrize, job.run());
  });
  job.warn(found.summary.search.warnings);
  job.warn(found.summary.dimension.warnings);
  job.report().results.emplace_back("graph", graph_values(found.summary));
  if (graph_options.components) {
    const auto* table = std::get_if<Table>(&input);
    write_components(job, found.components, table != nullptr ? *table : Table());
  } else if (!graph_options.output.empty()) {
    write_graph(job, found.graph, graph_options.output);
  } else {
    job.print_summary(graph_text(found.summary, text_width()));
  }
  job.finish();
}

}  // namespace unroll::cli
