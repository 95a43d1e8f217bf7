#include "graph/heat_eigenpairs.h"

#include <cmath>

#include "core/at.h"
#include "core/parallel.h"
#include "graph/graph_kernel.h"
#include "graph/rayleigh_quotient.h"
#include "linalg/blas.h"
#include "linalg/symmetric_eigen.h"

namespace unroll {
namespace {

/// m += factor U U', U the eigenvectors of the eigenvalue 0.
void add_constants(const GraphOperator& problem, const Components& components, double factor, Array2<double>& m,
                   const Run& run) {
  const std::vector<double>& u = problem.trivial;
  parallel_for(run, m.rows(), 64, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      for (Index j = 0; j < m.cols(); ++j)
        if (components.labels[at(i)] == components.labels[at(j)]) m(i, j) += factor * (u[at(i)] * u[at(j)]);
  });
}

/// An eigenvalue far below the largest is wrong by the rounding of the largest, which a long time would show: computes
/// it again as a Rayleigh quotient.
double refined(double value, const double* vector, double highest, const std::vector<double>& mass,
               const Affinity& affinity, const Run& run) {
  constexpr double kSmall = 1e-3;
  if (value > kSmall * highest) return value;
  std::vector<double> f;
  for (std::size_t i = 0; i < mass.size(); ++i) f.push_back(mass[i] > 0 ? vector[i] / std::sqrt(mass[i]) : 0);
  return rayleigh_quotient(affinity, mass, f, run).value;
}

}  // namespace

/// The eigenpairs are those of L + h U U', h above all eigenvalues of L: small eigenvalues do not mix with 0.
HeatEigenpairs::HeatEigenpairs(const WeightedGraph& graph, const HeatSeries& series, const Run& run)
    : series_(series), constant_(-std::expm1(-series.time() * series.highest())) {
  const double h = series.highest();
  Array2<double> a = series.problem().a->dense(run);
  add_constants(series.problem(), graph.components(), h, a, run);
  EigenPairs pairs = leading_eigenpairs(
      a, [](const std::vector<double>& values) { return std::ssize(values); }, run);
  const std::vector<double> mass = masses(series.problem(), series.laplacian());
  for (Index k = 0; k < a.rows(); ++k) {
    double* vector = pairs.vectors.row(k);
    const double value = refined(pairs.values[at(k)], vector, h, mass, graph.parts().affinity, run);
    const double root = std::exp(-series.time() * value / 2);
    for (Index i = 0; i < a.rows(); ++i) vector[i] *= root;
  }
  roots_ = std::move(pairs.vectors);
}

Array2<double> HeatEigenpairs::kernel(const Run& run) const {
  const Index n = roots_.rows();
  Array2<double> result = Array2<double>::uninitialized(n, n);
  const SingleThreadedBlas guard;
  parallel_for(run, n, 128, [&](Index begin, Index end) {
    gemm(false, true, n, end - begin, n, 1.0, roots_.data(), n, roots_.data() + begin, n, 0.0, result.row(begin), n);
  });
  make_symmetric(result);
  add_constants(series_.problem(), series_.components(), constant_, result, run);
  return result;
}

Array2<double> HeatEigenpairs::apply(const Array2<double>& f, const Run& run) const {
  const Index n = f.rows(), columns = f.cols();
  Array2<double> shares(n, columns), result = series_.constant_part(f);
  for (Index e = 0; e < result.size(); ++e) result.data()[e] *= constant_;
  parallel_for(run, n, 16, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k)
      for (Index i = 0; i < n; ++i)
        for (Index c = 0; c < columns; ++c) shares(k, c) += roots_(k, i) * f(i, c);
  });
  parallel_for(run, n, 64, [&](Index begin, Index end) {
    for (Index k = 0; k < n; ++k)
      for (Index i = begin; i < end; ++i)
        for (Index c = 0; c < columns; ++c) result(i, c) += roots_(k, i) * shares(k, c);
  });
  return result;
}

}  // namespace unroll
