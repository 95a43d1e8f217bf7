#include "learn/gradients.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/at.h"
#include "core/parallel.h"

namespace unroll {
namespace {

constexpr Index kGradientRows = 2048;

/// x.y of every column.
std::vector<double> inner(const Array2<double>& x, const Array2<double>& y, const Run& run) {
  const Index cols = x.cols();
  return parallel_reduce(
      run, x.rows(), kGradientRows, std::vector<double>(at(cols)),
      [&](Index begin, Index end) {
        std::vector<double> sums(at(cols));
        for (Index i = begin; i < end; ++i)
          for (Index c = 0; c < cols; ++c) sums[at(c)] += x(i, c) * y(i, c);
        return sums;
      },
      [](std::vector<double> sums, const std::vector<double>& part) {
        for (std::size_t c = 0; c < sums.size(); ++c) sums[c] += part[c];
        return sums;
      });
}

/// y = f y + g x with a factor of each per column.
void combine(const std::vector<double>& f, Array2<double>& y, const std::vector<double>& g, const Array2<double>& x,
             const Run& run) {
  parallel_for(run, y.rows(), kGradientRows, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      for (Index c = 0; c < y.cols(); ++c) y(i, c) = f[at(c)] * y(i, c) + g[at(c)] * x(i, c);
  });
}

/// One run from a start `x`; goes on where a run before it has left off.
class Descent {
 public:
  Descent(const SymmetricOperator& a, const Array2<double>& b, double tol, const Run& run)
      : a_(a), b_(b), run_(run), tol_(tol), ones_(at(b.cols()), 1.0), norms_(inner(b, b, run)) {
    for (double& norm : norms_) norm = std::sqrt(norm);
  }

  /// |b - A x| / (|b| + |x|), the largest of the columns; `r` becomes b - A x.
  double residual(const Array2<double>& x, Array2<double>& r) const {
    a_.apply(x, r, run_);
    combine(std::vector<double>(ones_.size(), -1.0), r, ones_, b_, run_);
    const std::vector<double> rr = inner(r, r, run_), xx = inner(x, x, run_);
    double worst = 0;
    for (std::size_t c = 0; c < ones_.size(); ++c)
      if (rr[c] > 0) worst = std::max(worst, std::sqrt(rr[c]) / (norms_[c] + std::sqrt(xx[c])));
    return worst;
  }

  /// Iterations that were done.
  Index run(Array2<double>& x, Array2<double> r, Index most) {
    Array2<double> p = r, q = Array2<double>::uninitialized(r.rows(), r.cols());
    std::vector<double> rr = inner(r, r, run_), step(ones_.size()), back(ones_.size()), turn(ones_.size());
    for (Index done = 0; done < most; ++done) {
      if (is_done(rr, inner(x, x, run_))) return done;
      a_.apply(p, q, run_);
      const std::vector<double> pq = inner(p, q, run_);
      for (std::size_t c = 0; c < step.size(); ++c) {
        step[c] = active_[c] != 0 && pq[c] > 0 ? rr[c] / pq[c] : 0;
        back[c] = -step[c];
      }
      combine(ones_, x, step, p, run_);
      combine(ones_, r, back, q, run_);
      const std::vector<double> before = std::exchange(rr, inner(r, r, run_));
      for (std::size_t c = 0; c < turn.size(); ++c) turn[c] = step[c] > 0 ? rr[c] / before[c] : 0;
      combine(turn, p, ones_, r, run_);
      if (std::all_of(step.begin(), step.end(), [](double s) { return s == 0; })) return done;  // rounding is all
    }
    return most;
  }

 private:
  /// Marks the columns that are not done, and reports how far the worst has come.
  bool is_done(const std::vector<double>& rr, const std::vector<double>& xx) {
    double worst = 0;
    active_.assign(ones_.size(), 0);
    for (std::size_t c = 0; c < ones_.size(); ++c) {
      const double scale = norms_[c] + std::sqrt(xx[c]);
      if (!(std::sqrt(rr[c]) > tol_ * scale)) continue;
      active_[c] = 1;
      worst = std::max(worst, std::sqrt(rr[c]) / scale);
    }
    if (worst > 0) reached_ = std::max(reached_, std::clamp(std::log(worst) / std::log(std::min(tol_, 0.5)), 0.0, 1.0));
    run_.report({.stage = "labels", .fraction = worst > 0 ? reached_ : 1});
    return worst == 0;
  }

  const SymmetricOperator& a_;
  const Array2<double>& b_;
  const Run& run_;
  double tol_;
  std::vector<double> ones_;
  std::vector<double> norms_;  ///< |b| per column
  std::vector<char> active_ = {};
  double reached_ = 0;
};

}  // namespace

GradientResult conjugate_gradients(const SymmetricOperator& a, const Array2<double>& b, double tol, Index max_iter,
                                   const Run& run) {
  constexpr int kStarts = 3;  // the residual that is updated drifts from the true one: begin again with that
  constexpr double kDrift = 10;
  Descent descent(a, b, tol, run);
  GradientResult result{.x = Array2<double>(b.rows(), b.cols())};
  Array2<double> r = Array2<double>::uninitialized(b.rows(), b.cols());
  result.residual = descent.residual(result.x, r);
  for (int start = 0; start < kStarts && result.residual > tol && result.iterations < max_iter; ++start) {
    result.iterations += descent.run(result.x, r, max_iter - result.iterations);
    result.residual = descent.residual(result.x, r);
    if (result.residual <= kDrift * tol) break;
  }
  result.converged = result.residual <= kDrift * tol;
  return result;
}

}  // namespace unroll
