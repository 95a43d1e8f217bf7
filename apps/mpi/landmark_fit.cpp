#include "landmark_fit.h"

#include <algorithm>
#include <numeric>

#include "core/at.h"
#include "core/matrix_copies.h"
#include "core/owned_points.h"
#include "data/validate.h"
#include "model_columns.h"
#include "neighbors/landmarks.h"
#include "sources/landmark_embedding.h"

namespace unroll::cluster {
namespace {

/// These rows of the table, in this order.
Table chosen_rows(const Table& from, const std::vector<Index>& rows) {
  Table result = from;
  std::visit(
      [&]<class T>(const Array2<T>& values) {
        auto some = Array2<T>::uninitialized(std::ssize(rows), values.cols());
        for (Index i = 0; i < some.rows(); ++i) std::copy_n(values.row(rows[at(i)]), values.cols(), some.row(i));
        result.values = std::move(some);
      },
      from.values);
  return result;
}

/// The rows of one slice that are among `wanted`, one after the other.
template <class T>
std::vector<T> read_rows(const SharedNpy& input, const std::vector<Index>& wanted, Index begin, Index end,
                         const Run& run) {
  std::vector<T> values;
  for (auto row = std::lower_bound(wanted.begin(), wanted.end(), begin); row != wanted.end() && *row < end; ++row) {
    const Table one = input.read(*row, 1, run);
    const auto& array = std::get<Array2<T>>(one.values);
    values.insert(values.end(), array.data(), array.data() + array.size());
  }
  return values;
}

/// `wanted` rows of the table, ascending, at the root.
Table gathered_rows(const Ranks& ranks, const SharedNpy& input, const std::vector<Index>& wanted, const Run& run) {
  const Index n = input.rows();
  Table table = ranks.together([&] { return input.read(0, 0, run); });
  std::visit(
      [&]<class T>(Array2<T>& values) {
        const Index cols = values.cols(), begin = ranks.begin_of(ranks.rank(), n);
        const std::vector<T> own = ranks.together(
            [&] { return read_rows<T>(input, wanted, begin, ranks.begin_of(ranks.rank() + 1, n), run); });
        const std::vector<T> all = ranks.gather_at_root(own).items;
        values = Array2<T>::uninitialized(std::ssize(all) / std::max<Index>(1, cols), cols);
        std::copy(all.begin(), all.end(), values.data());
      },
      table.values);
  return table;
}

/// Half of the landmarks may be fewer than the neighbours asked for: then each is joined to all others.
OptionValues of_half(OptionValues options, const Model& whole, Index half) {
  std::erase_if(options, [](const NamedValue& option) { return option.name == "n_neighbors"; });
  for (const NamedValue& option : whole.options())
    if (const auto* count = std::get_if<std::int64_t>(&option.value); option.name == "n_neighbors" && count != nullptr)
      options.push_back({"n_neighbors", std::min<std::int64_t>(*count, half - 1)});
  return options;
}

}  // namespace

Landmarks find_landmarks(const Ranks& ranks, const SharedNpy& input, const LandmarkRule& rule, const Run& run) {
  const std::vector<Index> candidates = landmark_candidates(input.rows(), rule.count, rule.choice, rule.seed);
  const Table table = gathered_rows(ranks, input, candidates, run);
  return ranks.together([&]() -> Landmarks {
    if (!ranks.is_root()) return {};
    try {
      check_points(table.view(), 2, run);
    } catch (const Error& error) {
      if (error.row() < 0) throw;
      throw error.with_row(candidates[at(error.row())]);
    }
    const std::vector<Index> places =
        choose_among_candidates(table.view(), rule.count, rule.choice, rule.distance, rule.seed, run);
    Landmarks result{.table = chosen_rows(table, places)};
    for (const Index place : places) result.rows.push_back(candidates[at(place)]);
    return result;
  });
}

LandmarkModel fit_landmarks(const Method& method, const Table& landmarks, const OptionValues& options, const Run& run) {
  const PointsView points = landmarks.view();
  LandmarkModel result{method.fit(points, options, run).with_features(cli::features_of(landmarks))};
  std::vector<Index> all(at(points.rows()));
  std::iota(all.begin(), all.end(), Index{0});
  result.error = half_sample_error(
      all, result.model.coordinates(),
      [&](const std::vector<Index>& half) {
        const Table some = chosen_rows(landmarks, half);
        return method.fit(some.view(), of_half(options, result.model, std::ssize(half)), run).transform(points, run);
      },
      run);
  return result;
}

}  // namespace unroll::cluster
