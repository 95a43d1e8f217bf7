#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "affinity/mercer_kernel.h"
#include "affinity/pre_images.h"
#include "affinity/source_rows.h"
#include "core/lazy.h"
#include "core/owned_points.h"

namespace unroll {

class ArchiveReader;

/// k(x, .) of new points to the training points or landmarks, and the inverse by ridge regression. If the input is
/// kernel values, the rows are some of its columns.
class KernelRows : public SourceRows {
 public:
  static constexpr std::string_view kKind = "kernel";
  struct Parts {
    std::optional<MercerKernel> kernel = {};  ///< none: the input is kernel values
    OwnedPoints points = {};                  ///< training points or landmarks; none without a kernel
    std::vector<Index> chosen = {};           ///< the landmarks among the training points; empty: all
    Array2<double> coordinates = {};          ///< of all training points
    double alpha = 1;                         ///< ridge of the inverse
  };
  explicit KernelRows(Parts parts) : parts_(std::move(parts)) {}

  std::string_view kind() const override { return kKind; }
  Index columns() const override;
  RowForm form() const override { return RowForm::Similarities; }
  bool is_sparse() const override { return view_of(parts_.points).is_sparse(); }
  bool knows_components() const override { return false; }
  NewRows rows(PointsView points, const std::vector<Index>& components, const Run& run) const override;
  Array2<double> inverse_transform(PointsView coordinates, const Run& run) const override;
  void save(ArchiveWriter& archive) const override;
  static std::shared_ptr<const SourceRows> load(const ArchiveReader& archive);

 private:
  Parts parts_;
  Lazy<PreImages> inverse_;
};

}  // namespace unroll
