#pragma once
#include <string>
#include <vector>

#include "unroll/core/export.h"

namespace unroll {

/// A row of the table of spectral methods (src/spectral/recipe.h), each cell as a word or formula: W becomes an
/// operator, whose eigenvectors v with eigenvalues l become coordinates.
struct RecipeWords {
  std::string method = {};   ///< as methods() of registry.h would call it
  std::string variant = {};  ///< empty: it has one row only
  std::string similarity = {};
  std::string density = {};
  std::string operation = {};
  std::string order = {};
  std::string skip = {};
  std::string coordinates = {};
  std::string new_point = {};
};

/// All rows, also those of methods that methods() does not have.
UNROLL_API const std::vector<RecipeWords>& recipe_table();

}  // namespace unroll
