#include "unroll/version.h"

#include <fmt/format.h>

#include "version.h"

namespace unroll {

const char* version() { return UNROLL_VERSION_TEXT; }

std::string build_info() {
  return fmt::format(
      "compiler: {}, {}\n"
      "instruction set: {}\n"
      "BLAS: OpenBLAS, serial\n"
      "GPL components: {}\n",
      UNROLL_COMPILER, UNROLL_BUILD_TYPE, "x86-64-v2", UNROLL_GPL ? "none needed" : "off");
}

}  // namespace unroll
