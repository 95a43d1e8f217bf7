#pragma once
#include <array>
#include <optional>
#include <string_view>

#include "unroll/core/options.h"
#include "unroll/spectral/laplacian.h"

/// THE TABLE: "the general manifold-learning algorithm" of which every spectral method is a row. A method's own file
/// says what W is; its row here says which operator W becomes, which end of its spectrum is read, what is skipped, how
/// eigenvectors become coordinates, and how a new point's row is treated. embedding.h runs all rows, placing.h places
/// new points for all.
namespace unroll {

enum class SpectralMethod {
  ClassicalMds,
  Isomap,
  KernelPca,
  LaplacianEigenmaps,
  Lle,
  Mlle,
  Hlle,
  Ltsa,
  SpectralClustering,
  DiffusionMaps,
};
constexpr auto enum_names(SpectralMethod) {
  return std::array{Named{SpectralMethod::ClassicalMds, "mds"},
                    Named{SpectralMethod::Isomap, "isomap"},
                    Named{SpectralMethod::KernelPca, "kernel_pca"},
                    Named{SpectralMethod::LaplacianEigenmaps, "laplacian_eigenmaps"},
                    Named{SpectralMethod::Lle, "lle"},
                    Named{SpectralMethod::Mlle, "mlle"},
                    Named{SpectralMethod::Hlle, "hlle"},
                    Named{SpectralMethod::Ltsa, "ltsa"},
                    Named{SpectralMethod::SpectralClustering, "spectral_clustering"},
                    Named{SpectralMethod::DiffusionMaps, "diffusion_maps"}};
}

/// Whether W is divided by the density of the points: W_ij / (q_i q_j)^alpha.
enum class Density { Keep, Divide };
constexpr auto enum_names(Density) {
  return std::array{Named{Density::Keep, "no"}, Named{Density::Divide, "(q_i q_j)^-alpha"}};
}

/// The operator that W becomes; each is similar to a symmetric matrix. J = I - 11'/n, D = row sums.
enum class OperatorRule {
  Centered,             ///< J W J
  Laplacian,            ///< D - W
  RandomWalkLaplacian,  ///< I - D^-1 W
  SymmetricLaplacian,   ///< I - D^-1/2 W D^-1/2
  Residual,             ///< (I - W)' (I - W)
  AsGiven,              ///< W
  Markov,               ///< D^-1 W
};
constexpr auto enum_names(OperatorRule) {
  return std::array{Named{OperatorRule::Centered, "J W J"},
                    Named{OperatorRule::Laplacian, "D - W"},
                    Named{OperatorRule::RandomWalkLaplacian, "I - D^-1 W"},
                    Named{OperatorRule::SymmetricLaplacian, "I - D^-1/2 W D^-1/2"},
                    Named{OperatorRule::Residual, "(I-W)'(I-W)"},
                    Named{OperatorRule::AsGiven, "W"},
                    Named{OperatorRule::Markov, "D^-1 W"}};
}

/// The end of the spectrum that is read, by algebraic value.
enum class Order { Largest, Smallest };
constexpr auto enum_names(Order) {
  return std::array{Named{Order::Largest, "largest"}, Named{Order::Smallest, "smallest"}};
}

/// Trivial eigenvectors that are not coordinates.
enum class Skip { None, Constant };
constexpr auto enum_names(Skip) {
  return std::array{Named{Skip::None, "none"}, Named{Skip::Constant, "constant, per component"}};
}

/// How an eigenvector v of eigenvalue l becomes a coordinate.
enum class CoordinateRule { SqrtEigenvalue, Eigenvector, UnitVariance, UnitRows, Diffusion };
constexpr auto enum_names(CoordinateRule) {
  return std::array{Named{CoordinateRule::SqrtEigenvalue, "sqrt(l) v"}, Named{CoordinateRule::Eigenvector, "v"},
                    Named{CoordinateRule::UnitVariance, "sqrt(n) v"},
                    Named{CoordinateRule::UnitRows, "v, rows of length one"},
                    Named{CoordinateRule::Diffusion, "l^t psi"}};
}

/// How the row w of a new point's similarities gives its coordinates.
enum class NewPointRule { Centered, RandomWalk, Symmetric, Unnormalized, Weights, LocalMap, Markov };
constexpr auto enum_names(NewPointRule) {
  return std::array{Named{NewPointRule::Centered, "centered w . v / sqrt(l)"},
                    Named{NewPointRule::RandomWalk, "w . v / d(x) / (1-l)"},
                    Named{NewPointRule::Symmetric, "sum w v / sqrt(d(x) d) / (1-l)"},
                    Named{NewPointRule::Unnormalized, "w . v / (d(x)-l)"},
                    Named{NewPointRule::Weights, "weights . y"},
                    Named{NewPointRule::LocalMap, "local affine map"},
                    Named{NewPointRule::Markov, "normalized w . psi / l, l^t"}};
}

struct Recipe {
  SpectralMethod method;
  std::optional<Laplacian> laplacian;  ///< for the methods that have a choice
  Density density;
  OperatorRule operation;
  Order order;
  Skip skip;
  CoordinateRule coordinates;
  NewPointRule new_point;
};

// clang-format off
inline constexpr std::array recipes{
  //     method                              laplacian              density          operator                           order            skip            coordinates                     new point
  Recipe{SpectralMethod::ClassicalMds,       std::nullopt,            Density::Keep,   OperatorRule::Centered,            Order::Largest,  Skip::None,     CoordinateRule::SqrtEigenvalue, NewPointRule::Centered},
  Recipe{SpectralMethod::Isomap,             std::nullopt,            Density::Keep,   OperatorRule::Centered,            Order::Largest,  Skip::None,     CoordinateRule::SqrtEigenvalue, NewPointRule::Centered},
  Recipe{SpectralMethod::KernelPca,          std::nullopt,            Density::Keep,   OperatorRule::Centered,            Order::Largest,  Skip::None,     CoordinateRule::SqrtEigenvalue, NewPointRule::Centered},
  Recipe{SpectralMethod::LaplacianEigenmaps, Laplacian::RandomWalk,   Density::Keep,   OperatorRule::RandomWalkLaplacian, Order::Smallest, Skip::Constant, CoordinateRule::Eigenvector,    NewPointRule::RandomWalk},
  Recipe{SpectralMethod::LaplacianEigenmaps, Laplacian::Symmetric,    Density::Keep,   OperatorRule::SymmetricLaplacian,  Order::Smallest, Skip::Constant, CoordinateRule::Eigenvector,    NewPointRule::Symmetric},
  Recipe{SpectralMethod::LaplacianEigenmaps, Laplacian::Unnormalized, Density::Keep,   OperatorRule::Laplacian,           Order::Smallest, Skip::Constant, CoordinateRule::Eigenvector,    NewPointRule::Unnormalized},
  Recipe{SpectralMethod::Lle,                std::nullopt,            Density::Keep,   OperatorRule::Residual,            Order::Smallest, Skip::Constant, CoordinateRule::UnitVariance,   NewPointRule::Weights},
  Recipe{SpectralMethod::Mlle,               std::nullopt,            Density::Keep,   OperatorRule::AsGiven,             Order::Smallest, Skip::Constant, CoordinateRule::UnitVariance,   NewPointRule::Weights},
  Recipe{SpectralMethod::Hlle,               std::nullopt,            Density::Keep,   OperatorRule::AsGiven,             Order::Smallest, Skip::Constant, CoordinateRule::UnitVariance,   NewPointRule::LocalMap},
  Recipe{SpectralMethod::Ltsa,               std::nullopt,            Density::Keep,   OperatorRule::AsGiven,             Order::Smallest, Skip::Constant, CoordinateRule::UnitVariance,   NewPointRule::LocalMap},
  Recipe{SpectralMethod::SpectralClustering, Laplacian::Unnormalized, Density::Keep,   OperatorRule::Laplacian,           Order::Smallest, Skip::None,     CoordinateRule::Eigenvector,    NewPointRule::Unnormalized},
  Recipe{SpectralMethod::SpectralClustering, Laplacian::RandomWalk,   Density::Keep,   OperatorRule::RandomWalkLaplacian, Order::Smallest, Skip::None,     CoordinateRule::Eigenvector,    NewPointRule::RandomWalk},
  Recipe{SpectralMethod::SpectralClustering, Laplacian::Symmetric,    Density::Keep,   OperatorRule::SymmetricLaplacian,  Order::Smallest, Skip::None,     CoordinateRule::UnitRows,       NewPointRule::Symmetric},
  Recipe{SpectralMethod::DiffusionMaps,      std::nullopt,            Density::Divide, OperatorRule::Markov,              Order::Largest,  Skip::Constant, CoordinateRule::Diffusion,      NewPointRule::Markov},
};
// clang-format on

/// The row of a method; a method without one does not compile.
consteval const Recipe& recipe(SpectralMethod method, std::optional<Laplacian> laplacian = std::nullopt) {
  for (const Recipe& row : recipes)
    if (row.method == method && row.laplacian == laplacian) return row;
  throw "no such row in the table";
}

/// The same for a Laplacian that is chosen at run time.
constexpr const Recipe& find_recipe(SpectralMethod method, Laplacian laplacian) {
  for (const Recipe& row : recipes)
    if (row.method == method && row.laplacian == laplacian) return row;
  throw "no such row in the table";
}

}  // namespace unroll
