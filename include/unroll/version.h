#pragma once
#include <string>

#include "unroll/core/export.h"

// Of these headers; version() is that of the library that was loaded.
#define UNROLL_VERSION_MAJOR 0
#define UNROLL_VERSION_MINOR 2
#define UNROLL_VERSION_PATCH 0

namespace unroll {

/// "0.2.0"
UNROLL_API const char* version();

/// How this library was built, one line each: compiler, instruction set in use, BLAS.
UNROLL_API std::string build_info();

}  // namespace unroll
