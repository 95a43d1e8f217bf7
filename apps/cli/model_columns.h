#pragma once
#include <string>

#include "job.h"
#include "unroll/core/model.h"
#include "unroll/data/table.h"

/// Columns have names: a model keeps those of its training table, and finds them again in a table of new rows.
namespace unroll::cli {

/// "'a', 'b', ... (7 in all)"
std::string quoted_names(const std::vector<std::string>& names);
/// The names that several columns have.
std::vector<std::string> repeated_names(const std::vector<std::string>& names);
/// Says which columns the reader has left out.
void note_unknown(const Table& table, const std::string& path, Job& job);

Features features_of(const Table& table);
/// The names of the training columns, or x0, x1, ...
std::vector<std::string> names_of_features(const Model& model);
/// What the reader needs to leave out the columns that the model does not know.
ColumnChoice choice_of(const Model& model);

/// The table of new rows with the columns that the model was fitted on, in its order: by name, where both have names.
/// Columns of one name are told apart by their order. Throws InvalidData if some are missing; further columns are left
/// out, which a note says. Missing values, which are NaN, become the means of the training columns. Rows that are far
/// from all training rows are a warning.
Table matched(Table table, const Model& model, const std::string& path, Job& job);

/// The first step of it: the columns that the model was fitted on, in its order.
Table arranged(Table table, const Model& model, const std::string& path, Job& job);

/// What is doubtful about new rows. Counts of parts of a table add up.
struct RowDoubts {
  Index rows = 0;
  Index filled = 0;  ///< values that were missing
  Index far = 0;     ///< rows that are far from all training rows
};
/// The steps after it: missing values are filled in, and doubtful rows counted.
RowDoubts fill_and_count(Table& table, const Model& model);
void warn(const RowDoubts& doubts, const std::string& path, Job& job);

}  // namespace unroll::cli
