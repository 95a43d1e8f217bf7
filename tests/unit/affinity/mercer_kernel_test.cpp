#include "affinity/mercer_kernel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "support/matrices.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

const std::vector<KernelParameters> kAll{{.kernel = Kernel::Linear},
                                         {.kernel = Kernel::Polynomial, .gamma = 0.3, .degree = 5, .coef0 = 0.7},
                                         {.kernel = Kernel::Rbf, .gamma = 0.2},
                                         {.kernel = Kernel::Sigmoid, .gamma = 0.1, .coef0 = -0.4},
                                         {.kernel = Kernel::Laplacian, .gamma = 0.3},
                                         {.kernel = Kernel::Cosine}};

/// The formulas, plainly.
double plain(const KernelParameters& p, const double* x, const double* y, Index d) {
  double dot = 0, xx = 0, yy = 0, squared = 0, manhattan = 0;
  for (Index j = 0; j < d; ++j) {
    dot += x[j] * y[j], xx += x[j] * x[j], yy += y[j] * y[j];
    squared += (x[j] - y[j]) * (x[j] - y[j]), manhattan += std::abs(x[j] - y[j]);
  }
  switch (p.kernel) {
    case Kernel::Linear: return dot;
    case Kernel::Polynomial: return std::pow(p.gamma * dot + p.coef0, static_cast<double>(p.degree));
    case Kernel::Rbf: return std::exp(-p.gamma * squared);
    case Kernel::Sigmoid: return std::tanh(p.gamma * dot + p.coef0);
    case Kernel::Laplacian: return std::exp(-p.gamma * manhattan);
    default: return dot / std::sqrt(xx * yy);
  }
}

Array2<double> plain(const KernelParameters& p, const Array2<double>& x, const Array2<double>& y) {
  Array2<double> k(x.rows(), y.rows());
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < y.rows(); ++j) k(i, j) = plain(p, x.row(i), y.row(j), x.cols());
  return k;
}

TEST(MercerKernel, EqualsTheFormulas) {
  for (const Index d : {1, 3, 50, 600}) {
    const Array2<double> x = normal_matrix(150, d, 1), fresh = normal_matrix(21, d, 2);
    for (KernelParameters p : kAll) {
      p.gamma /= static_cast<double>(d);
      const MercerKernel kernel(x, p, {});
      EXPECT_LT(relative_difference(kernel.matrix(x, {}), plain(p, x, x)), 1e-13) << name_of(p.kernel) << d;
      EXPECT_LT(relative_difference(kernel.rows(fresh, x, {}), plain(p, fresh, x)), 1e-13) << name_of(p.kernel) << d;
    }
  }
}

TEST(MercerKernel, IsSymmetricAndTheSameByMatrixRowsAndDiagonal) {
  const Array2<double> x = normal_matrix(300, 7, 1);
  for (const KernelParameters& p : kAll) {
    const MercerKernel kernel(x, p, {});
    const Array2<double> k = kernel.matrix(x, {});
    EXPECT_EQ(k, transposed(k)) << name_of(p.kernel);
    EXPECT_EQ(k, kernel.rows(x, x, {})) << name_of(p.kernel);
    const auto diagonal = kernel.diagonal(x, {});
    for (Index i = 0; i < 300; ++i) ASSERT_EQ(diagonal[static_cast<std::size_t>(i)], k(i, i)) << name_of(p.kernel);
    const Array2<double> alone = kernel.rows(PointsView(x).slice(177, 1), x, {});
    EXPECT_TRUE(std::equal(alone.data(), alone.data() + 300, k.row(177))) << name_of(p.kernel);
    for (const int threads : {1, 3, 8}) EXPECT_EQ(kernel.matrix(x, {.threads = threads}), k);
  }
}

TEST(MercerKernel, AMatrixInFloatIsTheOneInDoubleRounded) {
  const Array2<double> x = normal_matrix(300, 7, 1);
  for (const KernelParameters& p : kAll) {
    if (!p.is_bounded()) continue;
    const MercerKernel kernel(x, p, {});
    const Array2<float> k = kernel.matrix<float>(x, {});
    EXPECT_EQ(k, as_float(kernel.matrix(x, {}))) << name_of(p.kernel);
    for (Index i = 0; i < k.size(); ++i) ASSERT_LE(std::abs(k.data()[i]), 1) << name_of(p.kernel);
  }
}

TEST(MercerKernel, FloatsAreTakenAsTheyAre) {
  const Array2<float> narrow = as_float(normal_matrix(40, 5, 3));
  Array2<double> wide(40, 5);
  std::copy_n(narrow.data(), narrow.size(), wide.data());
  for (const KernelParameters& p : kAll)
    EXPECT_EQ(MercerKernel(narrow, p, {}).matrix(narrow, {}), MercerKernel(wide, p, {}).matrix(wide, {}));
}

TEST(MercerKernel, OffsetsCostNothing) {
  Array2<double> x = normal_matrix(80, 4, 1);
  for (Index i = 0; i < x.size(); ++i) x.data()[i] = (x.data()[i] + 1e8) - 1e8;  // what an offset leaves of the data
  Array2<double> far = x;
  for (Index i = 0; i < x.size(); ++i) far.data()[i] += 1e8;
  for (const Kernel kind : {Kernel::Rbf, Kernel::Laplacian}) {
    const KernelParameters p{.kernel = kind, .gamma = 0.4};
    EXPECT_LT(relative_difference(MercerKernel(far, p, {}).matrix(far, {}), plain(p, x, x)), 1e-14);
  }
  const KernelParameters p{.kernel = Kernel::Linear, .up_to_centering = true};
  EXPECT_LT(relative_difference(MercerKernel(far, p, {}).matrix(far, {}), MercerKernel(x, p, {}).matrix(x, {})), 1e-7);
}

TEST(MercerKernel, ExtremeUnits) {
  const Array2<double> x = normal_matrix(60, 3, 1);
  for (const double unit : {1e150, 1e-150, 1e300, 1e-300}) {
    Array2<double> scaled = x;
    for (Index i = 0; i < x.size(); ++i) scaled.data()[i] *= unit;
    const KernelParameters laplacian{.kernel = Kernel::Laplacian, .gamma = 0.5 / unit};
    EXPECT_LT(relative_difference(MercerKernel(scaled, laplacian, {}).matrix(scaled, {}),
                                  plain({.kernel = Kernel::Laplacian, .gamma = 0.5}, x, x)),
              1e-13);
    const KernelParameters cosine{.kernel = Kernel::Cosine};
    EXPECT_LT(relative_difference(MercerKernel(scaled, cosine, {}).matrix(scaled, {}), plain(cosine, x, x)), 1e-13);
    if (unit == 1e300 || unit == 1e-300) continue;  // no gamma in range
    const KernelParameters rbf{.kernel = Kernel::Rbf, .gamma = 0.5 / unit / unit};
    EXPECT_LT(relative_difference(MercerKernel(scaled, rbf, {}).matrix(scaled, {}),
                                  plain({.kernel = Kernel::Rbf, .gamma = 0.5}, x, x)),
              1e-13);
  }
}

TEST(MercerKernel, IdenticalPointsHaveOneExactly) {
  Array2<double> x = normal_matrix(40, 6, 1);
  for (Index i = 0; i < x.size(); ++i) x.data()[i] += 12345.678;
  std::copy_n(x.row(3), 6, x.row(31));
  for (const double gamma : {1e-3, 1.0, 1e300})
    for (const Kernel kind : {Kernel::Rbf, Kernel::Laplacian}) {
      const Array2<double> k = MercerKernel(x, {.kernel = kind, .gamma = gamma}, {}).matrix(x, {});
      EXPECT_EQ(k(3, 31), 1);
      EXPECT_EQ(k(31, 31), 1);
      EXPECT_EQ(k(3, 4) == 0, gamma == 1e300);
    }
}

TEST(MercerKernel, LessOneKeepsTheDigitsOfSmallDistances) {
  const Array2<double> x = normal_matrix(70, 3, 1);
  for (const double gamma : {1e-30, 1e-12, 0.5, 20.0}) {
    const Array2<double> k = MercerKernel(x, {.gamma = gamma, .up_to_centering = true}, {}).matrix(x, {});
    for (Index i = 0; i < 70; ++i)
      for (Index j = 0; j < 70; ++j) {
        double squared = 0;
        for (Index f = 0; f < 3; ++f) squared += (x(i, f) - x(j, f)) * (x(i, f) - x(j, f));
        ASSERT_NEAR(k(i, j), std::expm1(-gamma * squared), 1e-14 * std::min(1.0, gamma * squared));
      }
  }
}

TEST(MercerKernel, UpToCenteringTakesAConstantOff) {
  const Array2<double> x = normal_matrix(50, 3, 2);
  for (KernelParameters p : kAll) {
    const bool has_constant = p.kernel == Kernel::Polynomial || p.kernel == Kernel::Sigmoid || p.is_local();
    if (!has_constant) continue;
    const std::vector<double> zero(3);
    const double constant = plain(p, zero.data(), zero.data(), 3);
    Array2<double> expected = plain(p, x, x);
    for (Index i = 0; i < expected.size(); ++i) expected.data()[i] -= constant;
    p.up_to_centering = true;
    EXPECT_LT(relative_difference(MercerKernel(x, p, {}).matrix(x, {}), expected), 1e-14) << name_of(p.kernel);
    // Where products are tiny, to first order the derivative at 0 times them.
    if (p.is_local()) continue;
    p.gamma = 1e-30;
    const double slope = p.kernel == Kernel::Polynomial
                             ? static_cast<double>(p.degree) * std::pow(p.coef0, static_cast<double>(p.degree - 1))
                             : 1 - std::tanh(p.coef0) * std::tanh(p.coef0);
    Array2<double> linear = plain({.kernel = Kernel::Linear}, x, x);
    for (Index i = 0; i < linear.size(); ++i) linear.data()[i] *= slope * p.gamma;
    EXPECT_LT(relative_difference(MercerKernel(x, p, {}).matrix(x, {}), linear), 1e-13) << name_of(p.kernel);
  }
}

TEST(MercerKernel, CosineOfARowOfZerosIsZero) {
  Array2<double> x = normal_matrix(10, 3, 1);
  std::fill_n(x.row(4), 3, 0.0);
  const Array2<double> k = MercerKernel(x, {.kernel = Kernel::Cosine}, {}).matrix(x, {});
  for (Index j = 0; j < 10; ++j) EXPECT_EQ(k(4, j), 0);
}

TEST(MercerKernel, OverflowIsAnErrorThatSaysWhatToDo) {
  Array2<double> x = normal_matrix(10, 3, 1);
  for (Index i = 0; i < x.size(); ++i) x.data()[i] *= 1e80;
  try {
    MercerKernel(x, {.kernel = Kernel::Polynomial}, {}).matrix(x, {});
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::InvalidData);
    EXPECT_NE(std::string(error.what()).find("scale=standardize"), std::string::npos) << error.what();
  }
}

TEST(MercerKernel, SuggestsAGammaOfMiddlingDistances) {
  for (const double unit : {1.0, 1e-9, 1e9}) {
    Array2<double> x =
        normal_matrix(500, 2, 1);  // squared distances: 4 times a chi-squared of half the mean, median 2.77
    for (Index i = 0; i < x.size(); ++i) x.data()[i] *= unit;
    const double gamma = MercerKernel(x, {.kernel = Kernel::Rbf}, {}).suggested_gamma(x);
    EXPECT_NEAR(gamma * unit * unit, 1 / (2 * 2.77), 0.03);
  }
  EXPECT_EQ(MercerKernel(Array2<double>(9, 2), {}, {}).suggested_gamma(Array2<double>(9, 2)), 0);
}

}  // namespace
}  // namespace unroll
