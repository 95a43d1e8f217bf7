#include "linalg/fft.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "core/random.h"

namespace unroll {
namespace {

template <class T>
class FourierTransform : public testing::Test {
 protected:
  static constexpr Index kSequences = simd::kFftLanes;
  using Complex = std::complex<double>;
  using Buffers = typename Fft<T>::Buffers;

  static constexpr double kTolerance = sizeof(T) == 4 ? 2e-6 : 1e-14;

  static Complex entry(const Buffers& z, Index i, Index l) {
    const auto at = static_cast<std::size_t>(i * kSequences + l);
    return {static_cast<double>(z.re[at]), static_cast<double>(z.im[at])};
  }
  static Buffers random_sequences(const Fft<T>& fft) {
    const Random random(1, "fft");
    Buffers z(fft);
    for (std::size_t i = 0; i < z.re.size(); ++i) {
      z.re[i] = static_cast<T>(random.normal(i, 0));
      z.im[i] = static_cast<T>(random.normal(i, 1));
    }
    return z;
  }
  /// The sum that defines the transform; of sequence l, entry k.
  static Complex plain(const Buffers& x, Index length, Index used, Index k, Index l, int sign) {
    Complex sum = 0;
    for (Index j = 0; j < used; ++j)
      sum += entry(x, j, l) * std::polar(1.0, sign * 2 * std::numbers::pi * static_cast<double>(j * k % length) /
                                                  static_cast<double>(length));
    return sum;
  }
};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(FourierTransform, Scalars);

TYPED_TEST(FourierTransform, IsTheSumThatDefinesIt) {
  using Part = typename Fft<TypeParam>::Part;
  for (const Index length : {16, 32, 48, 64, 80, 96, 144, 240, 400, 720}) {
    const Fft<TypeParam> fft(length);
    const auto x = this->random_sequences(fft);
    const double scale = this->kTolerance * std::sqrt(static_cast<double>(length)) * 10;
    for (const int sign : {-1, 1})
      for (const Part part : {Part::All, Part::FirstHalfIn, Part::FirstHalfOut}) {
        auto z = x;
        sign < 0 ? fft.forward(z, part) : fft.backward(z, part);
        const Index used = part == Part::FirstHalfIn ? length / 2 : length;
        const Index asked = part == Part::FirstHalfOut ? length / 2 : length;
        for (Index k = 0; k < asked; k += 1 + length / 50)
          for (const Index l : {0, 7, 15})
            ASSERT_LT(std::abs(this->entry(z, k, l) - this->plain(x, length, used, k, l, sign)), scale)
                << length << " " << k << " " << l << " " << sign;
      }
  }
}

TYPED_TEST(FourierTransform, ThereAndBackIsTheLengthTimesTheSame) {
  const Fft<TypeParam> fft(960);
  const auto x = this->random_sequences(fft);
  auto z = x;
  fft.forward(z);
  fft.backward(z);
  for (std::size_t i = 0; i < x.re.size(); ++i) {
    ASSERT_NEAR(z.re[i] / 960, x.re[i], 100 * this->kTolerance);
    ASSERT_NEAR(z.im[i] / 960, x.im[i], 100 * this->kTolerance);
  }
}

TEST(FourierLengths, AreTheNextPossible) {
  EXPECT_EQ(Fft<float>::length_for(1), 16);
  EXPECT_EQ(Fft<float>::length_for(97), 128);
  EXPECT_EQ(Fft<float>::length_for(112), 128);
  EXPECT_EQ(Fft<float>::length_for(129), 144);
  EXPECT_THROW(Fft<float>(112), std::exception);
  EXPECT_THROW(Fft<float>(24), std::exception);
}

}  // namespace
}  // namespace unroll
