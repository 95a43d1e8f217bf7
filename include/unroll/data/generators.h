#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "unroll/core/options.h"
#include "unroll/core/types.h"

/// Data whose true low-dimensional shape is known.
namespace unroll {

/// Points, the coordinates they were made from, and labels.
struct Dataset {
  Array2<double> points;
  Array2<double> truth;  ///< true coordinates (arc length, not the angle); 0 columns where there are none
  std::vector<std::string> truth_names;  ///< one per column of truth
  std::vector<std::int64_t> labels;      ///< one per row; empty where there are none
};

/// One generator: how it is called on the command line and in code.
struct Generator {
  std::string_view name;   ///< "swiss_roll"
  std::string_view title;  ///< one line
  std::vector<OptionInfo> options;
  Dataset (*make)(std::int64_t n_samples, std::uint64_t seed, const OptionValues& options);
};

UNROLL_API const std::vector<Generator>& generators();

/// Makes `n_samples` points of the named data set. The same arguments give the same bits on any machine of one kind.
UNROLL_API Dataset make_dataset(std::string_view name, std::int64_t n_samples, std::uint64_t seed = 0,
                                const OptionValues& options = {});

}  // namespace unroll
