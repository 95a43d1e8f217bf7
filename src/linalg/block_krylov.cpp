#include "linalg/block_krylov.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "linalg/blas.h"
#include "unroll/core/error.h"

extern "C" {
void dgeqp3_(const int* m, const int* n, double* a, const int* lda, int* jpvt, double* tau, double* work,
             const int* lwork, int* info);
void dorgqr_(const int* m, const int* n, const int* k, double* a, const int* lda, const double* tau, double* work,
             const int* lwork, int* info);
}

namespace unroll {
namespace {

constexpr double kTolerance = 1e-8;  // of a pair's residual, relative to its own eigenvalue
constexpr double kRounding = 1e-14;  // of the largest eigenvalue: below this a residual cannot be told from rounding
constexpr Index kOversampling = 10;
constexpr Index kBlocksKept = 8;

/// Vectors are rows, so an Array2 of m of them is LAPACK's size x m matrix.
Array2<double> stacked(const Array2<double>& a, const Array2<double>& b) {
  Array2<double> both = Array2<double>::uninitialized(a.rows() + b.rows(), b.cols());
  std::copy_n(a.data(), a.size(), both.data());
  std::copy_n(b.data(), b.size(), both.data() + a.size());
  return both;
}

/// coefficients (rows: combinations) times vectors.
Array2<double> combined(const Array2<double>& coefficients, const Array2<double>& vectors) {
  Array2<double> result = Array2<double>::uninitialized(coefficients.rows(), vectors.cols());
  gemm(false, false, vectors.cols(), coefficients.rows(), vectors.rows(), 1.0, vectors.data(), vectors.cols(),
       coefficients.data(), coefficients.cols(), 0.0, result.data(), vectors.cols());
  return result;
}

/// a b^T: all inner products.
Array2<double> inner_products(const Array2<double>& a, const Array2<double>& b) {
  Array2<double> result = Array2<double>::uninitialized(a.rows(), b.rows());
  gemm(true, false, b.rows(), a.rows(), a.cols(), 1.0, b.data(), b.cols(), a.data(), a.cols(), 0.0, result.data(),
       b.rows());
  return result;
}

void remove_components(Array2<double>& block, const Array2<double>& basis) {
  if (basis.rows() == 0) return;
  const Array2<double> dots = inner_products(block, basis);
  gemm(false, false, block.cols(), block.rows(), basis.rows(), -1.0, basis.data(), basis.cols(), dots.data(),
       dots.cols(), 1.0, block.data(), block.cols());
}

/// An orthonormal basis of the block's span by pivoted QR; directions shorter than `negligible` are dropped.
Array2<double> orthonormal(Array2<double> block, double negligible) {
  const BlasCall call;
  const int size = blas_size(block.cols()), count = blas_size(block.rows());
  std::vector<int> pivots(static_cast<std::size_t>(count));
  std::vector<double> tau(pivots.size());
  int info = 0, lwork = 64 * (count + 1);
  std::vector<double> work(static_cast<std::size_t>(lwork));
  dgeqp3_(&size, &count, block.data(), &size, pivots.data(), tau.data(), work.data(), &lwork, &info);
  int rank = 0;
  while (rank < std::min(size, count) && std::abs(block(rank, rank)) > negligible) ++rank;
  Array2<double> basis = Array2<double>::uninitialized(rank, block.cols());
  std::copy_n(block.data(), basis.size(), basis.data());
  if (rank > 0) dorgqr_(&size, &rank, &rank, basis.data(), &size, tau.data(), work.data(), &lwork, &info);
  if (info != 0) throw Error(ErrorKind::Internal, fmt::format("QR failed with {}", info));
  return basis;
}

/// The part of the block that is new to the basis. Twice: what cancels in the first round leaves rounding errors that
/// the second removes (Giraud, Langou & Rozloznik 2005).
Array2<double> new_directions(Array2<double> block, const Array2<double>& basis, double negligible) {
  remove_components(block, basis);
  remove_components(block, basis);
  block = orthonormal(std::move(block), negligible);
  remove_components(block, basis);
  return orthonormal(std::move(block), 0.5);
}

struct Ritz {
  std::vector<double> values;
  Array2<double> vectors, products;  // v and A v
  std::vector<double> residuals;
};

/// Each pair is held to its own eigenvalue: on the scale of the largest, a dominating direction would make every other
/// pair look converged at once.
bool has_converged(const Ritz& ritz, std::size_t k) {
  return ritz.residuals[k] * ritz.values.front() <=
         std::max(kTolerance * ritz.values[k], kRounding * ritz.values.front());
}

/// The best approximations within the basis, of which the products are known: Rayleigh and Ritz.
Ritz rayleigh_ritz(const Array2<double>& basis, const Array2<double>& products, Index count, const Run& run) {
  Array2<double> projected = inner_products(basis, products);
  for (Index i = 0; i < projected.rows(); ++i)
    for (Index j = 0; j < i; ++j) projected(i, j) = projected(j, i) = (projected(i, j) + projected(j, i)) / 2;
  count = std::min(count, basis.rows());
  EigenPairs small = leading_eigenpairs(
      projected, [count](const auto&) { return count; }, run);
  Ritz ritz{.values = small.values,
            .vectors = combined(small.vectors, basis),
            .products = combined(small.vectors, products),
            .residuals = std::vector<double>(static_cast<std::size_t>(small.vectors.rows()))};
  ritz.values.resize(ritz.residuals.size());
  if (ritz.values.front() <= 0) return ritz;
  for (Index k = 0; k < ritz.vectors.rows(); ++k) {
    const auto at = static_cast<std::size_t>(k);
    double sum = 0;
    for (Index i = 0; i < basis.cols(); ++i) {
      const double r = ritz.products(k, i) - ritz.values[at] * ritz.vectors(k, i);
      sum += r * r;
    }
    ritz.residuals[at] = std::sqrt(sum) / ritz.values.front();
  }
  return ritz;
}

}  // namespace

EigenPairs leading_by_block_krylov(Index size, Index count, const Apply& apply, const Random& random,
                                   Index max_products, const Run& run) {
  const SingleThreadedBlas guard;
  const Index width = std::min(size, count + kOversampling);
  Array2<double> block = Array2<double>::uninitialized(width, size);
  for (Index i = 0; i < block.size(); ++i) block.data()[i] = random.normal(static_cast<std::uint64_t>(i));
  block = orthonormal(std::move(block), 0);

  Array2<double> basis(0, size), products(0, size);
  Index converged = 0;
  for (Index step = 1; step <= max_products; ++step) {
    basis = stacked(basis, block);
    const Array2<double> images = apply(block);
    products = stacked(products, images);
    Ritz ritz = rayleigh_ritz(basis, products, width, run);
    const Index wanted = std::min<Index>(count, std::ssize(ritz.residuals));
    converged = 0;
    while (converged < wanted && has_converged(ritz, static_cast<std::size_t>(converged))) ++converged;
    run.report({.stage = "block Krylov", .fraction = static_cast<double>(converged) / static_cast<double>(count + 1)});
    block = new_directions(images, basis, 1e-14 * ritz.values.front());
    if (converged == wanted || block.rows() == 0)
      return {std::move(ritz.values), std::move(ritz.vectors), std::move(ritz.residuals), step};
    if (basis.rows() + block.rows() > std::min(size, kBlocksKept * width)) {
      basis = std::move(ritz.vectors);
      products = std::move(ritz.products);
    }
  }
  throw Error(ErrorKind::NotConverged,
              fmt::format("block Krylov: {} of {} pairs converged to {:.0e} within {} passes over the data; use "
                          "solver=covariance or solver=gram",
                          converged, count, kTolerance, max_products));
}

}  // namespace unroll
