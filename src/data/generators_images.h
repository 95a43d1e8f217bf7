#pragma once
#include <cstdint>
#include <string_view>

#include "data/generators_common.h"

namespace unroll {

/// Images of one drawn face translated over a background of noise (Saul and Roweis, An introduction to locally linear
/// embedding, 2001, figure 5). A row holds the pixels of one image, line by line, black 0 and white 1 before the noise;
/// the truth is the centre of the face in pixels, from the left and from the top, uniform where the face fits.
struct TranslatedFaceOptions {
  static constexpr std::string_view kName = "translated_face";
  static constexpr std::string_view kTitle = "Translated face: images of a face that moves over a background of noise";

  std::int64_t size = 28;
  std::int64_t face = 12;
  double noise = 0.1;

  static OptionFields fields() {
    return {
        field<&TranslatedFaceOptions::size>("size", between(8, 4096), "Pixels per side of the image."),
        field<&TranslatedFaceOptions::face>("face", between(4, 4096), "Diameter of the face in pixels."),
        field<&TranslatedFaceOptions::noise>("noise", deviation(),
                                             "Standard deviation of the background's grey values around 1/2."),
    };
  }
};
Dataset generate(Index n_samples, std::uint64_t seed, const TranslatedFaceOptions& options);

}  // namespace unroll
