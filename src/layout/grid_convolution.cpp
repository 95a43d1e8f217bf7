#include "layout/grid_convolution.h"

#include <algorithm>
#include <numbers>

#include "core/at.h"
#include "core/parallel.h"

namespace unroll {
namespace {

constexpr Index kSequences = simd::kFftLanes;

Index chunks_of(Index count) { return (count + kSequences - 1) / kSequences; }

/// The spectrum of the kernel, which is real: a row per frequency along, from 0 to length / 2, a column per frequency
/// across, from 0 to length / 2. In double precision, since it is made once.
Array2<double> kernel_spectrum(Index length_along, Index length_across,
                               const std::function<double(Index, Index)>& kernel, const Run& run) {
  const Fft<double> along(length_along), across(length_across);
  const Index rows = length_along / 2 + 1, cols = length_across / 2 + 1;
  Array2<double> half(rows, cols), result(rows, cols);
  parallel_for(run, chunks_of(cols), 1, [&](Index chunk, Index) {
    Fft<double>::Buffers buffers(along);
    const Index first = chunk * kSequences, count = std::min(kSequences, cols - first);
    for (Index l = 0; l < count; ++l)
      for (Index i = 0; i < rows; ++i) {
        const double value = kernel(i, first + l);
        buffers.re[at(i * kSequences + l)] = value;
        if (i > 0) buffers.re[at((length_along - i) * kSequences + l)] = value;
      }
    along.forward(buffers);
    for (Index i = 0; i < rows; ++i)
      for (Index l = 0; l < count; ++l) half(i, first + l) = buffers.re[at(i * kSequences + l)];
  });
  parallel_for(run, chunks_of(rows), 1, [&](Index chunk, Index) {
    Fft<double>::Buffers buffers(across);
    const Index first = chunk * kSequences, count = std::min(kSequences, rows - first);
    for (Index l = 0; l < count; ++l)
      for (Index j = 0; j < cols; ++j) {
        buffers.re[at(j * kSequences + l)] = half(first + l, j);
        if (j > 0) buffers.re[at((length_across - j) * kSequences + l)] = half(first + l, j);
      }
    across.forward(buffers);
    for (Index l = 0; l < count; ++l)
      for (Index j = 0; j < cols; ++j) result(first + l, j) = buffers.re[at(j * kSequences + l)];
  });
  return result;
}

double angle_of(Index k, Index length) {
  return 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(length);
}

}  // namespace

template <class T>
GridConvolution<T>::GridConvolution(Index rows, Index cols, const std::function<double(Index, Index)>& kernel,
                                    const std::function<double(double)>& filter, const Run& run)
    : along_(2 * rows),
      across_(2 * cols),
      kernel_(at(chunks_of(rows + 1) * 2 * cols * kSequences)),
      spectrum_re_(rows + 1, cols),
      spectrum_im_(rows + 1, cols) {
  const Array2<double> spectrum = kernel_spectrum(2 * rows, 2 * cols, kernel, run);
  const double scale = 1 / (4 * static_cast<double>(rows) * static_cast<double>(cols));  // of both ways together
  std::vector<double> filtered(at(2 * cols));
  for (Index m = 0; m < 2 * cols; ++m) filtered[at(m)] = filter(angle_of(m, 2 * cols));
  for (Index k = 0; k <= rows; ++k) {
    const double along = scale / filter(angle_of(k, 2 * rows));
    T* to = kernel_.data() + (k / kSequences * 2 * cols) * kSequences + k % kSequences;
    for (Index m = 0; m < 2 * cols; ++m)
      to[m * kSequences] = static_cast<T>(along * spectrum(k, std::min(m, 2 * cols - m)) / filtered[at(m)]);
  }
}

template <class T>
void GridConvolution<T>::apply(Array2<T>& grid, const Run& run) {
  transform_columns(grid, run);
  multiply_rows(run);
  transform_back(grid, run);
}

/// With z = a + i b for real a and b: the transform of a is (Z_k + conj Z_-k) / 2, that of b (Z_k - conj Z_-k) / 2i.
template <class T>
void GridConvolution<T>::transform_columns(const Array2<T>& grid, const Run& run) {
  const Index pairs = cols() / 2, length = along_.length();
  parallel_for(run, chunks_of(pairs), 1, [&](Index chunk, Index) {
    typename Fft<T>::Buffers z(along_);
    const Index first = chunk * kSequences, count = std::min(kSequences, pairs - first);
    for (Index i = 0; i < rows(); ++i) {
      std::copy_n(grid.row(i) + first, count, z.re.data() + i * kSequences);
      std::copy_n(grid.row(i) + pairs + first, count, z.im.data() + i * kSequences);
    }
    along_.forward(z, Fft<T>::Part::FirstHalfIn);
    for (Index k = 0; k <= rows(); ++k) {
      const Index mirror = k == 0 ? 0 : length - k;
      const T *re = z.re.data() + k * kSequences, *im = z.im.data() + k * kSequences;
      const T *mirror_re = z.re.data() + mirror * kSequences, *mirror_im = z.im.data() + mirror * kSequences;
      T *a_re = spectrum_re_.row(k) + first, *a_im = spectrum_im_.row(k) + first;
      T *b_re = a_re + pairs, *b_im = a_im + pairs;
      for (Index l = 0; l < count; ++l) {
        a_re[l] = (re[l] + mirror_re[l]) / 2;
        a_im[l] = (im[l] - mirror_im[l]) / 2;
        b_re[l] = (im[l] + mirror_im[l]) / 2;
        b_im[l] = (mirror_re[l] - re[l]) / 2;
      }
    }
  });
}

template <class T>
void GridConvolution<T>::multiply_rows(const Run& run) {
  const Index frequencies = rows() + 1;
  parallel_for(run, chunks_of(frequencies), 1, [&](Index chunk, Index) {
    typename Fft<T>::Buffers z(across_);
    const Index first = chunk * kSequences, count = std::min(kSequences, frequencies - first);
    for (Index l = 0; l < count; ++l)
      for (Index j = 0; j < cols(); ++j) {
        z.re[at(j * kSequences + l)] = spectrum_re_(first + l, j);
        z.im[at(j * kSequences + l)] = spectrum_im_(first + l, j);
      }
    across_.forward(z, Fft<T>::Part::FirstHalfIn);
    const T* factor = kernel_.data() + chunk * across_.length() * kSequences;
    for (std::size_t i = 0; i < across_.buffer_size(); ++i) {
      z.re[i] *= factor[i];
      z.im[i] *= factor[i];
    }
    across_.backward(z, Fft<T>::Part::FirstHalfOut);
    for (Index l = 0; l < count; ++l)
      for (Index j = 0; j < cols(); ++j) {
        spectrum_re_(first + l, j) = z.re[at(j * kSequences + l)];
        spectrum_im_(first + l, j) = z.im[at(j * kSequences + l)];
      }
  });
}

template <class T>
void GridConvolution<T>::transform_back(Array2<T>& grid, const Run& run) {
  const Index pairs = cols() / 2, length = along_.length();
  parallel_for(run, chunks_of(pairs), 1, [&](Index chunk, Index) {
    typename Fft<T>::Buffers z(along_);
    const Index first = chunk * kSequences, count = std::min(kSequences, pairs - first);
    for (Index k = 0; k <= rows(); ++k) {
      const T *a_re = spectrum_re_.row(k) + first, *a_im = spectrum_im_.row(k) + first;
      const T *b_re = a_re + pairs, *b_im = a_im + pairs;
      T *re = z.re.data() + k * kSequences, *im = z.im.data() + k * kSequences;
      for (Index l = 0; l < count; ++l) {
        re[l] = a_re[l] - b_im[l];
        im[l] = a_im[l] + b_re[l];
      }
      if (k == 0 || k == rows()) continue;
      T *mirror_re = z.re.data() + (length - k) * kSequences, *mirror_im = z.im.data() + (length - k) * kSequences;
      for (Index l = 0; l < count; ++l) {
        mirror_re[l] = a_re[l] + b_im[l];
        mirror_im[l] = b_re[l] - a_im[l];
      }
    }
    along_.backward(z, Fft<T>::Part::FirstHalfOut);
    for (Index i = 0; i < rows(); ++i) {
      std::copy_n(z.re.data() + i * kSequences, count, grid.row(i) + first);
      std::copy_n(z.im.data() + i * kSequences, count, grid.row(i) + pairs + first);
    }
  });
}

template class GridConvolution<float>;
template class GridConvolution<double>;

}  // namespace unroll
