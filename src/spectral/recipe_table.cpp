#include "unroll/spectral/recipe_table.h"

#include "spectral/recipe.h"

namespace unroll {
namespace {

template <class E>
std::string word(E cell) {
  return std::string(name_of(cell));
}

}  // namespace

const std::vector<RecipeWords>& recipe_table() {
  static const std::vector<RecipeWords> table = [] {
    std::vector<RecipeWords> rows;
    rows.reserve(recipes.size());
    for (const Recipe& row : recipes)
      rows.push_back({word(row.method), word(row.variant), word(row.similarity), word(row.density), word(row.operation),
                      word(row.order), word(row.skip), word(row.coordinates), word(row.new_point)});
    return rows;
  }();
  return table;
}

}  // namespace unroll
