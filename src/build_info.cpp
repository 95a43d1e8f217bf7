#include <fmt/format.h>

#include "simd/kernels.h"
#include "unroll/version.h"
#include "version.h"

namespace unroll {

std::string build_info() {
  return fmt::format(
      "compiler: {}, {}{}\n"
      "instruction set: {} in the kernels\n"
      "BLAS: OpenBLAS, serial\n"
      "sparse Cholesky: {}\n",
      UNROLL_COMPILER, UNROLL_BUILD_TYPE, UNROLL_NATIVE ? " for this machine" : "", simd::kernels().name,
      UNROLL_SPARSE);
}

}  // namespace unroll
