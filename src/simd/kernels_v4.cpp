#include "simd/kernels.h"

namespace unroll::simd::v4 {

#include "simd/kernels.inc"
#include "simd/pair_kernels.inc"
#include "simd/path_kernels.inc"
#include "simd/pull_kernels.inc"
#include "simd/side_kernels.inc"
#include "simd/sparse_pull_kernels.inc"
#include "simd/sparse_row_kernels.inc"
#include "simd/spline_kernels.inc"
#include "simd/stress_kernels.inc"
#include "simd/symmetric_kernels.inc"
#include "simd/tile_kernels.inc"
#include "simd/transform_kernels.inc"
#include "simd/tree_kernels.inc"
#include "simd/triangle_kernels.inc"
#include "simd/umap_kernels.inc"
// After those whose functions they use.
#include "simd/network_kernels.inc"

const Kernels table{"x86-64-v4",         point_kernels<float>(), point_kernels<double>(), pair_kernels(),
                    path_kernels(),      tile_kernels(),         side_kernels(),          triangle_kernels(),
                    symmetric_kernels(), layout_kernels(),       fft_kernels(),           umap_kernels(),
                    edge_kernels(),      spline_kernels(),       tree_kernels(),          network_kernels(),
                    stress_kernels(),    sparse_kernels()};

}  // namespace unroll::simd::v4
