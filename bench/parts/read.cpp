// A table of numbers from a file, in whatever format it is: "ours".
#include "parts.h"
#include "unroll/data/table.h"

namespace parts {

void read(const Task& task, Answer& answer) {
  if (task.contender != "ours") refuse(task);
  unroll::Table table;
  answer.measure("read", [&] { table = unroll::read_table(task.data, {}, {.threads = task.threads}); });
  const unroll::PointsView view = table.view();
  answer.tell("MB", static_cast<double>(view.rows() * view.cols()) * (view.is_float() ? 4 : 8) / 1e6);
}

}  // namespace parts
