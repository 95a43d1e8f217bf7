#include <cholmod.h>
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/memory.h"
#include "core/parallel.h"
#include "linalg/blas.h"
#include "linalg/sparse_cholesky.h"
#include "simd/kernels.h"
#include "unroll/core/error.h"

// Of OpenMP's interface (libgomp, which CHOLMOD brings).
extern "C" {
int omp_get_max_active_levels();
void omp_set_max_active_levels(int levels);
}

namespace unroll {
namespace {

/// CHOLMOD asks for 4 threads of OpenMP, whatever the environment says. A thread that may not open parallel regions
/// runs them alone: no bits that depend on scheduling, no threads of which a forked child knows nothing.
class OneThread {
 public:
  OneThread() : levels_(omp_get_max_active_levels()) { omp_set_max_active_levels(0); }
  ~OneThread() { omp_set_max_active_levels(levels_); }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int levels_;
  SingleThreadedBlas blas_;
  BlasCall call_;
};

void check_status(const cholmod_common& common) {
  if (common.status == CHOLMOD_OUT_OF_MEMORY || common.status == CHOLMOD_TOO_LARGE)
    throw Error(ErrorKind::OutOfMemory, "sparse Cholesky: no memory for the factor; use solver=lanczos");
  if (common.status < 0)
    throw Error(ErrorKind::Internal, fmt::format("sparse Cholesky: CHOLMOD failed with {}", common.status));
}

/// The factor as supernodes; a column-wise factor has them of one column each.
class Supernodes {
 public:
  explicit Supernodes(const cholmod_factor& factor)
      : is_super_(factor.is_super != 0),
        count_(static_cast<Index>(is_super_ ? factor.nsuper : factor.n)),
        columns_(static_cast<const Index*>(factor.super)),
        row_offsets_(static_cast<const Index*>(is_super_ ? factor.pi : factor.p)),
        value_offsets_(static_cast<const Index*>(is_super_ ? factor.px : factor.p)),
        rows_(static_cast<const Index*>(is_super_ ? factor.s : factor.i)),
        lengths_(static_cast<const Index*>(factor.nz)),
        values_(static_cast<const double*>(factor.x)) {}

  Index count() const { return count_; }
  simd::Supernode operator[](Index k) const {
    return {.first = is_super_ ? columns_[k] : k,
            .cols = is_super_ ? columns_[k + 1] - columns_[k] : 1,
            .rows = is_super_ ? row_offsets_[k + 1] - row_offsets_[k] : lengths_[k],
            .row = rows_ + row_offsets_[k],
            .values = values_ + value_offsets_[k]};
  }

 private:
  bool is_super_;
  Index count_;
  const Index *columns_, *row_offsets_, *value_offsets_, *rows_, *lengths_;
  const double* values_;
};

/// x = A^-1 b for columns [first, last), at most kSides, in permuted memory of its own. (CHOLMOD's own solve calls BLAS
/// for every supernode, which for small ones takes three times as long.)
void solve_sides(const cholmod_factor& factor, const Array2<double>& b, Array2<double>& x, Index first, Index last) {
  const Supernodes nodes(factor);
  const Index n = b.rows(), count = last - first;
  const auto* order = static_cast<const Index*>(factor.Perm);
  Array2<double> y(n, simd::kSides);
  for (Index i = 0; i < n; ++i) std::copy_n(b.row(order[i]) + first, count, y.row(i));
  Index most = 0;
  for (Index k = 0; k < nodes.count(); ++k) {
    const simd::Supernode node = nodes[k];
    simd::kernels().sides.solve_lower(node, y.data());
    most = std::max(most, node.rows);
  }
  Array2<double> below = Array2<double>::uninitialized(most, simd::kSides);
  for (Index k = nodes.count(); k-- > 0;) simd::kernels().sides.solve_upper(nodes[k], y.data(), below.data());
  for (Index i = 0; i < n; ++i) std::copy_n(y.row(i), count, x.row(order[i]) + first);
}

}  // namespace

struct SparseCholesky::Impl {
  Impl(const SparseMatrix& a, double sign) {
    // Half of the entries, and one more: CHOLMOD takes no null pointer, not even for a matrix without entries.
    const std::size_t half = (a.columns.size() + static_cast<std::size_t>(a.rows)) / 2 + 1;
    reserve_large(rows, half);
    reserve_large(values, half);
    offsets.reserve(static_cast<std::size_t>(a.rows) + 1);
    // Row i of our upper triangle is column i of CHOLMOD's lower one.
    for (Index i = 0; i < a.rows; ++i) {
      for (Index e = a.offsets[static_cast<std::size_t>(i)]; e < a.offsets[static_cast<std::size_t>(i) + 1]; ++e) {
        const Index j = a.columns[static_cast<std::size_t>(e)];
        if (j < i) continue;
        rows.push_back(j);
        values.push_back(sign * a.values[static_cast<std::size_t>(e)]);
      }
      offsets.push_back(std::ssize(rows));
    }
    matrix.nrow = matrix.ncol = static_cast<std::size_t>(a.rows);
    matrix.nzmax = rows.size();
    matrix.p = offsets.data();
    matrix.i = rows.data();
    matrix.x = values.data();
    matrix.stype = -1;
    matrix.itype = CHOLMOD_LONG;
    matrix.xtype = CHOLMOD_REAL;
    matrix.dtype = CHOLMOD_DOUBLE;
    matrix.sorted = matrix.packed = 1;
    cholmod_l_start(&common);
    common.print = 0;
    common.final_ll = 1;  // L D L^T would not notice an indefinite matrix
    // By default CHOLMOD also tries METIS, which saves up to two thirds of the work on three-dimensional graphs but
    // draws from, and seeds, the C library's one random generator: other threads could change our ordering.
    common.nmethods = 1;
    common.method[0].ordering = CHOLMOD_AMD;
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    cholmod_l_free_factor(&factor, &common);
    cholmod_l_finish(&common);
  }

  void analyze() {
    const OneThread guard;
    factor = cholmod_l_analyze(&matrix, &common);
    check_status(common);
    entries = common.lnz;
    flops = common.fl;
  }

  bool factorize(double shift) {
    const OneThread guard;
    double beta[2] = {shift, 0};
    cholmod_l_factorize_p(&matrix, beta, nullptr, 0, factor, &common);
    check_status(common);
    return common.status != CHOLMOD_NOT_POSDEF && factor->minor == factor->n;
  }

  static_assert(sizeof(SuiteSparse_long) == sizeof(Index));
  std::vector<Index> offsets{0}, rows;
  std::vector<double> values;
  cholmod_sparse matrix{};
  cholmod_common common{};
  cholmod_factor* factor = nullptr;
  double entries = 0, flops = 0;
};

SparseCholesky::SparseCholesky(const SparseMatrix& a, double sign, const Run& run)
    : impl_(std::make_shared<Impl>(a, sign)) {
  run_interruptible(run, "analysis of the factorization", [impl = impl_] { impl->analyze(); });
}
SparseCholesky::~SparseCholesky() = default;

double SparseCholesky::entries() const { return impl_->entries; }
double SparseCholesky::flops() const { return impl_->flops; }
CholeskyCosts SparseCholesky::costs() { return {.flop = 1 / 2.5e10, .entry = 5e-8, .solve_entry = 8e-9}; }

bool SparseCholesky::factorize(double shift, const Run& run) {
  const auto done = std::make_shared<bool>(false);
  run_interruptible(run, "factorization", [impl = impl_, shift, done] { *done = impl->factorize(shift); });
  return *done;
}

void SparseCholesky::solve(const Array2<double>& b, Array2<double>& x, const Run& run) {
  parallel_for(run, b.cols(), simd::kSides,
               [&](Index first, Index last) { solve_sides(*impl_->factor, b, x, first, last); });
}

}  // namespace unroll
