#pragma once
#include <vector>

#include "simd/transform_kernels.h"
#include "unroll/core/types.h"

namespace unroll {

/// The Fourier transform of sequences of one length, 2^a 3^b 5^c and a multiple of 16, simd::kFftLanes at a time. The
/// order of its operations is a function of the length alone. It is for convolutions: half of the input may be zeros,
/// and half of the output may be left out. Immutable; threads share it.
template <class T>
class Fft {
 public:
  explicit Fft(Index length);
  Fft(const Fft&) = delete;
  Fft& operator=(const Fft&) = delete;
  /// The shortest possible length that is not below.
  static Index length_for(Index least);

  Index length() const { return length_; }
  /// Numbers in a buffer of real or of imaginary parts.
  std::size_t buffer_size() const { return static_cast<std::size_t>(length_ * simd::kFftLanes); }

  /// Memory of one transform; the result is in `re` and `im`.
  struct Buffers {
    explicit Buffers(const Fft& fft)
        : re(fft.buffer_size()), im(fft.buffer_size()), work_re(fft.buffer_size()), work_im(fft.buffer_size()) {}
    std::vector<T> re, im, work_re, work_im;
  };
  /// What of a transform counts.
  enum class Part {
    All,
    FirstHalfIn,   ///< entries from length / 2 on are taken as zeros, whatever they are
    FirstHalfOut,  ///< entries from length / 2 on are not computed
  };
  /// y_k = sum over j of x_j exp(-2 pi i j k / length).
  void forward(Buffers& buffers, Part part = Part::All) const;
  /// y_k = sum over j of x_j exp(+2 pi i j k / length): not divided by the length.
  void backward(Buffers& buffers, Part part = Part::All) const;

 private:
  void run(std::vector<T>& re, std::vector<T>& im, std::vector<T>& work_re, std::vector<T>& work_im, Part part) const;

  Index length_;
  std::vector<T> twiddles_;
  std::vector<simd::FftStage<T>> stages_;
};

extern template class Fft<float>;
extern template class Fft<double>;

}  // namespace unroll
