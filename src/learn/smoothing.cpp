#include "learn/smoothing.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/at.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "eigen/eigen_cost.h"
#include "eigen/operators.h"
#include "graph/weighted_graph.h"
#include "learn/gradients.h"

namespace unroll {
namespace {

constexpr Index kSmoothingRows = 1024;

/// S_ij, the same to the last bit in both directions.
double normalized(const SmoothingProblem& problem, Index i, Index j, double weight) {
  return weight * (problem.scales[at(i)] * problem.scales[at(j)]);
}

/// Of every point of the graph its place among `points`, or -1.
std::vector<Index> places_of(const std::vector<Index>& points, Index n) {
  std::vector<Index> places(at(n), -1);
  for (std::size_t k = 0; k < points.size(); ++k) places[at(points[k])] = static_cast<Index>(k);
  return places;
}

/// I - theta S among the points, as a sparse matrix.
SparseMatrix sparse_matrix(const SmoothingProblem& problem, const std::vector<Index>& points, const Run& run) {
  const Index n = std::ssize(points);
  const std::vector<Index> places = places_of(points, problem.affinity.size());
  SparseMatrix a{.rows = n, .cols = n};
  a.offsets.resize(points.size() + 1);
  for (Index k = 0; k < n; ++k) {
    Index entries = 1;
    for_each_weight(problem.affinity, points[at(k)],
                    [&](Index j, double) { entries += j != points[at(k)] && places[at(j)] >= 0 ? 1 : 0; });
    a.offsets[at(k + 1)] = a.offsets[at(k)] + entries;
  }
  MemoryPlan plan;
  plan.add("the graph, its weights and the system of the labels", static_cast<double>(a.offsets.back()), 5, 16);
  plan.require(run, "use fewer neighbors");
  resize_large(a.columns, at(a.offsets.back()), run);
  resize_large(a.values, at(a.offsets.back()), run);
  parallel_for(run, n, kSmoothingRows, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      std::size_t e = at(a.offsets[at(k)]);
      bool has_diagonal = false;
      const auto put = [&](Index column, double value) {
        a.columns[e] = column;
        a.values[e++] = value;
      };
      for_each_weight(problem.affinity, points[at(k)], [&](Index j, double weight) {
        const Index column = places[at(j)];
        if (column < 0 || column == k) return;
        if (column > k && !std::exchange(has_diagonal, true)) put(k, 1);
        put(column, -problem.theta * normalized(problem, points[at(k)], j, weight));
      });
      if (!has_diagonal) put(k, 1);
    }
  });
  return a;
}

Array2<double> full_matrix(const SmoothingProblem& problem, const std::vector<Index>& points, const Run& run) {
  const Index n = std::ssize(points);
  MemoryPlan plan;
  plan.add("the system of the labels", static_cast<double>(n), static_cast<double>(n), sizeof(double));
  plan.require(run, "use graph=neighbors");
  const auto& w = std::get<Array2<double>>(problem.affinity.w);
  Array2<double> a = Array2<double>::uninitialized(n, n);
  parallel_for(run, n, 16, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k)
      for (Index l = 0; l < n; ++l) {
        const Index i = points[at(k)], j = points[at(l)];
        a(k, l) = k == l ? 1 : -problem.theta * normalized(problem, i, j, w(i, j));
      }
  });
  return a;
}

/// What the products of conjugate gradients will be: a fraction of an eigenvalue problem's, as nothing is
/// orthogonalized. The condition is at most (1 + theta) / (1 - theta); on a graph of dimension d it is also bounded by
/// its diameter.
double predicted_iterations(const SmoothingProblem& problem, const SymmetricOperator& a, double tol) {
  const auto n = static_cast<double>(a.size());
  const double degree = std::max(1.0, a.cost() / (2 * n)), dimension = std::max(1.0, problem.dimension.value_or(2));
  const double by_diameter = 20 + 18 * std::pow(std::max(1.0, n / degree), 1 / dimension);
  if (problem.theta >= 1) return by_diameter;
  const double root = std::sqrt((1 + problem.theta) / (1 - problem.theta));
  return std::min(by_diameter, 1 + 0.5 * root * std::log(2 / tol));
}

/// One system, by a factor or by iterations. `worth` is how many rounds by iterations one by a factor saves.
class Solve {
 public:
  Solve(const SmoothingProblem& problem, const std::vector<Index>& points, const SmoothingSettings& settings,
        double worth, const Run& run)
      : problem_(problem), settings_(settings), worth_(worth), run_(run) {
    const bool is_full = std::holds_alternative<Array2<double>>(problem.affinity.w);
    if (is_full && settings.solver != LabelSolver::Factorize) {
      a_ = std::make_unique<DenseOperator>(full_matrix(problem, points, run));
    } else {
      a_ = std::make_unique<SparseOperator>(sparse_matrix(problem, points, run));
    }
  }

  Smoothed solve(const Array2<double>& b) {
    MemoryPlan plan;
    plan.add("the probabilities of the classes", static_cast<double>(b.rows()), static_cast<double>(b.cols()), 16);
    plan.add("conjugate gradients", static_cast<double>(b.rows()),
             std::min<double>(kColumns, static_cast<double>(b.cols())), 40);
    plan.require(run_, "use fewer points");
    if (is_factorized(b.cols()))
      if (auto solved = by_factor(b)) return std::move(*solved);
    return by_gradients(b);
  }

 private:
  static constexpr Index kColumns = 8;   // side by side: products with a sparse matrix are fastest so
  static constexpr double kFilling = 6;  // from this dimension on factors are nearly full and not even analysed

  bool is_factorized(Index columns) {
    if (settings_.solver != LabelSolver::Auto) return settings_.solver == LabelSolver::Factorize;
    if (a_->sparse() == nullptr || (worth_ <= 1 && problem_.dimension.value_or(2) >= kFilling)) return false;
    return predicted_solve_cost(factor(), columns) <=
           worth_ * predicted_gradient_cost(*a_, predicted_iterations(problem_, *a_, settings_.tol), columns);
  }

  SparseCholesky& factor() {
    if (!factor_) factor_ = std::make_unique<SparseCholesky>(*a_->sparse(), 1.0, run_);
    return *factor_;
  }

  /// None: the matrix is not positive definite to rounding.
  std::optional<Smoothed> by_factor(const Array2<double>& b) {
    MemoryPlan plan;
    const auto entries = static_cast<double>(a_->sparse()->values.size());
    plan.add("the graph, its weights and the system of the labels", entries, 5, 16);
    plan.add("the factor of the system of the labels", factor().bytes_to_store() + factor().working_bytes(run_), 1, 1);
    plan.require(run_, "use solver=iterate");
    if (!factor().factorize(0, run_)) return {};
    Smoothed result{.values = Array2<double>(b.rows(), b.cols()), .solver = LabelSolver::Factorize};
    factor().solve(b, result.values, run_);
    result.residual = residual_of(result.values, b);
    return result;
  }

  Smoothed by_gradients(const Array2<double>& b) const {
    Smoothed result{.values = Array2<double>(b.rows(), b.cols())};
    for (Index first = 0; first < b.cols(); first += kColumns) {
      const Index count = std::min(kColumns, b.cols() - first);
      Array2<double> part = Array2<double>::uninitialized(b.rows(), count);
      for (Index i = 0; i < b.rows(); ++i) std::copy_n(b.row(i) + first, count, part.row(i));
      const GradientResult solved = conjugate_gradients(*a_, part, settings_.tol, settings_.max_iter, run_);
      for (Index i = 0; i < b.rows(); ++i) std::copy_n(solved.x.row(i), count, result.values.row(i) + first);
      result.iterations = std::max(result.iterations, solved.iterations);
      result.residual = std::max(result.residual, solved.residual);
      result.converged = result.converged && solved.converged;
    }
    return result;
  }

  double residual_of(const Array2<double>& x, const Array2<double>& b) const {
    Array2<double> product = Array2<double>::uninitialized(b.rows(), b.cols());
    a_->apply(x, product, run_);
    double worst = 0;
    for (Index c = 0; c < b.cols(); ++c) {
      double rr = 0, bb = 0, xx = 0;
      for (Index i = 0; i < b.rows(); ++i) {
        const double r = b(i, c) - product(i, c);
        rr += r * r, bb += b(i, c) * b(i, c), xx += x(i, c) * x(i, c);
      }
      if (rr > 0) worst = std::max(worst, std::sqrt(rr) / (std::sqrt(bb) + std::sqrt(xx)));
    }
    return worst;
  }

  const SmoothingProblem& problem_;
  const SmoothingSettings& settings_;
  double worth_;
  const Run& run_;
  std::unique_ptr<SymmetricOperator> a_;
  std::unique_ptr<SparseCholesky> factor_;
};

double magnitude(const double* row, Index count) {
  double sum = 0;
  for (Index c = 0; c < count; ++c) sum += std::abs(row[c]);
  return sum;
}

/// Solves for the rows of largest magnitude first. Those below a part of it are rounding beside them: they are solved
/// for again, with what they get from the known rows on the right side and in a unit of their own.
class Rounds {
 public:
  Rounds(const SmoothingProblem& problem, std::vector<Index> points, Array2<double> b, const Run& run)
      : problem_(problem), run_(run), points_(std::move(points)), b_(std::move(b)) {
    all_.values = Array2<double>(problem.affinity.size(), b_.cols());
  }

  Smoothed solve(const SmoothingSettings& settings) {
    // Far from all labels a round by iterations gets over 3 powers of ten, and one by a factor over 200: along a chain
    // of points rounds by iterations would be so many that their work is the square of the number of points.
    constexpr Index kFewRounds = 4;
    constexpr double kSaved = 200.0 / 3;
    for (Index round = 0; !points_.empty(); ++round) {
      run_.check_cancelled();
      const Smoothed part = Solve(problem_, points_, settings, round < kFewRounds ? 1 : kSaved, run_).solve(b_);
      if (round == 0) all_.solver = part.solver;
      all_.iterations = std::max(all_.iterations, part.iterations);
      all_.residual = std::max(all_.residual, part.residual);
      all_.converged = all_.converged && part.converged;
      const std::vector<Index> left = keep_large(part);
      if (left.empty()) break;
      prepare(left);
    }
    return std::move(all_);
  }

 private:
  /// Keeps the rows that are known now, and returns the places of the others.
  std::vector<Index> keep_large(const Smoothed& part) {
    constexpr double kIterated = 1e-3, kFactorized = 1e-200;  // rows above this part of the largest are accurate
    const Index count = b_.cols();
    double top = 0;
    for (Index k = 0; k < b_.rows(); ++k) top = std::max(top, magnitude(part.values.row(k), count));
    if (!(top > 0)) return {};  // weights vanish on the way to all points that are left
    const double least = top * (part.solver == LabelSolver::Iterate ? kIterated : kFactorized);
    std::vector<Index> left;
    is_new_.assign(at(problem_.affinity.size()), 0);
    top_left_ = 0;
    for (Index k = 0; k < b_.rows(); ++k) {
      const double size = magnitude(part.values.row(k), count);
      if (size < least && part.converged) {
        left.push_back(k);
        top_left_ = std::max(top_left_, size);
      } else {
        std::copy_n(part.values.row(k), count, all_.values.row(points_[at(k)]));
        is_new_[at(points_[at(k)])] = 1;
      }
    }
    return left;
  }

  void prepare(const std::vector<Index>& left) {
    const double unit = std::ldexp(1.0, top_left_ > 0 ? -std::ilogb(top_left_) : 0);
    Array2<double> b(std::ssize(left), b_.cols());
    parallel_for(run_, b.rows(), kSmoothingRows, [&](Index begin, Index end) {
      for (Index k = begin; k < end; ++k) {
        const Index place = left[at(k)], i = points_[at(place)];
        for (Index c = 0; c < b.cols(); ++c) b(k, c) = unit * b_(place, c);
        for_each_weight(problem_.affinity, i, [&](Index j, double weight) {
          if (is_new_[at(j)] == 0) return;
          const double s = problem_.theta * normalized(problem_, i, j, weight);
          for (Index c = 0; c < b.cols(); ++c) b(k, c) += s * (unit * all_.values(j, c));
        });
      }
    });
    std::vector<Index> points;
    points.reserve(left.size());
    for (const Index place : left) points.push_back(points_[at(place)]);
    points_ = std::move(points);
    b_ = std::move(b);
  }

  const SmoothingProblem& problem_;
  const Run& run_;
  std::vector<Index> points_;
  Array2<double> b_;
  Smoothed all_ = {};
  std::vector<char> is_new_ = {};  ///< points whose rows this round has found
  double top_left_ = 0;            ///< the largest magnitude of the other rows
};

}  // namespace

std::vector<double> smoothing_scales(const Affinity& affinity, const Run& run) {
  std::vector<double> scales = degrees(affinity, run);
  check_degrees(affinity.components, scales);
  for (double& scale : scales) scale = scale > 0 ? 1 / std::sqrt(scale) : 0;
  return scales;
}

Smoothed solve_smoothing(const SmoothingProblem& problem, std::vector<Index> points, Array2<double> b,
                         const SmoothingSettings& settings, const Run& run) {
  constexpr double kRounding = 4e-15;  // no smaller tolerance is reached
  SmoothingSettings used = settings;
  used.tol = std::max(used.tol, kRounding);
  return Rounds(problem, std::move(points), std::move(b), run).solve(used);
}

}  // namespace unroll
