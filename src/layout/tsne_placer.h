#pragma once
#include <memory>
#include <vector>

#include "core/lazy.h"
#include "layout/grid_repulsion.h"
#include "layout/point_placer.h"
#include "layout/repulsion.h"

namespace unroll {

/// Places a new point where KL(p || q) against the fixed map is smallest: p are its affinities to its nearest training
/// points, q ~ w(y, y_j)^e those of the place y to all points of the map. It starts at the better of two places, the
/// weighted mean of the neighbours and the nearest of them, and descends. Of large maps in one or two dimensions, the
/// sum over all points is a function on a grid, made once.
class TsnePlacer final : public PointPlacer {
 public:
  static constexpr std::string_view kKind = "tsne";

  TsnePlacer(std::shared_ptr<const Array2<double>> map, double perplexity, double dof)
      : map_(std::move(map)), perplexity_(perplexity), dof_(dof) {}

  std::string_view kind() const override { return kKind; }
  void prepare(const Run& run) const override;
  void place(std::span<const Index> nearest, std::span<const double> distances, double* y) const override;
  void save(ArchiveWriter& archive) const override;
  static std::shared_ptr<const PointPlacer> load(const ArchiveReader& archive,
                                                 std::shared_ptr<const Array2<double>> map);

 private:
  class Objective;
  bool has_field() const;
  const PackedMap& packed() const;
  const GridField& field(const Run& run) const;
  double repel(const std::vector<double>& y, std::vector<double>& force) const;

  std::shared_ptr<const Array2<double>> map_;
  double perplexity_;
  double dof_;
  Lazy<PackedMap> packed_;  ///< one of the two
  Lazy<GridField> field_;
};

}  // namespace unroll
