// The back end of a build with -DUNROLL_SPARSE=eigen: Eigen's SimplicialLLT after its approximate minimum degree, both
// under the MPL 2. It takes the place of all other sources of this folder. It works on one thread, column by column and
// without supernodes: the same answers to rounding, for many times the time.
#define EIGEN_MPL2_ONLY
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCholesky>
#include <cmath>
#include <type_traits>
#include <utility>

#include "core/at.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "sparse/sparse_cholesky.h"

namespace unroll {
namespace {

static_assert(std::is_same_v<Index, Eigen::Index>);  // else Eigen would not know that NaturalOrdering is none

/// With indices of 64 bits: Eigen does not notice when a factor has more entries than an int can count.
using Matrix = Eigen::SparseMatrix<double, Eigen::ColMajor, Index>;
using Vector = Eigen::VectorXd;
/// Of a matrix that is in the order of elimination already: an order of Eigen's own would be found twice, here before
/// the memory of the factor is known, and there after it has been taken.
using Solver = Eigen::SimplicialLLT<Matrix, Eigen::Upper, Eigen::NaturalOrdering<Index>>;

/// The upper triangle of sign A: row j of A up to its diagonal is column j of it.
Matrix upper_triangle(const SparseMatrix& a, double sign) {
  Matrix upper(a.rows, a.rows);
  upper.reserve(std::ssize(a.columns) / 2 + a.rows);
  for (Index j = 0; j < a.rows; ++j) {
    upper.startVec(j);
    for (Index e = a.offsets[at(j)]; e < a.offsets[at(j) + 1]; ++e)
      if (const Index i = a.columns[at(e)]; i <= j) upper.insertBack(i, j) = sign * a.values[at(e)];
  }
  upper.finalize();
  return upper;
}

/// The matrix in the order of its elimination.
struct OrderedMatrix {
  Matrix upper;
  std::vector<Index> order = {};  ///< the k-th unknown to be eliminated

  void put_in_order() {
    if (upper.rows() == 0) return;
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, Index> found;
    Eigen::AMDOrdering<Index>()(upper.selfadjointView<Eigen::Upper>(), found);
    Matrix ordered(upper.rows(), upper.rows());
    ordered.selfadjointView<Eigen::Upper>() = upper.selfadjointView<Eigen::Upper>().twistedBy(found.inverse());
    upper.swap(ordered);
    order.assign(found.indices().begin(), found.indices().end());
  }
};

double bytes_to_analyze(const SparseMatrix& a) {
  // The triangle twice, both triangles with and without the fifth more that minimum degree asks for.
  constexpr double kCopies = 3.2, kVectors = 20, kEntry = sizeof(double) + sizeof(Index);
  return kCopies * kEntry * static_cast<double>(a.columns.size()) + kVectors * kEntry * static_cast<double>(a.rows);
}

/// Entries of every column of L. Row k of L has one in all columns on the ways up the elimination tree from those of
/// A's entries in row k (Liu 1990).
std::vector<Index> column_counts(const Matrix& upper, const Run& run) {
  constexpr Index kNone = -1, kRows = 4096;
  std::vector<Index> counts(at(upper.rows()), 1), parent(at(upper.rows()), kNone), seen_by(at(upper.rows()), kNone);
  for (Index k = 0; k < upper.rows(); ++k) {
    if (k % kRows == 0) run.check_cancelled();
    seen_by[at(k)] = k;
    for (Matrix::InnerIterator entry(upper, k); entry; ++entry)
      for (Index i = entry.index(); seen_by[at(i)] != k; i = parent[at(i)]) {
        if (parent[at(i)] == kNone) parent[at(i)] = k;
        ++counts[at(i)];
        seen_by[at(i)] = k;
      }
  }
  return counts;
}

/// Eigen stops at a pivot that is not positive, but not at one that is not a number.
bool is_definite(const Solver& solver) {
  if (solver.info() != Eigen::Success) return false;
  const Matrix& l = solver.matrixL().nestedExpression();
  for (Index k = 0; k < l.cols(); ++k)
    if (!std::isfinite(l.valuePtr()[l.outerIndexPtr()[k]])) return false;
  return true;
}

}  // namespace

struct SparseCholesky::Factor {
  std::shared_ptr<const OrderedMatrix> matrix;
  double entries = 0, flops = 0;
  std::shared_ptr<Solver> solver = {};  ///< none: its memory has not been taken
};

SparseCholesky::SparseCholesky(const SparseMatrix& a, double sign, const Run& run) {
  MemoryPlan()
      .add("the analysis of a sparse matrix", bytes_to_analyze(a), 1, 1)
      .require(run, "use n_landmarks or fewer points");
  run.check_cancelled();
  // Shared with work that a cancelled run leaves behind.
  const auto matrix = std::make_shared<OrderedMatrix>(OrderedMatrix{upper_triangle(a, sign)});
  run_abandonable(run, "order of elimination", [matrix] { matrix->put_in_order(); });
  factor_ = std::make_unique<Factor>(Factor{matrix});
  for (const Index count : column_counts(matrix->upper, run)) {
    factor_->entries += static_cast<double>(count);
    factor_->flops += static_cast<double>(count) * static_cast<double>(count);
  }
}

SparseCholesky::~SparseCholesky() = default;

CholeskyCosts SparseCholesky::costs() { return {.flop = 1 / 1.6e9, .entry = 2e-8, .solve_entry = 2.5e-8}; }

double SparseCholesky::entries() const { return factor_->entries; }

double SparseCholesky::flops() const { return factor_->flops; }

double SparseCholesky::stored_bytes() const {
  return (sizeof(double) + sizeof(Index)) * factor_->entries +
         sizeof(Index) * static_cast<double>(factor_->matrix->order.size());
}

double SparseCholesky::bytes_to_store() const { return factor_->solver ? 0 : stored_bytes(); }

double SparseCholesky::working_bytes(const Run& run) const {
  constexpr double kVectors = 5;  // of the factorisation; a solve has one per thread
  return std::max(kVectors, static_cast<double>(thread_count(run))) * sizeof(double) *
         static_cast<double>(factor_->matrix->order.size());
}

/// Eigen cannot be interrupted: a run that is cancelled leaves the solver to the thread that works on it, and the next
/// one makes its own.
bool SparseCholesky::compute(double shift, const Run& run) {
  run.report({.stage = "factorization", .fraction = 0});
  std::shared_ptr<Solver> solver = std::exchange(factor_->solver, nullptr);
  const bool is_new = !solver;
  if (is_new) solver = std::make_shared<Solver>();
  run_abandonable(run, "factorization", [solver, matrix = factor_->matrix, shift, is_new] {
    if (is_new) solver->analyzePattern(matrix->upper);
    solver->setShift(shift);
    solver->factorize(matrix->upper);
  });
  factor_->solver = solver;
  if (!is_definite(*solver)) return false;
  run.report({.stage = "factorization", .fraction = 1});
  return true;
}

void SparseCholesky::solve(const Array2<double>& b, Array2<double>& x, const Run& run) {
  const std::vector<Index>& order = factor_->matrix->order;
  parallel_for(run, b.cols(), 1, [&](Index side, Index) {
    Vector y(b.rows());
    for (Index k = 0; k < b.rows(); ++k) y[k] = b(order[at(k)], side);
    factor_->solver->matrixL().solveInPlace(y);
    factor_->solver->matrixU().solveInPlace(y);
    for (Index k = 0; k < b.rows(); ++k) x(order[at(k)], side) = y[k];
  });
}

}  // namespace unroll
