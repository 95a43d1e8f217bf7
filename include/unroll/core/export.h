#pragma once

#if __cplusplus < 202002L
#error "unroll needs C++20: compile with -std=c++20"
#endif

/// Marks what the shared library exports; everything else is hidden.
#define UNROLL_API __attribute__((visibility("default")))
