#pragma once
#include <memory>
#include <vector>

#include "affinity/fuzzy_set.h"
#include "core/lazy.h"
#include "layout/point_placer.h"
#include "layout/umap_layout.h"

namespace unroll {

/// Places a new point by UMAP's own moves: it starts at the mean of its nearest training points, weighted by their
/// memberships, is pulled by these and pushed by points drawn at random, while the map stays as it is.
class UmapPlacer final : public PointPlacer {
 public:
  static constexpr std::string_view kKind = "umap";
  struct Settings {
    UmapCurve curve = {};
    double local_connectivity = 1;
    double repulsion_strength = 1;
    double learning_rate = 1;  ///< of the first epoch
    Index negative_sample_rate = 5;
    Index n_epochs = 66;
    Index seed = 0;
    double mean_distance = 0;  ///< of the training points to their neighbours: see smooth_distance
    double unit = 1;           ///< a power of two: that is a mean of distances times this
  };

  UmapPlacer(std::shared_ptr<const Array2<double>> map, const Settings& settings)
      : map_(std::move(map)), settings_(settings) {}

  std::string_view kind() const override { return kKind; }
  void prepare(const Run& run) const override;
  void place(std::span<const Index> nearest, std::span<const double> distances, double* y) const override;
  void save(ArchiveWriter& archive) const override;
  static std::shared_ptr<const PointPlacer> load(const ArchiveReader& archive,
                                                 std::shared_ptr<const Array2<double>> map);

 private:
  const std::vector<float>& narrow_map() const;

  std::shared_ptr<const Array2<double>> map_;
  Settings settings_;
  Lazy<std::vector<float>> narrow_;
};

/// For new points: a third of the epochs, at a quarter of the learning rate.
UmapPlacer::Settings umap_placing(const UmapSettings& settings, double local_connectivity,
                                  const SmoothDistances& smooth);

}  // namespace unroll
