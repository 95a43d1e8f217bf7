#pragma once
#include <memory>
#include <optional>
#include <utility>

#include "layout/attraction.h"
#include "layout/descent.h"
#include "layout/repulsion.h"

namespace unroll {

/// t-SNE: Q of the map has the heavy tails of Student's t with `dof` degrees of freedom (van der Maaten & Hinton 2008;
/// dof: van der Maaten 2009).
struct TsneForces {
  Attraction attraction;
  std::unique_ptr<Repulsion> repulsion;
  double dof = 1;
  bool is_exact = true;  ///< attraction in double precision: repulsion by a grid or a tree is no better than single
};

/// (dof + 1) / 2 dof * sum over j of (exaggeration p_ij - q_ij) w_ij (y_i - y_j): a quarter of the gradient of KL(P ||
/// Q). Returns KL(P || Q), without exaggeration, if it is asked for.
std::optional<double> tsne_gradient(const TsneForces& forces, const Array2<double>& map, double exaggeration,
                                    bool wants_loss, Array2<double>& result, const Run& run);

class TsneLayout final : public Descent {
 public:
  TsneLayout(TsneForces forces, Array2<double> start, const DescentSchedule& schedule)
      : Descent(std::move(start), schedule), forces_(std::move(forces)) {}
  TsneLayout(TsneForces forces, Array2<double> map, const LayoutState& state, const DescentSchedule& schedule)
      : Descent(std::move(map), state, schedule), forces_(std::move(forces)) {}

  /// KL(P || Q) of the present map: exact up to `most` points, else with Z from as many of them. The second is how
  /// many.
  std::pair<double, Index> divergence(Index most, const Run& run) const;

 protected:
  std::optional<double> gradient(const Array2<double>& map, double exaggeration, bool wants_loss,
                                 Array2<double>& result, const Run& run) override {
    return tsne_gradient(forces_, map, exaggeration, wants_loss, result, run);
  }

 private:
  TsneForces forces_;
};

}  // namespace unroll
