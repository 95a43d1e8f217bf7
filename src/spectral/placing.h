#pragma once
#include <optional>
#include <vector>

#include "affinity/source_rows.h"
#include "spectral/recipe.h"

namespace unroll {

/// How the similarities w of a new point become its coordinates, for every row of the table:
///
///     y_k = offset + g_k(d(x), lambda_k) sum_j (w_j - m_j) a_jk,   then scaled to length one where the row says so,
///
/// where d(x) = sum w_j, w is first divided by densities where the row says so, and
///
///     rule                     m              a            g_k
///     centered                 column means   v/sqrt(l)    factor
///     random walk, symmetric   0              v, v/sqrt(d) 1/(d(x) (1-l)), 1/(sqrt(d(x)) (1-l))
///     unnormalized             0              v            1/(d(x)-l)
///     Markov                   0              l^t psi      1/(d(x) l)
///     weights, local map       0              y            1
///
/// If g divides by 0, or d(x) - l is negative, a training point gets its own coordinates and other points are refused,
/// unless the coordinate is negligible beside the others, such as l^t of a tiny l.
struct Placing {
  NewPointRule rule = NewPointRule::Centered;
  Array2<double> axes = {};          ///< a, a row per column of w
  std::vector<double> means = {};    ///< m; empty: zeros
  double factor = 1;                 ///< from the unit of sqrt(W) to that of the data
  Array2<double> values = {};        ///< lambda where g needs it: a row per map, a column per coordinate
  std::vector<double> density = {};  ///< q^alpha per training point; empty: no division
  double alpha = 0;
  bool unit_rows = false;              ///< coordinates are scaled to length one
  std::vector<Index> components = {};  ///< per column of w, if each component has its own map; empty: one map
  std::vector<double> offsets = {};    ///< of the components' maps, along the first axis; none if y contains them

  /// The coordinates of every row. An error about one row has its number.
  Array2<double> place(const NewRows& rows, const Run& run) const;
  void save(ArchiveWriter& archive) const;
  /// The sections of `save`; `check` them next.
  static Placing load(const ArchiveReader& archive);
  /// Throws InvalidData, with the section of the file, where the parts do not fit each other or the rows that they are
  /// for.
  void check(const ArchiveReader& archive, const SourceRows& rows) const;

 private:
  Array2<double> place_full(const Array2<double>& w, const std::vector<Index>& leaders, const Run& run) const;
  Array2<double> place_sparse(const NewRows& rows) const;
  /// g_k; none where the formula is not defined.
  std::optional<double> scale(double degree, double value) const;
  /// Whether a coordinate of this map is only rounding beside its largest one.
  bool is_nothing(Index map, Index coordinate) const;
  [[noreturn]] void refuse(Index row, double degree, double value, Index coordinate) const;
};

/// Divides a row by its length, unless that is 0.
void scale_to_length_one(double* row, Index count);

}  // namespace unroll
