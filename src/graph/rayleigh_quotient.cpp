#include "graph/rayleigh_quotient.h"

#include <cmath>

#include "core/parallel.h"

namespace unroll {

RayleighQuotient rayleigh_quotient(const Affinity& affinity, const std::vector<double>& mass,
                                   const std::vector<double>& f, const Run& run) {
  constexpr Index kRows = 256;
  std::vector<double> energy(f.size()), flow(f.size());
  parallel_for(run, affinity.size(), kRows, [&](Index begin, Index end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
      for_each_weight(affinity, static_cast<Index>(i), [&](Index j, double weight) {
        const double difference = f[i] - f[static_cast<std::size_t>(j)];
        flow[i] += weight * difference;
        energy[i] += weight * difference * difference / 2;  // the other half counts for j
      });
  });
  double total = 0, norm = 0;
  for (std::size_t i = 0; i < f.size(); ++i) {
    total += energy[i];
    norm += mass[i] * f[i] * f[i];
  }
  RayleighQuotient result{.value = total / norm};
  double squares = 0;
  for (std::size_t i = 0; i < f.size(); ++i) {
    if (mass[i] == 0) continue;
    const double excess = (flow[i] - result.value * mass[i] * f[i]) / std::sqrt(mass[i]);
    squares += excess * excess;
  }
  result.residual = std::sqrt(squares / norm);
  return result;
}

}  // namespace unroll
