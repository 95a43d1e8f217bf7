// Eigen-images: the mean digit, the first principal axes as images, and a digit rebuilt from fewer and fewer of them.
//
//   eigendigits data/digits.csv.gz
#include <unroll/data/table.h>
#include <unroll/methods/pca.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <vector>

namespace {

constexpr int kSide = 8, kPixels = kSide * kSide;

/// An 8 x 8 image in shades of text, darkest for the largest value.
void show(const char* title, const double* pixels) {
  constexpr const char* kShades = " .:-=+*#%@";
  const auto [low, high] = std::minmax_element(pixels, pixels + kPixels);
  std::printf("%s\n", title);
  for (int row = 0; row < kSide; ++row) {
    for (int col = 0; col < kSide; ++col) {
      const double shade = (pixels[row * kSide + col] - *low) / (*high - *low + 1e-300);
      const char ink = kShades[static_cast<int>(9 * shade)];
      std::printf("%c%c", ink, ink);
    }
    std::printf("\n");
  }
}

}  // namespace

int main(int argc, char** argv) try {
  const unroll::Table digits = unroll::read_table(argc > 1 ? argv[1] : "data/digits.csv.gz", {.label_column = "digit"});
  const unroll::Model all = unroll::pca(digits.view(), {.n_components = 64});
  show("the mean digit", all.attribute<std::vector<double>>("mean").data());
  const auto& axes = *all.attribute<std::shared_ptr<const unroll::Array2<double>>>("components");
  show("first eigen-digit", axes.row(0));
  show("second eigen-digit", axes.row(1));

  for (const int count : {40, 10, 3}) {
    const unroll::Model model = unroll::pca(digits.view(), {.n_components = count});
    const unroll::Array2<double> rebuilt = model.inverse_transform(model.transform(digits.view().slice(0, 1)));
    const double lost = model.attribute<double>("reconstruction_error") / model.attribute<double>("total_variance");
    std::printf("\n%d of 64 numbers kept, %.0f %% of the variance lost\n", count, 100 * lost);
    show("the first digit, rebuilt", rebuilt.row(0));
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "eigendigits: %s\n", error.what());
  return 1;
}
