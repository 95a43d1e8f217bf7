#include "data/feature_scaler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/memory.h"
#include "core/parallel.h"
#include "data/column_statistics.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

/// Differences within a feature must not overflow, or centred points would not be finite.
void require_finite_range(const ColumnRanges& ranges) {
  for (std::size_t j = 0; j < ranges.low.size(); ++j)
    if (!std::isfinite(ranges.high[j] - ranges.low[j]))
      throw Error(ErrorKind::InvalidData,
                  fmt::format("feature {} reaches from {} to {}, a range beyond the largest double", j + 1,
                              ranges.low[j], ranges.high[j]),
                  "divide it by 2 or use scale=none");
}

template <class T>
void require_finite_row(const T* row, Index cols, Index i) {
  bool finite = true;
  for (Index j = 0; j < cols; ++j) finite &= std::isfinite(row[j]);
  if (finite) return;
  const Index column = std::find_if(row, row + cols, [](T value) { return !std::isfinite(value); }) - row;
  throw Error(ErrorKind::InvalidData,
              {.problem = fmt::format("is too far from the training points in feature {}: its scaled value overflows",
                                      column + 1),
               .advice = "remove the row or use scale=none",
               .row = i});
}

/// out(i, :) = scale_row(x(i, :)), written as To.
template <class To, class From, class ScaleRow>
Array2<To> scaled_rows(MatrixView<From> x, const Run& run, ScaleRow&& scale_row) {
  MemoryPlan()
      .add("the scaled points", static_cast<double>(x.rows), static_cast<double>(x.cols), sizeof(To))
      .require(run, "use scale=none, or float32 data");
  auto out = Array2<To>::uninitialized(x.rows, x.cols);
  parallel_for(run, x.rows, rows_per_block(x.cols), [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      scale_row(x.row(i), out.row(i));
      require_finite_row(out.row(i), x.cols, i);
    }
  });
  return out;
}

/// y = x / |x|, or 0 for 0; first scaled by a power of two, so that no square overflows or vanishes.
template <class T>
void normalize_row(const T* x, T* y, Index cols) {
  double max_abs = 0;
  for (Index j = 0; j < cols; ++j) max_abs = std::max(max_abs, std::abs(static_cast<double>(x[j])));
  const double scale = power_of_two_scale(max_abs);
  double squares = 0;
  for (Index j = 0; j < cols; ++j) {
    const double scaled = static_cast<double>(x[j]) * scale;
    squares += scaled * scaled;
  }
  const double length = squares > 0 ? std::sqrt(squares) : 1;
  for (Index j = 0; j < cols; ++j) y[j] = static_cast<T>(static_cast<double>(x[j]) * scale / length);
}

/// Sparse rows of length one.
OwnedPoints unit_rows(const SparseRows& rows, const Run& run) {
  MemoryPlan()
      .add("the scaled points", static_cast<double>(rows.entries()), 1, 2 * sizeof(double))
      .require(run, "use scale=none, or float32 data");
  return rows.visit([&]<class T, class Place>(const CsrView<T, Place>& x) -> OwnedPoints {
    CsrArrays<T, Place> out{.rows = x.rows, .cols = x.cols};
    for (Index i = 0; i < x.rows; ++i) out.offsets.push_back(static_cast<Place>(x.end(i) - x.begin(0)));
    out.columns.assign(x.columns + x.begin(0), x.columns + x.begin(0) + x.entries());
    out.values.resize(static_cast<std::size_t>(x.entries()));
    parallel_for(run, x.rows, 1024, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i)
        normalize_row(x.values + x.begin(i), out.values.data() + (x.begin(i) - x.begin(0)), x.end(i) - x.begin(i));
    });
    return SparsePoints(std::move(out));
  });
}

}  // namespace

void check_scaling(InputKind input, Scaling scale) {
  if (scale == Scaling::None || input == InputKind::Points) return;
  if (input == InputKind::SparsePoints) {
    if (scale == Scaling::UnitRows) return;
    throw Error(ErrorKind::InvalidOption,
                {.problem = fmt::format("scale={} would fill in all zeros of sparse points", name_of(scale)),
                 .advice = "use scale=none or unit_rows",
                 .option = "scale"});
  }
  throw Error(ErrorKind::InvalidOption,
              {.problem = fmt::format("scale={} is for features, but the input is {}", name_of(scale), name_of(input)),
               .advice = "use scale=none",
               .option = "scale"});
}

FeatureScaler::FeatureScaler(PointsView training, Scaling scaling, const Run& run) : scaling_(scaling) {
  if (scaling == Scaling::None || scaling == Scaling::UnitRows) return;
  if (training.rows() < 1) throw Error(ErrorKind::InvalidData, "there are no points to learn the scale from");
  const ColumnRanges ranges = column_ranges(training, run);
  require_finite_range(ranges);
  divisor_.assign(ranges.low.size(), 1.0);
  if (scaling == Scaling::MinMax) {
    shift_ = ranges.low;
    for (std::size_t j = 0; j < divisor_.size(); ++j) divisor_[j] = ranges.high[j] - ranges.low[j];
  } else {
    shift_ = column_means(training, ranges, run);
    if (scaling == Scaling::Standardize) divisor_ = column_deviations(training, ranges, shift_, run);
  }
  std::replace(divisor_.begin(), divisor_.end(), 0.0, 1.0);  // constant features
}

void FeatureScaler::check_features(PointsView points) const {
  if (!shift_.empty() && points.cols() != static_cast<Index>(shift_.size()))
    throw Error(ErrorKind::InvalidData,
                fmt::format("the points have {} features, the training points had {}", points.cols(), shift_.size()),
                "give the same features");
}

OwnedPoints FeatureScaler::apply(PointsView points, const Run& run) const {
  check_features(points);
  if (points.is_sparse() && keeps_zeros()) return unit_rows(points.sparse(), run);
  return points.visit([&]<class T>(MatrixView<T> x) -> OwnedPoints {
    switch (scaling_) {
      case Scaling::None: return scaled_rows<T>(x, run, [&](const T* in, T* out) { std::copy_n(in, x.cols, out); });
      case Scaling::UnitRows:
        return scaled_rows<T>(x, run, [&](const T* in, T* out) { normalize_row(in, out, x.cols); });
      default: break;
    }
    return scaled_rows<T>(x, run, [&](const T* in, T* out) {
      const double *shift = shift_.data(), *divisor = divisor_.data();
      for (Index j = 0; j < x.cols; ++j) out[j] = static_cast<T>((static_cast<double>(in[j]) - shift[j]) / divisor[j]);
    });
  });
}

Array2<double> FeatureScaler::undo(PointsView points, const Run& run) const {
  if (scaling_ == Scaling::UnitRows)
    throw Error(ErrorKind::Unsupported, "scale=unit_rows forgets the length of every row, so there is no inverse",
                "use another scale");
  check_features(points);
  return points.visit([&]<class T>(MatrixView<T> x) {
    return scaled_rows<double>(x, run, [&](const T* in, double* out) {
      const bool identity = is_identity();
      for (Index j = 0; j < x.cols; ++j) {
        const auto k = static_cast<std::size_t>(j);
        out[j] = identity ? static_cast<double>(in[j]) : static_cast<double>(in[j]) * divisor_[k] + shift_[k];
      }
    });
  });
}

ScaledPoints::ScaledPoints(PointsView points, Scaling scaling, const Run& run)
    : scaler_(points, scaling, run), points_(points) {
  if (!scaler_.is_identity()) scaled_ = scaler_.apply(points, run);
}

PointsView ScaledPoints::view() const { return scaler_.is_identity() ? points_ : view_of(scaled_); }

}  // namespace unroll
