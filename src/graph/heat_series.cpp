#include "graph/heat_series.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/at.h"
#include "core/parallel.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

constexpr double kLeftOut = 1e-14;
constexpr Index kRows = 4096;

/// From this k on exp(-z) I_k(z) is below exp(-60): it is about exp(-k^2 / 2z), and less for k > z.
double beyond(double z) { return 60 + 12 * std::sqrt(z); }

}  // namespace

std::vector<double> heat_coefficients(double z) {
  constexpr double kLarge = 1e200;
  if (z <= kLeftOut) return {1};  // the others sum to less than z, and the recurrence divides by z
  const auto last = static_cast<Index>(beyond(z));
  std::vector<double> c(at(last + 2));
  c[at(last)] = 1;
  double sum = 0;
  for (Index k = last; k > 0; --k) {
    c[at(k - 1)] = c[at(k + 1)] + 2 * static_cast<double>(k) / z * c[at(k)];
    if (c[at(k - 1)] < kLarge) continue;
    for (Index m = k - 1; m <= last; ++m) c[at(m)] /= kLarge;
  }
  for (Index k = last; k > 0; --k) sum += c[at(k)] *= 2;
  sum += c[0];
  for (double& value : c) value /= sum;
  Index count = last + 1;
  for (double tail = c[at(count - 1)]; count > 1 && tail < kLeftOut; tail += c[at(count - 1)]) --count;
  c.resize(at(count));
  return c;
}

HeatSeries::HeatSeries(const WeightedGraph& graph, Laplacian laplacian, double t, std::string_view option,
                       const Run& run)
    : problem_(laplacian_of(graph, laplacian, run)),
      components_(graph.components()),
      laplacian_(laplacian),
      highest_(2 * problem_.norm),
      time_(std::min(t * unit_of(graph, laplacian), std::numeric_limits<double>::max())) {
  if (!(t >= 0) || !std::isfinite(t))
    throw Error(ErrorKind::InvalidOption, fmt::format("{}={} must be a finite number >= 0", option, t));
  if (const double z = time_ * (highest_ / 2); beyond(z) <= 1.5 * kMostProducts) coefficients_ = heat_coefficients(z);
}

double HeatSeries::longest_time() const {
  const double root = (1.5 * kMostProducts - beyond(0)) / (beyond(1) - beyond(0));
  return root * root / (highest_ / 2);
}

double HeatSeries::cost() const {
  return coefficients_.empty() ? INFINITY : static_cast<double>(products()) * problem_.a->cost();
}

Array2<double> HeatSeries::constant_part(const Array2<double>& f) const {
  const std::vector<double>& u = problem_.trivial;
  Array2<double> sums(components_.count(), f.cols()), part = Array2<double>::uninitialized(f.rows(), f.cols());
  for (Index i = 0; i < f.rows(); ++i)
    for (Index k = 0; k < f.cols(); ++k) sums(components_.labels[at(i)], k) += u[at(i)] * f(i, k);
  for (Index i = 0; i < f.rows(); ++i)
    for (Index k = 0; k < f.cols(); ++k) part(i, k) = u[at(i)] * sums(components_.labels[at(i)], k);
  return part;
}

void HeatSeries::step(const Array2<double>& b, double factor, const Array2<double>* minus, Array2<double>& a,
                      const Run& run) const {
  problem_.a->apply(b, a, run);
  const double scale = factor * 2 / highest_;
  parallel_for(run, b.rows(), kRows, [&](Index begin, Index end) {
    for (Index e = begin * b.cols(); e < end * b.cols(); ++e)
      a.data()[e] = scale * a.data()[e] - factor * b.data()[e] - (minus != nullptr ? minus->data()[e] : 0);
  });
}

Array2<double> HeatSeries::apply(Array2<double> f, const Run& run) const {
  if (products() == 0) return f;
  const auto add = [&](double c, const Array2<double>& b, Array2<double>& sum) {
    parallel_for(run, b.rows(), kRows, [&](Index begin, Index end) {
      for (Index e = begin * b.cols(); e < end * b.cols(); ++e) sum.data()[e] += c * b.data()[e];
    });
  };
  const Array2<double> constant = constant_part(f);
  add(-1, constant, f);
  Array2<double> sum(f.rows(), f.cols()), before = std::move(f);
  Array2<double> now = Array2<double>::uninitialized(sum.rows(), sum.cols()), next = now;
  add(coefficients_[0], before, sum);
  step(before, 1, nullptr, now, run);
  for (Index k = 1; k <= products(); ++k) {
    if (k % 16 == 0)
      run.report({.stage = "heat", .fraction = static_cast<double>(k) / static_cast<double>(products())});
    add(k % 2 == 0 ? coefficients_[at(k)] : -coefficients_[at(k)], now, sum);
    if (k == products()) break;
    step(now, 2, &before, next, run);
    std::swap(before, now);
    std::swap(now, next);
  }
  add(-1, constant_part(sum), sum);
  add(1, constant, sum);
  return sum;
}

}  // namespace unroll
