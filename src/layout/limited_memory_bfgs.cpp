#include "layout/limited_memory_bfgs.h"

#include <cmath>
#include <cstddef>
#include <utility>

namespace unroll {
namespace {

void multiply(Array2<double>& a, double factor) {
  for (Index i = 0; i < a.size(); ++i) a.data()[i] *= factor;
}

}  // namespace

double inner(const Array2<double>& a, const Array2<double>& b) {
  double sum = 0;
  for (Index i = 0; i < a.size(); ++i) sum += a.data()[i] * b.data()[i];
  return sum;
}

void add_times(Array2<double>& a, double factor, const Array2<double>& b) {
  for (Index i = 0; i < a.size(); ++i) a.data()[i] += factor * b.data()[i];
}

void LimitedMemoryBfgs::add(Array2<double> step, Array2<double> change) {
  const double product = inner(step, change);
  const double lengths = std::sqrt(inner(step, step) * inner(change, change));
  if (!(product > 1e-8 * lengths)) return;
  if (memory_.size() >= most_) memory_.erase(memory_.begin());
  memory_.push_back({std::move(step), std::move(change), product});
}

void LimitedMemoryBfgs::restore(Array2<double> step, Array2<double> change) {
  const double product = inner(step, change);
  memory_.push_back({std::move(step), std::move(change), product});
}

Array2<double> LimitedMemoryBfgs::direction(const Array2<double>& gradient, const FirstGuess& divide) const {
  Array2<double> direction = gradient;
  multiply(direction, -1);
  std::vector<double> shares(memory_.size());
  for (std::size_t k = memory_.size(); k-- > 0;) {
    shares[k] = inner(memory_[k].step, direction) / memory_[k].product;
    add_times(direction, -shares[k], memory_[k].change);
  }
  const Curvature& last = memory_.back();
  Array2<double> scaled = last.change;
  divide(scaled);
  const double factor = last.product / inner(last.change, scaled);
  divide(direction);
  multiply(direction, factor);
  for (std::size_t k = 0; k < memory_.size(); ++k) {
    const double share = inner(memory_[k].change, direction) / memory_[k].product;
    add_times(direction, shares[k] - share, memory_[k].step);
  }
  return direction;
}

}  // namespace unroll
