#include "layout/tsne_layout.h"

#include "core/parallel.h"

namespace unroll {

std::optional<double> tsne_gradient(const TsneForces& forces, const Array2<double>& map, double exaggeration,
                                    bool wants_loss, Array2<double>& result, const Run& run) {
  constexpr Index kRows = 256;
  const double z = forces.repulsion->compute(map, result, run);
  const double factor = (forces.dof + 1) / (2 * forces.dof);
  const Array2<float> rounded = forces.is_exact ? Array2<float>() : Attraction::rounded(map);
  parallel_for(run, map.rows(), kRows, [&](Index begin, Index end) {
    std::vector<double> attraction(static_cast<std::size_t>((end - begin) * map.cols()));
    if (forces.is_exact) {
      forces.attraction.add(map, forces.dof, begin, end, attraction.data());
    } else {
      forces.attraction.add(rounded, map.cols(), forces.dof, begin, end, attraction.data());
    }
    double* own = result.row(begin);
    for (std::size_t k = 0; k < attraction.size(); ++k) own[k] = factor * (exaggeration * attraction[k] - own[k] / z);
  });
  if (!wants_loss) return std::nullopt;
  return forces.attraction.divergence(map, forces.dof, z, run);
}

std::pair<double, Index> TsneLayout::divergence(Index most, const Run& run) const {
  const SampledZ sampled = sampled_normalization(coordinates(), forces_.dof, most, run);
  return {forces_.attraction.divergence(coordinates(), forces_.dof, sampled.z, run), sampled.sample};
}

}  // namespace unroll
