#pragma once
#include <memory>
#include <vector>

#include "affinity/source_rows.h"
#include "core/owned_points.h"
#include "neighbors/row_distance.h"

namespace unroll {

/// W = -(scale d)^2 / 2 of new points. The distances are computed from stored points by the metric; if the input is
/// distances, they are some of its columns.
class DistanceRows : public SourceRows {
 public:
  static constexpr std::string_view kKind = "distances";
  struct Parts {
    OwnedPoints points = {};          ///< none: the input is distances
    std::vector<Index> columns = {};  ///< of the input, if it is distances; empty: there are points
    Metric metric = Metric::Euclidean;
    double p = 2;
    double scale = 1;     ///< of distances
    double constant = 0;  ///< added to every distance, except to the point itself and its copies
    /// Of a constant, where points at distance 0 need not be copies: the first copy of every point (groups_of_copies).
    std::vector<Index> copies = {};
  };
  DistanceRows(Parts parts, const Run& run);

  std::string_view kind() const override { return kKind; }
  Index columns() const override;
  RowForm form() const override { return RowForm::Similarities; }
  bool is_sparse() const override { return view_of(parts_.points).is_sparse(); }
  bool knows_components() const override { return false; }
  NewRows rows(PointsView points, const std::vector<Index>& components, const Run& run) const override;
  void save(ArchiveWriter& archive) const override;
  static std::shared_ptr<const SourceRows> load(const ArchiveReader& archive);

 private:
  Array2<double> distances(PointsView points, const Run& run) const;

  Parts parts_;
  MetricRows prepared_;
};

}  // namespace unroll
