#include "linalg/nearest_orthogonal.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/at.h"
#include "linalg/small_products.h"

namespace unroll {
namespace {

/// Turns the rows x and y by the angle whose cosine and sine these are.
void turn_rows(Index m, double cosine, double sine, double* x, double* y) {
  for (Index i = 0; i < m; ++i) {
    const double before = x[i];
    x[i] = cosine * before - sine * y[i];
    y[i] = sine * before + cosine * y[i];
  }
}

/// Makes rows p and q of w orthogonal, and turns those of v alike; false if they are orthogonal already.
bool orthogonalize_pair(Index p, Index q, Array2<double>& w, Array2<double>& v) {
  const Index m = w.cols();
  const double pp = dot(m, w.row(p), w.row(p)), qq = dot(m, w.row(q), w.row(q)), pq = dot(m, w.row(p), w.row(q));
  if (std::abs(pq) <= 0x1p-51 * std::sqrt(pp) * std::sqrt(qq)) return false;
  const double zeta = (qq - pp) / (2 * pq);
  const double tangent = std::copysign(1.0, zeta) / (std::abs(zeta) + std::hypot(1.0, zeta));
  const double cosine = 1 / std::hypot(1.0, tangent);
  turn_rows(m, cosine, cosine * tangent, w.row(p), w.row(q));
  turn_rows(m, cosine, cosine * tangent, v.row(p), v.row(q));
  return true;
}

/// Writes into row p of u a unit vector that is orthogonal to the rows marked as known: what is left of the unit vector
/// of which most is left.
void complete_row(Index p, const std::vector<char>& known, Array2<double>& u) {
  const Index m = u.cols();
  std::vector<double> best(at(m));
  double most = 0;
  for (Index axis = 0; axis < m; ++axis) {
    std::vector<double> rest(at(m));
    rest[at(axis)] = 1;
    for (int pass = 0; pass < 2; ++pass)
      for (Index k = 0; k < u.rows(); ++k) {
        if (known[at(k)] == 0) continue;
        const double along = dot(m, rest.data(), u.row(k));
        for (Index i = 0; i < m; ++i) rest[at(i)] -= along * u(k, i);
      }
    const double length = std::sqrt(dot(m, rest.data(), rest.data()));
    if (length <= most) continue;
    most = length;
    for (Index i = 0; i < m; ++i) best[at(i)] = rest[at(i)] / length;
  }
  std::copy(best.begin(), best.end(), u.row(p));
}

}  // namespace

NearestOrthogonal nearest_orthogonal(const Array2<double>& a) {
  constexpr int kMostSweeps = 60;  // about 10 are enough
  const Index m = a.rows();
  // Rows of w are the columns of A V, which become orthogonal: the vectors of U times their singular values.
  Array2<double> w(m, m), v(m, m);
  for (Index i = 0; i < m; ++i) {
    v(i, i) = 1;
    for (Index j = 0; j < m; ++j) w(j, i) = a(i, j);
  }
  bool turned = true;
  for (int sweep = 0; sweep < kMostSweeps && turned; ++sweep) {
    turned = false;
    for (Index p = 0; p < m; ++p)
      for (Index q = p + 1; q < m; ++q) turned = orthogonalize_pair(p, q, w, v) || turned;
  }
  std::vector<double> lengths(at(m));
  for (Index p = 0; p < m; ++p) lengths[at(p)] = std::sqrt(dot(m, w.row(p), w.row(p)));
  const double least = 0x1p-45 * (m > 0 ? *std::max_element(lengths.begin(), lengths.end()) : 0);
  NearestOrthogonal result{.matrix = Array2<double>(m, m)};
  std::vector<char> known(at(m));
  for (Index p = 0; p < m; ++p) {
    result.singular_sum += lengths[at(p)];
    if (lengths[at(p)] <= least) continue;
    known[at(p)] = 1;
    for (Index i = 0; i < m; ++i) w(p, i) /= lengths[at(p)];
  }
  for (Index p = 0; p < m; ++p) {
    if (known[at(p)] == 0) complete_row(p, known, w);
    known[at(p)] = 1;
    for (Index i = 0; i < m; ++i)
      for (Index j = 0; j < m; ++j) result.matrix(i, j) += w(p, i) * v(p, j);
  }
  return result;
}

}  // namespace unroll
