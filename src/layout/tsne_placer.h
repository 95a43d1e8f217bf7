#pragma once
#include <memory>

#include "core/lazy.h"
#include "layout/point_placer.h"
#include "layout/repulsion.h"

namespace unroll {

/// Places a new point where KL(p || q) against the fixed map is smallest: p are its affinities to its nearest training
/// points, q ~ w(y, y_j)^e those of the place y to all points of the map. It starts at the better of two places, the
/// weighted mean of the neighbours and the nearest of them, and descends.
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
  const PackedMap& packed() const;

  std::shared_ptr<const Array2<double>> map_;
  double perplexity_;
  double dof_;
  Lazy<PackedMap> packed_;
};

}  // namespace unroll
