#include "simd/kernels.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace unroll::simd {
namespace {

#if defined(__x86_64__)
/// What the compilers' own test cannot be asked for.
bool has_f16c_movbe_lzcnt() {
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0 || (ecx & bit_F16C) == 0 || (ecx & bit_MOVBE) == 0) return false;
  constexpr unsigned kLzcnt = 1U << 5;
  return __get_cpuid(0x80000001, &eax, &ebx, &ecx, &edx) != 0 && (ecx & kLzcnt) != 0;
}

/// All that the psABI's level x86-64-v3 has: a virtual machine may hide some of it and show the rest.
bool has_v3() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("bmi2") && has_f16c_movbe_lzcnt();
}
bool has_v4() {
  return has_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd");
}
#endif

const Kernels& best() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (has_v4()) return v4::table;
  if (has_v3()) return v3::table;
#endif
  return v2::table;
}

}  // namespace

const Kernels& kernels() {
  static const Kernels& chosen = best();
  return chosen;
}

}  // namespace unroll::simd
