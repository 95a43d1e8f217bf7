#include "sparse/sparse_cholesky.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "core/memory.h"
#include "sparse/elimination.h"
#include "sparse/fill_order.h"
#include "sparse/multifrontal.h"
#include "sparse/nested_dissection.h"
#include "sparse/panel_solver.h"

namespace unroll {
namespace {

/// A factorization and a few blocks of solves, in seconds.
double cost_of(const Elimination& plan) {
  constexpr double kSolves = 6;
  const CholeskyCosts costs = SparseCholesky::costs();
  return plan.flops * costs.flop + plan.entries * (costs.entry + kSolves * costs.solve_entry);
}

/// Nested dissection saves nothing on surfaces but half of the cost and more in three dimensions, where it takes ten
/// times as long as minimum degree: 0.5 us per entry of the matrix, and for each row as for five entries. So it is
/// tried where two fifths of what the factor is predicted to cost would pay for it. In seconds of one core, with the
/// flops of minimum degree and the share of them that is left:
///                                               predicted  dissection  flops   share of flops  entries of L
///     cube, n=20000, k=12, Laplacian graph            0.4         0.2  3.6e9             0.32          0.61
///     cube, n=20000, k=12, local fits                 1.9         0.4  3.2e10           0.35          0.64
///     cube, n=50000, k=12, local fits                12.9         1.1  2.7e11           0.26          0.55
///     Fashion-MNIST, n=20000, k=15, Laplacian         1.3         0.3  1.9e10           0.33          0.62
///     swiss roll, n=20000, k=12, local fits           0.1         0.3  4.9e8             1.00          1.00
///     thick swiss roll, n=100000, local fits          4.9         2.5  6.1e10           0.53          0.73
/// The first and the last two are left to minimum degree: there it would cost what it saves, or more.
bool may_pay_to_dissect(const SparseMatrix& a, const Elimination& by_degree) {
  constexpr double kEntry = 5e-7, kEntriesPerRow = 5, kSaved = 0.4;
  const auto n = static_cast<double>(a.rows), entries = static_cast<double>(a.columns.size());
  return entries <= std::numeric_limits<std::int32_t>::max() &&
         kSaved * cost_of(by_degree) > kEntry * (entries + kEntriesPerRow * n);
}

void require_bytes(double bytes, const Run& run) {
  MemoryPlan().add("the analysis of a sparse matrix", bytes, 1, 1).require(run, "use n_landmarks or fewer points");
}

Elimination analysis(const SparseMatrix& a, const Run& run) {
  require_bytes(std::max(bytes_to_order(a), bytes_to_plan(a)), run);
  Elimination by_degree = plan_elimination(a, fill_reducing_order(a, run), run);
  if (!may_pay_to_dissect(a, by_degree)) return by_degree;
  require_bytes(std::max(bytes_to_dissect(a), bytes_to_plan(a)), run);
  Elimination dissected = plan_elimination(a, nested_dissection_order(a, run), run);
  return cost_of(dissected) < cost_of(by_degree) ? std::move(dissected) : std::move(by_degree);
}

}  // namespace

struct SparseCholesky::Factor {
  const SparseMatrix& a;
  double sign;
  Elimination plan;
  Array2<double> values = {};
  std::optional<PanelSolver> solver = {};
};

SparseCholesky::SparseCholesky(const SparseMatrix& a, double sign, const Run& run)
    : factor_(std::make_unique<Factor>(Factor{a, sign, analysis(a, run)})) {}

SparseCholesky::~SparseCholesky() = default;

CholeskyCosts SparseCholesky::costs() { return {.flop = 1 / 3e10, .entry = 2e-8, .solve_entry = 5e-9}; }

double SparseCholesky::entries() const { return factor_->plan.entries; }

double SparseCholesky::flops() const { return factor_->plan.flops; }

double SparseCholesky::stored_bytes() const {
  return static_cast<double>(factor_->plan.value_offsets.back()) * sizeof(double) +
         static_cast<double>(factor_->plan.rows.size()) * sizeof(Elimination::Row);
}

double SparseCholesky::bytes_to_store() const {
  return factor_->values.size() > 0 ? 0 : static_cast<double>(factor_->plan.value_offsets.back()) * sizeof(double);
}

double SparseCholesky::working_bytes(const Run& run) const {
  constexpr Index kSolved = 8;  // right-hand sides, at a time
  return std::max(bytes_to_factorize(factor_->plan, run), bytes_to_solve(factor_->plan, kSolved, run));
}

bool SparseCholesky::compute(double shift, const Run& run) {
  auto& [a, sign, plan, values, solver] = *factor_;
  require_countable_rows(plan);
  if (values.size() == 0) values = Array2<double>::uninitialized(plan.value_offsets.back(), 1);
  return factorize_panels(plan, a, sign, shift, values.data(), run);
}

void SparseCholesky::solve(const Array2<double>& b, Array2<double>& x, const Run& run) {
  auto& [a, sign, plan, values, solver] = *factor_;
  if (!solver) solver.emplace(plan);
  solver->solve(values.data(), b, x, run);
}

}  // namespace unroll
