#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "unroll/affinity/kernel.h"
#include "unroll/core/input.h"
#include "unroll/core/model.h"
#include "unroll/core/options.h"
#include "unroll/data/scaling.h"
#include "unroll/linalg/eigen_solver_choice.h"

namespace unroll {

/// Which points the kernel is approximated from.
enum class KernelLandmarks {
  Pivots,  ///< drawn with the remaining diagonal of the kernel as probabilities: randomly pivoted Cholesky
  Random,  ///< every subset equally likely
  MaxMin,  ///< each as far as possible from those before it
  KMeans,  ///< the points nearest to the centers of k-means
};
constexpr auto enum_names(KernelLandmarks) {
  return std::array{Named{KernelLandmarks::Pivots, "pivots"}, Named{KernelLandmarks::Random, "random"},
                    Named{KernelLandmarks::MaxMin, "maxmin"}, Named{KernelLandmarks::KMeans, "kmeans"}};
}

struct KernelPcaOptions {
  static constexpr std::string_view method_name = "kernel_pca";
  static constexpr Index min_points = 2;
  static constexpr std::array input_kinds{InputKind::Points, InputKind::SparsePoints, InputKind::Similarities,
                                          InputKind::SparseSimilarities};

  std::int64_t n_components = 2;
  Kernel kernel = Kernel::Rbf;
  std::optional<double> gamma = {};
  std::int64_t degree = 3;
  double coef0 = 1;
  double alpha = 1;
  std::optional<std::int64_t> n_landmarks = {};
  KernelLandmarks landmarks = KernelLandmarks::Pivots;
  FullEigenSolver eigen_solver = FullEigenSolver::Auto;
  Scaling scale = Scaling::None;
  std::optional<std::int64_t> pca = {};
  std::int64_t random_state = 0;

  UNROLL_API static OptionFields fields();
};

/// Kernel principal component analysis (Schoelkopf, Smola & Mueller 1998): principal components of the points' images
/// in the kernel's feature space. With P = I - 11'/n, the coordinates are sqrt(lambda) v for the largest eigenpairs of
/// P K P; a kernel that is not positive semidefinite (sigmoid, precomputed) has a coordinate of 0 where lambda is not
/// positive, and a warning.
///
/// New points: sum_i a_i k(x, x_i) - (1/n) sum_ij a_i k(x_i, x_j), a = v / sqrt(lambda). With kernel = precomputed, new
/// points are rows of n kernel values, one per training point.
///
/// Landmarks: a Cholesky factorisation at the landmarks gives F with K close to F F' (for pivots: Chen, Epperly, Tropp
/// & Webber 2022). The components are those of the rows of F, centred. `remaining_trace`, the trace of K - F F', is the
/// exact nuclear norm of the error. Landmarks that are linearly dependent on others are dropped.
///
/// inverse_transform (Bakir, Weston & Schoelkopf 2004): kernel ridge regression, with the same kernel and gamma, from
/// coordinates Z to points X: k(z, Z) (k(Z, Z) + alpha I)^-1 X, over all points or the landmarks. The regression is
/// fitted at the first call. There is none for kernel = precomputed.
///
/// Attributes: explained_ratio (per coordinate, of the trace of P K P), trace (of P K P), rank, gamma (where the
/// kernel has one); with landmarks: landmarks, landmark_error, remaining_trace, remaining_ratio.
UNROLL_API Model kernel_pca(const Input& input, const KernelPcaOptions& options = {}, const Run& run = {});

}  // namespace unroll
