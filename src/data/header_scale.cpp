#include "data/header_scale.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace unroll {
namespace {

bool is_whole_number(double x) { return x == std::nearbyint(x); }

}  // namespace

bool is_scale(const std::vector<double>& values) {
  constexpr std::size_t kFew = 3, kMany = 8;
  if (values.size() < kFew || !std::all_of(values.begin(), values.end(), is_whole_number)) return false;
  const double step = values[1] - values[0];
  bool is_even = step != 0, is_monotone = step != 0;
  for (std::size_t i = 2; i < values.size(); ++i) {
    const double next = values[i] - values[i - 1];
    is_even = is_even && next == step;
    is_monotone = is_monotone && next != 0 && (next > 0) == (step > 0);
  }
  return is_even || (is_monotone && values.size() >= kMany);
}

bool may_be_scale(const std::vector<double>& first, const std::vector<double>& second) {
  if (!is_scale(first) || second.empty() || is_scale(second)) return false;
  if (!std::all_of(second.begin(), second.end(), is_whole_number)) return true;
  const auto is_nearer_0 = [](double a, double b) { return std::abs(a) < std::abs(b); };
  return std::abs(*std::min_element(first.begin(), first.end(), is_nearer_0)) >
         std::abs(*std::max_element(second.begin(), second.end(), is_nearer_0));
}

}  // namespace unroll
