// Lengths of shortest paths, of a matrix of edge lengths: from every (n / K)-th point ("paths"), or between all points
// ("all_paths", Floyd & Warshall): "ours" and "boost".
#include <algorithm>

#include "core/at.h"
#include "library_matrix.h"
#include "neighbors/geodesics.h"
#include "parts.h"
#ifdef UNROLL_HAS_BOOST
#include <boost/graph/adjacency_matrix.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/floyd_warshall_shortest.hpp>
#endif

namespace parts {
namespace {

using unroll::Array2;
using unroll::at;
using unroll::Index;

std::vector<Index> sources_of(const MatrixFile& file, Index count) {
  std::vector<Index> sources;
  for (Index k = 0; k < count; ++k) sources.push_back(k * (file.rows / count));
  return sources;
}

/// One number that shows a wrong length.
void tell_mean(const Array2<double>& lengths, Answer& answer) {
  double sum = 0;
  for (Index i = 0; i < lengths.size(); ++i) sum += lengths.data()[i];
  answer.tell("mean length", sum / static_cast<double>(lengths.size()));
}

#ifdef UNROLL_HAS_BOOST
struct Length {
  double length;
};
using BoostGraph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, Length>;

BoostGraph boost_graph(const MatrixFile& file) {
  std::vector<std::pair<std::size_t, std::size_t>> edges;
  std::vector<Length> lengths;
  for (Index i = 0; i < file.rows; ++i)
    for (Index e = file.offsets[at(i)]; e < file.offsets[at(i) + 1]; ++e) {
      edges.emplace_back(at(i), at(file.columns[at(e)]));
      lengths.push_back({file.values[at(e)]});
    }
  return {boost::edges_are_sorted, edges.begin(), edges.end(), lengths.begin(), at(file.rows)};
}

void dijkstra_by_boost(const MatrixFile& file, const std::vector<Index>& sources, Array2<double>& lengths,
                       Answer& answer) {
  const BoostGraph graph = boost_graph(file);
  answer.measure("paths", [&] {
    for (std::size_t k = 0; k < sources.size(); ++k) {
      const auto to =
          boost::make_iterator_property_map(lengths.row(static_cast<Index>(k)), boost::get(boost::vertex_index, graph));
      boost::dijkstra_shortest_paths(graph, at(sources[k]),
                                     boost::weight_map(boost::get(&Length::length, graph)).distance_map(to));
    }
  });
}
#endif

}  // namespace

void paths(const Task& task, Answer& answer) {
  const MatrixFile file = MatrixFile::read(task.data);
  const std::vector<Index> sources = sources_of(file, task.k);
  Array2<double> lengths(task.k, file.rows);
  if (task.contender == "ours") {
    const unroll::NeighborGraph graph = library_graph(file);
    answer.measure("paths",
                   [&] { lengths = unroll::geodesic_distances<double>(graph, sources, {.threads = task.threads}); });
#ifdef UNROLL_HAS_BOOST
  } else if (task.contender == "boost") {
    dijkstra_by_boost(file, sources, lengths, answer);
#endif
  } else {
    refuse(task);
  }
  tell_mean(lengths, answer);
}

void all_paths(const Task& task, Answer& answer) {
  const MatrixFile file = MatrixFile::read(task.data);
  Array2<double> lengths(file.rows, file.rows);
  if (task.contender == "ours") {
    const unroll::NeighborGraph graph = library_graph(file);
    answer.measure("paths", [&] { lengths = unroll::floyd_warshall(graph, {.threads = task.threads}); });
#ifdef UNROLL_HAS_BOOST
  } else if (task.contender == "boost") {
    const BoostGraph graph = boost_graph(file);
    std::vector<double*> rows;
    for (Index i = 0; i < file.rows; ++i) rows.push_back(lengths.row(i));
    answer.measure("paths", [&] {
      boost::floyd_warshall_all_pairs_shortest_paths(graph, rows,
                                                     boost::weight_map(boost::get(&Length::length, graph)));
    });
#endif
  } else {
    refuse(task);
  }
  tell_mean(lengths, answer);
}

}  // namespace parts
