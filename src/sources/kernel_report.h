#pragma once
#include "sources/kernel_embedding.h"
#include "unroll/core/model.h"

namespace unroll {

/// The report of a map of a kernel. `landmarks_asked`: the user has chosen the number of landmarks.
Embedding report_kernel(const KernelFit& fit, const KernelInput& input, bool landmarks_asked);

}  // namespace unroll
