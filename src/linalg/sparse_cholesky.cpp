#include "linalg/sparse_cholesky.h"

#include <algorithm>

#include "linalg/fill_order.h"
#include "linalg/multifrontal.h"

namespace unroll {

SparseCholesky::SparseCholesky(const SparseMatrix& a, double sign, const Run& run)
    : a_(a), sign_(sign), plan_(plan_elimination(a, fill_reducing_order(a, run), run)) {}

double SparseCholesky::stored_bytes() const {
  return static_cast<double>(plan_.value_offsets.back()) * sizeof(double) +
         static_cast<double>(plan_.rows.size()) * sizeof(Elimination::Row);
}

double SparseCholesky::working_bytes(const Run& run) const {
  constexpr Index kSolved = 8;  // right-hand sides, at a time
  return std::max(bytes_to_factorize(plan_, run), bytes_to_solve(plan_, kSolved, run));
}

bool SparseCholesky::factorize(double shift, const Run& run) {
  if (values_.size() == 0) values_ = Array2<double>::uninitialized(plan_.value_offsets.back(), 1);
  return factorize_panels(plan_, a_, sign_, shift, values_.data(), run);
}

void SparseCholesky::solve(const Array2<double>& b, Array2<double>& x, const Run& run) {
  if (!solver_) solver_.emplace(plan_);
  solver_->solve(values_.data(), b, x, run);
}

}  // namespace unroll
