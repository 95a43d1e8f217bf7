#pragma once
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "unroll/report/comparison.h"

/// What tests of pages share.
namespace unroll {

inline std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

/// A comparison as if methods had run: a spiral, each method's larger than the one before.
inline Comparison made_up_spirals(Index n = 20, int methods = 3) {
  Comparison comparison{.n_points = n, .n_features = 3, .n_neighbors = 5, .measured_points = n, .planned = methods};
  for (int m = 0; m < methods; ++m) {
    const std::string name = fmt::format("method_{}", m);
    ComparedMethod method{.name = name, .label = name, .title = fmt::format("Method {}", m), .seconds = 0.25};
    method.coordinates = Array2<double>(n, 2);
    for (Index i = 0; i < n; ++i) {
      const auto t = static_cast<double>(i);
      method.coordinates(i, 0) = (m + 1) * t * std::cos(t);
      method.coordinates(i, 1) = (m + 1) * t * std::sin(t);
    }
    Quality quality;
    quality.trustworthiness = {.value = 0.5 + 0.01 * m, .sample = n};
    quality.continuity = {.value = 0.75, .sample = n};
    method.quality = quality;
    comparison.methods.push_back(std::move(method));
  }
  return comparison;
}

inline std::vector<std::string> repeated(const std::string& text, std::size_t n) {
  std::vector<std::string> texts(n, text);
  return texts;
}

}  // namespace unroll
