#include "unroll/spectral/recipe_table.h"

#include "spectral/recipe.h"

namespace unroll {
namespace {

template <class E>
std::string word(E cell) {
  return std::string(name_of(cell));
}

/// What W holds. The method's own file makes W; the table says what follows.
std::string similarity_of(SpectralMethod method) {
  switch (method) {
    case SpectralMethod::ClassicalMds: return "-d^2/2";
    case SpectralMethod::Isomap: return "-(geodesic)^2/2";
    case SpectralMethod::KernelPca: return "k(x,y)";
    case SpectralMethod::Lle: return "reconstruction weights";
    case SpectralMethod::Mlle:
    case SpectralMethod::Hlle:
    case SpectralMethod::Ltsa: return "alignment of local maps";
    case SpectralMethod::DiffusionMaps: return "Gaussian, K_ii=1";
    default: return "heat or 0/1 on a graph, W_ii=0";
  }
}

}  // namespace

const std::vector<RecipeWords>& recipe_table() {
  static const std::vector<RecipeWords> table = [] {
    std::vector<RecipeWords> rows;
    rows.reserve(recipes.size());
    for (const Recipe& row : recipes)
      rows.push_back({word(row.method), row.laplacian ? word(*row.laplacian) : "", similarity_of(row.method),
                      word(row.density), word(row.operation), word(row.order), word(row.skip), word(row.coordinates),
                      word(row.new_point)});
    return rows;
  }();
  return table;
}

}  // namespace unroll
