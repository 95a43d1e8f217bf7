#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/memory.h"
#include "core/parallel.h"
#include "data/feature_scaler.h"
#include "data/validate.h"
#include "linalg/symmetric_eigen.h"
#include "neighbors/geodesics.h"
#include "spectral/weighted_graph.h"
#include "unroll/core/error.h"
#include "unroll/spectral/graph_quantities.h"

namespace unroll {
namespace {

constexpr std::string_view kWho = "distances";

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// The norm of x - y, without overflow or loss of its squares.
template <class T>
double distance(const T* x, const T* y, Index length) {
  double largest = 0, sum = 0;
  for (Index j = 0; j < length; ++j)
    largest = std::max(largest, std::abs(static_cast<double>(x[j]) - static_cast<double>(y[j])));
  if (largest == 0 || std::isinf(largest)) return largest;
  for (Index j = 0; j < length; ++j) {
    const double part = (static_cast<double>(x[j]) - static_cast<double>(y[j])) / largest;
    sum += part * part;
  }
  return largest * std::sqrt(sum);
}

/// S^t (e_y / sqrt(d_y) - e_x / sqrt(d_x)) for every y, some at a time; their norms are the distances.
std::vector<double> by_products(const GraphOperator& markov, Index source, Index steps, double volume, const Run& run) {
  constexpr Index kColumns = 64;
  const Index n = markov.a->size();
  std::vector<double> distances(at(n));
  for (Index first = 0; first < n; first += kColumns) {
    run.report({.stage = "random walks", .fraction = static_cast<double>(first) / static_cast<double>(n)});
    const Index count = std::min(kColumns, n - first);
    Array2<double> x(n, count), y = Array2<double>::uninitialized(n, count);
    for (Index k = 0; k < count; ++k) {
      x(source, k) -= markov.back[at(source)];
      x(first + k, k) += markov.back[at(first + k)];
    }
    for (Index step = 0; step < steps; ++step) {
      markov.a->apply(x, y, run);
      std::swap(x, y);
    }
    for (Index k = 0; k < count; ++k) {
      double squares = 0;
      for (Index i = 0; i < n; ++i) squares += x(i, k) * x(i, k);
      distances[at(first + k)] = std::sqrt(volume * squares);
    }
  }
  return distances;
}

/// The distances of the coordinates lambda^t psi, all of them.
DiffusionDistances by_eigenpairs(const GraphOperator& markov, Index source, double t, double volume, const Run& run) {
  const Index n = markov.a->size();
  MemoryPlan plan;
  plan.add("all eigenvectors", static_cast<double>(n), 4 * static_cast<double>(n), sizeof(double));
  plan.require(run, kWho, "use a whole t, which is taken step by step, or fewer points");
  const EigenPairs pairs = leading_eigenpairs(
      markov.a->dense(run), [](const std::vector<double>& values) { return std::ssize(values); }, run);
  std::vector<double> squares(at(n));
  Index negative = 0;
  for (Index k = 0; k < n; ++k) {
    const double value = pairs.values[at(k)];
    const bool is_real = value >= 0 || t == std::floor(t);
    if (value < -1e-12 && !is_real) ++negative;
    const double scale = is_real ? std::pow(value, t) : 0;
    const double own = pairs.vectors(k, source) * markov.back[at(source)];
    for (Index i = 0; i < n; ++i) {
      const double difference = scale * (pairs.vectors(k, i) * markov.back[at(i)] - own);
      squares[at(i)] += difference * difference;
    }
  }
  DiffusionDistances result;
  for (const double square : squares) result.values.push_back(std::sqrt(volume * square));
  if (negative > 0)
    result.warnings.push_back({"negative-eigenvalues",
                               fmt::format("{} eigenvalues are negative: lambda^t is not a real number for t={}, and "
                                           "these count as zero",
                                           negative, t),
                               "use a whole t, or graph=full, whose kernel is positive"});
  return result;
}

}  // namespace

std::vector<double> euclidean_distances(PointsView points, Index source, Scaling scale, const Run& run) {
  check_points(kWho, points, 1, run);
  if (source < 0 || source >= points.rows())
    throw Error(ErrorKind::InvalidOption,
                fmt::format("{}: point {} is not there: the points are 0 to {}", kWho, source, points.rows() - 1));
  const ScaledPoints scaled(points, scale, run);
  std::vector<double> distances;
  scaled.view().visit([&](auto view) {
    for (Index i = 0; i < view.rows; ++i) distances.push_back(distance(view.row(i), view.row(source), view.cols));
  });
  if (std::any_of(distances.begin(), distances.end(), [](double d) { return std::isinf(d); }))
    throw Error(ErrorKind::InvalidData,
                fmt::format("{}: distances pass the largest double, 1.8e308; divide the data by 1024 or more", kWho));
  return distances;
}

std::vector<double> path_lengths(const WeightedGraph& graph, Index source, const Run& run) {
  check_source(graph, source);
  if (!graph.has_lengths())
    throw Error(ErrorKind::Unsupported,
                fmt::format("{}: with graph=full every path is one edge; use graph=neighbors", kWho));
  const Array2<double> row = geodesic_distances<double>(*graph.parts().lengths, {source}, run);
  std::vector<double> lengths(row.data(), row.data() + row.size());
  const auto lost = std::count_if(lengths.begin(), lengths.end(), [](double length) { return std::isinf(length); });
  if (lost > 0)
    throw Error(ErrorKind::Disconnected, fmt::format("{}: no path leads from point {} to {} of the {} points; {}", kWho,
                                                     source, lost, graph.size(), how_to_join(graph)));
  return lengths;
}

DiffusionDistances diffusion_distances(const WeightedGraph& graph, Index source, double t, double alpha,
                                       const Run& run) {
  check_source(graph, source);
  if (!(t >= 0) || !std::isfinite(t))
    throw Error(ErrorKind::InvalidOption, fmt::format("{}: t={} must be a finite number >= 0", kWho, t));
  if (!(alpha >= 0 && alpha <= 1))
    throw Error(ErrorKind::InvalidOption, fmt::format("{}: alpha={} must be between 0 and 1", kWho, alpha));
  const auto lonely = std::find(graph.degrees().begin(), graph.degrees().end(), 0.0);
  if (lonely != graph.degrees().end())
    throw Error(ErrorKind::InvalidData,
                fmt::format("{}: point {} has no edges, and diffusion distances divide by the sum of their weights; "
                            "use loops=true, or {}",
                            kWho, lonely - graph.degrees().begin(), how_to_join(graph)));
  if (std::holds_alternative<Array2<double>>(graph.parts().affinity.w))
    MemoryPlan()
        .add("the weights of all pairs, twice", static_cast<double>(graph.size()), static_cast<double>(graph.size()),
             2 * sizeof(double))
        .require(run, kWho, "use graph=neighbors, or a sparse matrix");
  Affinity affinity = graph.parts().affinity;
  if (alpha > 0) divide_by_density(affinity, density_of(affinity, alpha, run), run);
  const GraphOperator markov = graph_operator(OperatorRule::Markov, affinity, run);
  const double volume = std::accumulate(markov.degrees.begin(), markov.degrees.end(), 0.0);
  const auto n = static_cast<double>(graph.size());
  if (t == std::floor(t) && t * markov.a->cost() * n <= kCostOfEigenpairs * n * n * n)
    return {.values = by_products(markov, source, static_cast<Index>(t), volume, run)};
  return by_eigenpairs(markov, source, t, volume, run);
}

}  // namespace unroll
