// The K nearest neighbours of every point: ours, by "kd_tree", "brute" or "approximate".
#include "unroll/neighbors/neighbors.h"

#include "parts.h"
#include "unroll/data/table.h"

namespace parts {

void neighbors(const Task& task, Answer& answer) {
  unroll::NeighborOptions options{.n_neighbors = task.k};
  if (task.contender == "kd_tree") {
    options.algorithm = unroll::SearchAlgorithm::KdTree;
  } else if (task.contender == "brute") {
    options.algorithm = unroll::SearchAlgorithm::Brute;
  } else if (task.contender == "approximate") {
    options.algorithm = unroll::SearchAlgorithm::Approximate;
  } else {
    refuse(task);
  }
  const unroll::Table table = unroll::read_table(task.data);
  unroll::Neighbors found;
  answer.measure("search", [&] { found = unroll::neighbors(table.view(), options, {.threads = task.threads}); });
  answer.tell("recall", found.report.recall);
}

}  // namespace parts
