// Factor and solve: "ours" and "eigen"; CHOLMOD is in a program of its own.
#define EIGEN_MPL2_ONLY
#include <Eigen/SparseCholesky>
#include <stdexcept>

#include "library_matrix.h"
#include "parts.h"
#include "sparse/sparse_cholesky.h"

namespace parts {
namespace {

using unroll::Array2;
using unroll::Index;

void by_ours(const MatrixFile& file, const Task& task, Answer& answer) {
  const unroll::SparseMatrix matrix = library_matrix(file);
  const unroll::Run run{.threads = task.threads};
  Array2<double> b(file.rows, kSides), x(file.rows, kSides);
  for (Index i = 0; i < file.rows; ++i)
    for (Index j = 0; j < kSides; ++j) b(i, j) = right_side(i, j);
  std::optional<unroll::SparseCholesky> factor;
  bool is_definite = false;
  answer.measure("order", [&] { factor.emplace(matrix, 1, run); });
  answer.measure("factor", [&] { is_definite = factor->factorize(shift_of(file), run); });
  if (!is_definite) throw std::runtime_error("the matrix is not positive definite");
  answer.measure("solve", [&] { factor->solve(b, x, run); });
  answer.tell("flops", factor->flops());
  answer.tell("entries", factor->entries());
  std::vector<double> by_columns;
  for (Index j = 0; j < kSides; ++j)
    for (Index i = 0; i < file.rows; ++i) by_columns.push_back(x(i, j));
  write_numbers(task.out, by_columns);
}

void by_eigen(const MatrixFile& file, const Task& task, Answer& answer) {
  using Matrix = Eigen::SparseMatrix<double>;
  const Eigen::Map<const Eigen::SparseMatrix<double, Eigen::ColMajor, std::int64_t>> view(
      file.rows, file.rows, static_cast<Index>(file.values.size()), file.offsets.data(), file.columns.data(),
      file.values.data());
  const Matrix matrix = view;
  Eigen::MatrixXd b(file.rows, kSides), x;
  for (Index i = 0; i < file.rows; ++i)
    for (Index j = 0; j < kSides; ++j) b(i, j) = right_side(i, j);
  Eigen::SimplicialLLT<Matrix> factor;
  factor.setShift(shift_of(file));
  answer.measure("order", [&] { factor.analyzePattern(matrix); });
  answer.measure("factor", [&] { factor.factorize(matrix); });
  if (factor.info() != Eigen::Success) throw std::runtime_error("the matrix is not positive definite");
  answer.measure("solve", [&] { x = factor.solve(b); });
  const Matrix& l = factor.matrixL().nestedExpression();
  double flops = 0;
  for (Index k = 0; k < l.cols(); ++k) {
    const double count = l.outerIndexPtr()[k + 1] - l.outerIndexPtr()[k];
    flops += count * count;
  }
  answer.tell("flops", flops);
  answer.tell("entries", static_cast<double>(l.nonZeros()));
  write_numbers(task.out, {x.data(), x.data() + x.size()});
}

}  // namespace

void cholesky(const Task& task, Answer& answer) {
  const MatrixFile file = MatrixFile::read(task.data);
  if (task.contender == "ours") return by_ours(file, task, answer);
  if (task.contender == "eigen") return by_eigen(file, task, answer);
  refuse(task);
}

}  // namespace parts
