#include "learn/label_transformer.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/archive.h"
#include "core/at.h"

namespace unroll {
namespace {

// The probabilities are the model's coordinates.
constexpr std::string_view kProbabilities = "coordinates", kClasses = "labels.classes", kLabels = "labels.found";

bool are_probabilities(const Array2<double>& matrix) {
  for (Index i = 0; i < matrix.rows(); ++i) {
    const double* row = matrix.row(i);
    if (std::any_of(row, row + matrix.cols(), [](double p) { return !(p >= 0 && p <= 1); })) return false;
    if (std::abs(std::accumulate(row, row + matrix.cols(), 0.0) - 1) > 1e-6) return false;
  }
  return true;
}

}  // namespace

Index most_likely(const double* row, Index count) { return std::max_element(row, row + count) - row; }

LabelTransformer::Placed LabelTransformer::placed(PointsView points, const Run& run) const {
  const Index count = parts_.probabilities.cols();
  Placed result{Array2<double>(points.rows(), count), std::vector<Index>(at(points.rows()), -1)};
  for_each_block(*parts_.rows, points, {}, run, [&](Index first, const NewRows& rows) {
    const auto& w = std::get<SparseMatrix>(rows.w);
    for (Index i = 0; i < w.rows; ++i) {
      double* out = result.probabilities.row(first + i);
      if (const Index same = rows.same.empty() ? -1 : rows.same[at(i)]; same >= 0) {
        std::copy_n(parts_.probabilities.row(same), count, out);
        result.labels[at(first + i)] = parts_.labels[at(same)];
        continue;
      }
      double sum = 0, largest = 0;
      for (Index e = w.offsets[at(i)]; e < w.offsets[at(i + 1)]; ++e) largest = std::max(largest, w.values[at(e)]);
      for (Index e = w.offsets[at(i)]; e < w.offsets[at(i + 1)]; ++e) {
        const Index j = w.columns[at(e)];
        if (parts_.labels[at(j)] == -1 || w.values[at(e)] == 0) continue;
        const double weight = w.values[at(e)] / largest;  // their sum stays in range
        sum += weight;
        for (Index c = 0; c < count; ++c) out[c] += weight * parts_.probabilities(j, c);
      }
      for (Index c = 0; c < count; ++c) out[c] = sum > 0 ? out[c] / sum : 1 / static_cast<double>(count);
      if (sum > 0) result.labels[at(first + i)] = parts_.classes[at(most_likely(out, count))];
    }
  });
  return result;
}

Array2<double> LabelTransformer::transform(PointsView points, const Run& run) const {
  return placed(points, run).probabilities;
}

std::vector<Index> LabelTransformer::predict(PointsView points, const Run& run) const {
  return placed(points, run).labels;
}

void LabelTransformer::save(ArchiveWriter& archive) const {
  archive.put(kClasses, parts_.classes);
  archive.put(kLabels, parts_.labels);
  archive.put("source.kind", parts_.rows->kind());
  parts_.rows->save(archive);
}

std::shared_ptr<const LabelTransformer> LabelTransformer::load(const ArchiveReader& archive) {
  if (archive.text("source.kind") != AffinityRows::kKind)
    archive.fail("source.kind", "classes of new points need the rows of a graph");
  Parts parts{.rows = AffinityRows::load(archive),
              .probabilities = archive.matrix(kProbabilities),
              .classes = archive.integers(kClasses),
              .labels = archive.integers(kLabels)};
  const auto& classes = parts.classes;
  if (std::adjacent_find(classes.begin(), classes.end(), std::greater_equal<>()) != classes.end() ||
      std::ssize(classes) != parts.probabilities.cols() || classes.empty())
    archive.fail(kClasses, "are not one per column of the probabilities, ascending");
  if (parts.probabilities.rows() != parts.rows->columns() || !are_probabilities(parts.probabilities))
    archive.fail(kProbabilities, "are not the probabilities of the classes of every point");
  const auto is_known = [&](Index label) {
    return label == -1 || std::binary_search(classes.begin(), classes.end(), label);
  };
  if (std::ssize(parts.labels) != parts.probabilities.rows() ||
      !std::all_of(parts.labels.begin(), parts.labels.end(), is_known))
    archive.fail(kLabels, "are not one of the classes per point");
  return std::make_shared<const LabelTransformer>(std::move(parts));
}

}  // namespace unroll
