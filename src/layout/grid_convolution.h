#pragma once
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "linalg/fft.h"
#include "unroll/core/run.h"

namespace unroll {

/// The sizes of a convolution along one direction.
struct ConvolutionSize {
  Index nodes = 0;  ///< of the grid; an even number
  Index length =
      0;  ///< of the transforms, one that Fft has: nodes further apart than length - nodes are not to be seen

  bool operator==(const ConvolutionSize&) const = default;
};

/// Convolution of a real grid of rows x cols with an even kernel, by Fourier transforms. With transforms of twice the
/// size of the grid, nothing comes round from the other side; shorter ones are enough for a kernel of short reach. Two
/// columns are the real and the imaginary part of one sequence, and half of the spectrum of real numbers is enough. In
/// single precision; the spectrum of the kernel, which is made once, is found in double precision.
class GridConvolution {
 public:
  /// kernel(a, b) is that of nodes a and b cells apart; the spectrum is divided by filter(angle) of both directions,
  /// angle = 2 pi k / length.
  GridConvolution(ConvolutionSize rows, ConvolutionSize cols, const std::function<double(Index, Index)>& kernel,
                  const std::function<double(double)>& filter, const Run& run);

  ConvolutionSize rows() const { return rows_; }
  ConvolutionSize cols() const { return cols_; }
  /// Replaces the grid by its convolution.
  void apply(Array2<float>& grid, const Run& run);

 private:
  class Borrowed;
  using Buffers = Fft<float>::Buffers;

  /// Frequencies along, from 0 to length / 2: the others are their mirror images.
  Index frequencies() const { return rows_.length / 2 + 1; }
  /// Where the second half of the columns starts in the spectra: behind whole chunks of the first half.
  Index second_columns() const;
  void transform_columns(const Array2<float>& grid, const Run& run);
  void multiply_rows(const Run& run);
  void transform_back(Array2<float>& grid, const Run& run);

  ConvolutionSize rows_, cols_;
  Fft<float> along_;   ///< down the columns of the grid
  Fft<float> across_;  ///< along its rows
  /// Per chunk of kFftLanes frequencies along: the spectrum of the kernel, all frequencies across by lanes.
  std::vector<float> kernel_;
  Array2<float> spectrum_re_, spectrum_im_;  ///< of the columns: a row per frequency
  std::mutex lending_;
  std::vector<std::unique_ptr<Buffers>> spare_along_, spare_across_;  ///< of threads that have finished with them
};

}  // namespace unroll
