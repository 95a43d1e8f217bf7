#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "affinity/source_rows.h"
#include "eigen/eigen_problem.h"
#include "spectral/recipe.h"
#include "unroll/core/error.h"
#include "unroll/core/model.h"
#include "unroll/neighbors/components.h"

namespace unroll {

/// What a fit asks of the engine, beside the row of the table.
struct SpectralSettings {
  Index n_components = 2;
  EigenSolver solver = EigenSolver::Auto;
  std::uint64_t seed = 0;
  double unit = 1;             ///< centred rows: distances were multiplied by it; others: W was divided by it
  double alpha = 0;            ///< power of the density, where the row divides by it
  double time = 1;             ///< t of diffusion
  bool given_weights = false;  ///< W was given: no option of ours changes it
  bool separate = false;       ///< a map per component, side by side; otherwise one map
};

/// Eigenpairs of the operator that a row makes of W, for all points or those of one component. The operator is a
/// symmetric matrix; if the row's own matrix is only similar to it, `back` converts its eigenvectors.
struct OperatorPairs {
  std::vector<double> values = {};     ///< in the order in which the row reads them, without the trivial one
  Array2<double> vectors = {};         ///< of the symmetric matrix, one per row
  Array2<double> products = {};        ///< A v, where they were kept
  std::vector<double> residuals = {};  ///< |A v - lambda v| / norm
  Index iterations = 0;
  std::string solver = {};
  std::vector<std::string> tried = {};  ///< solvers that failed before it
  bool last_group_is_cut = false;       ///< the last eigenvalue occurs again after the last pair

  double norm = 0;                   ///< a lower bound of |A|
  std::vector<double> trivial = {};  ///< the trivial eigenvector of A, of length one
  double trivial_value = 0;
  std::vector<double> back = {};            ///< diagonal that takes an eigenvector of A to the row's; empty: no change
  std::vector<double> degrees = {};         ///< of the points; empty: W is no graph
  std::vector<double> means = {};           ///< of the columns of W, where A is centred
  std::optional<Index> rank = {};           ///< eigenvalues above rounding, if only these are directions
  std::optional<Array2<double>> axes = {};  ///< sqrt(lambda) v = (w - means) axes, if w is not over all points
  std::vector<ComponentSpectrum> parts = {};  ///< per component, if several were solved
  std::vector<Warning> warnings = {};
  Attributes attributes = {};  ///< for the report of the method; see merge_attributes
};

/// Adds the attributes of one component to those of others: of numbers the largest counts, lists are joined.
void merge_attributes(const Attributes& of_component, Attributes& all);

/// W of the training points, in the form in which its method has it.
class Source {
 public:
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  virtual ~Source() = default;

  virtual Index size() const = 0;
  virtual const Components& components() const = 0;
  /// The number of pairs beside the trivial one that a map of all points can have.
  virtual Index most_pairs() const { return size() - 1; }
  /// Whether all points of a component coincide: it has no map then.
  virtual bool is_one_point(Index component) const {
    return components().sizes[static_cast<std::size_t>(component)] == 1;
  }
  /// Throws Unsupported if W does not allow a cell of the row.
  virtual void check(const Recipe& row) const = 0;
  /// `count` pairs beside the trivial one. `points` are those of a component, ascending; all if empty.
  virtual OperatorPairs solve(const Recipe& row, const std::vector<Index>& points, Index count,
                              const SpectralSettings& settings, const Run& run) const = 0;
  /// The q^alpha per point that W was divided by; empty: W was not divided.
  virtual const std::vector<double>& density() const;
};

/// The error of a cell, or of two that do not go together, that W does not allow.
[[noreturn]] void refuse_cell(std::string_view cell, std::string_view why);

/// A vector in the form in which eigensolvers take known eigenvectors.
Array2<double> as_row(const std::vector<double>& vector);

/// Columns order[0], order[1], ... of a matrix; the matrix itself if the order is empty.
Array2<double> picked_columns(Array2<double> a, const std::vector<Index>& order);
/// The inverse: column k goes to place order[k].
Array2<double> spread_columns(Array2<double> a, const std::vector<Index>& order);

/// The result of the eigensolver as OperatorPairs.
OperatorPairs operator_pairs(EigenSolution solution);

}  // namespace unroll
