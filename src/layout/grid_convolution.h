#pragma once
#include <functional>
#include <vector>

#include "linalg/fft.h"
#include "unroll/core/run.h"

namespace unroll {

/// Convolution of a real grid of rows x cols with an even kernel, by Fourier transforms of twice the size in either
/// direction: pairs farther apart than the grid is long do not exist, so nothing comes round from the other side.
/// Two columns are the real and the imaginary part of one sequence, and half of the spectrum of real numbers is enough.
template <class T>
class GridConvolution {
 public:
  /// The sizes are halves of lengths that Fft has. kernel(a, b) is that of nodes a and b cells apart; the spectrum is
  /// divided by filter(angle) of both directions, angle = 2 pi k / length.
  GridConvolution(Index rows, Index cols, const std::function<double(Index, Index)>& kernel,
                  const std::function<double(double)>& filter, const Run& run);

  Index rows() const { return along_.length() / 2; }
  Index cols() const { return across_.length() / 2; }
  /// Replaces the grid by its convolution.
  void apply(Array2<T>& grid, const Run& run);

 private:
  void transform_columns(const Array2<T>& grid, const Run& run);
  void multiply_rows(const Run& run);
  void transform_back(Array2<T>& grid, const Run& run);

  Fft<T> along_;   ///< down the columns of the grid
  Fft<T> across_;  ///< along its rows
  /// Per chunk of kFftLanes frequencies along: the spectrum of the kernel, all frequencies across by lanes.
  std::vector<T> kernel_;
  Array2<T> spectrum_re_, spectrum_im_;  ///< of the columns: a row per frequency from 0 to length / 2
};

extern template class GridConvolution<float>;
extern template class GridConvolution<double>;

}  // namespace unroll
