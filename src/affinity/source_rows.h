#pragma once
#include <functional>
#include <string_view>
#include <variant>
#include <vector>

#include "unroll/core/run.h"
#include "unroll/core/sparse.h"
#include "unroll/core/types.h"

namespace unroll {

class ArchiveReader;
class ArchiveWriter;

/// W of new points: a row of similarities to the training points or landmarks.
struct NewRows {
  std::variant<Array2<double>, SparseMatrix> w = {};
  /// Per row the training point that it equals; -1: none, or not known. Empty: -1 for all.
  std::vector<Index> same = {};
  /// Per row the column whose component it belongs to; -1: that of its heaviest entry. Empty: -1 for all.
  std::vector<Index> leaders = {};
  /// If a row is a training row that was changed to make W symmetric: its degree in W. 0 for other rows; empty: 0 for
  /// all.
  std::vector<double> degrees = {};
};

/// What the entries of a row are, and so by which rules of the table the row places its point.
enum class RowForm {
  Similarities,  ///< to every column: the centered rule
  EdgeWeights,   ///< of a graph: the rules of Laplacians and of the Markov chain
  Weights,       ///< that sum to one, over nearest points
  LocalMap,      ///< that sum to one, over the patch of the nearest point
};

/// The part of the source of W that a model keeps: it makes the row that a new point would have had in training.
class SourceRows {
 public:
  SourceRows() = default;
  SourceRows(const SourceRows&) = delete;
  SourceRows& operator=(const SourceRows&) = delete;
  virtual ~SourceRows() = default;

  /// The name of the kind in a model file.
  virtual std::string_view kind() const = 0;
  virtual Index columns() const = 0;
  virtual RowForm form() const = 0;
  /// Whether the training points are sparse rows: new ones then come so, too.
  virtual bool is_sparse() const { return false; }
  /// Whether a row can be of one component of the columns, so that components can have maps of their own.
  virtual bool knows_components() const = 0;
  /// `components` is the component of every column, if each has its own map; empty: there is one map. A row does not
  /// depend on the rows beside it, bit for bit. An error about one row has its number among `points`.
  virtual NewRows rows(PointsView points, const std::vector<Index>& components, const Run& run) const = 0;
  /// Points for coordinates; throws Unsupported if the source has no inverse.
  virtual Array2<double> inverse_transform(PointsView coordinates, const Run& run) const;
  virtual void save(ArchiveWriter& archive) const = 0;
};

/// visit(first, rows of W) for the points in blocks that fit into memory; `first` is the number of a block's first
/// point. An error about one row has its number among all points.
void for_each_block(const SourceRows& source, PointsView points, const std::vector<Index>& components, const Run& run,
                    const std::function<void(Index first, const NewRows& rows)>& visit);

}  // namespace unroll
