#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unroll/core/input.h"
#include "unroll/core/model.h"

namespace unroll {

/// How a method's coordinates change with its input. The property tests hold every method to what it declares.
struct Properties {
  enum class Scale { Proportional, Unchanged, Other };
  bool translation = true;       ///< X + c: the same coordinates
  bool rotation = true;          ///< X R: the same up to signs
  Scale scale = Scale::Other;    ///< 2^m X
  bool permutation = true;       ///< rows permuted: rows of the result permuted, up to signs
  bool duplicates = false;       ///< every row twice: the same directions
  bool constant_columns = true;  ///< a constant column added: the same coordinates
  bool nested = false;           ///< d+1 components begin with the d components
  /// By how much coordinates that are "the same" may differ, in parts of their size: an optimiser ends above rounding.
  double rounding = 1e-9;
  Index min_points = 2;  ///< fewest points that can be embedded, with one component
};

/// What a method is for.
enum class MethodKind {
  Map,       ///< coordinates to look at
  Clusters,  ///< Model::labels()
  Labels,    ///< Model::labels() from Input::labels; the coordinates are probabilities, a column per class
};
constexpr auto enum_names(MethodKind) {
  return std::array{Named{MethodKind::Map, "map"}, Named{MethodKind::Clusters, "clusters"},
                    Named{MethodKind::Labels, "labels"}};
}

/// One method, for programs: the command line, bindings, tests and documentation loop over these.
struct Method {
  std::string name = {};
  std::string title = {};
  std::vector<std::string> aliases = {};  ///< other names that users know it by
  std::string reference = {};
  MethodKind kind = MethodKind::Map;
  std::vector<InputKind> inputs = {};  ///< kinds that it takes
  TransformKind transform = TransformKind::Exact;
  bool has_inverse = false;
  bool is_optimized = false;  ///< iteration by iteration: it has frames, and takes Input::resume
  Properties properties = {};
  std::vector<OptionInfo> options = {};
  /// The fewest neighbours per point that a map of so many components needs; null: the method has no neighbours.
  Index (*min_neighbors)(Index n_components) = nullptr;
  /// The neighbours that it looks for among n points with these options; null: n_neighbors says it, or 10 by default,
  /// or the method has no neighbours.
  Index (*needed_neighbors)(const OptionValues& options, Index n) = nullptr;
  /// More points take long: a comparison of all methods runs it by landmarks, or leaves it out; none: no limit.
  std::optional<Index> most_compared = {};
  Model (*fit)(const Input& input, const OptionValues& options, const Run& run) = nullptr;

  /// Whether it takes a sparse matrix of distances or similarities.
  UNROLL_API bool takes_sparse() const;
};

UNROLL_API const std::vector<Method>& methods();
/// The methods of one kind, in the order of the list.
UNROLL_API std::vector<const Method*> methods_of(MethodKind kind);
/// By its name or an alias, in any case, with or without hyphens and underscores: "LLE", "kernel-pca", "kpca". Throws
/// InvalidOption with the nearest name when there is no such method.
UNROLL_API const Method& find_method(std::string_view name);

/// The options say what a sparse matrix means: similarities with kernel or weights = precomputed, else distances.
UNROLL_API Input sparse_input(const SparseMatrix& matrix, const OptionValues& options);

/// Reads a model file written by Model::save. Corrupted or truncated files throw InvalidData and name the section.
UNROLL_API Model load_model(const std::string& path);
/// The same from bytes in memory; `origin` names them in messages.
UNROLL_API Model load_model(std::vector<std::byte> bytes, const std::string& origin);

}  // namespace unroll
