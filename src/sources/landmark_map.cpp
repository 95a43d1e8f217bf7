#include "sources/landmark_map.h"

#include <algorithm>
#include <cmath>

#include "core/at.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "eigen/operators.h"
#include "linalg/blas.h"
#include "linalg/symmetric_eigen.h"
#include "sources/component_map.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

struct Reduced {
  Array2<double> a = {};  ///< Z' M Z, the lower triangle
  Array2<double> b = {};  ///< Z' Z, the lower triangle
};

/// Adds factor * R' R to the lower triangle, where R has the rows [first, last) of `r` and the columns `used`
/// (ascending).
void add_products(const std::vector<Index>& used, const std::vector<double>& r, Index first, Index last, double factor,
                  Array2<double>& out) {
  const Index width = std::ssize(used);
  for (Index c = first; c < last; ++c) {
    const double* row = r.data() + c * width;
    for (Index i = 0; i < width; ++i) {
      double* to = out.row(used[at(i)]);
      for (Index j = 0; j <= i; ++j) to[used[at(j)]] += factor * row[i] * row[j];
    }
  }
}

/// The contribution of one patch to Z' M Z: R' B R with R = S Z.
class PatchProduct {
 public:
  PatchProduct(const LocalFits& fits, const SparseMatrix& z) : fits_(fits), z_(z), place_(at(z.cols), -1) {}

  void add(Index patch, Array2<double>& a) {
    const auto members = fits_.patches.members_of(patch);
    const Index m = std::ssize(members), r = fits_.columns(patch);
    used_.clear();
    for (const Index member : members)
      for (Index e = z_.offsets[at(member)]; e < z_.offsets[at(member) + 1]; ++e)
        if (Index& place = place_[at(z_.columns[at(e)])]; place < 0) {
          place = 0;
          used_.push_back(z_.columns[at(e)]);
        }
    std::sort(used_.begin(), used_.end());
    for (std::size_t i = 0; i < used_.size(); ++i) place_[at(used_[i])] = static_cast<Index>(i);
    const Index width = std::ssize(used_);
    rows_.assign(at(m * width), 0);
    for (Index i = 0; i < m; ++i)
      for (Index e = z_.offsets[at(members[at(i)])]; e < z_.offsets[at(members[at(i)]) + 1]; ++e)
        rows_[at(i * width + place_[at(z_.columns[at(e)])])] += z_.values[at(e)];
    inner_.assign(at(r * width), 0);
    for (Index i = 0; i < m; ++i)
      for (Index c = 0; c < r; ++c)
        for (Index k = 0; k < width; ++k)
          inner_[at(c * width + k)] += fits_.factor(patch)[i * r + c] * rows_[at(i * width + k)];
    const Index cost_columns = fits_.cost_columns(patch);
    if (fits_.costs_rest(patch)) add_products(used_, rows_, 0, m, 1, a);
    add_products(used_, inner_, 0, cost_columns, 1, a);
    add_products(used_, inner_, cost_columns, r, -1, a);
    for (const Index column : used_) place_[at(column)] = -1;
  }

 private:
  const LocalFits& fits_;
  const SparseMatrix& z_;
  std::vector<Index> place_, used_;
  std::vector<double> rows_, inner_;
};

void add_row_product(const SparseMatrix& z, Index i, Array2<double>& b) {
  for (Index e = z.offsets[at(i)]; e < z.offsets[at(i) + 1]; ++e)
    for (Index f = z.offsets[at(i)]; f <= e; ++f)
      b(z.columns[at(e)], z.columns[at(f)]) += z.values[at(e)] * z.values[at(f)];
}

/// Sums over a fixed number of blocks, since each has its own matrices.
Reduced reduced(const LocalFits& fits, const SparseMatrix& z, const Run& run) {
  constexpr Index kBlocks = 8;
  const Index count = fits.patches.count(), size = z.cols, n = z.rows;
  const Index grain = std::max<Index>(1, block_count(std::max(count, n), kBlocks));
  MemoryPlan plan;
  plan.add("the landmarks' matrices", 2 * kBlocks * static_cast<double>(size), static_cast<double>(size),
           sizeof(double));
  plan.require(run, "use a smaller n_landmarks");
  Reduced zero{Array2<double>(size, size), Array2<double>(size, size)};
  return parallel_reduce(
      run, std::max(count, n), grain, std::move(zero),
      [&](Index begin, Index end) {
        Reduced part{Array2<double>(size, size), Array2<double>(size, size)};
        PatchProduct product(fits, z);
        for (Index i = begin; i < end; ++i) {
          if (i < count) product.add(i, part.a);
          if (i < n) add_row_product(z, i, part.b);
        }
        return part;
      },
      [](Reduced sum, const Reduced& part) {
        for (Index i = 0; i < sum.a.size(); ++i) sum.a.data()[i] += part.a.data()[i];
        for (Index i = 0; i < sum.b.size(); ++i) sum.b.data()[i] += part.b.data()[i];
        return sum;
      });
}

/// LAPACK sees row-major lower triangles as column-major upper ones: B becomes U with B = U' U, and A becomes U^-T A
/// U^-1, both triangles. B is at least the identity, since every landmark is itself.
void to_standard_form(Reduced& problem) {
  const Index size = problem.a.rows();
  const SingleThreadedBlas one_thread;
  const BlasCall call;
  double none = 0;
  if (!solve_definite(size, problem.b.data(), size, 0, &none, size))
    throw Error(ErrorKind::Internal, "their weights are not independent");
  const auto transpose = [&] {
    for (Index i = 0; i < size; ++i)
      for (Index j = 0; j < i; ++j) std::swap(problem.a(i, j), problem.a(j, i));
  };
  for (Index i = 0; i < size; ++i)
    for (Index j = 0; j < i; ++j) problem.a(j, i) = problem.a(i, j);
  solve_upper(true, size, size, problem.b.data(), size, problem.a.data(), size);
  transpose();
  solve_upper(true, size, size, problem.b.data(), size, problem.a.data(), size);
  for (Index i = 0; i < size; ++i)  // rounding
    for (Index j = 0; j < i; ++j) problem.a(i, j) = problem.a(j, i) = problem.a(i, j) / 2 + problem.a(j, i) / 2;
}

/// The constant vector in these coordinates: U 1, scaled to length one.
Array2<double> constant(const Array2<double>& u) {
  Array2<double> known(1, u.rows());
  for (Index j = 0; j < u.rows(); ++j)
    for (Index i = 0; i <= j; ++i) known(0, i) += u(j, i);
  orthonormalize_rows(known, 1);
  return known;
}

}  // namespace

LandmarkMap landmark_map(const LocalFits& fits, const SparseMatrix& z, Index n_components, const Run& run) {
  Reduced problem = reduced(fits, z, run);
  to_standard_form(problem);
  const Array2<double> u = std::move(problem.b);
  const DenseOperator a(std::move(problem.a));
  const double norm = largest_diagonal(fits);  // of M: on a flat sheet the whole reduced problem may be tiny beside it
  EigenSolution found = solve_eigenproblem(a,
                                           {.end = SpectrumEnd::Smallest,
                                            .count = std::min(n_components + 1, u.rows() - 1),
                                            .known = constant(u),
                                            .norm = norm,
                                            .solver = EigenSolver::Dense},
                                           run);
  const Index n = fits.size(), count = found.vectors.rows();
  {
    const SingleThreadedBlas one_thread;
    const BlasCall call;
    solve_upper(false, u.rows(), count, u.data(), u.rows(), found.vectors.data(), u.rows());
  }
  LandmarkMap map{.vectors = Array2<double>(count, n), .norm = found.norm};
  for (Index i = 0; i < n; ++i)
    for (Index e = z.offsets[at(i)]; e < z.offsets[at(i) + 1]; ++e)
      for (Index k = 0; k < count; ++k) map.vectors(k, i) += z.values[at(e)] * found.vectors(k, z.columns[at(e)]);
  map.residuals = map_residuals(fits, map.vectors, found.values, norm, run);
  return map;
}

}  // namespace unroll
