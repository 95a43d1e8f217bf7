#include "unroll/spectral/recipe_table.h"

#include <gtest/gtest.h>

#include <set>

#include "spectral/recipe.h"

namespace unroll {
namespace {

TEST(RecipeTable, HasARowOfWordsPerRecipe) {
  const auto& table = recipe_table();
  ASSERT_EQ(table.size(), recipes.size());
  std::set<std::string> rows;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const RecipeWords& row = table[i];
    EXPECT_EQ(row.method, name_of(recipes[i].method));
    EXPECT_EQ(row.variant, (recipes[i].laplacian ? name_of(*recipes[i].laplacian) : ""));
    EXPECT_EQ(row.operation, name_of(recipes[i].operation));
    EXPECT_EQ(row.new_point, name_of(recipes[i].new_point));
    for (const std::string& cell :
         {row.method, row.similarity, row.density, row.operation, row.order, row.skip, row.coordinates, row.new_point})
      EXPECT_TRUE(!cell.empty() && cell != "?") << row.method;  // "?" is a value without a name
    EXPECT_TRUE(rows.insert(row.method + " " + row.variant).second) << row.method;
  }
}

}  // namespace
}  // namespace unroll
