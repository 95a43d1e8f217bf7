#include "data/generators_linear.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "core/memory.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

double dot(const double* a, const double* b, Index n) { return std::inner_product(a, a + n, b, 0.0); }

/// `count` orthonormal rows, uniformly distributed: normal rows, each made orthogonal to those before it. Two passes of
/// Gram-Schmidt keep orthogonality even if rows are nearly parallel; one pass does not (Giraud et al. 2005).
Array2<double> random_basis(Index count, Index n_features, std::uint64_t seed) {
  const RowRandom random(seed, fmt::format("{}.basis", LinearSubspaceOptions::kName));
  Array2<double> basis(count, n_features);
  for (Index i = 0; i < count; ++i) {
    double* row = basis.row(i);
    for (Index j = 0; j < n_features; ++j) row[j] = random.normal(i, static_cast<std::uint64_t>(j));
    for (int pass = 0; pass < 2; ++pass) {
      for (Index before = 0; before < i; ++before) {
        const double overlap = dot(row, basis.row(before), n_features);
        for (Index j = 0; j < n_features; ++j) row[j] -= overlap * basis(before, j);
      }
      const double length = std::sqrt(dot(row, row, n_features));
      for (Index j = 0; j < n_features; ++j) row[j] /= length;
    }
  }
  return basis;
}

std::vector<std::string> latent_names(Index count) {
  std::vector<std::string> names;
  for (Index i = 0; i < count; ++i) names.push_back(fmt::format("latent_{}", i));
  return names;
}

}  // namespace

Dataset generate(Index n_samples, std::uint64_t seed, const LinearSubspaceOptions& options) {
  if (options.intrinsic > options.n_features)
    throw Error(ErrorKind::InvalidOption,
                fmt::format("intrinsic={} must be at most n_features={}", options.intrinsic, options.n_features),
                "use a smaller intrinsic");
  MemoryPlan()
      .add("the basis", static_cast<double>(options.intrinsic), static_cast<double>(options.n_features), sizeof(double))
      .require(Run{}, "use a smaller intrinsic or n_features");
  Dataset data = blank_dataset(n_samples, options.n_features, latent_names(options.intrinsic));
  const Array2<double> basis = random_basis(options.intrinsic, options.n_features, seed);
  const RowRandom random(seed, options.kName);
  for (Index i = 0; i < n_samples; ++i) {
    double* point = data.points.row(i);
    for (Index k = 0; k < options.intrinsic; ++k) {
      const double latent = data.truth(i, k) = random.normal(i, static_cast<std::uint64_t>(k));
      for (Index j = 0; j < options.n_features; ++j) point[j] += latent * basis(k, j);
    }
  }
  add_noise(data, options.noise, seed, options.kName);
  return data;
}

}  // namespace unroll
