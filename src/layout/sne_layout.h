#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "core/lazy.h"
#include "layout/attraction.h"
#include "layout/descent.h"
#include "layout/gauss_repulsion.h"
#include "layout/grid_potential.h"
#include "layout/point_placer.h"
#include "layout/repulsion.h"

namespace unroll {

/// Forces of SNE (Hinton & Roweis 2002): q(j|i) = exp(-|y_i - y_j|^2) / sum over k of exp(-|y_i - y_k|^2), for every
/// point by itself.
struct SneForces {
  Attraction attraction;
  double entropy = 0;  ///< sum over i and j of p(j|i) log p(j|i), divided by n
  std::unique_ptr<GaussRepulsion> repulsion = exact_gauss_repulsion();
};

/// Sum over j of (P_ij - (q(j|i) + q(i|j)) / 2n) (y_i - y_j): a quarter of the gradient of the mean of KL(P_i || Q_i).
/// Returns that mean if it is asked for.
std::optional<double> sne_gradient(const SneForces& forces, const Array2<double>& map, double exaggeration,
                                   bool wants_loss, Array2<double>& result, const Run& run);

class SneLayout final : public Descent {
 public:
  SneLayout(SneForces forces, Array2<double> start, const DescentSchedule& schedule)
      : Descent(std::move(start), schedule), forces_(std::move(forces)) {}
  SneLayout(SneForces forces, Array2<double> map, const LayoutState& state, const DescentSchedule& schedule)
      : Descent(std::move(map), state, schedule), forces_(std::move(forces)) {}

  /// The mean of KL(P_i || Q_i) of the present map.
  double divergence(const Run& run) const;

 protected:
  std::optional<double> gradient(const Array2<double>& map, double exaggeration, bool wants_loss,
                                 Array2<double>& result, const Run& run) override {
    return sne_gradient(forces_, map, exaggeration, wants_loss, result, run);
  }

 private:
  SneForces forces_;
};

/// Places a new point where KL(p || q) is smallest, q(j) ~ exp(-|y - y_j|^2) over all points of the fixed map.
class SnePlacer final : public PointPlacer {
 public:
  static constexpr std::string_view kKind = "sne";

  SnePlacer(std::shared_ptr<const Array2<double>> map, double perplexity)
      : map_(std::move(map)), perplexity_(perplexity) {}

  std::string_view kind() const override { return kKind; }
  void prepare(const Run& run) const override;
  void place(std::span<const Index> nearest, std::span<const double> distances, double* y) const override;
  void save(ArchiveWriter& archive) const override;
  static std::shared_ptr<const PointPlacer> load(const ArchiveReader& archive,
                                                 std::shared_ptr<const Array2<double>> map);

 private:
  bool has_field() const;
  const PackedMap& packed() const;
  const GridPotential& field(const Run& run) const;
  double repel(const std::vector<double>& y, std::vector<double>& slope) const;

  std::shared_ptr<const Array2<double>> map_;
  double perplexity_;
  Lazy<PackedMap> packed_;
  Lazy<GridPotential> field_;  ///< of large maps in one or two dimensions
};

}  // namespace unroll
