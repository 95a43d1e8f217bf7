#pragma once
#include <cstdint>
#include <numbers>
#include <string_view>

#include "data/generators_common.h"

/// Curved surfaces: no flat map keeps their distances, so the truth identifies each point but is no isometry.
namespace unroll {

/// The unit sphere without a cap around its north pole, uniform over its area. The truth is the stereographic
/// projection from the north pole onto the plane that touches the south pole, 2 tan(a/2) (cos b, sin b) at the angle a
/// from the south pole and the longitude b: it keeps angles, not lengths.
struct PuncturedSphereOptions {
  static constexpr std::string_view kName = "punctured_sphere";
  static constexpr std::string_view kTitle = "Punctured sphere: a unit sphere open at the top";

  double opening = std::numbers::pi / 4;
  double noise = 0;

  static OptionFields fields() {
    return {
        field<&PuncturedSphereOptions::opening>(
            "opening", Limits{.low = 0, .high = std::numbers::pi, .low_open = true, .high_open = true},
            "Angle from the pole to the rim of the opening, in radians."),
        field<&PuncturedSphereOptions::noise>("noise", deviation(), kNoiseHelp),
    };
  }
};
Dataset generate(Index n_samples, std::uint64_t seed, const PuncturedSphereOptions& options);

/// (x, y, height sin(pi x) tanh(3 y)), uniform in the square -1 <= x, y <= 1, which is the truth.
struct TwinPeaksOptions {
  static constexpr std::string_view kName = "twin_peaks";
  static constexpr std::string_view kTitle = "Twin peaks: a square sheet with two hills and two valleys";

  double height = 1;
  double noise = 0;

  static OptionFields fields() {
    return {
        field<&TwinPeaksOptions::height>("height", positive_length(), "Height of the hills."),
        field<&TwinPeaksOptions::noise>("noise", deviation(), kNoiseHelp),
    };
  }
};
Dataset generate(Index n_samples, std::uint64_t seed, const TwinPeaksOptions& options);

/// ((1 + v cos(u/2)) cos u, (1 + v cos(u/2)) sin u, v sin(u/2)), uniform in (u, v), which is the truth: lengths along
/// and across the middle line. (0, v) and (2 pi, -v) are the same point.
struct MobiusStripOptions {
  static constexpr std::string_view kName = "mobius_strip";
  static constexpr std::string_view kTitle = "Moebius strip: a band closed with half a twist";

  double width = 1;
  double noise = 0;

  static OptionFields fields() {
    return {
        field<&MobiusStripOptions::width>("width", Limits{.low = 0, .high = 2, .low_open = true, .high_open = true},
                                          "Width of the band; its middle line is a circle of radius 1."),
        field<&MobiusStripOptions::noise>("noise", deviation(), kNoiseHelp),
    };
  }
};
Dataset generate(Index n_samples, std::uint64_t seed, const MobiusStripOptions& options);

/// ((R + r cos v) cos u, (R + r cos v) sin u, r sin v), uniform over its area. The truth is (R u, r v): the length
/// along the middle line of the tube and around the tube. Both close on themselves, at 2 pi R and 2 pi r.
struct TorusOptions {
  static constexpr std::string_view kName = "torus";
  static constexpr std::string_view kTitle = "Torus: the surface of a ring";

  double major_radius = 2;
  double minor_radius = 1;
  double noise = 0;

  static OptionFields fields() {
    return {
        field<&TorusOptions::major_radius>("major_radius", positive_length(), "Radius of the ring's middle line, R."),
        field<&TorusOptions::minor_radius>("minor_radius", positive_length(), "Radius of the tube, r; less than R."),
        field<&TorusOptions::noise>("noise", deviation(), kNoiseHelp),
    };
  }
};
Dataset generate(Index n_samples, std::uint64_t seed, const TorusOptions& options);

}  // namespace unroll
