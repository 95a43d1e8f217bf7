#pragma once
#include <string>
#include <vector>

#include "simd/kernels.h"

namespace unroll {

/// The kernels of every instruction set that this CPU can run.
inline std::vector<const simd::Kernels*> runnable_kernels() {
  std::vector<const simd::Kernels*> list{&simd::v2::table};
#if defined(__x86_64__)
  const std::string best = simd::kernels().name;
  if (best != "x86-64-v2") list.push_back(&simd::v3::table);
  if (best == "x86-64-v4") list.push_back(&simd::v4::table);
#endif
  return list;
}

}  // namespace unroll
