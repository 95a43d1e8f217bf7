#pragma once
#include <memory>

#include "core/transformer.h"
#include "layout/layout.h"
#include "network/network.h"
#include "network/unit_map.h"

namespace unroll {

class ArchiveReader;

/// transform is the encoder of a network, inverse_transform the decoder, both in double precision. It also keeps the
/// state of the training, so that a model can be gone on from.
class NetworkTransformer : public Transformer {
 public:
  /// The parameters are the first weights of the state.
  NetworkTransformer(NetworkShape shape, UnitMap units, LayoutState state);

  TransformKind kind() const override { return TransformKind::Exact; }
  Array2<double> transform(PointsView points, const Run& run) const override;
  Array2<double> inverse_transform(PointsView coordinates, const Run& run) const override;
  const LayoutState* layout_state() const override { return &state_; }
  void save(ArchiveWriter& archive) const override;
  static bool is_in(const ArchiveReader& archive);
  static std::shared_ptr<const Transformer> load(const ArchiveReader& archive);

 private:
  struct Layer {
    Array2<double> axes;  ///< a row per output
    std::vector<double> bias, zeros;
    bool is_linear;
  };
  /// Layers [first, last) for a block of rows; layer `first` takes scale * x - center.
  Array2<double> pass(PointsView rows, double scale, const std::vector<double>& center, Index first, Index last,
                      const Run& run) const;

  NetworkShape shape_;
  UnitMap units_;
  LayoutState state_;
  std::vector<Layer> layers_;  ///< the first has the factor of the units in its axes
};

}  // namespace unroll
