// K clusters from the first K points as centers, once: "ours".
#include "unroll/neighbors/kmeans.h"

#include <algorithm>

#include "parts.h"
#include "unroll/data/table.h"

namespace parts {

void k_means(const Task& task, Answer& answer) {
  if (task.contender != "ours") refuse(task);
  const unroll::Table table = unroll::read_table(task.data);
  const unroll::PointsView points = table.view();
  unroll::Array2<double> start(task.k, points.cols());
  points.visit([&](auto view) {
    for (unroll::Index c = 0; c < task.k; ++c) std::copy_n(view.row(c), view.cols, start.row(c));
  });
  unroll::KMeans found;
  answer.measure("clusters", [&] { found = unroll::kmeans(points, start, {}, {.threads = task.threads}); });
  answer.tell("inertia", found.inertia);
  answer.tell("iterations", static_cast<double>(found.iterations));
}

}  // namespace parts
