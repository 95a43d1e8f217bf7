// Orders of elimination: "amd" (of SuiteSparse), "dissection" (ours), "metis". All are judged by our count of flops.
#include <algorithm>

#include "library_matrix.h"
#include "parts.h"
#include "sparse/elimination.h"
#include "sparse/fill_order.h"
#include "sparse/nested_dissection.h"
#ifdef UNROLL_HAS_METIS
#include <metis.h>
#endif

namespace parts {
namespace {

using Order = std::vector<std::int32_t>;

#ifdef UNROLL_HAS_METIS
Order by_metis(const MatrixFile& file, Answer& answer) {
  std::vector<idx_t> starts{0}, neighbors;
  for (std::int64_t i = 0; i < file.rows; ++i) {
    for (auto e = file.offsets[static_cast<std::size_t>(i)]; e < file.offsets[static_cast<std::size_t>(i) + 1]; ++e)
      if (const auto j = file.columns[static_cast<std::size_t>(e)]; j != i) neighbors.push_back(static_cast<idx_t>(j));
    starts.push_back(static_cast<idx_t>(neighbors.size()));
  }
  auto n = static_cast<idx_t>(file.rows);
  std::vector<idx_t> order(static_cast<std::size_t>(n)), inverse(static_cast<std::size_t>(n));
  answer.measure("order", [&] {
    METIS_NodeND(&n, starts.data(), neighbors.data(), nullptr, nullptr, order.data(), inverse.data());
  });
  return {order.begin(), order.end()};
}
#endif

Order found_by(const Task& task, const MatrixFile& file, Answer& answer) {
  const unroll::SparseMatrix matrix = library_matrix(file);
  const unroll::Run run{.threads = task.threads};
  Order order;
  if (task.contender == "amd") {
    answer.measure("order", [&] { order = unroll::fill_reducing_order(matrix, run); });
  } else if (task.contender == "dissection") {
    answer.measure("order", [&] { order = unroll::nested_dissection_order(matrix, run); });
#ifdef UNROLL_HAS_METIS
  } else if (task.contender == "metis") {
    order = by_metis(file, answer);
#endif
  } else {
    refuse(task);
  }
  return order;
}

}  // namespace

void order(const Task& task, Answer& answer) {
  const MatrixFile file = MatrixFile::read(task.data);
  const Order order = found_by(task, file, answer);
  const unroll::Elimination plan = unroll::plan_elimination(library_matrix(file), order, {});
  answer.tell("flops", plan.flops);
  answer.tell("entries", plan.entries);
}

}  // namespace parts
