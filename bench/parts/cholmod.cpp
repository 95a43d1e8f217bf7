// CHOLMOD with its defaults: the better of its orders, supernodes where they pay, and the BLAS of the system.
#include <cholmod.h>

#include <algorithm>
#include <stdexcept>

#include "part.h"

namespace {

using parts::kSides;

void factorize_and_solve(const parts::Task& task, parts::Answer& answer) {
  parts::MatrixFile file = parts::MatrixFile::read(task.data);
  std::vector<int> offsets(file.offsets.begin(), file.offsets.end()), columns(file.columns.begin(), file.columns.end());
  const auto n = static_cast<std::size_t>(file.rows);
  cholmod_common common;
  cholmod_start(&common);
  common.final_ll = 1;
  cholmod_sparse a{};
  a.nrow = a.ncol = n;
  a.nzmax = columns.size();
  a.p = offsets.data();
  a.i = columns.data();
  a.x = file.values.data();
  a.stype = 1;  // of both triangles it reads the upper one
  a.itype = CHOLMOD_INT;
  a.xtype = CHOLMOD_REAL;
  a.dtype = CHOLMOD_DOUBLE;
  a.sorted = a.packed = 1;
  cholmod_dense* b = cholmod_zeros(n, kSides, CHOLMOD_REAL, &common);
  auto* sides = static_cast<double*>(b->x);
  for (std::int64_t j = 0; j < kSides; ++j)
    for (std::int64_t i = 0; i < file.rows; ++i) sides[j * file.rows + i] = parts::right_side(i, j);
  double shift[] = {parts::shift_of(file), 0};
  cholmod_factor* factor = nullptr;
  cholmod_dense* x = nullptr;
  answer.measure("order", [&] { factor = cholmod_analyze(&a, &common); });
  answer.measure("factor", [&] { cholmod_factorize_p(&a, shift, nullptr, 0, factor, &common); });
  if (common.status != CHOLMOD_OK) throw std::runtime_error("the matrix is not positive definite");
  answer.measure("solve", [&] { x = cholmod_solve(CHOLMOD_A, factor, b, &common); });
  answer.tell("flops", common.fl);
  answer.tell("entries", common.lnz);
  answer.tell("supernodal", factor->is_super);
  answer.tell("is METIS", common.method[common.selected].ordering == CHOLMOD_METIS ? 1 : 0);
  const auto* found = static_cast<const double*>(x->x);
  parts::write_numbers(task.out, {found, found + static_cast<std::int64_t>(n) * kSides});
}

}  // namespace

int main(int count, char** words) { return parts::run_task(count, words, factorize_and_solve); }
