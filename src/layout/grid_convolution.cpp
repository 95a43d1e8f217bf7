#include "layout/grid_convolution.h"

#include <algorithm>
#include <numbers>
#include <type_traits>

#include "core/at.h"
#include "core/parallel.h"

namespace unroll {
namespace {

constexpr Index kSequences = simd::kFftLanes;
constexpr Index kPad = 16;  // so that the same place of neighbouring rows is not always in the same part of the cache

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

/// The part of the input that is there, or of the output that is asked for, of transforms of so many nodes.
Fft<float>::Part part_of(ConvolutionSize size, Fft<float>::Part half) {
  return size.length == 2 * size.nodes ? half : Fft<float>::Part::All;
}

template <class Count>
void copy_lanes(const float* __restrict from, Count count, float* __restrict to) {
  for (Index l = 0; l < count; ++l) to[l] = from[l];
}

/// With z = a + i b for real a and b: the transform of a is (Z_k + conj Z_-k) / 2, that of b (Z_k - conj Z_-k) / 2i.
/// Here of the frequency k and its mirror image; b is `second` columns behind a.
void split_lanes(const Fft<float>::Buffers& z, Index k, Index mirror, float* __restrict a_re, float* __restrict a_im,
                 Index second) {
  const float *re = z.re.data() + k * kSequences, *im = z.im.data() + k * kSequences;
  const float *mirror_re = z.re.data() + mirror * kSequences, *mirror_im = z.im.data() + mirror * kSequences;
  for (Index l = 0; l < kSequences; ++l) {
    a_re[l] = (re[l] + mirror_re[l]) / 2;
    a_im[l] = (im[l] - mirror_im[l]) / 2;
  }
  for (Index l = 0; l < kSequences; ++l) {
    a_re[second + l] = (im[l] + mirror_im[l]) / 2;
    a_im[second + l] = (mirror_re[l] - re[l]) / 2;
  }
}

/// The way back: Z_k = A_k + i B_k, and Z_-k = conj A_k + i conj B_k.
void join_lanes(const float* __restrict a_re, const float* __restrict a_im, Index second, Fft<float>::Buffers& z,
                Index k, Index mirror) {
  float* __restrict re = z.re.data() + k * kSequences, * __restrict im = z.im.data() + k * kSequences;
  for (Index l = 0; l < kSequences; ++l) {
    re[l] = a_re[l] - a_im[second + l];
    im[l] = a_im[l] + a_re[second + l];
  }
  if (mirror == k || mirror == 0) return;
  re = z.re.data() + mirror * kSequences, im = z.im.data() + mirror * kSequences;
  for (Index l = 0; l < kSequences; ++l) {
    re[l] = a_re[l] + a_im[second + l];
    im[l] = a_re[second + l] - a_im[l];
  }
}

/// Calls use(count) with a constant where the chunk is full, for loops that are unrolled.
template <class Use>
void with_count(Index count, const Use& use) {
  if (count == kSequences) {
    use(std::integral_constant<Index, kSequences>());
  } else {
    use(count);
  }
}

/// Zeros behind the nodes, unless the transform takes them for zeros anyway.
void clear_behind(ConvolutionSize size, Fft<float>::Buffers& z) {
  if (size.length == 2 * size.nodes) return;
  std::fill(z.re.begin() + size.nodes * kSequences, z.re.end(), 0.0F);
  std::fill(z.im.begin() + size.nodes * kSequences, z.im.end(), 0.0F);
}

}  // namespace

/// Buffers that one thread uses at a time. A thread takes those that were used last, which are in the cache, and makes
/// new ones where there are none.
class GridConvolution::Borrowed {
 public:
  using Spare = std::vector<std::unique_ptr<Buffers>>;
  Borrowed(GridConvolution& owner, const Fft<float>& fft, Spare& spare) : owner_(owner), spare_(spare) {
    {
      const std::lock_guard lock(owner_.lending_);
      if (!spare_.empty()) {
        buffers_ = std::move(spare_.back());
        spare_.pop_back();
      }
    }
    if (buffers_ == nullptr) buffers_ = std::make_unique<Buffers>(fft);
  }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  ~Borrowed() {
    const std::lock_guard lock(owner_.lending_);
    spare_.push_back(std::move(buffers_));
  }
  Buffers& get() { return *buffers_; }

 private:
  GridConvolution& owner_;
  Spare& spare_;
  std::unique_ptr<Buffers> buffers_;
};

GridConvolution::GridConvolution(ConvolutionSize rows, ConvolutionSize cols,
                                 const std::function<double(Index, Index)>& kernel,
                                 const std::function<double(double)>& filter, const Run& run)
    : rows_(rows),
      cols_(cols),
      along_(rows.length),
      across_(cols.length),
      kernel_(at(chunks_of(frequencies()) * cols.length * kSequences)),
      spectrum_re_(frequencies(), 2 * second_columns() + kPad),
      spectrum_im_(frequencies(), 2 * second_columns() + kPad) {
  const Array2<double> spectrum = kernel_spectrum(rows.length, cols.length, kernel, run);
  const double scale = 1 / (static_cast<double>(rows.length) * static_cast<double>(cols.length));  // of both ways
  std::vector<double> filtered(at(cols.length));
  for (Index m = 0; m < cols.length; ++m) filtered[at(m)] = filter(angle_of(m, cols.length));
  for (Index k = 0; k < frequencies(); ++k) {
    const double along = scale / filter(angle_of(k, rows.length));
    float* to = kernel_.data() + (k / kSequences * cols.length) * kSequences + k % kSequences;
    for (Index m = 0; m < cols.length; ++m)
      to[m * kSequences] = static_cast<float>(along * spectrum(k, std::min(m, cols.length - m)) / filtered[at(m)]);
  }
}

Index GridConvolution::second_columns() const { return chunks_of(cols_.nodes / 2) * kSequences; }

void GridConvolution::apply(Array2<float>& grid, const Run& run) {
  transform_columns(grid, run);
  multiply_rows(run);
  transform_back(grid, run);
}

void GridConvolution::transform_columns(const Array2<float>& grid, const Run& run) {
  const Index pairs = cols_.nodes / 2;
  parallel_for(run, chunks_of(pairs), 1, [&](Index chunk, Index) {
    Borrowed borrowed(*this, along_, spare_along_);
    Buffers& z = borrowed.get();
    const Index first = chunk * kSequences;
    with_count(std::min(kSequences, pairs - first), [&](auto count) {
      for (Index i = 0; i < rows_.nodes; ++i) {
        copy_lanes(grid.row(i) + first, count, z.re.data() + i * kSequences);
        copy_lanes(grid.row(i) + pairs + first, count, z.im.data() + i * kSequences);
      }
    });
    clear_behind(rows_, z);
    along_.forward(z, part_of(rows_, Fft<float>::Part::FirstHalfIn));
    for (Index k = 0; k < frequencies(); ++k) {
      const Index mirror = k == 0 ? 0 : rows_.length - k;
      split_lanes(z, k, mirror, spectrum_re_.row(k) + first, spectrum_im_.row(k) + first, second_columns());
    }
  });
}

void GridConvolution::multiply_rows(const Run& run) {
  parallel_for(run, chunks_of(frequencies()), 1, [&](Index chunk, Index) {
    Borrowed borrowed(*this, across_, spare_across_);
    Buffers& z = borrowed.get();
    const Index first = chunk * kSequences, count = std::min(kSequences, frequencies() - first);
    const Index pairs = cols_.nodes / 2, behind = second_columns() - pairs;
    with_count(count, [&](auto lanes) {
      for (Index j = 0; j < cols_.nodes; ++j) {
        const Index from = first * spectrum_re_.cols() + (j < pairs ? j : j + behind);
        for (Index l = 0; l < lanes; ++l) {
          z.re[at(j * kSequences + l)] = spectrum_re_.data()[from + l * spectrum_re_.cols()];
          z.im[at(j * kSequences + l)] = spectrum_im_.data()[from + l * spectrum_re_.cols()];
        }
      }
    });
    clear_behind(cols_, z);
    across_.forward(z, part_of(cols_, Fft<float>::Part::FirstHalfIn));
    const float* factor = kernel_.data() + chunk * cols_.length * kSequences;
    for (std::size_t i = 0; i < across_.buffer_size(); ++i) {
      z.re[i] *= factor[i];
      z.im[i] *= factor[i];
    }
    across_.backward(z, part_of(cols_, Fft<float>::Part::FirstHalfOut));
    with_count(count, [&](auto lanes) {
      for (Index j = 0; j < cols_.nodes; ++j) {
        const Index to = first * spectrum_re_.cols() + (j < pairs ? j : j + behind);
        for (Index l = 0; l < lanes; ++l) {
          spectrum_re_.data()[to + l * spectrum_re_.cols()] = z.re[at(j * kSequences + l)];
          spectrum_im_.data()[to + l * spectrum_re_.cols()] = z.im[at(j * kSequences + l)];
        }
      }
    });
  });
}

void GridConvolution::transform_back(Array2<float>& grid, const Run& run) {
  const Index pairs = cols_.nodes / 2;
  parallel_for(run, chunks_of(pairs), 1, [&](Index chunk, Index) {
    Borrowed borrowed(*this, along_, spare_along_);
    Buffers& z = borrowed.get();
    const Index first = chunk * kSequences;
    for (Index k = 0; k < frequencies(); ++k) {
      const Index mirror = k == 0 ? 0 : rows_.length - k;
      join_lanes(spectrum_re_.row(k) + first, spectrum_im_.row(k) + first, second_columns(), z, k, mirror);
    }
    along_.backward(z, part_of(rows_, Fft<float>::Part::FirstHalfOut));
    with_count(std::min(kSequences, pairs - first), [&](auto count) {
      for (Index i = 0; i < rows_.nodes; ++i) {
        copy_lanes(z.re.data() + i * kSequences, count, grid.row(i) + first);
        copy_lanes(z.im.data() + i * kSequences, count, grid.row(i) + pairs + first);
      }
    });
  });
}

}  // namespace unroll
