#pragma once
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "affinity/mercer_kernel.h"
#include "affinity/pre_images.h"
#include "affinity/source_rows.h"
#include "core/owned_points.h"

namespace unroll {

class ArchiveReader;

/// k(x, .) of new points and, by ridge regression, their way back: with the training points, or those of them that are
/// landmarks. Where kernel values are all there is, some columns of the rows that come in.
class KernelRows : public SourceRows {
 public:
  static constexpr std::string_view kKind = "kernel";
  struct Parts {
    std::optional<MercerKernel> kernel = {};  ///< none: kernel values come in
    OwnedPoints points = {};                  ///< training points or landmarks; none without a kernel
    std::vector<Index> chosen = {};           ///< the landmarks among the training points; empty: all
    Array2<double> coordinates = {};          ///< of all training points
    double alpha = 1;                         ///< ridge of the way back
  };
  explicit KernelRows(Parts parts) : parts_(std::move(parts)) {}

  std::string_view kind() const override { return kKind; }
  Index columns() const override;
  NewRows rows(PointsView points, const Run& run) const override;
  Array2<double> inverse_transform(PointsView coordinates, const Run& run) const override;
  void save(ArchiveWriter& archive) const override;
  static std::shared_ptr<const SourceRows> load(const ArchiveReader& archive);

 private:
  Parts parts_;
  mutable std::once_flag learned_;
  mutable std::unique_ptr<const PreImages> inverse_;  // learned when it is first asked for
};

}  // namespace unroll
