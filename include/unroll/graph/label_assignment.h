#pragma once
#include <array>

#include "unroll/core/options.h"

namespace unroll {

/// How the rows of eigenvectors become clusters.
enum class LabelAssignment {
  KMeans,      ///< the nearest center of k-means
  Discretize,  ///< the nearest of the axes after the rotation that brings all rows closest to axes (Yu & Shi 2003)
  ClusterQr,   ///< the nearest of the lines through rows that a pivoted QR decomposition picks (Damle et al. 2019)
};
constexpr auto enum_names(LabelAssignment) {
  return std::array{Named{LabelAssignment::KMeans, "kmeans"}, Named{LabelAssignment::Discretize, "discretize"},
                    Named{LabelAssignment::ClusterQr, "cluster_qr"}};
}

}  // namespace unroll
