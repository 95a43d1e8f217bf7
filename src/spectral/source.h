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
#include "unroll/neighbors/components.h"

namespace unroll {

/// What a fit asks of the engine, beside the row of the table.
struct SpectralSettings {
  std::string_view who = {};  ///< the method, in messages
  Index n_components = 2;
  EigenSolver solver = EigenSolver::Auto;
  std::uint64_t seed = 0;
  double unit = 1;   ///< a length of the data as the root of W measures it (centred), or what W was divided by
  double alpha = 0;  ///< power of the density, where the row divides by it
  double time = 1;   ///< t of diffusion
  bool given_weights = false;  ///< W was given: no option of ours changes it
  bool separate = false;  ///< a map for every component, side by side; otherwise one, in which components come first
};

/// Eigenpairs of the operator that a row makes of W, for all points or those of one component. The operator is a
/// symmetric matrix; where the row's own is only similar to it, `back` leads there.
struct PartSolution {
  std::vector<double> values = {};     ///< in the order in which the row reads them, without the trivial one
  Array2<double> vectors = {};         ///< of the symmetric matrix, one per row
  Array2<double> products = {};        ///< A v, where they were kept
  std::vector<double> residuals = {};  ///< |A v - lambda v| / norm
  Index iterations = 0;
  std::string solver = {};
  std::vector<std::string> tried = {};  ///< solvers that failed before it
  bool last_group_is_cut = false;       ///< the last eigenvalue occurs again beyond them

  double norm = 0;                   ///< |A| is no smaller
  std::vector<double> trivial = {};  ///< the trivial eigenvector of A, of length one
  double trivial_value = 0;
  std::vector<double> back = {};            ///< diagonal that takes an eigenvector of A to the row's; empty: no change
  std::vector<double> degrees = {};         ///< of the points; empty: W is no graph
  std::vector<double> means = {};           ///< of the columns of W, where A is centred
  std::optional<Index> rank = {};           ///< eigenvalues above rounding, where the others are no directions
  std::optional<Array2<double>> axes = {};  ///< sqrt(lambda) v = (w - means) axes of rows that are not of all points
  std::vector<Warning> warnings = {};
};

/// Where W of the training points comes from, in the form that its method has it in.
class Source {
 public:
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  virtual ~Source() = default;

  virtual Index size() const = 0;
  virtual const Components& components() const = 0;
  /// Whether the points of a component are all one, which has no map.
  virtual bool is_one_point(Index component) const {
    return components().sizes[static_cast<std::size_t>(component)] == 1;
  }
  /// Throws Unsupported, in words, where W cannot be treated as the row says.
  virtual void check(const Recipe& row) const = 0;
  /// `count` pairs beside the trivial one. `points` are those of a component, ascending; all if empty.
  virtual PartSolution solve(const Recipe& row, const std::vector<Index>& points, Index count,
                             const SpectralSettings& settings, const Run& run) const = 0;
  /// q^alpha per point that W was divided by; empty: it was not.
  virtual const std::vector<double>& density() const;
};

/// The error of a cell that W does not allow.
[[noreturn]] void refuse_cell(std::string_view cell, std::string_view why);

/// A vector as eigensolvers take what they are told.
Array2<double> as_row(const std::vector<double>& vector);

/// Columns order[0], order[1], ... of a matrix; as it is if the order is empty.
Array2<double> picked_columns(Array2<double> a, const std::vector<Index>& order);
/// The other way round: column k is put at place order[k].
Array2<double> spread_columns(Array2<double> a, const std::vector<Index>& order);

/// The solver's answer as the part of a solution.
PartSolution part_solution(EigenSolution solution);

}  // namespace unroll
