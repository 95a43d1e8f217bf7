#include "linalg/tridiagonal_eigen.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linalg/blas.h"
#include "unroll/core/error.h"

// LAPACK's Fortran interface; every argument is a pointer. The hidden string lengths are omitted, as is usual.
extern "C" {
void dsterf_(const int* n, double* d, double* e, int* info);
void dstemr_(const char* jobz, const char* range, const int* n, double* d, double* e, const double* vl,
             const double* vu, const int* il, const int* iu, int* m, double* w, double* z, const int* ldz,
             const int* nzc, int* isuppz, int* tryrac, double* work, const int* lwork, int* iwork, const int* liwork,
             int* info);
void dstedc_(const char* compz, const int* n, double* d, double* e, double* z, const int* ldz, double* work,
             const int* lwork, int* iwork, const int* liwork, int* info);
}

namespace unroll {
namespace {

void check_lapack(const char* routine, int info) {
  if (info == 0) return;
  throw Error(ErrorKind::NotConverged, fmt::format("the dense eigensolver failed ({} returned {})", routine, info));
}

/// The last `count` columns of LAPACK's ascending vectors, as rows in descending order.
Array2<double> descending(const Array2<double>& ascending, Index count) {
  Array2<double> result = Array2<double>::uninitialized(count, ascending.cols());
  for (Index k = 0; k < count; ++k)
    std::copy_n(ascending.row(ascending.rows() - 1 - k), ascending.cols(), result.row(k));
  return result;
}

/// Largest of |T v - lambda v| over the vectors and |V V^T - I| over the entries, on the scale of max |lambda|.
double worst_error(const Tridiagonal& t, const std::vector<double>& values, const Array2<double>& v) {
  const Index n = v.cols();
  const double scale = std::max(std::abs(values.front()), std::abs(values.back()));
  double worst = 0;
  for (Index k = 0; k < v.rows(); ++k) {
    double sum = 0;
    for (Index i = 0; i < n; ++i) {
      const auto at = static_cast<std::size_t>(i);
      double r = (t.diagonal[at] - values[static_cast<std::size_t>(k)]) * v(k, i);
      if (i > 0) r += t.off_diagonal[at - 1] * v(k, i - 1);
      if (i + 1 < n) r += t.off_diagonal[at] * v(k, i + 1);
      sum += r * r;
    }
    worst = std::max(worst, scale == 0 ? 0 : std::sqrt(sum) / scale);
  }
  Array2<double> products = Array2<double>::uninitialized(v.rows(), v.rows());
  gemm(true, false, v.rows(), v.rows(), n, 1.0, v.data(), n, v.data(), n, 0.0, products.data(), v.rows());
  for (Index i = 0; i < v.rows(); ++i)
    for (Index j = 0; j < v.rows(); ++j) worst = std::max(worst, std::abs(products(i, j) - (i == j ? 1 : 0)));
  return worst;
}

}  // namespace

std::vector<double> eigenvalues(Tridiagonal t) {
  const BlasCall call;
  const int n = blas_size(std::ssize(t.diagonal));
  int info = 0;
  dsterf_(&n, t.diagonal.data(), t.off_diagonal.data(), &info);
  check_lapack("dsterf", info);
  std::reverse(t.diagonal.begin(), t.diagonal.end());
  return std::move(t.diagonal);
}

std::optional<Array2<double>> leading_vectors_by_mrrr(const Tridiagonal& t, const std::vector<double>& values,
                                                      Index count) {
  const BlasCall call;
  const int n = blas_size(std::ssize(t.diagonal)), columns = static_cast<int>(count), first = n - columns + 1;
  const auto size = static_cast<std::size_t>(n);
  Tridiagonal overwritten = t;
  Array2<double> ascending(count, n);  // a row here is a column of LAPACK's
  std::vector<double> w(size), work(18 * size);
  std::vector<int> support(2 * size), iwork(10 * size);
  const int lwork = static_cast<int>(work.size()), liwork = static_cast<int>(iwork.size());
  const double unused = 0;
  int found = 0, try_relative_accuracy = 1, info = 0;
  dstemr_("V", "I", &n, overwritten.diagonal.data(), overwritten.off_diagonal.data(), &unused, &unused, &first, &n,
          &found, w.data(), ascending.data(), &n, &columns, support.data(), &try_relative_accuracy, work.data(), &lwork,
          iwork.data(), &liwork, &info);
  if (info != 0 || found != columns) return std::nullopt;
  Array2<double> vectors = descending(ascending, count);
  const double tolerance = 100 * std::sqrt(static_cast<double>(n)) * 0x1p-52;
  if (!(worst_error(t, values, vectors) <= tolerance)) return std::nullopt;
  return vectors;
}

Array2<double> leading_vectors_by_division(Tridiagonal t, Index count) {
  const BlasCall call;
  const int n = blas_size(std::ssize(t.diagonal)), query = -1;
  Array2<double> ascending(n, n);
  double wanted = 0;
  int wanted_integers = 0, info = 0;
  dstedc_("I", &n, t.diagonal.data(), t.off_diagonal.data(), ascending.data(), &n, &wanted, &query, &wanted_integers,
          &query, &info);
  check_lapack("dstedc", info);
  std::vector<double> work(static_cast<std::size_t>(wanted));
  std::vector<int> iwork(static_cast<std::size_t>(wanted_integers));
  const int lwork = blas_size(std::ssize(work)), liwork = static_cast<int>(iwork.size());
  dstedc_("I", &n, t.diagonal.data(), t.off_diagonal.data(), ascending.data(), &n, work.data(), &lwork, iwork.data(),
          &liwork, &info);
  check_lapack("dstedc", info);
  return descending(ascending, count);
}

}  // namespace unroll
