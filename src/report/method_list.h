#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "unroll/registry.h"

namespace unroll {

/// A method with options of its own.
struct ListedMethod {
  const Method* method = nullptr;
  OptionValues options = {};

  bool has(std::string_view option) const;
  /// What lists it again: "isomap", "kernel_pca:kernel=poly,degree=3", "isomap:k=20".
  std::string text() const;
};

/// Reads ComparisonOptions::methods, whose items are joined by commas first:
///
///     list   = method { "," method }
///     method = name [ ":" option { "," option } ]
///     option = name "=" value
///
/// Names have none of these signs, so that a piece between two commas is one more option of the method before it if it
/// has a "=" and no ":" before that, and else begins a method. k, d and seed are short for n_neighbors, n_components
/// and random_state. Throws InvalidOption that says which piece is wrong.
std::vector<ListedMethod> listed_methods(const std::vector<std::string>& items);

}  // namespace unroll
