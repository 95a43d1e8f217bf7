#pragma once

#if __cplusplus < 202002L
#error "unroll needs C++20: compile with -std=c++20"
#endif

/// Marks what the shared library exports; everything else is hidden.
#define UNROLL_API __attribute__((visibility("default")))

/// Marks what a view looks at: compilers that know the attribute warn of a view that outlives a temporary.
#if defined(__has_cpp_attribute) && defined(__clang__)
#if __has_cpp_attribute(clang::lifetimebound)
#define UNROLL_VIEWED [[clang::lifetimebound]]
#endif
#endif
#ifndef UNROLL_VIEWED
#define UNROLL_VIEWED
#endif
