#pragma once
#include <memory>
#include <vector>

#include "core/own_points.h"
#include "neighbors/row_distance.h"
#include "spectral/new_points.h"

namespace unroll {

class ArchiveReader;

/// W = -(scale d)^2 / 2 of new points: distances by a metric from points kept for the purpose, or, where distances are
/// all there is, some columns of the rows that come in.
class DistanceRows : public SimilarityRows {
 public:
  struct Parts {
    OwnPoints points = {};            ///< none: distances come in
    std::vector<Index> columns = {};  ///< of incoming distances; empty: there are points
    Metric metric = Metric::Euclidean;
    double p = 2;
    double scale = 1;     ///< of distances
    double constant = 0;  ///< added to every distance but zero
  };
  DistanceRows(Parts parts, const Run& run);

  Index columns() const override;
  Array2<double> rows(PointsView points, const Run& run) const override;
  void save(ArchiveWriter& archive) const override;
  static std::shared_ptr<const SimilarityRows> load(const ArchiveReader& archive);

 private:
  Array2<double> distances(PointsView points, const Run& run) const;

  Parts parts_;
  MetricRows prepared_;
};

}  // namespace unroll
