#include "data/generators_common.h"

#include <fmt/format.h>

#include "core/memory.h"
#include "unroll/core/error.h"

namespace unroll {

Dataset blank_dataset(Index n_samples, Index n_features, std::vector<std::string> truth_names) {
  if (n_samples < 1)
    throw Error(ErrorKind::InvalidOption, fmt::format("n_samples={} must be an integer >= 1", n_samples),
                "ask for at least one point");
  const auto n_truth = static_cast<Index>(truth_names.size());
  MemoryPlan()
      .add("the points", static_cast<double>(n_samples), static_cast<double>(n_features), sizeof(double))
      .add("the true coordinates", static_cast<double>(n_samples), static_cast<double>(n_truth + 1), sizeof(double))
      .require(Run{}, "ask for fewer samples");
  return {.points = Array2<double>(n_samples, n_features),
          .truth = Array2<double>(n_samples, n_truth),
          .truth_names = std::move(truth_names),
          .labels = {}};
}

void add_labels(Dataset& data, Index n_labels) {
  data.labels.resize(static_cast<std::size_t>(data.points.rows()));
  for (std::size_t i = 0; i < data.labels.size(); ++i) data.labels[i] = static_cast<Index>(i) % n_labels;
}

void add_noise(Dataset& data, double standard_deviation, std::uint64_t seed, std::string_view generator) {
  if (standard_deviation == 0) return;
  const RowRandom random(seed, fmt::format("{}.noise", generator));
  for (Index i = 0; i < data.points.rows(); ++i)
    for (Index j = 0; j < data.points.cols(); ++j)
      data.points(i, j) += standard_deviation * random.normal(i, static_cast<std::uint64_t>(j));
}

}  // namespace unroll
