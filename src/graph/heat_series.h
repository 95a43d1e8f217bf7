#pragma once
#include <vector>

#include "graph/weighted_graph.h"

namespace unroll {

/// The coefficients c_k of exp(-z (1 + y)) = sum of (-1)^k c_k T_k(y): scaled Bessel functions exp(-z) I_k(z), doubled
/// for k > 0. All are positive and their sum is 1; the terms left out are less than 1e-14. Miller's downward
/// recurrence.
std::vector<double> heat_coefficients(double z);

/// The most products of L with one function: a longer series is not tried.
inline constexpr Index kMostProducts = 100'000;

/// exp(-t L) of a graph by its Chebyshev series on [0, the largest eigenvalue]. The eigenvectors of 0 are known: their
/// part of a function is kept exactly, so that the rounding of L does not add up over a long time.
class HeatSeries {
 public:
  /// Throws InvalidOption for a negative or infinite t; `option` is the name of t in messages.
  HeatSeries(const WeightedGraph& graph, Laplacian laplacian, double t, std::string_view option, const Run& run);

  Index products() const { return std::ssize(coefficients_) - 1; }
  double cost() const;          ///< per function; infinite if there would be too many products
  double longest_time() const;  ///< the longest time without too many products
  const GraphOperator& problem() const { return problem_; }
  const Components& components() const { return components_; }
  Laplacian laplacian() const { return laplacian_; }
  double highest() const { return highest_; }
  double time() const { return time_; }  ///< in the unit of the problem

  /// The part of every column that lies in the space of the eigenvalue 0.
  Array2<double> constant_part(const Array2<double>& f) const;

  /// exp(-t L) f for a column per function, where L is symmetric: for I - D^-1 W the matrix that it is similar to.
  /// Requires a finite cost.
  Array2<double> apply(Array2<double> f, const Run& run) const;

 private:
  /// A step of the recurrence of T_k: a = factor ((2 / highest) L b - b) - minus; `minus` may be null.
  void step(const Array2<double>& b, double factor, const Array2<double>* minus, Array2<double>& a,
            const Run& run) const;

  GraphOperator problem_;
  Components components_;
  Laplacian laplacian_;
  double highest_;
  double time_;
  std::vector<double> coefficients_;
};

}  // namespace unroll
