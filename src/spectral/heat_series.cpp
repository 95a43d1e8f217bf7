#include "spectral/heat_series.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/finite.h"
#include "core/parallel.h"
#include "unroll/core/error.h"
#include "unroll/spectral/graph_quantities.h"

namespace unroll {
namespace {

constexpr Index kMostProducts = 100'000;
constexpr double kLeftOut = 1e-14;
constexpr Index kRows = 4096;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// exp(-z) I_k(z) is below exp(-60) from here on: about exp(-k^2 / 2z), and less where k passes z.
double beyond(double z) { return 60 + 12 * std::sqrt(z); }

}  // namespace

std::vector<double> heat_coefficients(double z) {
  constexpr double kLarge = 1e200;
  if (z == 0) return {1};
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
    : problem_(graph_operator(operator_of(laplacian), graph.parts().affinity, run)),
      components_(graph.components()),
      highest_(highest_eigenvalue(graph.parts(), laplacian)) {
  if (!(t >= 0) || !std::isfinite(t))
    throw Error(ErrorKind::InvalidOption, fmt::format("{}={} must be a finite number >= 0", option, t));
  const double z = t * highest_ / 2;
  if (!(beyond(z) <= 1.5 * kMostProducts))
    throw Error(
        ErrorKind::InvalidOption,
        fmt::format("{}={:g} takes more than {} products with a Laplacian of norm up to {:g}; use a smaller one",
                    option, t, kMostProducts, highest_));
  coefficients_ = heat_coefficients(z);
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

Heat heat_diffusion(const WeightedGraph& graph, PointsView values, double t, Laplacian laplacian, const Run& run) {
  constexpr std::string_view kWho = "heat";
  if (values.rows() != graph.size())
    throw Error(ErrorKind::InvalidData,
                fmt::format("{}: {} values for {} points; give a row for each", kWho, values.rows(), graph.size()));
  if (const auto cell = first_non_finite(values, run))
    throw Error(ErrorKind::InvalidData,
                fmt::format("{}: the value of point {} in column {} is {}; values must be finite", kWho, cell->row,
                            cell->col + 1, non_finite_name(values, *cell)));
  const HeatSeries series(graph, laplacian, t, "heat: t", run);
  const std::vector<double>& back = series.problem().back;
  Heat heat{.values = Array2<double>::uninitialized(values.rows(), values.cols()), .products = series.products()};
  constexpr Index kColumns = 8;  // at a time: the products' fast case, and little memory
  for (Index first = 0; first < values.cols(); first += kColumns) {
    const Index count = std::min(kColumns, values.cols() - first);
    Array2<double> f = Array2<double>::uninitialized(values.rows(), count);
    values.visit([&](auto view) {
      for (Index i = 0; i < f.rows(); ++i)
        for (Index k = 0; k < count; ++k)
          f(i, k) = static_cast<double>(view(i, first + k)) / (back.empty() ? 1 : back[at(i)]);
    });
    f = series.apply(std::move(f), run);
    for (Index i = 0; i < f.rows(); ++i)
      for (Index k = 0; k < count; ++k) heat.values(i, first + k) = f(i, k) * (back.empty() ? 1 : back[at(i)]);
  }
  return heat;
}

}  // namespace unroll
