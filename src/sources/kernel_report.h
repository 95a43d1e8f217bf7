#pragma once
#include "sources/kernel_embedding.h"
#include "unroll/core/model.h"

namespace unroll {

/// Throws InvalidOption if a gamma makes the kernel between almost all points zero, by a sample of them: there would be
/// nothing to map.
void check_gamma(const KernelInput& input, const Run& run);

/// The report of a map of a kernel. `landmarks_asked`: the user has chosen the number of landmarks.
Embedding report_kernel(const KernelFit& fit, const KernelInput& input, bool landmarks_asked);

}  // namespace unroll
