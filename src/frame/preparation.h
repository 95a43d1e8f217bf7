#pragma once
#include <cstdint>
#include <memory>
#include <optional>

#include "data/feature_scaler.h"
#include "eigen/reduction.h"
#include "unroll/core/input.h"

namespace unroll {

/// What is done to points before a method sees them, and to new points alike: scaling, then the projection on principal
/// axes.
struct PreparationOptions {
  Scaling scale = Scaling::None;
  std::optional<std::int64_t> pca = {};
  std::int64_t random_state = 0;
};

/// Throws InvalidOption if the input is not of a kind that can be prepared so.
void check_preparation(const Input& input, const PreparationOptions& options);

class Preparation {
 public:
  Preparation(const Input& input, const PreparationOptions& options, const Run& run);
  Preparation(const Preparation&) = delete;
  Preparation& operator=(const Preparation&) = delete;

  /// The input with the prepared points, which this keeps; or as it is.
  Input applied(Input input) const;
  /// A method's transformer after the preparation.
  std::shared_ptr<const Transformer> before(std::shared_ptr<const Transformer> inner) const;
  /// A transformer of a model file, with the preparation that the file has.
  static std::shared_ptr<const Transformer> loaded(const ArchiveReader& archive, Index n_features,
                                                   std::shared_ptr<const Transformer> inner);

 private:
  ScaledPoints scaled_;
  Reduction reduction_;
};

}  // namespace unroll
