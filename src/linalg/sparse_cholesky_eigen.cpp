#include <Eigen/SparseCholesky>
#include <cmath>

#include "core/parallel.h"
#include "linalg/sparse_cholesky.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

using Lower = Eigen::SparseMatrix<double, Eigen::ColMajor, Index>;

/// Lets us see the sizes of the columns of the factor, which the symbolic phase counts.
class Factor : public Eigen::SimplicialLLT<Lower, Eigen::Lower, Eigen::AMDOrdering<Index>> {
 public:
  template <class Term>
  double sum_over_columns(Term&& term) const {
    double sum = 0;
    for (Index k = 0; k < m_nonZerosPerCol.size(); ++k) sum += term(1 + static_cast<double>(m_nonZerosPerCol[k]));
    return sum;
  }
};

}  // namespace

struct SparseCholesky::Impl {
  Impl(const SparseMatrix& a, double sign) : matrix(a.rows, a.rows) {
    // Row i of our upper triangle is column i of Eigen's lower one.
    std::vector<Eigen::Triplet<double, Index>> entries;
    for (Index i = 0; i < a.rows; ++i)
      for (Index e = a.offsets[static_cast<std::size_t>(i)]; e < a.offsets[static_cast<std::size_t>(i) + 1]; ++e) {
        const Index j = a.columns[static_cast<std::size_t>(e)];
        if (j >= i) entries.emplace_back(j, i, sign * a.values[static_cast<std::size_t>(e)]);
      }
    matrix.setFromTriplets(entries.begin(), entries.end());
  }

  Lower matrix;
  Factor factor;
};

SparseCholesky::SparseCholesky(const SparseMatrix& a, double sign, const Run& run)
    : impl_(std::make_shared<Impl>(a, sign)) {
  run_interruptible(run, "analysis of the factorization",
                    [impl = impl_] { impl->factor.analyzePattern(impl->matrix); });
}
SparseCholesky::~SparseCholesky() = default;

double SparseCholesky::entries() const {
  return impl_->factor.sum_over_columns([](double count) { return count; });
}
double SparseCholesky::flops() const {
  return impl_->factor.sum_over_columns([](double count) { return count * count; });
}

// Column by column, without the dense blocks that make CHOLMOD fast.
CholeskyCosts SparseCholesky::costs() { return {.flop = 1 / 2e9, .entry = 5e-8, .solve_entry = 1.5e-8}; }

bool SparseCholesky::factorize(double shift, const Run& run) {
  const auto done = std::make_shared<bool>(false);
  run_interruptible(run, "factorization", [impl = impl_, shift, done] {
    impl->factor.setShift(shift);
    impl->factor.factorize(impl->matrix);
    *done = impl->factor.info() == Eigen::Success;
  });
  return *done;
}

void SparseCholesky::solve(const Array2<double>& b, Array2<double>& x, const Run&) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const RowMajor> right(b.data(), b.rows(), b.cols());
  Eigen::Map<RowMajor>(x.data(), x.rows(), x.cols()) = impl_->factor.solve(right);
}

}  // namespace unroll
