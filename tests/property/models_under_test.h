#pragma once
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "property/methods_under_test.h"
#include "support/distances.h"
#include "unroll/core/sparse.h"

/// Small models of every kind that there is, for tests of model files.
namespace unroll {

struct FittedModel {
  std::string name;
  Model model;
  Array2<double> rows;  ///< what its transform takes: two new points and a training point
};

/// One way to fit a method.
struct Fitting {
  std::string name = {};
  InputKind kind = InputKind::Points;
  OptionValues options = {};
  bool has_parts = false;  ///< the points are in two parts, far from each other
  bool is_float = false;
  /// Distances: two points are at distance 0, but no copies. Similarities are not symmetric. Rows of a sparse matrix
  /// have different numbers of entries.
  bool is_odd = false;
};

/// Fits small data in all these ways.
class ModelMaker {
 public:
  explicit ModelMaker(const Method& method) : method_(method) {}

  /// Every choice of every option by itself, every kind of input, landmarks, a radius, components with their own maps.
  /// Ways that the method refuses are left out.
  std::vector<FittedModel> models() {
    add({.name = "default"});
    add({.name = "float", .is_float = true});
    for (const OptionInfo& option : method_.options) {
      for (const std::string& choice : option.choices) add_choice(option.name, choice);
      if (option.type == OptionType::Bool) add({.name = option.name, .options = {{option.name, true}}});
    }
    add({.name = "radius", .options = {{"radius", 1.5}}});
    add({.name = "pca", .options = {{"pca", std::int64_t{2}}}});
    add({.name = "distances, constant",
         .kind = InputKind::Distances,
         .options = {{"additive_constant", true}},
         .is_odd = true});
    for (const InputKind kind : method_.inputs) {
      const std::string name(name_of(kind));
      OptionValues landmarks{{"n_landmarks", std::int64_t{12}}}, few{{"n_neighbors", std::int64_t{6}}};
      add({.name = name + ", landmarks", .kind = kind, .options = landmarks});
      if (kind == InputKind::Points) continue;
      add({.name = name, .kind = kind});
      add({.name = name + ", neighbors", .kind = kind, .options = few});
      add({.name = name + ", odd", .kind = kind, .is_odd = true});
      few.push_back({"components", std::string("separate")});
      add({.name = name + ", separate", .kind = kind, .options = few, .has_parts = true});
    }
    return std::move(models_);
  }

 private:
  static constexpr Index kPoints = 24, kFirstPart = 14;

  void add_choice(const std::string& option, const std::string& choice) {
    Fitting fitting{.name = option + "=" + choice, .options = {{option, choice}}};
    if (choice == "precomputed") fitting.kind = option == "metric" ? InputKind::Distances : InputKind::Similarities;
    if (option == "components") {
      fitting.has_parts = true;
      fitting.options.push_back({"n_neighbors", std::int64_t{6}});
    }
    add(fitting);
  }

  void add(const Fitting& fitting) {
    for (const NamedValue& given : fitting.options)
      if (std::none_of(method_.options.begin(), method_.options.end(),
                       [&](const OptionInfo& info) { return info.name == given.name; }))
        return;
    try {
      models_.push_back(fitted(fitting));
    } catch (const Error& error) {
      EXPECT_TRUE(error.kind() == ErrorKind::InvalidOption || error.kind() == ErrorKind::Unsupported ||
                  error.kind() == ErrorKind::Disconnected || error.kind() == ErrorKind::InvalidData)
          << fitting.name << ": " << error.what();
    }
  }

  /// A curved sheet.
  static Array2<double> sheet(Index n, std::uint64_t seed, bool has_parts) {
    const Random random(seed, "models under test");
    Array2<double> x(n, 3);
    for (Index i = 0; i < n; ++i) {
      const auto at = static_cast<std::uint64_t>(i);
      x(i, 0) = 3 * random.uniform(at, 0), x(i, 1) = random.uniform(at, 1), x(i, 2) = 0.3 * x(i, 0) * x(i, 0) + 0.1;
      if (has_parts && i % kPoints >= kFirstPart) x(i, 1) += 100;
    }
    return x;
  }

  /// Of some points of the first part.
  static std::vector<std::int64_t> two_classes() {
    std::vector<std::int64_t> labels(kPoints, -1);
    for (std::size_t i = 0; i < kFirstPart; i += 3) labels[i] = i % 2 == 0 ? 1 : 4;
    return labels;
  }

  /// What the kind of input has instead of the points `from`.
  static Array2<double> numbers(const Fitting& fitting, const Array2<double>& from, const Array2<double>& to) {
    if (fitting.kind <= InputKind::SparsePoints) return from;
    Array2<double> d = distances_from(from, to);
    if (fitting.kind == InputKind::Similarities || fitting.kind == InputKind::SparseSimilarities)
      for (Index i = 0; i < d.size(); ++i) d.data()[i] = std::exp(-d.data()[i]);
    if (fitting.is_odd) d(0, 1) /= 2;
    if (fitting.is_odd && fitting.kind == InputKind::Distances) d(0, 1) = d(1, 0) = 0;
    return d;
  }

  /// All entries, or if odd only the near ones; the diagonal of similarities, too.
  static SparseMatrix sparse(const Fitting& fitting, const Array2<double>& dense) {
    const bool is_distance = fitting.kind == InputKind::SparseDistances;
    SparseMatrix result{.rows = dense.rows(), .cols = dense.cols()};
    for (Index i = 0; i < dense.rows(); ++i) {
      for (Index j = 0; j < dense.cols(); ++j) {
        if (is_distance && i == j) continue;
        if (fitting.kind == InputKind::SparsePoints && fitting.is_odd && dense(i, j) < 0.4) continue;
        if (fitting.kind == InputKind::SparsePoints) {
          result.columns.push_back(j);
          result.values.push_back(dense(i, j));
          continue;
        }
        if (fitting.is_odd && (is_distance ? dense(i, j) > 0.8 : dense(i, j) < 0.4)) continue;
        result.columns.push_back(j);
        result.values.push_back(dense(i, j));
      }
      result.offsets.push_back(std::ssize(result.columns));
    }
    return result;
  }

  FittedModel fitted(const Fitting& fitting) const {
    const Array2<double> x = sheet(kPoints, 1, fitting.has_parts);
    Array2<double> fresh = sheet(3, 2, false);
    std::copy_n(x.row(kFirstPart), x.cols(), fresh.row(2));
    const Array2<double> full = numbers(fitting, x, x);
    const Array2<float> narrow = as_float(x);
    const SparseMatrix few = sparse(fitting, full);
    Input input = fitting.is_float                             ? Input(narrow)
                  : fitting.kind == InputKind::Points          ? Input(full)
                  : fitting.kind == InputKind::SparsePoints    ? Input(SparseRows(few))
                  : fitting.kind == InputKind::Distances       ? Input(DistancesView{full})
                  : fitting.kind == InputKind::Similarities    ? Input(SimilaritiesView{full})
                  : fitting.kind == InputKind::SparseDistances ? Input(SparseDistances(few))
                                                               : Input(SparseSimilarities(few));
    const std::vector<std::int64_t> labels = two_classes();
    if (method_.kind == MethodKind::Labels) input.labels = labels;
    return {method_.name + " " + fitting.name,
            method_.fit(input, with_few_iterations(method_, fitting.options), {.threads = 1}),
            numbers(fitting, fresh, x)};
  }

  const Method& method_;
  std::vector<FittedModel> models_ = {};
};

/// The models of a method, fitted once for all tests of a program.
inline const std::vector<FittedModel>& fitted_models(const Method& method) {
  static std::map<std::string, std::vector<FittedModel>> fitted;
  const auto found = fitted.find(method.name);
  return found != fitted.end() ? found->second : fitted.emplace(method.name, ModelMaker(method).models()).first->second;
}

}  // namespace unroll
