#include "unroll/neighbors/neighbors.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/at.h"
#include "core/memory.h"
#include "data/validate.h"
#include "graph_search.h"
#include "graph_summary.h"
#include "home_graph.h"
#include "mpi_verb.h"
#include "npy_output.h"
#include "shared_npy.h"
#include "unroll/core/option_field.h"

namespace unroll::cluster {
namespace {

struct GraphOptions {
  std::string output = {};
  bool components = false;

  static OptionFields fields() {
    return {
        field<&GraphOptions::output>("output", any_value(),
                                     "The graph: one .npy with a row per edge: point, neighbor (from 0), distance."),
        field<&GraphOptions::components>("components", any_value(),
                                         "Write the number of every point's component instead of the edges."),
    };
  }
};

void check_options(const NeighborOptions& options) {
  if (options.metric == Metric::Precomputed)
    throw Error(ErrorKind::Unsupported, {.problem = "ranks search among points, not in a matrix of distances",
                                         .advice = "use 'unroll neighbors'",
                                         .option = "metric"});
  if (options.algorithm == SearchAlgorithm::Approximate && !can_approximate(options))
    throw Error(ErrorKind::Unsupported, {.problem = "algorithm=approximate finds a number of neighbors under metric "
                                                    "euclidean, cosine or correlation, not all within a radius",
                                         .advice = "use algorithm=brute or kd_tree",
                                         .option = "algorithm"});
}

/// A rank's slice of the table, checked.
RankPoints read_slice(const Ranks& ranks, const SharedNpy& input, cli::Job& job, const Run& run) {
  const Index n = input.rows(), begin = ranks.begin_of(ranks.rank(), n),
              count = ranks.begin_of(ranks.rank() + 1, n) - begin;
  return ranks.together([&] {
    constexpr double kCopies = 4;  // what is read, sent, received, and the search's own
    MemoryPlan(input.path())
        .add("the rows of a rank", static_cast<double>(count), static_cast<double>(input.cols()),
             kCopies * sizeof(double))
        .require(run, "use more hosts, or fewer ranks on each");
    job.run().report({.stage = "reading"});
    Table table = input.read(n < 2 ? 0 : begin, n < 2 ? n : count, run);
    try {
      if (n < 2 || count > 0) check_points(table.view(), n < 2 ? 2 : 1, run);
    } catch (const Error& error) {
      if (error.row() < 0) throw;
      throw error.with_row(begin + error.row());
    }
    RankPoints own{.values = std::move(table.values), .ids = std::vector<Index>(at(count))};
    std::iota(own.ids.begin(), own.ids.end(), begin);
    return own;
  });
}

cli::GraphSummary summary_of(const Ranks& ranks, const FoundGraph& found, const NeighborGraph& home, Index n,
                             const Run& run) {
  const cli::GraphDegrees own = cli::degrees_of(home);
  const Index low = home.size() > 0 ? own.low : std::numeric_limits<Index>::max();
  return {.points = n,
          .degrees = {-ranks.largest(-low), ranks.largest(own.high), ranks.sum(own.sum)},
          .search = found.search,
          .component_sizes = found.components.sizes,
          .connectivity = found.components.connectivity,
          .dimension = find_dimension(ranks, home, n, run)};
}

void write_edges(const Ranks& ranks, const NeighborGraph& home, Index n, const std::string& path) {
  constexpr Index kAtOnce = Index{1} << 20;
  const std::vector<Index> edges = ranks.all(home.edges());
  const Index before = std::accumulate(edges.begin(), edges.begin() + ranks.rank(), Index{0});
  NpyOutput file(ranks, path, std::accumulate(edges.begin(), edges.end(), Index{0}), 3);
  const Index most = *std::max_element(edges.begin(), edges.end()), begin = ranks.begin_of(ranks.rank(), n);
  Index row = 0;
  for (Index first = 0; first < most; first += kAtOnce) {
    const Index from = std::min(first, home.edges()), to = std::min(first + kAtOnce, home.edges());
    // Together: a rank that failed alone would wait in the file's end for the others.
    Array2<double> some = ranks.together([&] { return Array2<double>(to - from, 3); });
    for (Index e = from; e < to; ++e) {
      while (home.offsets[at(row) + 1] <= e) ++row;
      some(e - from, 0) = static_cast<double>(begin + row);
      some(e - from, 1) = static_cast<double>(home.neighbors[at(e)]);
      some(e - from, 2) = home.distances[at(e)];
    }
    file.write(before + from, some);
  }
  file.commit();
}

void write_labels(const Ranks& ranks, const FoundGraph& found, Index n, const std::string& path) {
  const std::vector<Index> labels = sent_home(ranks, found.graph.ids, found.components.labels, n);
  Array2<double> column(std::ssize(labels), 1);
  std::copy(labels.begin(), labels.end(), column.data());
  NpyOutput file(ranks, path, n, 1);
  file.write(ranks.begin_of(ranks.rank(), n), column);
  file.commit();
}

}  // namespace

cli::Command describe_mpi_neighbors(const cli::Arguments&) {
  cli::Command command{
      .name = "neighbors",
      .summary = "find the nearest points of every point, on many machines",
      .usage = " INPUT [-k K] [--radius R] [options]",
      .examples = {{"mpirun -n 16 unroll-mpi neighbors roll.npy -k 10", "components, dimension, which k connects"},
                   {"mpirun -n 16 unroll-mpi neighbors roll.npy -k 10 -o edges.npy"}},
      .arguments = {{"INPUT", "An .npy: samples in rows; all hosts see the file."}},
      .notes =
          "The graph is exact, and its file has the bytes that 'unroll neighbors' would write, at any number of "
          "ranks.\n"
          "Of more than 100000 points in many dimensions most neighbors are found, by clusters that overlap, and "
          "how many is measured; --algorithm brute finds all.\n"
          "Of more than 200000 points the dimension is that of a sample.",
      .program = "unroll-mpi",
  };
  command.groups.push_back({"Options", cli::make_flags<GraphOptions>()});
  command.groups.push_back({"Options of the search", cli::make_algorithm_flags(describe_options<NeighborOptions>())});
  cli::add_job_flags(command, "Reading");
  return command;
}

void run_mpi_neighbors(const Ranks& ranks, const cli::Arguments& arguments, const cli::Console& console) {
  const auto [graph_options, options] = ranks.together([&] {
    const auto search = arguments.get<NeighborOptions>("neighbors");
    check_options(search);
    return std::pair(arguments.get<GraphOptions>("neighbors"), search);
  });
  const auto job = make_job(ranks, "neighbors", arguments, console, graph_options.output);
  job->report().params = option_values(options);
  job->report().params.push_back({"symmetrize", std::string(name_of(Symmetrization::None))});
  Run run = share_of_host(ranks, *job, arguments);
  const std::string path = arguments.positional(0);
  const ReadOptions reading = ranks.together([&] { return npy_reading(arguments, path); });
  const SharedNpy input(ranks, path, reading, run);
  const Index n = input.rows();
  const FoundGraph found = find_graph(ranks, read_slice(ranks, input, *job, run), options, n, run);
  const NeighborGraph home = sent_home(ranks, found.graph, n);
  const cli::GraphSummary summary = summary_of(ranks, found, home, n, run);
  const Table no_rows = input.read(0, 0, run);
  cli::Report& report = job->report();
  report.input = {path, "npy", n, no_rows.view().cols(), no_rows.view().is_float()};
  report.results.emplace_back("graph", cli::graph_values(summary));
  ranks.together([&] {
    job->warn(summary.search.warnings);
    job->warn(summary.dimension.warnings);
    if (graph_options.output.empty()) job->print_summary(cli::graph_text(summary, cli::text_width()));
  });
  if (graph_options.output.empty()) return finish(ranks, *job);
  if (graph_options.components) {
    write_labels(ranks, found, n, graph_options.output);
    report.outputs.push_back({"components", graph_options.output, n, 1});
  } else {
    write_edges(ranks, home, n, graph_options.output);
    report.outputs.push_back({"edges", graph_options.output, summary.degrees.sum, 3});
  }
  finish(ranks, *job);
}

}  // namespace unroll::cluster
