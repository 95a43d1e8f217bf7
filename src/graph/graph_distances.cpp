#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/at.h"
#include "core/finite.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/reported_as.h"
#include "data/feature_scaler.h"
#include "data/validate.h"
#include "graph/weighted_graph.h"
#include "linalg/symmetric_eigen.h"
#include "neighbors/geodesics.h"
#include "unroll/core/error.h"
#include "unroll/graph/graph_quantities.h"

namespace unroll {
namespace {

/// The norm of x - y; its squares neither overflow nor underflow.
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

/// The random walk from one point after t steps: S^t e / sqrt(d). The cost of a step is the number of edges of the
/// points reached.
class Walk {
 public:
  explicit Walk(const SparseMatrix& s) : s_(s), now_(at(s.rows)), next_(at(s.rows)), is_reached_(at(s.rows)) {}

  void start(Index point, double value) {
    for (const Index z : reached_) now_[at(z)] = 0;
    reached_ = {point};
    now_[at(point)] = value;
  }
  void step() {
    std::vector<Index> reached;
    for (const Index z : reached_) {
      for (auto e = at(s_.offsets[at(z)]); e < at(s_.offsets[at(z + 1)]); ++e) {
        const std::size_t to = at(s_.columns[e]);
        if (is_reached_[to] == 0) reached.push_back(s_.columns[e]);
        is_reached_[to] = 1;
        next_[to] += s_.values[e] * now_[at(z)];
      }
      now_[at(z)] = 0;
    }
    for (const Index z : reached) is_reached_[at(z)] = 0;
    reached_ = std::move(reached);
    std::swap(now_, next_);
  }
  const std::vector<Index>& reached() const { return reached_; }
  double at_point(Index z) const { return now_[at(z)]; }

  double squared_distance(const Walk& other) const {
    double sum = 0;
    const auto add = [&](Index z) {
      const double difference = at_point(z) - other.at_point(z);
      sum += difference * difference;
    };
    for (const Index z : reached_)
      if (at_point(z) != 0) add(z);
    for (const Index z : other.reached_)
      if (at_point(z) == 0) add(z);
    return sum;
  }

 private:
  const SparseMatrix& s_;
  std::vector<double> now_, next_;
  std::vector<char> is_reached_;
  std::vector<Index> reached_;
};

/// The data of the distances: W, divided by densities or not, D^-1/2 W D^-1/2, the source and the number of steps.
struct Walks {
  const Affinity& affinity;
  const GraphOperator& markov;
  Index source;
  Index steps;
};

/// Whether the walk from the source reaches few points before its last step; walks from other points then do, too.
bool stay_near(const Walks& walks) {
  constexpr Index kShareReached = 16;
  if (walks.markov.a->sparse() == nullptr) return false;
  Walk walk(*walks.markov.a->sparse());
  walk.start(walks.source, 1);
  for (Index step = 1; step < walks.steps; ++step) {
    walk.step();
    if (std::ssize(walk.reached()) > walks.markov.a->size() / kShareReached) return false;
  }
  return true;
}

/// Squared distances, not yet times the volume, by a walk from every point.
std::vector<double> point_by_point(const Walks& walks, const Run& run) {
  constexpr Index kBlocks = 64;  // each has its own vectors
  const SparseMatrix& s = *walks.markov.a->sparse();
  const auto walk_from = [&](Index point, Walk& walk) {
    walk.start(point, walks.markov.back[at(point)]);
    for (Index step = 0; step < walks.steps; ++step) walk.step();
  };
  Walk own(s);
  walk_from(walks.source, own);
  std::vector<double> squares(at(s.rows));
  parallel_for(
      run, s.rows, std::max<Index>(64, s.rows / kBlocks),
      [&](Index begin, Index end) {
        Walk walk(s);
        for (Index i = begin; i < end; ++i) {
          walk_from(i, walk);
          squares[at(i)] = i == walks.source ? 0 : walk.squared_distance(own);
        }
      },
      "random walks");
  return squares;
}

/// Distances as the norms of S^t (e_y / sqrt(d_y) - e_x / sqrt(d_x)), some y at a time. The first step only reads a row
/// of W for each y.
std::vector<double> by_products(const Walks& walks, const Run& run) {
  constexpr Index kColumns = 64;
  const std::vector<double>& back = walks.markov.back;
  const Index n = walks.markov.a->size();
  const auto first_step = [&](Index point, double sign, Array2<double>& x, Index column) {
    const double root = sign * back[at(point)] * back[at(point)];
    for_each_weight(walks.affinity, point,
                    [&](Index z, double weight) { x(z, column) += root * weight * back[at(z)]; });
  };
  std::vector<double> squares(at(n));
  for (Index first = 0; first < n; first += kColumns) {
    run.report({.stage = "random walks", .fraction = static_cast<double>(first) / static_cast<double>(n)});
    const Index count = std::min(kColumns, n - first);
    Array2<double> x(n, count), y = Array2<double>::uninitialized(n, count);
    for (Index k = 0; k < count; ++k) {
      first_step(first + k, 1, x, k);
      first_step(walks.source, -1, x, k);
    }
    for (Index step = 1; step < walks.steps; ++step) {
      walks.markov.a->apply(x, y, run);
      std::swap(x, y);
    }
    for (Index i = 0; i < n; ++i)
      for (Index k = 0; k < count; ++k) squares[at(first + k)] += x(i, k) * x(i, k);
  }
  return squares;
}

/// The squared distances for t = 0.
std::vector<double> at_rest(const Walks& walks) {
  const std::vector<double>& back = walks.markov.back;
  std::vector<double> squares;
  squares.reserve(back.size());
  for (const double own : back) squares.push_back(own * own + back[at(walks.source)] * back[at(walks.source)]);
  squares[at(walks.source)] = 0;
  return squares;
}

std::vector<double> by_steps(const Walks& walks, double volume, const Run& run) {
  std::vector<double> distances = walks.steps == 0   ? at_rest(walks)
                                  : stay_near(walks) ? point_by_point(walks, run)
                                                     : by_products(walks, run);
  for (double& distance : distances) distance = std::sqrt(volume * distance);
  return distances;
}

/// Throws InvalidOption if there are too many points for all eigenpairs.
void check_time(Index n, double t, double most_steps) {
  if (n <= kMostForEigenpairs) return;
  throw Error(ErrorKind::InvalidOption,
              fmt::format("t={} takes all eigenpairs of {} points, and {} is the most", t, n, kMostForEigenpairs),
              fmt::format("use a whole t up to {:g}, which is taken step by step", std::floor(most_steps)));
}

/// The distances between all coordinates lambda^t psi.
DiffusionDistances by_eigenpairs(const GraphOperator& markov, Index source, double t, double volume, const Run& run) {
  const Index n = markov.a->size();
  MemoryPlan plan;
  plan.add("all eigenvectors", static_cast<double>(n), 4 * static_cast<double>(n), sizeof(double));
  plan.require(run, "use a whole t, which is taken step by step, or fewer points");
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
    result.warnings.push_back(
        {"negative-eigenvalues",
         fmt::format("{} negative: lambda^t is not a real number for t={}, and counts as zero",
                     negative == 1 ? "1 eigenvalue is" : fmt::format("{} eigenvalues are", negative), t),
         "use a whole t, or graph=full, whose kernel is positive"});
  return result;
}

/// Diffusion distances divide by the degree of every point.
void check_edges(const WeightedGraph& graph) {
  const auto lonely = std::find(graph.degrees().begin(), graph.degrees().end(), 0.0);
  if (lonely == graph.degrees().end()) return;
  const bool given = graph.parts().has_given_weights;
  throw Error(
      ErrorKind::InvalidData,
      {.problem = "has no edges, and diffusion distances divide by the sum of their weights",
       .advice = given ? "give it weights, or leave its row and column out" : "use loops=true, or more neighbors",
       .row = lonely - graph.degrees().begin()});
}

}  // namespace

std::vector<double> euclidean_distances(PointsView points, Index source, Scaling scale, const Run& run) {
  return reported_as("distances", [&]() -> std::vector<double> {
    check_points(points, 1, run);
    if (source < 0 || source >= points.rows())
      throw Error(ErrorKind::InvalidOption,
                  fmt::format("point {} is not there: the points are 0 to {}", source, points.rows() - 1));
    const ScaledPoints scaled(points, scale, run);
    std::vector<double> distances;
    scaled.view().visit([&](auto view) {
      for (Index i = 0; i < view.rows; ++i) distances.push_back(distance(view.row(i), view.row(source), view.cols));
    });
    require_finite(distances, "distances");
    return distances;
  });
}

std::vector<double> path_lengths(const WeightedGraph& graph, Index source, const Run& run) {
  return reported_as("distances", [&]() -> std::vector<double> {
    check_source(graph, source);
    if (!graph.has_lengths())
      throw Error(ErrorKind::Unsupported, "with graph=full every path is one edge", "use graph=neighbors");
    const Array2<double> row = geodesic_distances<double>(*graph.parts().lengths, {source}, run);
    std::vector<double> lengths(row.data(), row.data() + row.size());
    const auto lost = std::count_if(lengths.begin(), lengths.end(), [](double length) { return std::isinf(length); });
    if (lost > 0)
      throw Error(
          ErrorKind::Disconnected,
          fmt::format("no path leads from point {} (from 0) to {} of the {} points", source, lost, graph.size()),
          std::string(how_to_join(graph)));
    return lengths;
  });
}

DiffusionDistances diffusion_distances(const WeightedGraph& graph, Index source, double t, double alpha,
                                       const Run& run) {
  return reported_as("distances", [&]() -> DiffusionDistances {
    check_source(graph, source);
    if (!(t >= 0) || !std::isfinite(t))
      throw Error(ErrorKind::InvalidOption, fmt::format("t={} must be a finite number >= 0", t));
    if (!(alpha >= 0 && alpha <= 1))
      throw Error(ErrorKind::InvalidOption, fmt::format("alpha={} must be between 0 and 1", alpha));
    check_edges(graph);
    if (std::holds_alternative<Array2<double>>(graph.parts().affinity.w))
      MemoryPlan()
          .add("the weights of all pairs, twice", static_cast<double>(graph.size()), static_cast<double>(graph.size()),
               2 * sizeof(double))
          .require(run, "use graph=neighbors, or a sparse matrix");
    Affinity affinity = graph.parts().affinity;
    if (alpha > 0) divide_by_density(affinity, density_of(affinity, alpha, run), run);
    const GraphOperator markov = graph_operator(OperatorRule::Markov, affinity, run);
    check_degrees(graph.components(), markov.degrees);
    const double volume = std::accumulate(markov.degrees.begin(), markov.degrees.end(), 0.0);
    const auto n = static_cast<double>(graph.size());
    const double most_steps = kCostOfEigenpairs * n * n / markov.a->cost();
    DiffusionDistances result;
    if (t == std::floor(t) && t <= most_steps) {
      result.values = by_steps({affinity, markov, source, static_cast<Index>(t)}, volume, run);
    } else {
      check_time(graph.size(), t, most_steps);
      result = by_eigenpairs(markov, source, t, volume, run);
    }
    require_finite(result.values, "diffusion distances or what they are made of",
                   "use alpha=0, or leave the smallest weights out");
    return result;
  });
}

}  // namespace unroll
