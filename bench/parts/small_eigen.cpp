// All eigenpairs of many matrices of side K, inner products of K points: "ours", "dsyevd" (LAPACK of OpenBLAS),
// "eigen".
#include "linalg/small_eigen.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "parts.h"
#include "unroll/data/table.h"

extern "C" void dsyevd_(const char* jobz, const char* uplo, const int* n, double* a, const int* lda, double* w,
                        double* work, const int* lwork, int* iwork, const int* liwork, int* info);

namespace parts {
namespace {

using unroll::Array2;
using unroll::Index;
using Numbers = std::vector<double>;

/// The inner products of consecutive groups of K points.
Numbers inner_products(const Array2<double>& points, Index side, Index count) {
  Numbers result(static_cast<std::size_t>(count * side * side));
  double* to = result.data();
  for (Index m = 0; m < count; ++m)
    for (Index a = 0; a < side; ++a)
      for (Index b = 0; b < side; ++b, ++to)
        for (Index j = 0; j < points.cols(); ++j) *to += points(m * side + a, j) * points(m * side + b, j);
  return result;
}

/// The largest of |A v - lambda v| over the largest of |lambda|; vectors are rows.
double residual(const double* a, const double* values, const double* vectors, Index side) {
  double worst = 0, largest = 0;
  for (Index k = 0; k < side; ++k) {
    double sum = 0;
    for (Index i = 0; i < side; ++i) {
      double r = -values[k] * vectors[k * side + i];
      for (Index j = 0; j < side; ++j) r += a[i * side + j] * vectors[k * side + j];
      sum += r * r;
    }
    worst = std::max(worst, std::sqrt(sum));
    largest = std::max(largest, std::abs(values[k]));
  }
  return worst / largest;
}

void by_ours(Index side, Index count, Numbers& matrices, Numbers& values) {
  unroll::SmallEigenScratch scratch;
  const auto length = static_cast<std::size_t>(side), area = length * length;
  for (Index m = 0; m < count; ++m)
    unroll::small_symmetric_eigen(side, {matrices.data() + m * side * side, area}, {values.data() + m * side, length},
                                  scratch);
}

void by_lapack(Index side, Index count, Numbers& matrices, Numbers& values) {
  const int n = static_cast<int>(side), lwork = 1 + 6 * n + 2 * n * n, liwork = 3 + 5 * n;
  Numbers work(static_cast<std::size_t>(lwork));
  std::vector<int> iwork(static_cast<std::size_t>(liwork));
  for (Index m = 0; m < count; ++m) {
    int info = 0;
    dsyevd_("V", "L", &n, matrices.data() + m * side * side, &n, values.data() + m * side, work.data(), &lwork,
            iwork.data(), &liwork, &info);
    if (info != 0) throw std::runtime_error("dsyevd failed");
  }
}

void by_eigen(Index side, Index count, Numbers& matrices, Numbers& values) {
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(side);
  for (Index m = 0; m < count; ++m) {
    Eigen::Map<Eigen::MatrixXd> matrix(matrices.data() + m * side * side, side, side);
    solver.compute(matrix);
    matrix = solver.eigenvectors();
    Eigen::VectorXd::Map(values.data() + m * side, side) = solver.eigenvalues();
  }
}

}  // namespace

void small_eigen(const Task& task, Answer& answer) {
  const unroll::Table table = unroll::read_table(task.data);
  const auto& points = std::get<Array2<double>>(table.values);
  const Index side = task.k, count = points.rows() / side;
  const Numbers given = inner_products(points, side, count);
  Numbers matrices = given, values(static_cast<std::size_t>(count * side));
  const auto solve = task.contender == "ours"     ? by_ours
                     : task.contender == "dsyevd" ? by_lapack
                     : task.contender == "eigen"  ? by_eigen
                                                  : nullptr;
  if (solve == nullptr) refuse(task);
  answer.measure("pairs", [&] { solve(side, count, matrices, values); });
  double worst = 0;
  for (Index m = 0; m < count; ++m)
    worst = std::max(worst, residual(given.data() + m * side * side, values.data() + m * side,
                                     matrices.data() + m * side * side, side));
  answer.tell("residual error", worst);
}

}  // namespace parts
