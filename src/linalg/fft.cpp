#include "linalg/fft.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "simd/kernels.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

constexpr Index kFactor = 16;  // a pass of radix 4 at either end

bool is_smooth(Index n) {
  for (const Index prime : {2, 3, 5})
    while (n % prime == 0) n /= prime;
  return n == 1;
}

/// 4 first and last, where half of the numbers may be left out.
std::vector<Index> radices_of(Index length) {
  std::vector<Index> between;
  Index rest = length / kFactor;
  for (const Index radix : {5, 3, 4, 2})
    for (; rest % radix == 0; rest /= radix) between.push_back(radix);
  if (length % kFactor != 0 || rest != 1) throw Error(ErrorKind::Internal, "a length that has no transform");
  between.insert(between.begin(), 4);
  between.push_back(4);
  return between;
}

}  // namespace

template <class T>
Fft<T>::Fft(Index length) : length_(length) {
  Index rest = length, stride = 1;
  std::vector<std::size_t> starts;
  for (const Index radix : radices_of(length)) {
    const Index count = rest / radix;
    starts.push_back(twiddles_.size());
    for (Index p = 0; p < count; ++p)
      for (Index k = 1; k < radix; ++k) {
        const double angle = -2 * std::numbers::pi * static_cast<double>(p * k) / static_cast<double>(rest);
        twiddles_.push_back(static_cast<T>(std::cos(angle)));
        twiddles_.push_back(static_cast<T>(std::sin(angle)));
      }
    stages_.push_back({radix, count, stride, nullptr, false, false});
    rest = count;
    stride *= radix;
  }
  for (std::size_t s = 0; s < stages_.size(); ++s) stages_[s].twiddles = twiddles_.data() + starts[s];
}

template <class T>
Index Fft<T>::length_for(Index least) {
  Index factor = std::max<Index>((least + kFactor - 1) / kFactor, 1);
  while (!is_smooth(factor)) ++factor;
  return factor * kFactor;
}

template <class T>
void Fft<T>::run(std::vector<T>& re, std::vector<T>& im, std::vector<T>& work_re, std::vector<T>& work_im,
                 Part part) const {
  const auto run_stage = simd::kernels().ffts.of<T>();
  for (std::size_t s = 0; s < stages_.size(); ++s) {
    simd::FftStage<T> stage = stages_[s];
    stage.is_half_full = s == 0 && part == Part::FirstHalfIn;
    stage.is_half_asked = s + 1 == stages_.size() && part == Part::FirstHalfOut;
    run_stage(stage, re.data(), im.data(), work_re.data(), work_im.data());
    re.swap(work_re);
    im.swap(work_im);
  }
}

template <class T>
void Fft<T>::forward(Buffers& buffers, Part part) const {
  run(buffers.re, buffers.im, buffers.work_re, buffers.work_im, part);
}

/// The real and the imaginary part exchanged before and after the transform make it the backward one.
template <class T>
void Fft<T>::backward(Buffers& buffers, Part part) const {
  run(buffers.im, buffers.re, buffers.work_im, buffers.work_re, part);
}

template class Fft<float>;
template class Fft<double>;

}  // namespace unroll
