#include "spectral/landmark_embedding.h"

#include <fmt/format.h>

#include <algorithm>

#include "affinity/similarities.h"
#include "core/parallel.h"
#include "spectral/matrix_source.h"
#include "unroll/core/error.h"
#include "unroll/quality/quality.h"

namespace unroll {
namespace {

/// Whether an error says that so few points have no map, or none to compare.
bool is_no_map(ErrorKind kind) {
  return kind == ErrorKind::InvalidData || kind == ErrorKind::InvalidOption || kind == ErrorKind::Disconnected ||
         kind == ErrorKind::NotConverged;
}

/// The rows and columns of some landmarks.
template <class T>
Array2<double> among(const Array2<T>& distances, const std::vector<Index>& landmarks, std::size_t step) {
  const auto m = static_cast<Index>((landmarks.size() + step - 1) / step), stride = static_cast<Index>(step);
  Array2<double> result = Array2<double>::uninitialized(m, m);
  const auto at = [&](Index i, Index j) {
    return static_cast<double>(distances(i * stride, landmarks[static_cast<std::size_t>(j * stride)]));
  };
  for (Index i = 0; i < m; ++i)
    for (Index j = 0; j < m; ++j) result(i, j) = std::min(at(i, j), at(j, i));  // rounding may differ
  return result;
}

/// Places points by their distances from every step-th landmark; column j of `distances` is that of point picked(j).
template <class T, class Pick>
Array2<double> placed(const Placing& placing, const Array2<T>& distances, Index step, double scale, Index count,
                      const Pick& picked, const Run& run) {
  constexpr Index kPoints = 128;
  const Index m = std::ssize(placing.means);
  Array2<double> y = Array2<double>::uninitialized(count, placing.axes.cols());
  parallel_for(run, count, kPoints, [&](Index begin, Index end) {
    Array2<double> rows = Array2<double>::uninitialized(end - begin, m);
    for (Index l = 0; l < m; ++l)
      for (Index i = begin; i < end; ++i)
        rows(i - begin, l) =
            similarity(Similarities::Entries::Distances, scale, static_cast<double>(distances(l * step, picked(i))));
    const Array2<double> block = placing.place({.w = std::move(rows)}, {.threads = 1});
    std::copy_n(block.data(), block.size(), y.row(begin));
  });
  return y;
}

}  // namespace

std::optional<double> half_sample_error(const std::vector<Index>& landmarks, const Array2<double>& map,
                                        const std::function<Array2<double>(const std::vector<Index>& half)>& map_by,
                                        const Run& run) {
  std::vector<Index> half;
  for (std::size_t i = 0; i < landmarks.size(); i += 2) half.push_back(landmarks[i]);
  // Maps of local methods are affine functions of d + 1 landmarks: as few always agree.
  if (std::ssize(half) <= map.cols() + 2) return std::nullopt;
  try {
    return procrustes(map, map_by(half), run);
  } catch (const Error& error) {
    if (!is_no_map(error.kind())) throw;
    return std::nullopt;
  }
}

template <class T>
LandmarkFit embed_by_landmarks(const Recipe& row, const Array2<T>& distances, double scale,
                               const std::vector<Index>& landmarks, const SpectralSettings& settings, const Run& run) {
  const auto fit_of = [&](Index step) {
    const Array2<double> own = among(distances, landmarks, static_cast<std::size_t>(step));
    return embed(row, MatrixSource({own.view(), Similarities::Entries::Distances, scale}), settings, run);
  };
  LandmarkFit result{fit_of(1)};
  SpectralFit& fit = result.fit;
  result.error = half_sample_error(
      landmarks, fit.coordinates,
      [&](const std::vector<Index>&) {
        return placed(
            fit_of(2).placing, distances, 2, scale, std::ssize(landmarks),
            [&](Index i) { return landmarks[static_cast<std::size_t>(i)]; }, run);
      },
      run);
  fit.coordinates = placed(
      fit.placing, distances, 1, scale, distances.cols(), [](Index i) { return i; }, run);
  require_in_range(fit.coordinates, settings.who);
  return result;
}

template LandmarkFit embed_by_landmarks(const Recipe&, const Array2<float>&, double, const std::vector<Index>&,
                                        const SpectralSettings&, const Run&);
template LandmarkFit embed_by_landmarks(const Recipe&, const Array2<double>&, double, const std::vector<Index>&,
                                        const SpectralSettings&, const Run&);

void report_landmarks(const std::vector<Index>& landmarks, std::optional<double> error, Embedding& embedding) {
  constexpr double kMuch = 0.01;
  const Index count = std::ssize(landmarks);
  embedding.diagnostics.emplace_back("landmarks", std::vector<double>(landmarks.begin(), landmarks.end()));
  if (error) embedding.diagnostics.emplace_back("landmark_error", *error);
  const bool is_all = count >= embedding.coordinates.rows();  // then nothing is approximated
  if (is_all || (error && *error <= kMuch)) return;
  embedding.warnings.push_back(
      {"few-landmarks",
       error ? fmt::format("half of the landmarks give another map of them (Procrustes disparity {:.3f})", *error)
             : fmt::format("half of the {} landmarks give no map to compare with: its error is not known", count),
       "use a larger n_landmarks, or leave it out"});
}

}  // namespace unroll
