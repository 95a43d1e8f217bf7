#pragma once
#include <string>

#include "unroll/core/export.h"

namespace unroll {

/// "0.2.0"
UNROLL_API const char* version();

/// How this library was built, one line each: compiler, instruction set in use, BLAS.
UNROLL_API std::string build_info();

}  // namespace unroll
