#include <gtest/gtest.h>

#include <algorithm>

#include "methods_under_test.h"
#include "support/distances.h"
#include "support/expect_error.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {
namespace {

/// What every method does with the kinds of input that it takes, and with those that it does not.
class Inputs : public EveryMethod {
 protected:
  bool takes(InputKind kind) const {
    return std::find(method().inputs.begin(), method().inputs.end(), kind) != method().inputs.end();
  }
  bool has(std::string_view name) const {
    return std::any_of(method().options.begin(), method().options.end(),
                       [&](const OptionInfo& info) { return info.name == name; });
  }
  /// Whether it begins with the neighbours of every point.
  bool searches() const { return has("n_neighbors") || method().needed_neighbors != nullptr; }
  /// The option that says what a plain matrix is.
  OptionValues given(InputKind kind) const {
    const bool is_distance = kind == InputKind::Distances || kind == InputKind::SparseDistances;
    const std::string name = is_distance ? "metric" : has("kernel") ? "kernel" : "weights";
    return {{name, std::string("precomputed")}};
  }
  Model fit_input(const Input& input, OptionValues options = {}) const {
    if (method().name == "spectral_clustering") options.push_back({"n_clusters", std::int64_t{3}});
    return fit_given(input, options);
  }
};
INSTANTIATE_TEST_SUITE_P(Registry, Inputs, testing::ValuesIn(method_names()), test_name);

/// exp(-d^2): a kernel, and the weights of a graph.
Array2<double> similarities_of(const Array2<double>& distances) {
  Array2<double> result = distances;
  for (Index i = 0; i < result.size(); ++i) result.data()[i] = std::exp(-result.data()[i] * result.data()[i]);
  return result;
}

SparseMatrix all_entries(const Array2<double>& matrix) {
  SparseMatrix result{.rows = matrix.rows(), .cols = matrix.cols()};
  for (Index i = 0; i < matrix.rows(); ++i) {
    for (Index j = 0; j < matrix.cols(); ++j) {
      result.columns.push_back(j);
      result.values.push_back(matrix(i, j));
    }
    result.offsets.push_back(std::ssize(result.columns));
  }
  return result;
}

TEST_P(Inputs, ATypedMatrixIsThePlainOneWithItsOption) {
  const Array2<double> x = points(), distances = distances_between(x), similarities = similarities_of(distances);
  for (const InputKind kind : {InputKind::Distances, InputKind::Similarities}) {
    const Array2<double>& matrix = kind == InputKind::Distances ? distances : similarities;
    const Input typed = kind == InputKind::Distances ? Input(DistancesView{matrix}) : Input(SimilaritiesView{matrix});
    if (!takes(kind)) {
      expect_error(ErrorKind::Unsupported,
                   GetParam() + ": the input is " + std::string(name_of(kind)) + "; give points",
                   [&] { fit_input(typed); });
      continue;
    }
    const Model by_type = fit_input(typed), by_option = fit_input(matrix, given(kind));
    EXPECT_EQ(by_type.coordinates(), by_option.coordinates()) << name_of(kind);
    ASSERT_EQ(by_type.options().size(), by_option.options().size());
    for (std::size_t i = 0; i < by_type.options().size(); ++i)
      EXPECT_EQ(by_type.options()[i].value, by_option.options()[i].value) << by_type.options()[i].name;
    EXPECT_EQ(by_type.transform(matrix), by_option.transform(matrix)) << name_of(kind);
  }
}

TEST_P(Inputs, ASparseMatrixOfAnotherKindIsRefused) {
  const SparseMatrix matrix = all_entries(similarities_of(distances_between(points())));
  if (!takes(InputKind::SparseDistances))
    expect_error(ErrorKind::Unsupported, GetParam() + ": the input is sparse distances; give ",
                 [&] { fit_input(SparseDistances(matrix)); });
  if (!takes(InputKind::SparseSimilarities))
    expect_error(ErrorKind::Unsupported, GetParam() + ": the input is sparse similarities; give ",
                 [&] { fit_input(SparseSimilarities(matrix)); });
}

TEST_P(Inputs, AnOptionThatContradictsTheTypeIsRefused) {
  const Array2<double> matrix = distances_between(points());
  const auto refused = [&](const Input& input, const std::string& option, const std::string& value) {
    if (!takes(input.kind()) || !has(option)) return;
    expect_error(ErrorKind::InvalidOption,
                 GetParam() + ": " + option + "=" + value + " is for points, but the input is ", [&] {
                   fit_input(input, {{option, value}});
                 });
  };
  refused(DistancesView{matrix}, "metric", "cosine");
  refused(SimilaritiesView{matrix}, "kernel", "poly");
  refused(SimilaritiesView{matrix}, "weights", "binary");
}

TEST_P(Inputs, FeaturesOfAMatrixCannotBeScaled) {
  const Array2<double> matrix = distances_between(points());
  const OptionValues scaled{{"scale", std::string("standardize")}};
  for (const Input& input : {Input(DistancesView{matrix}), Input(SimilaritiesView{matrix})})
    if (takes(input.kind()))
      expect_error(ErrorKind::InvalidOption,
                   GetParam() + ": scale=standardize is for features, but the input is " +
                       std::string(name_of(input.kind())) + "; use scale=none",
                   [&] { fit_input(input, scaled); });
}

TEST_P(Inputs, NeighborsThatComeWithThePointsAreUsed) {
  const Array2<double> x = points();
  const Neighbors more = neighbors(x, {.n_neighbors = 59});
  Input input(x);
  input.neighbors = &more;
  EXPECT_EQ(fit_input(input).coordinates(), fit_input(x).coordinates());
  if (!searches()) return;
  // Those of other points make another map: they are not looked for again.
  const Neighbors others = neighbors(points(60, 5), {.n_neighbors = 59});
  input.neighbors = &others;
  EXPECT_NE(fit_input(input).coordinates(), fit_input(x).coordinates());
  const Neighbors few = neighbors(x, {.n_neighbors = 3}), fewer_points = neighbors(points(40), {.n_neighbors = 20});
  input.neighbors = &few;
  const std::string count = method().name == "umap" ? "15" : method().name == "mvu" ? "6" : "10";
  const std::string needed = has("n_neighbors") ? ", n_neighbors=" + count : ", but 59 are needed";
  expect_error(ErrorKind::InvalidData, GetParam() + ": point 1 came with 3 neighbors" + needed,
               [&] { fit_input(input); });
  input.neighbors = &fewer_points;
  expect_error(ErrorKind::InvalidData, "those of 40 points, the input has 60", [&] { fit_input(input); });
  expect_error(ErrorKind::InvalidOption, "scale the points before the neighbors are found", [&] {
    fit_input(input, {{"scale", std::string("minmax")}});
  });
}

TEST_P(Inputs, NeighborsThatAreNoneAreRefused) {
  if (!searches()) return;
  const Array2<double> x = points();
  const Neighbors good = neighbors(x, {.n_neighbors = 59});
  constexpr std::size_t kEach = 59, kThird = 2 * kEach, kOther = kThird + 7;  // neighbours of the third point
  const auto refused = [&](const std::string& why, auto&& spoil) {
    Neighbors bad = good;
    spoil(bad.graph);
    Input input(x);
    input.neighbors = &bad;
    expect_error(ErrorKind::InvalidData, why, [&] { fit_input(input); });
  };
  refused("point 3 have the number 60, of 60 points", [&](NeighborGraph& graph) { graph.neighbors[kOther] = 60; });
  refused("point 3 have the number -1, of 60 points", [&](NeighborGraph& graph) { graph.neighbors[kOther] = -1; });
  refused("point 3 contain the point itself", [&](NeighborGraph& graph) { graph.neighbors[kOther] = 2; });
  refused("point 3 contain a point twice",
          [&](NeighborGraph& graph) { graph.neighbors[kOther] = graph.neighbors[kThird]; });
  refused("point 3 are not ordered by distance", [&](NeighborGraph& graph) { graph.distances[kOther] = 0; });
  refused("point 1 have the distance -1", [](NeighborGraph& graph) { graph.distances[0] = -1; });
  refused("do not belong to their offsets", [](NeighborGraph& graph) { graph.distances.pop_back(); });
  refused("do not belong to their offsets",
          [](NeighborGraph& graph) { std::swap(graph.offsets[3], graph.offsets[4]); });
}

TEST_P(Inputs, DistancesAreCheckedAlthoughTheirNeighborsAreKnown) {
  if (!takes(InputKind::Distances) || !searches()) return;
  Array2<double> matrix = distances_between(points());
  const Neighbors found = neighbors(matrix, {.n_neighbors = 59, .metric = Metric::Precomputed});
  matrix(3, 50) += 1;
  Input input(DistancesView{matrix});
  input.neighbors = &found;
  expect_error(ErrorKind::InvalidData, "the array must be symmetric", [&] { fit_input(input); });
}

/// Distances that were computed in single precision need not be the same to the last bit in both directions.
TEST_P(Inputs, FloatDistancesMayDifferByRounding) {
  if (!takes(InputKind::Distances)) return;
  const Array2<float> even = as_float(distances_between(points()));
  const auto uneven = [&](float by) {
    Array2<float> matrix = even;
    for (Index i = 0; i < matrix.rows(); ++i)
      for (Index j = 0; j < i; ++j) matrix(i, j) *= 1 + by;
    return matrix;
  };
  std::vector<OptionValues> variants{{}};
  if (has("graph")) variants.push_back({{"graph", std::string("full")}});
  if (has("additive_constant")) variants.push_back({{"additive_constant", true}});
  for (const OptionValues& options : variants) {
    const Model model = fit_input(DistancesView{uneven(5e-7F)}, options);
    // Rounding decides which way the random walk of umap goes: another map, as good.
    if (method().name != "umap") {
      EXPECT_LT(difference_up_to_sign(model.coordinates(), fit_input(DistancesView{even}, options).coordinates()),
                1e-3);
    }
    expect_error(ErrorKind::InvalidData, "the array must be symmetric",
                 [&] { fit_input(DistancesView{uneven(1e-5F)}, options); });
  }
}

TEST_P(Inputs, AnOptionThatIsRefusedIsNamed) {
  const auto blamed = [&](const std::string& option) {
    if (!has(option)) return;
    try {
      fit_input(points(), {{option, std::int64_t{1000}}});
      ADD_FAILURE() << option << "=1000 of 60 points";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::InvalidOption) << error.what();
      EXPECT_EQ(error.option(), option) << error.what();
    }
  };
  blamed("n_neighbors");
  blamed("n_landmarks");
}

TEST_P(Inputs, NeighborsOfAllPointsAreNotThoseOfLandmarks) {
  const bool samples = method().name == "laplacian_eigenmaps" || method().name == "diffusion_maps" ||
                       method().name == "spectral_clustering";
  if (!samples) return;  // the others use them
  const Array2<double> x = points();
  const Neighbors found = neighbors(x, {.n_neighbors = 20});
  Input input(x);
  input.neighbors = &found;
  expect_error(ErrorKind::Unsupported, GetParam() + ": with n_landmarks neighbors are looked for among the landmarks",
               [&] {
                 fit_input(input, {{"n_landmarks", std::int64_t{30}}});
               });
}

TEST_P(Inputs, MethodsWithoutNeighborsDoNotMindThem) {
  if (searches()) return;
  const Array2<double> x = points();
  const Neighbors found = neighbors(x, {.n_neighbors = 5});
  Input input(x);
  input.neighbors = &found;
  const OptionValues scaled{{"scale", std::string("standardize")}};
  EXPECT_EQ(fit_input(input, scaled).coordinates(), fit_input(x, scaled).coordinates());
}

TEST_P(Inputs, TooFewPointsOfAMatrixAreRefused) {
  const Array2<double> one(1, 1);
  const SparseMatrix sparse{.rows = 1, .cols = 1, .offsets = {0, 0}};
  const auto refused = [&](const Input& input) {
    if (takes(input.kind()))
      expect_error(ErrorKind::InvalidData, "while a minimum of", [&] { method().fit(input, {}, {}); });
  };
  refused(DistancesView{one});
  refused(SimilaritiesView{one});
  refused(SparseDistances(sparse));
  refused(SparseSimilarities(sparse));
}

TEST_P(Inputs, NewPointsOfASparseMatrixWithoutARuleAreRefused) {
  if (!takes(InputKind::SparseDistances)) return;
  if (method().transform == TransformKind::Optimized) return;  // its rule is the number of neighbours of the method
  const Array2<double> x = points(40);
  const NeighborGraph uneven = symmetrized(neighbors(x, {.n_neighbors = 12}).graph, Symmetrization::Union);
  SparseMatrix matrix = all_entries(distances_between(x));
  const bool is_local = std::string_view("lle mlle hlle ltsa").find(GetParam()) != std::string_view::npos;
  if (is_local) {  // they need the distances among neighbours: one entry fewer is uneven enough
    matrix.columns.erase(matrix.columns.begin() + 39);
    matrix.values.erase(matrix.values.begin() + 39);
    for (std::size_t i = 1; i < matrix.offsets.size(); ++i) --matrix.offsets[i];
  } else {
    matrix = to_sparse(uneven);
  }
  const Array2<double> fresh = distances_from(points(3, 9), x);
  const Model model = fit_input(SparseDistances(matrix));
  expect_error(ErrorKind::Unsupported, GetParam() + ": all entries of the sparse matrix were taken as edges",
               [&] { model.transform(fresh); });
}

TEST_P(Inputs, ErrorsFromBelowHaveTheNameOfTheMethod) {
  /// From a public function inside the method: the neighbour search, or the solver.
  const Array2<double> far = points();
  const unroll::Run starved{.memory_budget = 16};
  try {
    fit(far, {}, starved);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::OutOfMemory);
    EXPECT_EQ(error.who(), GetParam());
  }
  Array2<double> x = points();
  x(3, 1) = std::numeric_limits<double>::quiet_NaN();
  try {
    fit_input(x);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.who(), GetParam());
    EXPECT_EQ(error.row(), 3);
    EXPECT_TRUE(error.problem().starts_with("contains NaN in column 2")) << error.problem();
    EXPECT_FALSE(error.advice().empty());
  }
}

TEST_P(Inputs, BytesAreThoseOfTheFile) {
  const Model model = fit_input(points());
  const Model again = load_model(model.bytes(), "memory");
  EXPECT_EQ(again.coordinates(), model.coordinates());
  EXPECT_EQ(again.labels(), model.labels());
  EXPECT_EQ(again.bytes(), model.bytes());
}

}  // namespace
}  // namespace unroll
