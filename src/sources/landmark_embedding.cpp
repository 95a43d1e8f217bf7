#include "sources/landmark_embedding.h"

#include <fmt/format.h>

#include <algorithm>

#include "affinity/similarities.h"
#include "core/finite.h"
#include "core/parallel.h"
#include "sources/matrix_source.h"
#include "unroll/core/error.h"
#include "unroll/quality/quality.h"

namespace unroll {
namespace {

/// Whether an error means that these few points have no map, or none to compare.
bool is_no_map(ErrorKind kind) {
  return kind == ErrorKind::InvalidData || kind == ErrorKind::InvalidOption || kind == ErrorKind::Disconnected ||
         kind == ErrorKind::NotConverged;
}

/// The columns of the landmarks. Their entries are far apart in memory, so they are copied once.
template <class T>
Array2<T> gathered(const Array2<T>& distances, const std::vector<Index>& landmarks, const Run& run) {
  constexpr Index kRows = 8;
  const Index m = std::ssize(landmarks);
  Array2<T> result = Array2<T>::uninitialized(m, m);
  parallel_for(run, m, kRows, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      std::transform(landmarks.begin(), landmarks.end(), result.row(i), [&](Index j) { return distances(i, j); });
  });
  return result;
}

/// Every step-th row and column of the distances among landmarks.
template <class T>
Array2<double> symmetric(const Array2<T>& between, Index step) {
  const Index m = block_count(between.rows(), step);
  Array2<double> result = Array2<double>::uninitialized(m, m);
  for (Index i = 0; i < m; ++i)
    for (Index j = 0; j <= i; ++j)  // the two differ by rounding
      result(i, j) = result(j, i) =
          static_cast<double>(std::min(between(i * step, j * step), between(j * step, i * step)));
  return result;
}

/// Places points, a column of `distances` each, by their distances from every step-th landmark.
template <class T>
Array2<double> placed(const Placing& placing, const Array2<T>& distances, Index step, double scale, const Run& run) {
  constexpr Index kPoints = 128;
  const Index m = std::ssize(placing.means), count = distances.cols();
  Array2<double> y = Array2<double>::uninitialized(count, placing.axes.cols());
  parallel_for(run, count, kPoints, [&](Index begin, Index end) {
    Array2<double> rows = Array2<double>::uninitialized(end - begin, m);
    for (Index l = 0; l < m; ++l)
      for (Index i = begin; i < end; ++i)
        rows(i - begin, l) =
            similarity(Similarities::Entries::Distances, scale, static_cast<double>(distances(l * step, i)));
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
  // Maps of local methods are affine functions of d + 1 landmarks: with so few, two maps always agree.
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
  const Array2<T> between = gathered(distances, landmarks, run);
  const auto fit_of = [&](Index step) {
    const Array2<double> own = symmetric(between, step);
    return embed(row, MatrixSource({own.view(), Similarities::Entries::Distances, scale}), settings, run);
  };
  LandmarkFit result{fit_of(1)};
  SpectralFit& fit = result.fit;
  result.error = half_sample_error(
      landmarks, fit.coordinates,
      [&](const std::vector<Index>&) { return placed(fit_of(2).placing, between, 2, scale, run); }, run);
  fit.coordinates = placed(fit.placing, distances, 1, scale, run);
  require_finite(fit.coordinates, "coordinates");
  return result;
}

template LandmarkFit embed_by_landmarks(const Recipe&, const Array2<float>&, double, const std::vector<Index>&,
                                        const SpectralSettings&, const Run&);
template LandmarkFit embed_by_landmarks(const Recipe&, const Array2<double>&, double, const std::vector<Index>&,
                                        const SpectralSettings&, const Run&);

void report_landmarks(const std::vector<Index>& landmarks, std::optional<double> error, Embedding& embedding,
                      std::string advice) {
  constexpr double kWorthAWarning = 0.01;
  const Index count = std::ssize(landmarks);
  embedding.attributes.emplace_back("landmarks", landmarks);
  if (error) embedding.attributes.emplace_back("landmark_error", *error);
  const bool is_all = count >= embedding.coordinates.rows();  // then nothing is approximated
  if (is_all || (error && *error <= kWorthAWarning)) return;
  embedding.warnings.push_back(
      {"few-landmarks",
       error ? fmt::format("half of the landmarks give another map of them (Procrustes disparity {:.3f})", *error)
             : fmt::format("half of the {} landmarks give no map to compare with: its error is not known", count),
       std::move(advice)});
}

}  // namespace unroll
