#include "sparse/sparse_cholesky.h"

#include <algorithm>

#include "core/memory.h"
#include "sparse/fill_order.h"
#include "sparse/multifrontal.h"

namespace unroll {
namespace {

Elimination analysis(const SparseMatrix& a, const Run& run, std::string_view who) {
  MemoryPlan plan;
  plan.add("the analysis of a sparse matrix", std::max(bytes_to_order(a), bytes_to_plan(a)), 1, 1);
  plan.require(run, who, "use n_landmarks or fewer points");
  return plan_elimination(a, fill_reducing_order(a, run), run, who);
}

}  // namespace

SparseCholesky::SparseCholesky(const SparseMatrix& a, double sign, const Run& run, std::string_view who)
    : a_(a), sign_(sign), plan_(analysis(a, run, who)) {}

double SparseCholesky::stored_bytes() const {
  return static_cast<double>(plan_.value_offsets.back()) * sizeof(double) +
         static_cast<double>(plan_.rows.size()) * sizeof(Elimination::Row);
}

double SparseCholesky::bytes_to_store() const {
  return values_.size() > 0 ? 0 : static_cast<double>(plan_.value_offsets.back()) * sizeof(double);
}

double SparseCholesky::working_bytes(const Run& run) const {
  constexpr Index kSolved = 8;  // right-hand sides, at a time
  return std::max(bytes_to_factorize(plan_, run), bytes_to_solve(plan_, kSolved, run));
}

bool SparseCholesky::factorize(double shift, const Run& run) {
  if (shift_ && *shift_ == shift) return true;
  if (std::find(indefinite_.begin(), indefinite_.end(), shift) != indefinite_.end()) return false;
  require_countable_rows(plan_);
  if (values_.size() == 0) values_ = Array2<double>::uninitialized(plan_.value_offsets.back(), 1);
  shift_.reset();
  if (factorize_panels(plan_, a_, sign_, shift, values_.data(), run)) {
    shift_ = shift;
  } else {
    indefinite_.push_back(shift);
  }
  return shift_.has_value();
}

void SparseCholesky::solve(const Array2<double>& b, Array2<double>& x, const Run& run) {
  if (!solver_) solver_.emplace(plan_);
  solver_->solve(values_.data(), b, x, run);
}

}  // namespace unroll
