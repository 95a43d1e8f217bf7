// How coordinates answer a change of the data, as each method declares in its Properties.
#include "property/methods_under_test.h"

namespace unroll {
namespace {

constexpr double kSameValues = 1e-9;  // also an optimiser gives the same map for the same values

class Invariance : public EveryMethod {};
INSTANTIATE_TEST_SUITE_P(Registry, Invariance, testing::ValuesIn(method_names()), test_name);

TEST_P(Invariance, Translation) {
  if (!method().properties.translation) GTEST_SKIP();
  const Array2<double> x = points();
  Array2<double> moved = x;
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < x.cols(); ++j) moved(i, j) += 10.0 * static_cast<double>(j + 1);
  EXPECT_LT(relative_difference(fit(moved).coordinates(), fit(x).coordinates()), method().properties.rounding);
}

TEST_P(Invariance, Rotation) {
  if (!method().properties.rotation) GTEST_SKIP();
  const Array2<double> x = points();
  const Array2<double> rotated = product(x, rotation(x.cols(), 3));
  EXPECT_LT(difference_up_to_sign(fit(rotated).coordinates(), fit(x).coordinates()), method().properties.rounding);
}

TEST_P(Invariance, PowerOfTwoScaleIsExact) {
  using Scale = Properties::Scale;
  const Scale declared = method().properties.scale;
  if (declared == Scale::Other) GTEST_SKIP();
  const Array2<double> x = points();
  for (const double factor : {0x1p-300, 0x1p-7, 0x1p20, 0x1p300}) {
    Array2<double> scaled = x;
    for (Index i = 0; i < x.size(); ++i) scaled.data()[i] *= factor;
    Array2<double> expected = fit(x).coordinates();
    if (declared == Scale::Proportional)
      for (Index i = 0; i < expected.size(); ++i) expected.data()[i] *= factor;
    EXPECT_EQ(fit(scaled).coordinates(), expected) << factor;
  }
}

TEST_P(Invariance, RowPermutation) {
  if (!method().properties.permutation) GTEST_SKIP();
  const Array2<double> x = points();
  const auto order = Random(1, "order").permutation(x.rows());
  Array2<double> shuffled(x.rows(), x.cols());
  for (Index i = 0; i < x.rows(); ++i)
    std::copy_n(x.row(order[static_cast<std::size_t>(i)]), x.cols(), shuffled.row(i));
  Input input(shuffled);
  std::vector<std::int64_t> labels;
  for (const Index i : order) labels.push_back(some_labels(x.rows())[static_cast<std::size_t>(i)]);
  if (method().kind == MethodKind::Labels) input.labels = labels;
  const Array2<double> y = fit(x).coordinates(), z = fit_given(input).coordinates();
  Array2<double> back(y.rows(), y.cols());
  for (Index i = 0; i < x.rows(); ++i) std::copy_n(z.row(i), z.cols(), back.row(order[static_cast<std::size_t>(i)]));
  EXPECT_LT(difference_up_to_sign(back, y), method().properties.rounding);
}

TEST_P(Invariance, EveryRowTwice) {
  if (!method().properties.duplicates) GTEST_SKIP();
  const Array2<double> x = points();
  Array2<double> twice(2 * x.rows(), x.cols());
  for (Index i = 0; i < twice.rows(); ++i) std::copy_n(x.row(i / 2), x.cols(), twice.row(i));
  const Array2<double> y = fit(x).coordinates(), z = fit(twice).coordinates();
  Array2<double> first(y.rows(), y.cols());
  for (Index i = 0; i < x.rows(); ++i) std::copy_n(z.row(2 * i), z.cols(), first.row(i));
  EXPECT_LT(difference_up_to_sign(first, y), method().properties.rounding);
}

TEST_P(Invariance, ConstantColumnAdded) {
  if (!method().properties.constant_columns) GTEST_SKIP();
  const Array2<double> x = points();
  Array2<double> wider(x.rows(), x.cols() + 1);
  for (Index i = 0; i < x.rows(); ++i) {
    std::copy_n(x.row(i), x.cols(), wider.row(i));
    wider(i, x.cols()) = 7.25;
  }
  EXPECT_LT(relative_difference(fit(wider).coordinates(), fit(x).coordinates()), method().properties.rounding);
}

TEST_P(Invariance, MoreComponentsBeginWithTheFewer) {
  if (!method().properties.nested) GTEST_SKIP();
  const Array2<double> x = points();
  const Array2<double> two = fit(x, {{"n_components", std::int64_t{2}}}).coordinates();
  const Array2<double> three = fit(x, {{"n_components", std::int64_t{3}}}).coordinates();
  Array2<double> head(x.rows(), 2);
  for (Index i = 0; i < x.rows(); ++i) std::copy_n(three.row(i), 2, head.row(i));
  EXPECT_LT(relative_difference(head, two), method().properties.rounding);
}

TEST_P(Invariance, FloatInputGivesTheCoordinatesOfTheSameValuesInDouble) {
  const Array2<float> narrow = as_float(points());
  Array2<double> wide(narrow.rows(), narrow.cols());
  std::copy_n(narrow.data(), narrow.size(), wide.data());
  EXPECT_LT(relative_difference(fit(narrow).coordinates(), fit(wide).coordinates()), kSameValues);
}

TEST_P(Invariance, RowsMayLieApart) {
  const Array2<double> x = points();
  Array2<double> padded(x.rows(), x.cols() + 3);
  for (Index i = 0; i < x.rows(); ++i) {
    std::fill_n(padded.row(i), padded.cols(), 1e30);
    std::copy_n(x.row(i), x.cols(), padded.row(i));
  }
  const MatrixView<double> strided{padded.data(), x.rows(), x.cols(), padded.cols()};
  const Model model = fit(x);
  EXPECT_EQ(fit(strided).coordinates(), model.coordinates());
  EXPECT_EQ(model.transform(strided), model.transform(x));
}

TEST_P(Invariance, LargeOffsetsKeepTheShape) {
  if (!method().properties.translation) GTEST_SKIP();
  const Array2<double> x = points();
  Array2<double> far = x;
  for (Index i = 0; i < x.size(); ++i)
    far.data()[i] = (far.data()[i] + 1e8) - 1e8;  // what an offset leaves of the data
  Array2<double> offset = far;
  for (Index i = 0; i < x.size(); ++i) offset.data()[i] += 1e8;
  EXPECT_LT(relative_difference(fit(offset).coordinates(), fit(far).coordinates()),
            std::max(1e-7, method().properties.rounding));
}

TEST_P(Invariance, ExtremeUnitsKeepTheShape) {
  using Scale = Properties::Scale;
  if (method().properties.scale == Scale::Other) GTEST_SKIP();
  const double declared = method().properties.rounding, rounding = declared == Properties{}.rounding ? 1e-10 : declared;
  const Array2<double> x = points();
  for (const double unit : {1e300, 1e-300}) {
    Array2<double> scaled = x;
    for (Index i = 0; i < x.size(); ++i) scaled.data()[i] *= unit;
    Array2<double> y = fit(scaled).coordinates();
    if (method().properties.scale == Scale::Proportional)
      for (Index i = 0; i < y.size(); ++i) y.data()[i] /= unit;
    EXPECT_LT(relative_difference(y, fit(x).coordinates()), rounding) << unit;
  }
}

}  // namespace
}  // namespace unroll
