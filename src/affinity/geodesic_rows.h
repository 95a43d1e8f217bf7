#pragma once
#include <memory>
#include <variant>
#include <vector>

#include "affinity/source_rows.h"
#include "core/lazy.h"
#include "core/owned_points.h"
#include "unroll/neighbors/components.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {

/// W = -g^2 / 2 of new points, where g are the lengths of shortest paths from them through the training points' graph.
/// A new point is joined to the graph as training points are to each other; a point that equals a training point is
/// that point. Paths to landmarks use the stored path lengths of the landmarks.
/// If components have separate maps, a new point belongs to the component of its nearest neighbour; its entries for the
/// others are 0 and do not count.
class GeodesicRows : public SourceRows {
 public:
  static constexpr std::string_view kKind = "paths";
  struct Parts {
    OwnedPoints points = {};     ///< none: distances are given (options.metric)
    NeighborGraph nearest = {};  ///< neighbours of the points, by the options
    NeighborOptions options = {};
    std::vector<JoiningEdge> joining = {};
    double scale = 1;                                                 ///< of lengths: a power of two
    bool is_single = false;                                           ///< lengths are added in float
    std::variant<Array2<double>, Array2<float>> from_landmarks = {};  ///< a row per landmark: scaled lengths
  };
  explicit GeodesicRows(Parts parts);
  ~GeodesicRows() override;

  std::string_view kind() const override { return kKind; }
  Index columns() const override;
  RowForm form() const override { return RowForm::Similarities; }
  bool is_sparse() const override { return view_of(parts_.points).is_sparse(); }
  bool knows_components() const override { return landmarks() == 0; }
  NewRows rows(PointsView points, const std::vector<Index>& components, const Run& run) const override;
  void save(ArchiveWriter& archive) const override;
  static std::shared_ptr<const SourceRows> load(const ArchiveReader& archive);
  /// The component of every point in the graph of a file of 0.1.0, which has no section for them.
  static std::vector<Index> load_old_components(const ArchiveReader& archive);

 private:
  struct LookUp;
  const LookUp& look_up(const Run& run) const;
  Index landmarks() const;

  Parts parts_;
  Lazy<LookUp> look_up_;
};

/// The graph with its lengths multiplied.
NeighborGraph scaled_graph(NeighborGraph graph, double scale);

}  // namespace unroll
