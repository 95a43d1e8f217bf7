#pragma once
#include <vector>

#include "graph/weighted_graph.h"

namespace unroll {

/// exp(-z) I_k(z), the scaled Bessel functions, twice for k > 0: exp(-z (1 + y)) is the sum of (-1)^k c_k T_k(y). All
/// are positive and their sum is 1; what is left out is less than 1e-14. By Miller's downward recurrence.
std::vector<double> heat_coefficients(double z);

/// Of L with one function: a longer series is not tried.
inline constexpr Index kMostProducts = 100'000;

/// exp(-t L) of a graph by its Chebyshev series on [0, the largest eigenvalue]. The eigenvectors of 0 are known: what a
/// function has of them stays as it is, whatever t is, so that the rounding of L does not add up to a leak.
class HeatSeries {
 public:
  /// Throws InvalidOption for a t that is no time; `option` is the name of t in messages.
  HeatSeries(const WeightedGraph& graph, Laplacian laplacian, double t, std::string_view option, const Run& run);

  Index products() const { return std::ssize(coefficients_) - 1; }
  double cost() const;          ///< per function; infinite where there would be too many products
  double longest_time() const;  ///< that there are not too many products for
  const GraphOperator& problem() const { return problem_; }
  const Components& components() const { return components_; }
  Laplacian laplacian() const { return laplacian_; }
  double highest() const { return highest_; }
  double time() const { return time_; }  ///< in the unit of the problem

  /// The part of every column that lies in the space of the eigenvalue 0.
  Array2<double> constant_part(const Array2<double>& f) const;

  /// Of L as a symmetric matrix: of I - D^-1 W, of the one it is similar to. A column per function. The cost is finite.
  Array2<double> apply(Array2<double> f, const Run& run) const;

 private:
  /// a = (2 / highest) L b - b, less `minus`, where there is one: a step of the recurrence of T_k.
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
