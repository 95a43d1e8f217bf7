#include "spectral/source.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/at.h"
#include "core/matrix_copies.h"

namespace unroll {

const std::vector<double>& Source::density() const {
  static const std::vector<double> none;
  return none;
}

void merge_attributes(const Attributes& of_component, Attributes& all) {
  for (const auto& [name, value] : of_component) {
    const auto known =
        std::find_if(all.begin(), all.end(), [&name = name](const auto& each) { return each.first == name; });
    if (known == all.end()) {
      all.emplace_back(name, value);
    } else if (const auto* number = std::get_if<double>(&value)) {
      auto& largest = std::get<double>(known->second);
      largest = std::max(largest, *number);
    } else {
      const auto& list = std::get<std::vector<Index>>(value);
      auto& joined = std::get<std::vector<Index>>(known->second);
      joined.insert(joined.end(), list.begin(), list.end());
    }
  }
}

void refuse_cell(std::string_view cell, std::string_view why) {
  throw Error(ErrorKind::Unsupported, fmt::format("'{}' is not possible: {}", cell, why));
}

Array2<double> as_row(const std::vector<double>& vector) {
  Array2<double> row = Array2<double>::uninitialized(1, std::ssize(vector));
  std::copy(vector.begin(), vector.end(), row.data());
  return row;
}

Array2<double> picked_columns(Array2<double> a, const std::vector<Index>& order) {
  return order.empty() ? std::move(a) : picked(a, {}, order);
}

Array2<double> spread_columns(Array2<double> a, const std::vector<Index>& order) {
  if (order.empty()) return a;
  Array2<double> result = Array2<double>::uninitialized(a.rows(), a.cols());
  for (Index k = 0; k < a.rows(); ++k)
    for (Index j = 0; j < a.cols(); ++j) result(k, order[at(j)]) = a(k, j);
  return result;
}

OperatorPairs operator_pairs(EigenSolution solution) {
  return {.values = std::move(solution.values),
          .vectors = std::move(solution.vectors),
          .products = std::move(solution.products),
          .residuals = std::move(solution.residuals),
          .iterations = solution.iterations,
          .solver = std::string(name_of(solution.solver)),
          .tried = std::move(solution.tried),
          .last_group_is_cut = solution.last_group_is_cut,
          .norm = solution.norm};
}

}  // namespace unroll
