#include "affinity/pre_images.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "core/memory.h"
#include "core/parallel.h"
#include "linalg/blas.h"
#include "linalg/centered_points.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

void plan(Index n, Index features, const Run& run) {
  MemoryPlan memory;
  memory.add("the kernel of the coordinates", static_cast<double>(n), static_cast<double>(n), sizeof(double))
      .add("the weights", static_cast<double>(n), static_cast<double>(features), sizeof(double));
  memory.require(run, "fit with fewer n_landmarks: the inverse is learned from them alone");
}

/// C'. A thread that owns the system solves it.
Array2<double> solved(Array2<double> kernel, PointsView points, double alpha, const Run& run) {
  struct System {
    Array2<double> a, b;
    bool definite = false;
  };
  const auto system = std::make_shared<System>();
  const Index n = points.rows(), features = points.cols();
  system->a = std::move(kernel);
  system->b = Array2<double>::uninitialized(features, n);  // row-major X' is column-major X
  if (points.is_sparse()) {
    std::fill_n(system->b.data(), system->b.size(), 0.0);
    points.sparse().visit([&](const auto& x) {
      for (Index i = 0; i < n; ++i)
        for (Index e = x.begin(i); e < x.end(i); ++e)
          system->b(static_cast<Index>(x.columns[e]), i) = static_cast<double>(x.values[e]);
    });
  } else {
    points.visit([&](auto x) {
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < features; ++j) system->b(j, i) = static_cast<double>(x(i, j));
    });
  }
  for (Index i = 0; i < n; ++i) system->a(i, i) += alpha;
  run_abandonable(run, "pre-images", [system, n, features] {
    const SingleThreadedBlas guard;
    system->definite = solve_definite(n, system->a.data(), n, features, system->b.data(), n);
  });
  if (!system->definite)
    throw Error(ErrorKind::InvalidData,
                fmt::format("with alpha={} the regression from coordinates to points is singular", alpha),
                "fit with a larger alpha");
  return std::move(system->b);
}

}  // namespace

PreImages::PreImages(Array2<double> coordinates, PointsView points, const KernelParameters& parameters, double alpha,
                     const Run& run)
    : coordinates_(std::move(coordinates)), kernel_(coordinates_, parameters, run) {
  plan(points.rows(), points.cols(), run);
  weights_ = solved(kernel_.matrix(coordinates_, run), points, alpha, run);
}

Array2<double> PreImages::points(PointsView coordinates, const Run& run) const {
  constexpr Index kRows = 1024;
  const std::vector<double> zeros(static_cast<std::size_t>(coordinates_.rows()));
  Array2<double> x = Array2<double>::uninitialized(coordinates.rows(), weights_.rows());
  for (Index first = 0; first < coordinates.rows(); first += kRows) {
    const PointsView some = coordinates.slice(first, std::min(kRows, coordinates.rows() - first));
    const Array2<double> block = project(kernel_.rows(some, coordinates_, run), 1, zeros, weights_, run);
    std::copy_n(block.data(), block.size(), x.row(first));
  }
  return x;
}

}  // namespace unroll
