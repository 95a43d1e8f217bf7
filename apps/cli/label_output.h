#pragma once
#include <string>
#include <vector>

#include "job.h"
#include "unroll/core/model.h"

namespace unroll::cli {

/// The classes of rows, found by a model.
struct FoundLabels {
  std::vector<Index> labels = {};     ///< as of Model::predict; -1: none
  Array2<double> probabilities = {};  ///< a column per class
};

/// The words for the classes of a model, in the order of the columns; its numbers if it knows no words.
std::vector<std::string> class_words(const Model& model);

/// The word of every label; empty for -1.
std::vector<std::string> words_of(const std::vector<Index>& labels, const Model& model);

/// Finds the classes of new rows.
FoundLabels find_labels(Job& job, const Model& model, PointsView rows);

/// Writes the most likely class of every row and its probability to the output, with the row names of `table`. The csv
/// has words; an .npy file has numbers: the classes if they are whole numbers, else their places from 0; -1: none.
void write_labels(Job& job, const FoundLabels& found, const Model& model, const Table& table,
                  const std::string& output);

}  // namespace unroll::cli
