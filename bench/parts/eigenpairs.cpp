// The K smallest eigenpairs of a sparse semidefinite matrix: ours by products ("lanczos") and with a factor
// ("shift_invert"), and ARPACK, by products ("arpack") and with our factor ("arpack_inverse").
#include <cmath>
#include <stdexcept>

#include "eigen/eigen_problem.h"
#include "eigen/operators.h"
#include "library_matrix.h"
#include "parts.h"
#include "sparse/sparse_cholesky.h"
#ifdef UNROLL_HAS_ARPACK
#include <arpack.h>
#endif

namespace parts {
namespace {

using unroll::Array2;
using unroll::Index;

constexpr double kTolerance = 1e-9;

/// For the judge: the values, then the vectors.
void write_pairs(const std::string& path, const std::vector<double>& values, const double* vectors, Index n) {
  std::vector<double> numbers = values;
  numbers.insert(numbers.end(), vectors, vectors + std::ssize(values) * n);
  write_numbers(path, numbers);
}

void by_ours(const unroll::SparseOperator& a, unroll::EigenSolver solver, const Task& task, Answer& answer) {
  unroll::EigenSolution found;
  const unroll::EigenProblem problem{.count = task.k, .lowest = 0, .solver = solver, .tolerance = kTolerance};
  answer.measure("pairs", [&] { found = solve_eigenproblem(a, problem, {.threads = task.threads}); });
  answer.tell("products", static_cast<double>(found.iterations));
  write_pairs(task.out, found.values, found.vectors.data(), a.size());
}

#ifdef UNROLL_HAS_ARPACK
/// The eigenvalues of an operator at one end, and their vectors, by ARPACK with SciPy's size of the basis.
template <class Product>
std::vector<double> arpack(Index size, Index count, const char* which, const Product& product,
                           std::vector<double>& vectors, Index& products) {
  const auto n = static_cast<a_int>(size), nev = static_cast<a_int>(count), ncv = std::max<a_int>(2 * nev + 1, 20);
  std::vector<double> residual(static_cast<std::size_t>(n)), basis(static_cast<std::size_t>(n * ncv)),
      work(3 * static_cast<std::size_t>(n)), more(static_cast<std::size_t>(ncv * (ncv + 8)));
  for (std::size_t i = 0; i < residual.size(); ++i) residual[i] = std::cos(static_cast<double>(i * i));
  a_int ido = 0, info = 1, parameters[11] = {1, 0, 10'000, 1, 0, 0, 1}, places[11] = {};
  const auto lworkl = static_cast<a_int>(more.size());
  while (ido != 99) {
    dsaupd_c(&ido, "I", n, which, nev, kTolerance, residual.data(), ncv, basis.data(), n, parameters, places,
             work.data(), more.data(), lworkl, &info);
    if (ido == 1 || ido == -1) {
      product(work.data() + places[0] - 1, work.data() + places[1] - 1);
      ++products;
    }
  }
  if (info != 0) throw std::runtime_error("ARPACK did not converge");
  std::vector<a_int> select(static_cast<std::size_t>(ncv));
  std::vector<double> values(static_cast<std::size_t>(nev));
  vectors.resize(static_cast<std::size_t>(n * nev));
  dseupd_c(1, "A", select.data(), values.data(), vectors.data(), n, 0, "I", n, which, nev, kTolerance, residual.data(),
           ncv, basis.data(), n, parameters, places, work.data(), more.data(), lworkl, &info);
  return values;
}

void by_arpack(const unroll::SparseOperator& a, bool with_factor, const MatrixFile& file, const Task& task,
               Answer& answer) {
  const Index n = a.size();
  const unroll::Run run{.threads = task.threads};
  const double shift = shift_of(file);
  Array2<double> x(n, 1), y(n, 1);
  Index products = 0;
  std::vector<double> values, vectors;
  answer.measure("pairs", [&] {
    std::optional<unroll::SparseCholesky> factor;
    if (with_factor) factor.emplace(*a.sparse(), 1, run);
    if (with_factor && !factor->factorize(shift, run)) throw std::runtime_error("the matrix is not definite");
    const auto product = [&](const double* from, double* to) {
      std::copy_n(from, n, x.data());
      if (with_factor) {
        factor->solve(x, y, run);
      } else {
        a.apply(x, y, run);
      }
      std::copy_n(y.data(), n, to);
    };
    values = arpack(n, task.k, with_factor ? "LA" : "SA", product, vectors, products);
    if (with_factor)
      for (double& value : values) value = 1 / value - shift;
  });
  answer.tell("products", static_cast<double>(products));
  write_pairs(task.out, values, vectors.data(), n);
}
#endif

}  // namespace

void eigenpairs(const Task& task, Answer& answer) {
  const MatrixFile file = MatrixFile::read(task.data);
  const unroll::SparseOperator a(library_matrix(file));
  if (task.contender == "lanczos") return by_ours(a, unroll::EigenSolver::Lanczos, task, answer);
  if (task.contender == "shift_invert") return by_ours(a, unroll::EigenSolver::ShiftInvert, task, answer);
#ifdef UNROLL_HAS_ARPACK
  if (task.contender == "arpack") return by_arpack(a, false, file, task, answer);
  if (task.contender == "arpack_inverse") return by_arpack(a, true, file, task, answer);
#endif
  refuse(task);
}

}  // namespace parts
