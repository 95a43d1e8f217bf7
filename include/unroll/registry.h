#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "unroll/core/model.h"
#include "unroll/core/sparse.h"

namespace unroll {

/// How a method's coordinates answer a change of its input. The property tests hold every method to what it declares.
struct Properties {
  enum class Scale { Proportional, Unchanged, Other };
  bool translation = true;       ///< X + c: the same coordinates
  bool rotation = true;          ///< X R: the same up to signs
  Scale scale = Scale::Other;    ///< 2^m X
  bool permutation = true;       ///< rows permuted: rows of the result permuted, up to signs
  bool duplicates = false;       ///< every row twice: the same directions
  bool constant_columns = true;  ///< a constant column added: the same coordinates
  bool nested = false;           ///< d+1 components begin with the d components
  Index min_points = 2;          ///< fewest points that can be embedded
};

/// One method, for programs: the command line, bindings, tests and documentation loop over these.
struct Method {
  std::string name = {};
  std::string title = {};
  std::string reference = {};
  TransformKind transform = TransformKind::Exact;
  bool has_inverse = false;
  Properties properties = {};
  std::vector<OptionInfo> options = {};
  Model (*fit)(PointsView points, const OptionValues& options, const Run& run) = nullptr;
  /// From a sparse matrix of distances or similarities, with metric or kernel = precomputed; null where there is none.
  Model (*fit_sparse)(const SparseMatrix& matrix, const OptionValues& options, const Run& run) = nullptr;
};

UNROLL_API const std::vector<Method>& methods();
/// Throws InvalidOption with the nearest name when there is no such method.
UNROLL_API const Method& find_method(std::string_view name);
/// Methods that end in clusters: the model that they fit is what a SpectralClustering is made of.
UNROLL_API const std::vector<Method>& clusterings();

/// Reads a model file written by Model::save. Corrupted or truncated files throw InvalidData and name the section.
UNROLL_API Model load_model(const std::string& path);
/// The same from bytes in memory; `origin` names them in messages.
UNROLL_API Model load_model(std::vector<std::byte> bytes, const std::string& origin);

}  // namespace unroll
