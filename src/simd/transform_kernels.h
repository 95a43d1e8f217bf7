#pragma once
#include "unroll/core/types.h"

/// One pass of a Fourier transform, for several sequences at a time. Like all of src/simd it exists once per
/// instruction set.
namespace unroll::simd {

/// Sequences that are transformed together: entry i of sequence l is at i * kFftLanes + l, real and imaginary parts
/// apart.
inline constexpr Index kFftLanes = 16;

/// A pass of Stockham's algorithm (Cochran et al. 1967): from x to y, with q < stride, p < count, k < radix,
/// y[q + stride (radix p + k)] = w^(p k) * sum over j of x[q + stride (p + count j)] exp(-2 pi i j k / radix),
/// w = exp(-2 pi i / (count radix)).
template <class T>
struct FftStage {
  Index radix;         ///< 2, 3, 4 or 5
  Index count;         ///< length of what is left, divided by the radix
  Index stride;        ///< product of the radices before
  const T* twiddles;   ///< per p: the real and the imaginary part of w^p, w^2p, ..., w^((radix-1) p)
  bool is_half_full;   ///< radix 4: of x only the first half is there, the other half is zero
  bool is_half_asked;  ///< radix 4, count 1: only the first half of y is written
};

template <class T>
using RunFftStage = void (*)(const FftStage<T>& stage, const T* x_re, const T* x_im, T* y_re, T* y_im);

struct FftKernels {
  RunFftStage<float> f32;
  RunFftStage<double> f64;

  template <class T>
  RunFftStage<T> of() const {
    if constexpr (sizeof(T) == sizeof(float)) {
      return f32;
    } else {
      return f64;
    }
  }
};

}  // namespace unroll::simd
